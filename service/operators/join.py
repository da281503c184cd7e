"""Tensors side by side (Concat), and parts of them (Split)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from service.kernels.addresses import bytes_at, floats_at, int64s_at, record_at
from service.kernels.instruction import SLOT_BYTES, Kernel, kernel, layout
from service.kernels.interpreter import View, quantised
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_tensor, is_axis_of_columns, require
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import AttentionMaps, AttentionWeights, ColumnSlice, Tensor, Value
from service.operators.quantise import Quantise, quantisation, to_uint8
from service.operators.tensors import TensorLike, as_tensor

MOST_JOINED = 8
"""Sources of one instruction; more of them are joined by several."""
_SOURCES = " ".join(f"source_{i}" for i in range(MOST_JOINED))
_SIZES = " ".join(f"columns_{i}" for i in range(MOST_JOINED))
OPERANDS = layout(f"target num_sources columns is_quantised {_SOURCES} {_SIZES}", "scale zero")
_FIRST_SOURCE, _FIRST_SIZE = 1 + 4, 1 + 4 + MOST_JOINED
"""Slots of an instruction."""


@kernel("Join", OPERANDS)
def join(at: int, batch_at: int) -> None:
    """target [rows, columns] = sources side by side, which have so many columns each; quantised if it says so."""
    o, num_rows = record_at(at, OPERANDS), row_batch_at(batch_at).num_rows
    sources = int64s_at(at + SLOT_BYTES * _FIRST_SOURCE, o.num_sources)
    sizes = int64s_at(at + SLOT_BYTES * _FIRST_SIZE, o.num_sources)
    n, per_unit, zero = o.columns, np.float32(1.0) / o.scale, o.zero
    for row in range(num_rows):
        first = 0
        for i in range(o.num_sources):
            columns = sizes[i]
            part = floats_at(sources[i] + 4 * row * columns, columns)
            if o.is_quantised:
                levels = bytes_at(o.target + row * n + first, columns)
                for j in range(columns):
                    levels[j] = to_uint8(part[j], per_unit, zero)
            else:
                floats = floats_at(o.target + 4 * (row * n + first), columns)
                for j in range(columns):
                    floats[j] = part[j]
            first += columns


@dataclass(frozen=True, slots=True)
class Join(Step):
    """target = sources side by side, quantised if the target is."""

    target: Tensor
    parts: tuple[Tensor, ...]

    @property
    def kernel(self) -> Kernel:
        return join

    def operands(self) -> Mapping[str, Operand]:
        sources: dict[str, Operand] = {f"source_{i}": 0 for i in range(MOST_JOINED)}
        sizes: dict[str, Operand] = {f"columns_{i}": 0 for i in range(MOST_JOINED)}
        for i, part in enumerate(self.parts):
            sources[f"source_{i}"], sizes[f"columns_{i}"] = part, part.columns
        return {
            "target": self.target, "num_sources": len(self.parts), "columns": self.target.columns, **sources, **sizes,
            **quantisation(self.target),
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        return quantised(np.hstack([view.rows(f"source_{i}") for i in range(len(self.parts))]), self.target)

    def absorb(self, reader: Step) -> Step | None:
        return replace(self, target=reader.target) if isinstance(reader, Quantise) else None


@lowers("Concat", AttentionWeights)
def _concat_maps(_: Lowering, node: Node, *layers: Value) -> Value:
    axis = node.attributes["axis"]
    require(all(isinstance(each, AttentionWeights) for each in layers), "attention weights", "other values among them")
    require(axis == 1, "attention weights one layer after the other, axis 1", f"axis {axis}")
    return AttentionMaps(layers)


@lowers("Concat")
def _concat_rows(lowering: Lowering, node: Node, *parts: Value) -> Value:
    if not any(isinstance(part, Tensor) for part in parts):
        return NotImplemented
    axis = node.attributes["axis"]
    require(is_axis_of_columns(axis), "rows side by side, axis -1", f"axis {axis}")
    return joined(lowering, [as_tensor(lowering, part) for part in parts])


def joined(lowering: Lowering, parts: list[Tensor]) -> Tensor:
    """Tensors side by side."""
    while len(parts) > MOST_JOINED:
        parts = [joined(lowering, parts[:MOST_JOINED]), *parts[MOST_JOINED:]]
    return lowering.add(Join(Tensor(sum(part.columns for part in parts)), tuple(parts)))


@lowers("Split", TensorLike)
def _split(lowering: Lowering, node: Node, value: Value, *sizes: Value) -> tuple[Value, ...]:
    """Equal parts of rows."""
    whole, axis = float_tensor(as_tensor(lowering, value)), node.attributes.get("axis", 0)
    require(is_axis_of_columns(axis), "parts of columns, axis -1", f"axis {axis}")
    count = node.attributes["num_outputs"]
    require(whole.columns % count == 0, f"{count} equal parts", f"{whole.columns} columns")
    columns = whole.columns // count
    return tuple(ColumnSlice(whole, i * columns, columns) for i in range(count))
