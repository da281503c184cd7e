"""What a graph is translated to: the steps that kernels do, and the values that they are about.

Values are compared by identity: two of the same sizes are two.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

# ---- values ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Buffer:
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
class Given:
    """An input of the graph: token ids, positions, the mask, a state array, by its name."""

    name: str
    columns: int = 0
    """Of a state array: numbers of each row, or of each entry or source token of it."""
    is_carried: bool = False
    """Whether each step reads what the one before wrote, and nothing else does."""


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """A shape, or part of one; what is not a constant is None."""

    values: tuple[int | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Picked:
    """Of every row's token the row of a table, or of its position."""

    table: np.ndarray
    by: Given


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """Of every row's token the row of a table, times its scale; those of a float32 table are all the same."""

    table: np.ndarray
    scales: np.ndarray
    by: Given


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Some columns of a buffer."""

    whole: Buffer
    first: int
    columns: int


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """Buffers side by side, which wait for what is made of them: they may be quantised."""

    parts: tuple[Buffer, ...]

    @property
    def columns(self) -> int:
        """Of all together."""
        return sum(part.columns for part in self.parts)


@dataclass(frozen=True, slots=True, eq=False)
class Normalised:
    """A layer normalisation that waits for what is made of it: it may be quantised."""

    source: Buffer
    gains: np.ndarray
    biases: np.ndarray
    epsilon: float


@dataclass(frozen=True, slots=True, eq=False)
class Positive:
    """max(0, x), which quantising to a zero of 0 does."""

    source: Buffer


@dataclass(frozen=True, slots=True, eq=False)
class Heads:
    """Rows seen as heads [..., N, D], or heads first [N, ..., D]."""

    source: Buffer
    num_heads: int
    heads_first: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Halved:
    """Floats rounded to half precision (IEEE 754 binary16), which wait for what reads them."""

    source: Buffer
    are_floats: bool
    """Whether they are float32 again."""


@dataclass(frozen=True, slots=True, eq=False)
class Lengths:
    """How many source tokens each segment has: counted, or as what is added to products of padding."""

    as_mask: bool


@dataclass(frozen=True, slots=True, eq=False)
class Turned:
    """A state array [B, N, S, D] with its last two axes exchanged."""

    state: Given


@dataclass(frozen=True, slots=True, eq=False)
class Products:
    """Queries times keys, with or without padding masked."""

    queries: Heads
    keys: Given
    is_masked: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Rows seen by segment [B, K, columns], or `spread` for pairs with source tokens [B, K, 1, columns]."""

    source: Buffer
    is_spread: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """A state array [B, S, columns] spread for pairs with rows [B, 1, S, columns]."""

    state: Given


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Of every row and source token query plus key [B, K, S, columns], or tanh of that if `is_bent`; quantised if there
    is a `scale`."""

    queries: Buffer
    keys: Given
    is_bent: bool = False
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
class Weights:
    """Attention weights of one layer."""

    products: Products | Energies

    @property
    def num_heads(self) -> int:
        """Attention slices."""
        return self.products.queries.num_heads if isinstance(self.products, Products) else 1


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """Attention weights of some layers, slice after slice."""

    layers: tuple[Weights, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """Attention weights times values."""

    weights: Weights
    values: Given


@dataclass(frozen=True, slots=True, eq=False)
class Appended:
    """A growing state array with this step's entry."""

    state: Given


Value = Any
"""One of the above, or an array that is known beforehand."""

# ---- steps ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Embed:
    """target = embedding of the token plus row of `places` for the position, if there are places."""

    target: Buffer
    embedding: Embedding
    places: np.ndarray | None = None


@dataclass(frozen=True, slots=True)
class Load:
    """target = the row that a carried state array has; when its segment begins, what the encoder gave for it."""

    target: Buffer
    state: Given


@dataclass(frozen=True, slots=True)
class Carry:
    """The next step's row of a carried state array is `source`."""

    source: Buffer
    state: Given


@dataclass(frozen=True, slots=True)
class Normalise:
    """target = `normalised`, quantised if the target is."""

    target: Buffer
    normalised: Normalised


@dataclass(frozen=True, slots=True)
class Quantise:
    """target = source, quantised."""

    target: Buffer
    source: Buffer


