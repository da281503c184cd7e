"""Convolution over the source tokens of an encoder (`Conv` of ONNX): each token with its neighbours in its segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import copy_floats, float_rows_at, int64s_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_constant, of_columns, require
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import Embedding, GraphInput, Lookup, Tensor, Value
from service.operators.tensors import as_tensor

OPERANDS = layout("target source weights biases columns channels taps before")
LAST_TWO = (0, 2, 1)


@dataclass(frozen=True, slots=True, eq=False)
class ChannelsFirst:
    """A tensor of tokens [B, S, columns] seen with its columns, channels of a convolution, first [B, columns, S]."""

    rows: Tensor


@compiled()
def _add_products(source: np.ndarray, weights: np.ndarray, target: np.ndarray) -> None:
    """target [columns] += source [channels] times weights [channels, columns]."""
    for c in range(len(source)):
        x = source[c]
        for i in range(len(target)):
            target[i] += x * weights[c, i]


@kernel("Conv", OPERANDS)
def conv(at: int, batch_at: int) -> None:
    """target [rows, columns] = biases, plus weights [taps, channels, columns] times `source` [rows, channels].

    The rows of a segment follow one another, as many as its source length. The first tap of a row is the row `before`
    rows above it; taps outside the segment are passed over, as if they were zeros. The sums of all rows are in the same
    order: tap after tap, and channel after channel.
    """
    o, batch = record_at(at, OPERANDS), row_batch_at(batch_at)
    n, channels, before = o.columns, o.channels, o.before
    source, target = float_rows_at(o.source, batch.num_rows, channels), float_rows_at(o.target, batch.num_rows, n)
    first = 0
    for count in int64s_at(batch.source_lengths, batch.num_segments):
        end = first + count
        for row in range(first, end):
            copy_floats(o.biases, o.target + 4 * n * row, n)
            for tap in range(o.taps):
                near = row + tap - before
                if first <= near < end:
                    weights = float_rows_at(o.weights + 4 * tap * channels * n, channels, n)
                    _add_products(source[near], weights, target[row])
        first = end


def num_before(taps: int) -> int:
    """How many taps lie before their token: half of the others, the smaller half of an odd number of them."""
    return (taps - 1) // 2


@dataclass(frozen=True, slots=True)
class Conv(Step):
    """Convolution over the tokens of each segment, of stride 1, with zeros beyond its ends; plus biases."""

    target: Tensor
    source: Tensor
    weights: np.ndarray
    """float32 [taps, channels, columns]; ONNX has them the other way round."""
    biases: np.ndarray
    """float32 [columns]."""

    @property
    def kernel(self) -> Kernel:
        return conv

    def operands(self) -> Mapping[str, Operand]:
        taps = len(self.weights)
        return {
            "target": self.target, "source": self.source, "columns": self.target.columns,
            "channels": self.source.columns, "taps": taps, "before": num_before(taps),
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        return {"weights": self.weights, "biases": self.biases}

    def reference(self, view: View) -> np.ndarray:
        source, ends = view.rows("source").astype(np.float64), np.cumsum(view.batch.source_lengths)
        sums = np.concatenate([self._sums(segment) for segment in np.split(source, ends[:-1])])
        result: np.ndarray = (sums + self.biases).astype(np.float32)
        return result

    def _sums(self, tokens: np.ndarray) -> np.ndarray:
        """Of one segment's tokens [S, channels], without biases."""
        taps = len(self.weights)
        before = num_before(taps)
        padded = np.pad(tokens, ((before, taps - 1 - before), (0, 0)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, taps, axis=0)
        sums: np.ndarray = np.einsum("sck,kcn->sn", windows, self.weights)
        return sums


@lowers("Transpose", Tensor | Embedding | Lookup)
def _channels_first(lowering: Lowering, node: Node, value: Value) -> Value:
    _check_order(node)
    return ChannelsFirst(as_tensor(lowering, value))


@lowers("Transpose", ChannelsFirst)
def _channels_last(_: Lowering, node: Node, value: ChannelsFirst) -> Value:
    _check_order(node)
    return value.rows


def _check_order(node: Node) -> None:
    found = tuple(node.attributes["perm"])
    require(found == LAST_TWO, f"order {LAST_TWO}", f"order {found}")


@lowers("Conv", ChannelsFirst, np.ndarray)
def _lower(lowering: Lowering, node: Node, tokens: ChannelsFirst, weights: np.ndarray, biases: Value = None) -> Value:
    _check_encoder(lowering)
    require(weights.ndim == 3, "weights [columns, channels, kernel] of one dimension", f"shape {weights.shape}")
    columns, channels, taps = float_constant(weights).shape
    _check_options(node, taps)
    source = tokens.rows
    require(source.columns == channels, f"{channels} channels", source.columns)
    added = np.zeros(columns, np.float32) if biases is None else of_columns(biases, columns)
    step = Conv(Tensor(columns), source, np.ascontiguousarray(weights.transpose(2, 1, 0)), added)
    return ChannelsFirst(lowering.add(step))


def _check_encoder(lowering: Lowering) -> None:
    """Refuse rows that are no source tokens: a graph that is given state is a decoder."""
    states = [value.name for value in lowering.inputs.values() if isinstance(value, GraphInput) and value.columns]
    require(not states, "an encoder, whose rows are source tokens", f"a decoder with state {', '.join(states)}")


def _check_options(node: Node, taps: int) -> None:
    """Refuse all but each token once, with its nearest neighbours, by all channels."""
    auto_pad = node.attributes.get("auto_pad", b"NOTSET")
    require(auto_pad == b"NOTSET", "pads that are given", f"auto_pad {auto_pad.decode()}")
    before = num_before(taps)
    wanted = {"group": 1, "strides": [1], "dilations": [1], "pads": [before, taps - 1 - before]}
    for name, value in wanted.items():
        default = [0, 0] if name == "pads" else value
        found = node.attributes.get(name, default)
        require(found == value, f"{name} {value}", f"{name} {found}")
