"""What runs a bundle's graphs: ONNX Runtime, or a scripted fake of the same seam."""
