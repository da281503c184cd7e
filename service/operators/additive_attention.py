"""Additive attention to the source: weights . tanh(query + key). Bahdanau et al. 2015 (arXiv:1409.0473), appendix
A.1.2."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from service.kernels.addresses import clear_floats, floats_at, int64s_at, record_at
from service.kernels.entries import softmax_rows
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.pair_energies import pair_energies
from service.kernels.row_batch import row_batch_at, scratch_of
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_constant, float_tensor, require, scalar
from service.lowering.plan import MapOf, Operand, StateArray, Step
from service.lowering.rules import lowers
from service.lowering.values import (
    AttentionWeights,
    Context,
    Energies,
    ExpandedState,
    GraphInput,
    PaddingMask,
    Pairs,
    Tensor,
    TensorByBeam,
    Value,
)
from service.operators.cross_attention import states_of, write_map, write_reference_map, written_maps
from service.operators.product import check_quantisation, check_weights
from service.operators.self_attention import softmax
from service.operators.shapes import shape_of

OPERANDS = layout("target source keys values map weights numbers columns depth is_quantised")


_energies = pair_energies()


@kernel("AdditiveAttention", OPERANDS)
def additive_attention(at: int, batch_at: int) -> None:
    """Additive attention to the source: queries `source` [rows, depth].

    `keys` and `values` say where each segment's keys [length, depth] and values [length, columns] lie, addresses [B];
    `weights` [depth] and `numbers`: see `pair_energies`. The attention weights are written to `map`, see `write_map`.
    """
    o, batch = record_at(at, OPERANDS), row_batch_at(batch_at)
    n, depth, beam_size = o.columns, o.depth, batch.beam_size
    rows, lengths = int64s_at(batch.rows, batch.num_rows), int64s_at(batch.source_lengths, batch.num_segments)
    weights, _ = scratch_of(batch)
    keys, values = int64s_at(o.keys, len(lengths)), int64s_at(o.values, len(lengths))
    for i in range(len(rows)):
        segment = rows[i] // beam_size
        length = lengths[segment]
        _energies((
            o.is_quantised, o.source + 4 * depth * i, keys[segment], length, depth, o.weights, o.numbers,
            weights.ctypes.data,
        ))  # fmt: skip
        softmax_rows(1, weights, length, np.float32(1.0))
        write_map(o.map + batch.map_offset, rows[i] * batch.num_slices, weights[0], length, batch.source_length)
        target, value = floats_at(o.target + 4 * n * i, n), floats_at(values[segment], length * n)
        clear_floats(o.target + 4 * n * i, n)
        for s in range(length):
            weight, entry = weights[0, s], value[s * n : s * n + n]
            for d in range(n):
                target[d] += weight * entry[d]


@dataclass(frozen=True, slots=True)
class AdditiveAttention(Step):
    """Additive attention of a row to what the encoder wrote of its segment; the weights are a map."""

    target: Tensor
    source: Tensor
    energies: Energies
    values: GraphInput
    weights: AttentionWeights

    @property
    def kernel(self) -> Kernel:
        return additive_attention

    def operands(self) -> Mapping[str, Operand]:
        pairs = self.energies.pairs
        return {
            "target": self.target, "source": self.source, "keys": StateArray(pairs.keys.name),
            "values": StateArray(self.values.name), "map": MapOf(self.weights), "columns": self.target.columns,
            "depth": self.source.columns, "is_quantised": int(bool(pairs.scale)),
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        pairs, factor = self.energies.pairs, self.energies.factor
        numbers = [1 / np.float32(pairs.scale), pairs.zero, factor] if pairs.scale else [0, 0, 0]
        return {"weights": self.energies.weights.astype(np.float32), "numbers": np.array(numbers, np.float32)}

    def reference(self, view: View) -> np.ndarray:
        batch, pairs, energies = view.batch, self.energies.pairs, self.energies
        keys = states_of(view, "keys", self.source.columns, batch)
        values = states_of(view, "values", self.target.columns, batch)
        results = []
        for r, query in zip(batch.rows.tolist(), view.rows("source"), strict=True):
            segment = r // batch.beam_size
            found = np.tanh(query.astype(np.float64) + keys[segment])
            if pairs.scale:
                levels = np.rint(found.astype(np.float32) * np.float32(1 / np.float32(pairs.scale))) + pairs.zero
                found = np.clip(levels, 0, 255) - pairs.zero
            weights = softmax((found @ energies.weights.astype(np.float64)) * energies.factor)
            write_reference_map(view, r, weights[None])
            results.append(weights @ values[segment])
        return np.array(results, np.float32)

    def written(self, view: View) -> Mapping[str, np.ndarray]:
        return written_maps(view, 1)

    def writes_state(self) -> bool:
        return True


@lowers("Reshape", Tensor)
def _by_beam(_: Lowering, node: Node, rows: Tensor, shape: Value) -> Value:
    sizes, columns = shape_of(shape), float_tensor(rows).columns
    if len(sizes) != 3:
        return NotImplemented
    require(tuple(sizes[1:]) == (-1, columns), f"shape (segments, -1, {columns})", sizes)
    return TensorByBeam(rows)


@lowers("Unsqueeze", TensorByBeam, np.ndarray)
def _expand_rows(_: Lowering, node: Node, rows: TensorByBeam, axes: np.ndarray) -> Value:
    """An axis for the source tokens of pairs with a row."""
    _check_axis(axes, 2)
    require(not rows.is_expanded, "rows without that axis", "rows with it")
    return TensorByBeam(rows.rows, is_expanded=True)


@lowers("Unsqueeze", GraphInput, np.ndarray)
def _expand_state(_: Lowering, node: Node, state: GraphInput, axes: np.ndarray) -> Value:
    """An axis for the rows of pairs with a source token."""
    _check_axis(axes, 1)
    require(state.columns > 0 and not state.is_carried, "a state array of source tokens", f"input {state.name}")
    return ExpandedState(state)


@lowers("Unsqueeze", AttentionWeights, np.ndarray)
def _expand_weights(_: Lowering, node: Node, weights: AttentionWeights, axes: np.ndarray) -> Value:
    """An axis for the head."""
    _check_axis(axes, 1)
    require(isinstance(weights.scores, Energies), "weights of additive attention", "weights of heads")
    return weights


def _check_axis(axes: np.ndarray, axis: int) -> None:
    require(scalar(axes) == axis, f"axis {axis}", f"axis {scalar(axes):g}")


@lowers("Add", TensorByBeam, ExpandedState, commutes=True)
def _pairs(_: Lowering, node: Node, queries: TensorByBeam, keys: ExpandedState) -> Value:
    columns = queries.rows.columns
    require(queries.is_expanded, "queries with an axis for source tokens", "queries without")
    require(keys.state.columns == columns, f"keys of {columns} columns", keys.state.columns)
    return Pairs(queries.rows, keys.state)


@lowers("Tanh", Pairs)
def _tanh(_: Lowering, node: Node, pairs: Pairs) -> Value:
    require(not pairs.has_tanh, "pairs before tanh", "pairs after it")
    return replace(pairs, has_tanh=True)


@lowers("QuantizeLinear", Pairs, np.ndarray, np.ndarray)
def _quantise(_: Lowering, node: Node, pairs: Pairs, scale: np.ndarray, zero: np.ndarray) -> Value:
    require(pairs.has_tanh and not pairs.scale, "tanh of pairs, quantised once", "other pairs")
    require(zero.dtype == np.uint8, "a zero of uint8", f"one of {zero.dtype}")
    return replace(pairs, scale=scalar(scale), zero=int(scalar(zero)))


@lowers("com.microsoft.MatMulIntegerToFloat", Pairs, np.ndarray, np.ndarray, np.ndarray, np.ndarray)
def _quantised_energies(
    _: Lowering, node: Node, pairs: Pairs, weights: np.ndarray, scale: np.ndarray, scales: np.ndarray,
    zero: np.ndarray, zeros: Value = None, biases: Value = None,
) -> Value:  # fmt: skip
    check_quantisation(pairs.scale, pairs.zero, scale, zero)
    check_weights(weights, zeros)
    require(biases is None, "energies without biases", "biases")
    return _energies_of(pairs, weights, pairs.scale * scalar(scales))


@lowers("MatMul", Pairs, np.ndarray)
def _float_energies(_: Lowering, node: Node, pairs: Pairs, weights: np.ndarray) -> Value:
    require(not pairs.scale, "pairs of float32", "quantised ones")
    return _energies_of(pairs, float_constant(weights), 1.0)


def _energies_of(pairs: Pairs, weights: np.ndarray, factor: float) -> Energies:
    """Pairs times a column of weights."""
    require(pairs.has_tanh, "tanh of pairs", "pairs without")
    shape = (pairs.queries.columns, 1)
    require(weights.shape == shape, f"weights of shape {shape}", weights.shape)
    return Energies(pairs, weights[:, 0], factor)


@lowers("Squeeze", Energies, np.ndarray)
def _without_last_axis(_: Lowering, node: Node, energies: Energies, axes: np.ndarray) -> Value:
    require(energies.has_last_axis and scalar(axes) in (3, -1), "the last axis", f"axis {scalar(axes):g}")
    return replace(energies, has_last_axis=False)


@lowers("Add", Energies, PaddingMask, commutes=True)
def _mask(_: Lowering, node: Node, energies: Energies, mask: PaddingMask) -> Value:
    require(not energies.has_last_axis, "energies [B, K, S]", "energies [B, K, S, 1]")
    return replace(energies, is_masked=True)


@lowers("Reshape", Context)
def _attend(lowering: Lowering, node: Node, context: Context, shape: Value) -> Value:
    energies, values, sizes = context.weights.scores, context.values, shape_of(shape)
    if not isinstance(energies, Energies):
        return NotImplemented
    require(len(sizes) == 2 and sizes[1] == values.columns > 0, f"a context of {values.columns} columns", sizes)
    return lowering.add(
        AdditiveAttention(Tensor(values.columns), energies.pairs.queries, energies, values, context.weights)
    )
