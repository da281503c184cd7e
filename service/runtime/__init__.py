"""What runs a bundle's graphs: ONNX Runtime, or a scripted fake of the same seam."""

import os

# ONNX Runtime 1.31 sends usage data by default; only this, set before it is imported, turns that off entirely.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
