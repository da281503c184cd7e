"""From weights to a bundle: ONNX graphs, parity with torch, int8, measured quality."""
