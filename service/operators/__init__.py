"""Operators: one file each, which registers how its ONNX operators are recognised and what does them.

A file has rules (`lowers`), a step with named operands, its instruction (`kernel`) and its numpy reference.
"""

import importlib

OPERATORS = (
    "additive_attention",
    "binary",
    "conv",
    "cross_attention",
    "embed",
    "encoder_attention",
    "float_product",
    "join",
    "normalise",
    "product",
    "quantise",
    "self_attention",
    "shapes",
    "tensors",
    "unary",
)
"""Files of this room that register rules; an operator needs its line here."""

for _name in OPERATORS:
    importlib.import_module(f"{__name__}.{_name}")
