"""From weights to a bundle: ONNX graphs, parity with torch, int8, measured quality."""

import os

# ONNX Runtime 1.31 sends usage data by default; only this, set before it is imported, turns that off entirely.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
