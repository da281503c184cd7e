"""Embeddings: Gather from tables of constants by token and by position, scaled and added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import float_rows_at, floats_at, int8s_at, int64s_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.row_batch import row_batch_at
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, require, scalar
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import Embedding, GraphInput, Lookup, Shape, Tensor, Value

TOKEN_INPUTS, POSITION_INPUTS = ("source_ids", "token_ids"), ("column", "position")
"""What embeddings and positions are looked up by; `column` stands for the position of a source token."""
OPERANDS = layout("target table scales positions num_tokens num_positions columns is_int8")


@compiled()
def _add_row(table: Any, first: int, scale: np.float32, position: np.ndarray, target: np.ndarray) -> None:
    for j in range(len(target)):
        target[j] = np.float32(table[first + j]) * scale + position[j]


@kernel("Embed", OPERANDS)
def embed(at: int, batch_at: int) -> None:
    """target [rows, columns] = row of `table`, int8 or float32, for the token, times its scale, plus that of
    `positions`, which has a row for each position, or a single one for all."""
    o, batch = record_at(at, OPERANDS), row_batch_at(batch_at)
    n, size = o.columns, o.num_tokens * o.columns
    rows = int64s_at(batch.rows, batch.num_rows)
    last = rows[-1] + 1
    token_ids, positions = int64s_at(batch.token_ids, last), int64s_at(batch.positions, last)
    scales = floats_at(o.scales, o.num_tokens)
    places, target = float_rows_at(o.positions, o.num_positions, n), float_rows_at(o.target, len(rows), n)
    for i in range(len(rows)):
        token_id = token_ids[rows[i]]
        place = places[positions[rows[i]] if o.num_positions > 1 else 0]
        if o.is_int8:
            _add_row(int8s_at(o.table, size), token_id * n, scales[token_id], place, target[i])
        else:
            _add_row(floats_at(o.table, size), token_id * n, scales[token_id], place, target[i])


@dataclass(frozen=True, slots=True)
class Embed(Step):
    """target = embedding of the token plus row of `positions` for the position, if there are positions."""

    target: Tensor
    embedding: Embedding
    positions: np.ndarray | None = None

    @property
    def kernel(self) -> Kernel:
        return embed

    def operands(self) -> Mapping[str, Operand]:
        table = self.embedding.table
        return {
            "target": self.target, "num_tokens": len(table), "num_positions": len(self._positions()),
            "columns": self.target.columns, "is_int8": int(table.dtype == np.int8),
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        return {"table": self.embedding.table, "scales": self.embedding.scales, "positions": self._positions()}

    def reference(self, view: View) -> np.ndarray:
        batch, table, positions = view.batch, self.embedding.table, self._positions()
        token_ids = batch.token_ids[batch.rows]
        places = positions[batch.positions[batch.rows] if len(positions) > 1 else np.zeros(len(token_ids), np.int64)]
        scaled = table[token_ids].astype(np.float64) * self.embedding.scales[token_ids, None]
        result: np.ndarray = (scaled + places).astype(np.float32)
        return result

    def _positions(self) -> np.ndarray:
        return np.zeros((1, self.target.columns), np.float32) if self.positions is None else self.positions


@lowers("Gather", np.ndarray, GraphInput)
def _gather(_: Lowering, node: Node, table: np.ndarray, by: GraphInput) -> Value:
    axis = node.attributes.get("axis", 0)
    require(axis == 0, "axis 0", f"axis {axis}")
    return Lookup(table, by)


@lowers("Slice", np.ndarray, np.ndarray, Shape, np.ndarray, np.ndarray)
def _slice(
    _: Lowering, node: Node, table: np.ndarray, start: np.ndarray, end: Shape, axes: np.ndarray, step: np.ndarray
) -> Value:
    """Positions from the first on, for every source column."""
    found = scalar(start), scalar(axes), scalar(step)
    require(found == (0, 0, 1), "rows from the first on", f"start {found[0]}, axis {found[1]}, step {found[2]}")
    return Lookup(table, GraphInput("column"))


@lowers("Cast", Lookup | GraphInput)
def _cast(_: Lowering, node: Node, value: Lookup | GraphInput) -> Value:
    return value


@lowers("Mul", Lookup, np.ndarray)
def _scale(_: Lowering, node: Node, words: Lookup, factor: np.ndarray) -> Value:
    require(words.table.dtype == np.float32, "a table of float32", f"one of {words.table.dtype}")
    return Embedding(words.table, np.full(len(words.table), scalar(factor), np.float32), words.by)


@lowers("Mul", Lookup, Lookup)
def _scale_rows(_: Lowering, node: Node, words: Lookup, scales: Lookup) -> Value:
    require(words.by is scales.by, "words and scales of one input", f"those of {words.by.name} and {scales.by.name}")
    require(words.table.dtype == np.int8, "a table of int8", f"one of {words.table.dtype}")
    require(scales.table.size == len(words.table), f"{len(words.table)} scales", scales.table.size)
    return Embedding(words.table, scales.table.reshape(-1), words.by)


@lowers("Add", Embedding, Lookup)
def _add_positions(lowering: Lowering, node: Node, words: Embedding, places: Lookup) -> Value:
    check_token(words.by)
    require(places.by.name in POSITION_INPUTS, "positions looked up by position", f"by {places.by.name}")
    require(places.table.dtype == np.float32, "positions of float32", f"those of {places.table.dtype}")
    columns = words.table.shape[1]
    require(places.table.shape[1] == columns, f"positions of {columns} columns", places.table.shape[1])
    return lowering.add(Embed(Tensor(columns), words, places.table))


def check_token(by: GraphInput) -> None:
    """Refuse what is looked up by anything but a token."""
    require(by.name in TOKEN_INPUTS, "embeddings looked up by token", f"by {by.name}")


def embedded(lowering: Lowering, value: Embedding | Lookup) -> Tensor:
    """A tensor of what is looked up by token, without positions."""
    check_token(value.by)
    if isinstance(value, Lookup):
        require(value.table.dtype == np.float32, "a table of float32", f"one of {value.table.dtype}")
        value = Embedding(value.table, np.ones(len(value.table), np.float32), value.by)
    return lowering.add(Embed(Tensor(expect(Embedding, value).table.shape[1]), value))
