"""The interface between engine and runtime: encode segments, and step the rows of many of them as one batch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

import numpy as np


class StepOutput(NamedTuple):
    """The output of one step; valid until the next step."""

    logits: np.ndarray
    """[rows, V], float32: R rows, or fewer where several have the same logits."""
    attention: np.ndarray
    """[R, A, S], float32; S is the source length of the batch, a row's own columns come first. Undefined for a row that
    has the logits of another one."""
    places: np.ndarray | None = None
    """[R], int64: the row of `logits` that belongs to each row; None: its own. At the first step of a segment all its
    rows are fed the same token, so only the first one is computed."""

    @property
    def logits_of_rows(self) -> np.ndarray:
        """[R, V], float32: `logits` of each row."""
        return self.logits if self.places is None else self.logits[self.places]


class FusedSteps(NamedTuple):
    """What compiled code needs to make several steps without the interpreter; valid until the rows change."""

    program: np.ndarray
    """Instructions of a step, as for `machine.run`."""
    batch: np.ndarray
    """The record that they read. It has the addresses of `rows`, `token_ids`, `positions` and `cache_indirection`."""
    rows: np.ndarray
    """[R], int64: which rows a step computes; written before each."""
    places: np.ndarray
    """[R], int64: the place of each row in `rows`; written before each step."""
    token_ids: np.ndarray
    """[R], int64: what the computed rows are fed; written before each step."""
    positions: np.ndarray
    """[R], int64: tokens that each row was fed; counted on after each step."""
    cache_indirection: np.ndarray
    """Follows the parent ids after each step."""
    map_bytes: int
    """Bytes from the attention of a step to that of the next one; 0: nobody wants it."""
    logits: np.ndarray
    """[R, V], float32: where a step writes them, those of row r at `places[r]`."""
    attention: np.ndarray
    """[steps, at least R, A, S], float32, of each step as in `StepOutput`; empty when nobody wants it."""
    most: int
    """Steps for which there is memory."""


class Turns(NamedTuple):
    """How many steps one call may make."""

    most: int
    """The largest number of steps, at least 1."""
    halt: np.ndarray
    """[1], int64: once any thread has set this to another number than 0, the step under way is the last."""


class Encoded(Protocol):
    """Encoder output of segments that wait for rows."""

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
    def source_length(self) -> int:
        """S: source columns of each segment, padding included."""
        ...

    def put(self, slots: Sequence[int], encoded: Sequence[TakenE], picks: Sequence[int]) -> None:
        """Start segment number `picks[i]` of `encoded[i]` in `slots[i]`, at position 0. Slots in use come first, and
        their segments are dropped; then the next free ones."""
        ...

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """Move the segments of slots `source` to slots `to`, then keep only the first `num_segments`."""
        ...

    def reorder(self, parents: np.ndarray) -> None:
        """Beam reordering: row k of segment b continues from row `parents[b, k]`, a row that keeps its own KV cache."""
        ...

    def step(self, token_ids: np.ndarray) -> StepOutput:
        """Feed one token to every row, `token_ids` [B * K], and move each one position on."""
        ...

    @property
    def fused(self) -> FusedRows | None:
        """The same rows for compiled code that makes several steps; None: this runtime makes single steps only."""
        ...


class FusedRows(Protocol):
    """Rows whose steps are compiled code, so that a search can go on without the interpreter; see `engine.fused`."""

    def fused_steps(self, most: int, wants_attention: bool) -> FusedSteps:
        """Get ready for up to `most` steps, at least one."""
        ...

    def passed(self, num_steps: int) -> None:
        """So many of the steps were made."""
        ...


class Runtime(Protocol[E]):
    """One loaded model; E is the type of its encoder output."""

    @property
    def kind(self) -> str:
        """What computes the graphs: `kernels` or `onnxruntime`; `scripted` in measurements."""
        ...

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

    @property
    def coverage_slices(self) -> tuple[int, ...]:
        """The attention slices of the model's default map; () without attention."""
        ...

    def encode(self, sources: Sequence[Sequence[int]]) -> E:
        """Encode segments of source ids (without end token)."""
        ...

    def new_rows(self, beam_size: int) -> Rows[E]:
        """An empty batch of segments with `beam_size` rows each, K."""
        ...
