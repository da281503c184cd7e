"""What the engine asks of a runtime: encode segments, and step the rows of many of them together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np

from service.search.records import Searches


class StepOutput(NamedTuple):
    """What one step gives; valid until the next step."""

    logits: np.ndarray
    """[rows, V], float32: R rows, or fewer where some have the same."""
    attention: np.ndarray
    """[R, A, S], float32; S is the width of the batch, a row's own columns come first. It says nothing of a row that
    another one stands for."""
    places: np.ndarray | None = None
    """[R], int64: which of `logits` each row has; None when each has its own. When a segment begins, its first row
    stands for all, because all are fed the same token."""

    @property
    def logits_of_rows(self) -> np.ndarray:
        """[R, V], float32: `logits` of each row."""
        return self.logits if self.places is None else self.logits[self.places]


class Decoded(NamedTuple):
    """What came of some steps together."""

    num_steps: int
    num_over: int
    """Searches that the last step ended."""
    attention: np.ndarray
    """[steps, at least R, A, S], float32, of each step as in `StepOutput`, valid until the next one; no steps when
    nobody wants it."""


class Turns(NamedTuple):
    """For how long steps may go on by themselves."""

    most: int
    """Steps, at least 1."""
    halt: np.ndarray
    """[1], int64: when this is no longer 0, which any thread may see to, the step under way is the last."""


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
    """The live rows of B segments, K rows each: their state, masks and positions.

    The segment in slot b has the rows b K to b K + K - 1, all of the same age; they share what the encoder wrote.
    """

    @property
    def num_segments(self) -> int:
        """B."""
        ...

    @property
    def width(self) -> int:
        """S: source columns of each segment, padding included."""
        ...

    def put(self, slots: Sequence[int], encoded: Sequence[TakenE], picks: Sequence[int]) -> None:
        """Start segment number `picks[i]` of `encoded[i]` in `slots[i]`, at position 0: slots in use, whose segments
        are given up, and then the next after all others."""
        ...

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """Move the segments of slots `source` to slots `to`, then keep only the first `num_segments`."""
        ...

    def reorder(self, owners: np.ndarray) -> None:
        """Let row k of segment b go on with the past of its row `owners[b, k]`, a row that keeps its own past."""
        ...

    def step(self, token_ids: np.ndarray) -> StepOutput:
        """Feed one token to every row, `token_ids` [B * K], and move each one position on."""
        ...

    def decode(self, searches: Searches, wants_attention: bool, turns: Turns) -> Decoded | None:
        """Step, advance the `searches` of all segments and reorder the rows, again and again, at least once.

        It ends with the step that ends a search, and when `turns` says so. None when this runtime only steps.
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

    def new_rows(self, rows_per_segment: int) -> Rows[E]:
        """An empty batch of segments with `rows_per_segment` rows each, K."""
        ...
