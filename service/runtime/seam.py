"""What the engine asks of a runtime. Two verbs shape a batch of rows: take rows, append encoded segments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np


class StepOutput(NamedTuple):
    """What one step gives; valid until the next step."""

    log_probs: np.ndarray
    """[R, V], float32."""
    attention: np.ndarray
    """[R, A, S], float32; S is the width of the batch, a row's own columns come first."""


class Encoded(Protocol):
    """Encoded segments, waiting to become rows."""

    @property
    def num_tokens(self) -> int:
        """Real source tokens, end tokens included."""
        ...

    @property
    def num_padded_tokens(self) -> int:
        """Source columns computed, padding included."""
        ...


E = TypeVar("E", bound=Encoded)
TakenE = TypeVar("TakenE", bound=Encoded, contravariant=True)


class Rows(Protocol[TakenE]):
    """The live rows of one engine: their state, masks and positions."""

    @property
    def num_rows(self) -> int:
        """R."""
        ...

    @property
    def width(self) -> int:
        """S: source columns of each row, padding included."""
        ...

    def append(self, encoded: TakenE) -> None:
        """Add one row for each encoded segment, at position 0, after the present rows."""
        ...

    def take(self, rows: np.ndarray) -> None:
        """Keep exactly the rows `rows` [R'], in that order; rows may repeat, be reordered or left out."""
        ...

    def step(self, token_ids: np.ndarray, want_attention: bool) -> StepOutput:
        """Feed one token to every row, `token_ids` [R], and move each one position on.

        Without `want_attention` the attention may be empty [R, 0, S].
        """
        ...


class Runtime(Protocol[E]):
    """One loaded model; E is what its encoder gives to its rows."""

    @property
    def begin_id(self) -> int:
        """Token that every row is fed first."""
        ...

    @property
    def end_id(self) -> int:
        """Token that ends a hypothesis."""
        ...

    @property
    def max_source_tokens(self) -> int:
        """Longest source, end token included."""
        ...

    @property
    def max_target_tokens(self) -> int:
        """Longest target, end token included."""
        ...

    def encode(self, sources: Sequence[Sequence[int]]) -> E:
        """Encode segments of source ids (without end token)."""
        ...

    def new_rows(self) -> Rows[E]:
        """An empty batch."""
        ...
