"""What operators take: values of the kinds that they know, constants of the right sizes, rows of floats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from service.kernels.graph import Node
from service.kernels.steps import (
    Buffer,
    Embed,
    Embedding,
    Given,
    Join,
    Joined,
    Load,
    Normalise,
    Normalised,
    Picked,
    Step,
    Value,
)  # fmt: skip

T = TypeVar("T")
TOKEN_INPUTS, PLACE_INPUTS = ("source_ids", "token_ids"), ("column", "position")
"""What embeddings and positions are picked by; `column` stands for the position of a source token."""


@dataclass
class Translation:
    """One graph being translated."""

    values: dict[str, Value]
    uses: Mapping[str, int]
    """How often each value is read by an operator."""
    steps: list[Step] = field(default_factory=list)
    rows: dict[Value, Buffer] = field(default_factory=dict)
    """Values that wait for what is made of them, which were needed as rows of floats."""

    def operands(self, node: Node) -> list[Value]:
        """What the node's inputs are; None for those left out."""
        return [self.values[name] if name else None for name in node.inputs]


def need(condition: bool, what: str) -> None:
    """Refuse the operator for `what` it has unless `condition` holds."""
    if not condition:
        raise ValueError(what)


def as_(kind: type[T], value: Value) -> T:
    """`value`, which is refused when it is none of this kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{type(value).__name__} where {kind.__name__} is known")
    return value


def floats(value: Value) -> Buffer:
    """A buffer of floats."""
    need(as_(Buffer, value).dtype is np.float32, "integers where floats are known")
    buffer: Buffer = value
    return buffer


def as_rows(translation: Translation, value: Value) -> Buffer:
    """A buffer of floats: `value`, or what a step makes of it."""
    if isinstance(value, Buffer):
        return floats(value)
    if value not in translation.rows:
        translation.rows[value] = _made(translation, value)
    return translation.rows[value]


def _made(translation: Translation, value: Value) -> Buffer:
    """The target of a new step that gives what waits."""
    match value:
        case Normalised(source):
            target = Buffer(source.columns)
            translation.steps.append(Normalise(target, value))
        case Joined(parts):
            target = Buffer(value.columns)
            translation.steps.append(Join(target, parts))
        case Embedding(table, by=token) | Picked(table, by=token):
            need(token.name in TOKEN_INPUTS, "rows picked by another input")
            if isinstance(value, Picked):
                need(table.dtype == np.float32, "a table of another type")
                value = Embedding(table, np.ones(1, np.float32), token)
            target = Buffer(table.shape[1])
            translation.steps.append(Embed(target, value))
        case Given(columns=columns, is_carried=True):
            target = Buffer(columns)
            translation.steps.append(Load(target, value))
        case _:
            raise TypeError(f"{type(value).__name__} where rows are known")
    return target


def of_columns(array: Value, columns: int) -> np.ndarray:
    """A constant with a float for each column."""
    need(as_(np.ndarray, array).shape == (columns,), f"a constant that is no row of {columns}")
    need(array.dtype == np.float32, "a constant of another type")
    constant: np.ndarray = array
    return constant


def one(array: Value) -> float:
    """The only number in a constant."""
    need(as_(np.ndarray, array).size == 1, "a constant of more than one number")
    return float(array.reshape(-1)[0])
