"""Attention of a decoder to the source, as matrix products, a mask and Softmax. Vaswani et al. 2017
(arXiv:1706.03762), section 3.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import floats_at, int64s_at, record_at
from service.kernels.entries import LEAST_SHARED, attend, attend_shared, heads_at_once, rows_together
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View, array_at
from service.kernels.row_batch import RowBatch, row_batch_at, scratch_of
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, float_tensor, require
from service.lowering.plan import MapOf, Operand, StateArray, Step
from service.lowering.rules import lowers
from service.lowering.values import (
    AttentionMaps,
    AttentionWeights,
    Context,
    Energies,
    GraphInput,
    Heads,
    PaddingMask,
    Scores,
    Tensor,
    TransposedState,
    Value,
)
from service.operators.self_attention import attended, check_heads
from service.operators.shapes import shape_of

OPERANDS = layout("target source keys values map columns num_heads", "scale")
HEADS_FIRST, LAST_TWO = (0, 2, 1, 3), (0, 1, 3, 2)


@kernel("CrossAttention", OPERANDS)
def cross_attention(at: int, batch_at: int) -> None:
    """Attention to the source: queries `source` [rows, columns].

    `keys` and `values` say where each segment's keys and values lie, addresses [B]; there they are [length, columns].
    The weights are written to `map`, see `write_map`: those of this layer's first head come first.
    """
    o, batch = record_at(at, OPERANDS), row_batch_at(batch_at)
    n, heads, scale, beam_size, slices = o.columns, o.num_heads, o.scale, batch.beam_size, batch.num_slices
    rows, lengths = int64s_at(batch.rows, batch.num_rows), int64s_at(batch.source_lengths, batch.num_segments)
    weights, offsets = scratch_of(batch)
    keys, values = int64s_at(o.keys, len(lengths)), int64s_at(o.values, len(lengths))
    first_map, source_length, size = o.map + batch.map_offset, batch.source_length, n // heads
    for s in range(source_length):
        offsets[:, s] = 4 * n * s
    i = 0
    while i < len(rows):
        segment = rows[i] // beam_size
        length, head = lengths[segment], 0
        num_rows = rows_together(rows, i, beam_size, size) if length >= LEAST_SHARED else 1
        while head < heads:
            num_heads = 1 if num_rows > 1 else heads_at_once(size, heads, head)
            part = 4 * head * size
            here = 4 * i * n + part
            query, target = o.source + here, o.target + here
            if num_rows > 1:
                attend_shared(
                    size, False, query, 4 * n, keys[segment] + part, values[segment] + part, offsets, length, length,
                    scale, weights, target, 4 * n,
                )  # fmt: skip
            else:
                attend(
                    size, num_heads, False, query, keys[segment] + part, values[segment] + part, offsets[0], length,
                    scale, weights, target,
                )  # fmt: skip
            for own in range(max(num_rows, num_heads)):
                slice_ = rows[i + own] * slices + head if num_rows > 1 else rows[i] * slices + head + own
                write_map(first_map, slice_, weights[own], length, source_length)
            head += num_heads
        i += num_rows


@compiled()
def write_map(first_map: int, slice_: int, weights: np.ndarray, length: int, source_length: int) -> None:
    """Write the weights of `length` source tokens to attention slice `slice_`, counted over all rows [R, slices, S].

    0 is written beyond the length, up to `source_length`.
    """
    written = floats_at(first_map + 4 * slice_ * source_length, source_length)
    for s in range(length):
        written[s] = weights[s]
    for s in range(length, source_length):
        written[s] = np.float32(0.0)


def map_at(view: View, row: int, num_slices: int) -> np.ndarray:
    """The map of one row of R, [slices, source length], where `write_map` writes it."""
    batch = view.batch
    first = view.address("map") + batch.map_offset + 4 * row * batch.num_slices * batch.source_length
    return array_at(first, (num_slices, batch.source_length), np.float32)


def written_maps(view: View, num_slices: int) -> Mapping[str, np.ndarray]:
    """The maps of all rows, for `Step.written`."""
    return {f"map of row {r}": map_at(view, r, num_slices) for r in view.batch.rows.tolist()}


def write_reference_map(view: View, row: int, weights: np.ndarray) -> None:
    """Write the weights [slices, length] of one row of R where `write_map` does."""
    slices = map_at(view, row, len(weights))
    slices[:] = 0.0
    slices[:, : weights.shape[1]] = weights


def states_of(view: View, name: str, columns: int, batch: RowBatch) -> list[np.ndarray]:
    """What the encoder wrote of each segment: [length, columns]."""
    addresses = array_at(view.address(name), (len(batch.source_lengths),), np.int64)
    return [
        array_at(int(address), (int(length), columns), np.float32)
        for address, length in zip(addresses, batch.source_lengths, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class CrossAttention(Step):
    """Attention of a row to what the encoder wrote of its segment; the weights are a map."""

    target: Tensor
    source: Tensor
    keys: GraphInput
    values: GraphInput
    num_heads: int
    weights: AttentionWeights

    @property
    def kernel(self) -> Kernel:
        return cross_attention

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "keys": StateArray(self.keys.name),
            "values": StateArray(self.values.name), "map": MapOf(self.weights), "columns": self.target.columns,
            "num_heads": self.num_heads, "scale": 1.0,
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        batch, columns = view.batch, self.target.columns
        keys, values = (states_of(view, name, columns, batch) for name in ("keys", "values"))
        results = []
        for r, query in zip(batch.rows.tolist(), view.rows("source"), strict=True):
            segment = r // batch.beam_size
            result, weights = attended(query, keys[segment], values[segment], self.num_heads, scale=1.0)
            write_reference_map(view, r, weights)
            results.append(result)
        return np.array(results, np.float32)

    def written(self, view: View) -> Mapping[str, np.ndarray]:
        return written_maps(view, self.num_heads)

    def writes_state(self) -> bool:
        return True


@lowers("Reshape", Tensor)
def _heads(_: Lowering, node: Node, rows: Tensor, shape: Value) -> Value:
    sizes = shape_of(shape)
    if len(sizes) != 4:
        return NotImplemented
    heads, size = expect(int, sizes[2]), expect(int, sizes[3])
    columns = float_tensor(rows).columns
    require(heads * size == columns, f"heads of {columns} columns together", f"{heads} of {size}")
    return Heads(rows, heads)


@lowers("Transpose", Heads)
def _heads_first(_: Lowering, node: Node, heads: Heads) -> Value:
    _check_order(node, HEADS_FIRST)
    return Heads(heads.rows, heads.num_heads, not heads.heads_first)


@lowers("Transpose", GraphInput)
def _transposed(_: Lowering, node: Node, state: GraphInput) -> Value:
    _check_order(node, LAST_TWO)
    return TransposedState(state)


@lowers("Transpose", Context | AttentionMaps | AttentionWeights)
def _same(_: Lowering, node: Node, value: Value) -> Value:
    _check_order(node, HEADS_FIRST)
    return value


def _check_order(node: Node, order: tuple[int, ...]) -> None:
    found = tuple(node.attributes["perm"])
    require(found == order, f"order {order}", f"order {found}")


@lowers("MatMul", Heads, TransposedState)
def _scores(_: Lowering, node: Node, queries: Heads, keys: TransposedState) -> Value:
    require(queries.heads_first, "heads before rows", "rows before heads")
    return Scores(queries, keys.state)


@lowers("Add", Scores, PaddingMask)
def _mask(_: Lowering, node: Node, scores: Scores, mask: PaddingMask) -> Value:
    return Scores(scores.queries, scores.keys, is_masked=True)


@lowers("Softmax", Scores | Energies)
def _softmax(_: Lowering, node: Node, scores: Scores | Energies) -> Value:
    axis = node.attributes.get("axis", -1)
    require(scores.is_masked, "scores with a mask of padding", "scores without")
    require(axis == -1, "axis -1", f"axis {axis}")
    return AttentionWeights(scores)


@lowers("MatMul", AttentionWeights, GraphInput)
def _context(_: Lowering, node: Node, weights: AttentionWeights, values: GraphInput) -> Value:
    return Context(weights, values)


@lowers("Reshape", Context)
def _attend(lowering: Lowering, node: Node, context: Context, shape: Value) -> Value:
    weights, sizes = context.weights, shape_of(shape)
    if not isinstance(weights.scores, Scores):
        return NotImplemented
    queries, keys = weights.scores.queries, weights.scores.keys
    columns = queries.rows.columns
    require(sizes[-1] == columns, f"a context of {columns} columns", sizes[-1])
    check_heads(columns, queries.num_heads)
    return lowering.add(CrossAttention(Tensor(columns), queries.rows, keys, context.values, queries.num_heads, weights))
