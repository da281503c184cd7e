"""A runtime without a model: it translates a segment into its own ids, reversed, in a way that tests can foresee.

Everything a search or an engine can do to its rows shows in its output: the next token depends on the row's source, on
its position and on every token it was fed, so a row that was mixed up with another gives another translation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from service.runtime.seam import FusedRows, StepOutput

BEGIN_ID, END_ID = 2, 3
_MODULUS = 1_000_003


@dataclass(frozen=True, slots=True)
class ScriptedSegments:
    """Source ids of encoded segments, end token included."""

    sources: tuple[tuple[int, ...], ...]

    @property
    def num_tokens(self) -> int:
        """See `Encoded.num_tokens`."""
        return sum(map(len, self.sources))

    @property
    def num_padded_tokens(self) -> int:
        """See `Encoded.num_padded_tokens`."""
        return len(self.sources) * max(map(len, self.sources))


@dataclass(frozen=True, slots=True)
class ScriptedRuntime:
    """A `Runtime` whose step takes `step_s` seconds, in which it only waits."""

    vocabulary_size: int = 32
    step_s: float = 0.0
    num_slices: int = 1
    max_source_tokens: int = 128
    max_target_tokens: int = 256
    begin_id: int = BEGIN_ID
    end_id: int = END_ID
    wait: Callable[[float], None] = time.sleep
    kind: str = "scripted"
    coverage_slices: tuple[int, ...] = (0,)

    def encode(self, sources: Sequence[Sequence[int]]) -> ScriptedSegments:
        """See `Runtime.encode`."""
        return ScriptedSegments(tuple((*map(int, ids), self.end_id) for ids in sources))

    def new_rows(self, beam_size: int) -> ScriptedRows:
        """See `Runtime.new_rows`."""
        return ScriptedRows(self, beam_size)


@dataclass(frozen=True, slots=True)
class _Row:
    source: tuple[int, ...]
    position: int = 0
    fed: int = 0
    """A hash of every token fed so far."""


class ScriptedRows:
    """The live rows of a scripted runtime."""

    fused: FusedRows | None = None
    """See `Rows.fused`."""

    def __init__(self, runtime: ScriptedRuntime, beam_size: int) -> None:
        self._runtime, self._beam_size = runtime, beam_size
        self._segments: list[list[_Row]] = []

    @property
    def num_segments(self) -> int:
        """See `Rows.num_segments`."""
        return len(self._segments)

    @property
    def source_length(self) -> int:
        """See `Rows.source_length`."""
        return max((len(rows[0].source) for rows in self._segments), default=0)

    def put(self, slots: Sequence[int], encoded: Sequence[ScriptedSegments], picks: Sequence[int]) -> None:
        """See `Rows.put`."""
        for slot, batch, pick in zip(slots, encoded, picks, strict=True):
            assert slot <= len(self._segments), "slots have no gaps"
            self._segments[slot : slot + 1] = [[_Row(batch.sources[pick])] * self._beam_size]

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """See `Rows.move`."""
        for there, here in zip(to, source, strict=True):
            self._segments[there] = self._segments[here]
        del self._segments[num_segments:]

    def reorder(self, parents: np.ndarray) -> None:
        """See `Rows.reorder`."""
        self._segments = [[rows[k] for k in own] for rows, own in zip(self._segments, parents.tolist(), strict=True)]

    def step(self, token_ids: np.ndarray) -> StepOutput:
        """See `Rows.step`."""
        if self._runtime.step_s:
            self._runtime.wait(self._runtime.step_s)
        tokens = iter(token_ids.tolist())
        self._segments = [
            [_Row(row.source, row.position + 1, (row.fed * 31 + next(tokens)) % _MODULUS) for row in rows]
            for rows in self._segments
        ]
        flat = [row for rows in self._segments for row in rows]
        logits = np.stack([self._logits(row) for row in flat])
        attention = np.zeros((len(flat), self._runtime.num_slices, self.source_length), dtype=np.float32)
        for i, row in enumerate(flat):
            attention[i, :, self._looked_at(row)] = 1.0
        return StepOutput(logits, attention)

    def _looked_at(self, row: _Row) -> int:
        """The source column that the row's present token copies: last first, then the end token."""
        left = len(row.source) - 1 - row.position
        return left if left >= 0 else len(row.source) - 1

    def _logits(self, row: _Row) -> np.ndarray:
        random = np.random.default_rng([row.fed, row.position, *row.source])
        logits = random.random(self._runtime.vocabulary_size).astype(np.float32)
        logits[row.source[self._looked_at(row)]] += 4.0
        return logits
