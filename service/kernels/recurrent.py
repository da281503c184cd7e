"""What operators of recurrent networks mean: gates, states that are carried, additive attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from service.kernels.graph import Node
from service.kernels.operands import Translation, as_rows, floats, need
from service.kernels.steps import (
    AttendPairs,
    Bend,
    Buffer,
    Combine,
    Context,
    Energies,
    Function,
    Given,
    Grouped,
    Joined,
    Operation,
    Pairs,
    Part,
    Spread,
    Value,
    Weights,
)  # fmt: skip
from service.kernels.vectors import LANES

MOST_JOINED = 3
"""Buffers side by side that one instruction takes."""
COLUMNS = (1, -1)
"""The axis of the columns of rows."""


def combine(translation: Translation, operation: Operation, left: Value, right: Value) -> Buffer:
    """The target of a step that goes from number to number of two operands."""
    source, second = (_operand(translation, value) for value in (left, right))
    need(source.columns == second.columns, "operands of other sizes")
    target = Buffer(source.columns)
    translation.steps.append(Combine(target, operation, source, second))
    return target


def _operand(translation: Translation, value: Value) -> Buffer | Part:
    """Rows, or some columns of them."""
    need(isinstance(value, Buffer | Part | Given), f"{type(value).__name__} where rows are known")
    return value if isinstance(value, Part) else as_rows(translation, value)


def combined(operation: Operation) -> Callable[..., Value]:
    """What an operator with two operands means."""

    def known(translation: Translation, node: Node, left: Value, right: Value) -> Value:
        return combine(translation, operation, left, right)

    return known


def bent(function: Function) -> Callable[..., Value]:
    """What an operator that bends numbers means."""

    def known(translation: Translation, node: Node, value: Value) -> Value:
        if isinstance(value, Pairs):
            need(function == "Tanh" and not value.is_bent, "pairs bent otherwise")
            return replace(value, is_bent=True)
        source = value if isinstance(value, Part) else floats(value)
        need(source.columns % LANES == 0, f"{source.columns} columns, not a multiple of {LANES}")
        target = Buffer(source.columns)
        translation.steps.append(Bend(target, function, source))
        return target

    return known


def split(_: Translation, node: Node, value: Value) -> tuple[Value, ...]:
    """Equal parts of rows."""
    count, whole = node.attributes["num_outputs"], floats(value)
    need(node.attributes.get("axis", 0) in COLUMNS, "another axis")
    need(whole.columns % count == 0, "parts of different sizes")
    columns = whole.columns // count
    return tuple(Part(whole, i * columns, columns) for i in range(count))


def joined(translation: Translation, node: Node, parts: Sequence[Value]) -> Value:
    """Rows side by side."""
    need(node.attributes["axis"] in COLUMNS, "rows behind one another")
    need(len(parts) <= MOST_JOINED, f"{len(parts)} side by side, more than {MOST_JOINED}")
    return Joined(tuple(as_rows(translation, part) for part in parts))


def grouped(rows: Buffer, sizes: Sequence[int | None]) -> Value:
    """Rows by segment [B, K, columns]."""
    need(tuple(sizes[1:]) == (-1, floats(rows).columns), "rows grouped otherwise")
    return Grouped(rows)


def spread(value: Grouped | Given | Weights, axis: int) -> Value:
    """An axis for the source tokens of pairs with a row, for the rows of pairs with a token, or for heads."""
    match value:
        case Grouped(source, is_spread=False):
            need(axis == 2, "another axis")
            return Grouped(source, is_spread=True)
        case Given(columns=columns) if columns and not value.is_carried:
            need(axis == 1, "another axis")
            return Spread(value)
        case Weights(products=Energies()):
            need(axis == 1, "another axis")
            return value
    raise TypeError(f"another axis for {type(value).__name__}")


def pairs_of(queries: Grouped, keys: Spread) -> Value:
    """Query plus key of every row and source token."""
    columns = queries.source.columns
    need(queries.is_spread and keys.state.columns == columns, "queries and keys of other shapes")
    need(columns % LANES == 0, f"{columns} columns, not a multiple of {LANES}")
    return Pairs(queries.source, keys.state)


def quantised_pairs(pairs: Pairs, scale: float, zero: int) -> Value:
    """The same as integers."""
    need(pairs.is_bent and not pairs.scale, "pairs quantised otherwise")
    return replace(pairs, scale=scale, zero=zero)


def energies_of(pairs: Pairs, weights: np.ndarray, factor: float) -> Value:
    """Pairs times a column of weights."""
    need(pairs.is_bent and weights.shape == (pairs.queries.columns, 1), "weights of another size")
    return Energies(pairs, weights[:, 0], factor)


def without_last_axis(energies: Energies, axis: int) -> Value:
    """Energies [B, K, S]."""
    need(energies.has_last_axis and axis in (3, -1), "another axis")
    return replace(energies, has_last_axis=False)


def masked(energies: Energies) -> Value:
    """Energies of padding count for nothing."""
    need(not energies.has_last_axis, "a mask of another shape")
    return replace(energies, is_masked=True)


def attended_pairs(translation: Translation, context: Context, sizes: Sequence[int | None]) -> Value:
    """The values of a segment by the weights of each row."""
    energies, values = context.weights.products, context.values
    assert isinstance(energies, Energies)
    need(len(sizes) == 2 and sizes[1] == values.columns > 0, "a context of another size")
    target = Buffer(values.columns)
    translation.steps.append(AttendPairs(target, energies.pairs.queries, energies, values, context.weights))
    return target