@dataclass(frozen=True, slots=True)
class Product:
    """target = source times int8 weights [K, columns], times their scales, plus biases, plus `addend` if any."""

    target: Buffer
    source: Buffer
    weights: np.ndarray
    scales: np.ndarray
    biases: np.ndarray
    addend: Buffer | None = None


@dataclass(frozen=True, slots=True)
class FloatProduct:
    """target = source times weights [K, columns], plus biases, max(0, that) if `is_positive`, plus `addend` if any."""

    target: Buffer
    source: Buffer
    weights: np.ndarray
    biases: np.ndarray
    is_positive: bool = False
    addend: Buffer | None = None


Operation = Literal["Add", "Subtract", "Multiply", "Larger"]
Function = Literal["Tanh", "Sigmoid"]


@dataclass(frozen=True, slots=True)
class Combine:
    """target = source and second, number by number."""

    target: Buffer
    operation: Operation
    source: Buffer | Part
    second: Buffer | Part


@dataclass(frozen=True, slots=True)
class Bend:
    """target = a function of each number of source."""

    target: Buffer
    function: Function
    source: Buffer | Part


@dataclass(frozen=True, slots=True)
class Join:
    """target = sources side by side, quantised if the target is."""

    target: Buffer
    sources: tuple[Buffer, ...]


@dataclass(frozen=True, slots=True)
class AttendPast:
    """Self-attention of a row to its past, to which its key and value are appended."""

    target: Buffer
    source: Buffer
    keys: Given
    values: Given
    num_heads: int
    are_halved: bool = False
    """Whether query, key and value are rounded to half precision, so that the past has numbers of 16 bits."""


@dataclass(frozen=True, slots=True)
class AttendSource:
    """Attention of a row to its segment's memory; the weights are shown."""

    target: Buffer
    source: Buffer
    keys: Given
    values: Given
    num_heads: int
    weights: Weights


@dataclass(frozen=True, slots=True)
class AttendPairs:
    """Additive attention of a row to its segment's memory; the weights are shown."""

    target: Buffer
    source: Buffer
    energies: Energies
    values: Given
    weights: Weights


@dataclass(frozen=True, slots=True)
class AttendSegment:
    """Self-attention of a token to all tokens of its segment."""

    target: Buffer
    queries: Buffer
    keys: Buffer
    values: Buffer
    num_heads: int


Step = (
    Embed | Load | Carry | Normalise | Quantise | Product | FloatProduct | Combine | Bend | Join
    | AttendPast | AttendSource | AttendPairs | AttendSegment
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Translated:
    """A graph as steps."""

    steps: tuple[Step, ...]
    outputs: Mapping[str, Value]
    """What the graph's outputs are: buffers, heads of buffers, attention shown, or state that was written in place."""


def operands_of(step: Step) -> dict[str, Buffer | Part]:
    """The buffers of a step, or parts of them, by the names of the operands of its instruction; all but `target` are
    read."""
    found: dict[str, Buffer | Part] = {} if isinstance(step, Carry) else {"target": step.target}
    match step:
        case Normalise(_, normalised):
            found["source"] = normalised.source
        case Product(source=source, addend=addend) | FloatProduct(source=source, addend=addend):
            found |= {"source": source} | ({"sixth": addend} if addend else {})
        case Combine(source=source, second=second):
            found |= {"source": source, "second": second}
        case Join(_, sources):
            found |= dict(zip(("source", "second", "third"), sources, strict=False))
        case AttendSegment(_, queries, keys, values):
            found |= {"source": queries, "second": keys, "third": values}
        case Embed() | Load():
            pass
        case _:
            found["source"] = step.source
    return found


def whole(operand: Buffer | Part) -> Buffer:
    """The buffer that an operand is or is a part of."""
    return operand.whole if isinstance(operand, Part) else operand


def target_of(step: Step) -> Buffer | None:
    """The buffer that a step writes, if it writes one."""
    return None if isinstance(step, Carry) else step.target


def sources_of(step: Step) -> list[Buffer]:
    """Buffers that a step reads, one that it reads twice two times."""
    return [whole(operand) for name, operand in operands_of(step).items() if name != "target"]
