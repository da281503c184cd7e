"""The runtimes that compute a bundle's graphs: own kernels, ONNX Runtime, or a scripted fake of the same interface."""

import os

# ONNX Runtime 1.31 sends usage data by default; only this, set before it is imported, turns that off entirely.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
