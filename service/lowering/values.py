"""What values of a graph are known as while it is lowered.

`Tensor` are numbers that a step computes. All other values wait for the operator that needs them: arrangements (heads,
columns, transposed states) are followed instead of done, because a kernel reads its operands where they lie. Values are
compared by identity: two of the same sizes are two.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

Value = Any
"""One of the classes below, or an array that is known beforehand."""


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """Numbers of every row [rows, columns]: float32, or uint8 that `scale` and `zero` make floats of."""

    columns: int
    dtype: type[np.generic] = np.float32
    scale: float = 1.0
    zero: int = 0

    @property
    def row_bytes(self) -> int:
        """Bytes of one row."""
        return self.columns * np.dtype(self.dtype).itemsize


@dataclass(frozen=True, slots=True, eq=False)
class ColumnSlice:
    """Some columns of rows."""

    of: Tensor
    first: int
    columns: int


@dataclass(frozen=True, slots=True, eq=False)
class GraphInput:
    """An input of the graph: token ids, positions, the mask, a state array, by its name."""

    name: str
    columns: int = 0
    """Of a state array: numbers of each row, or of each entry or source token of it."""
    is_carried: bool = False
    """Whether each step reads what the one before wrote, and nothing else does."""


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A shape, or part of one; a size that is no constant is None."""

    sizes: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Lookup:
    """Gather: of every row the row of a table that its token, or its position, names."""

    table: np.ndarray
    by: GraphInput


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """Of every row the row of a table that its token names, times that row's scale."""

    table: np.ndarray
    scales: np.ndarray
    by: GraphInput


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """A tensor seen as heads [..., N, D], or heads first [N, ..., D]."""

    rows: Tensor
    num_heads: int
    heads_first: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class HalfPrecision:
    """Floats rounded to half precision (IEEE 754 binary16)."""

    rows: Tensor
    are_floats: bool
    """Whether they are float32 again."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceLengths:
    """How many source tokens each segment has."""


@dataclass(frozen=True, slots=True, eq=False)
class PaddingMask:
    """What is added to the scores of padding, so that their softmax is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class TransposedState:
    """A state array [B, N, S, D] with its last two axes exchanged."""

    state: GraphInput


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """Queries times keys, with or without padding masked."""

    queries: Heads
    keys: GraphInput
    is_masked: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TensorByBeam:
    """A tensor seen by segment [B, K, columns], or expanded to pairs with source tokens [B, K, 1, columns]."""

    rows: Tensor
    is_expanded: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ExpandedState:
    """A state array [B, S, columns] expanded to pairs with rows [B, 1, S, columns]."""

    state: GraphInput


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Of every row and source token query plus key [B, K, S, columns], or tanh of that; quantised if there is a
    `scale`."""

    queries: Tensor
    keys: GraphInput
    has_tanh: bool = False
    scale: float = 0.0
    zero: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Energies:
    """Pairs times a column of weights [B, K, S, 1], or without that last axis; with or without padding masked."""

    pairs: Pairs
    weights: np.ndarray
    """[columns]; int8 of quantised pairs, else float32."""
    factor: float
    """What the sums of integers are multiplied by."""
    has_last_axis: bool = True
    is_masked: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AttentionWeights:
    """Softmax of scores: the attention weights of one layer."""

    scores: Scores | Energies

    @property
    def num_heads(self) -> int:
        """Attention slices."""
        return self.scores.queries.num_heads if isinstance(self.scores, Scores) else 1


@dataclass(frozen=True, slots=True, eq=False)
class AttentionMaps:
    """Attention weights of some layers, slice after slice."""

    layers: tuple[AttentionWeights, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Attention weights times values."""

    weights: AttentionWeights
    values: GraphInput


@dataclass(frozen=True, slots=True, eq=False)
class Appended:
    """A growing state array with this step's entry."""

    state: GraphInput


def tensor_of(operand: Tensor | ColumnSlice) -> Tensor:
    """The rows that an operand is, or is some columns of."""
    return operand.of if isinstance(operand, ColumnSlice) else operand
