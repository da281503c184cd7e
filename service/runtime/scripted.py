"""A runtime without a model: it translates a segment into its own ids, reversed, in a way that tests can foresee.

Everything a search or an engine can do to its rows shows in its output: the next token depends on the row's source, on
its position and on every token it was fed, so a row that was mixed up with another gives another translation.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from service.runtime.seam import StepOutput

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

    def encode(self, sources: Sequence[Sequence[int]]) -> ScriptedSegments:
        """See `Runtime.encode`."""
        return ScriptedSegments(tuple((*map(int, ids), self.end_id) for ids in sources))

    def new_rows(self) -> ScriptedRows:
        """See `Runtime.new_rows`."""
        return ScriptedRows(self)


@dataclass(frozen=True, slots=True)
class _Row:
    source: tuple[int, ...]
    position: int = 0
    fed: int = 0
    """A hash of every token fed so far."""


class ScriptedRows:
    """The live rows of a scripted runtime."""

    def __init__(self, runtime: ScriptedRuntime) -> None:
        self._runtime = runtime
        self._rows: list[_Row] = []

    @property
    def num_rows(self) -> int:
        """See `Rows.num_rows`."""
        return len(self._rows)

    @property
    def width(self) -> int:
        """See `Rows.width`."""
        return max((len(row.source) for row in self._rows), default=0)

    def append(self, encoded: ScriptedSegments) -> None:
        """See `Rows.append`."""
        self._rows += [_Row(source) for source in encoded.sources]

    def take(self, rows: np.ndarray) -> None:
        """See `Rows.take`."""
        self._rows = [self._rows[int(i)] for i in rows]

    def step(self, token_ids: np.ndarray, want_attention: bool) -> StepOutput:
        """See `Rows.step`."""
        if self._runtime.step_s:
            self._runtime.wait(self._runtime.step_s)
        self._rows = [
            _Row(row.source, row.position + 1, (row.fed * 31 + int(token)) % _MODULUS)
            for row, token in zip(self._rows, token_ids, strict=True)
        ]
        log_probs = np.stack([self._log_probs(row) for row in self._rows])
        attention = np.zeros((len(self._rows), self._runtime.num_slices, self.width), dtype=np.float32)
        for i, row in enumerate(self._rows):
            attention[i, :, self._looked_at(row)] = 1.0
        return StepOutput(log_probs, attention)

    def _looked_at(self, row: _Row) -> int:
        """The source column that the row's present token copies: last first, then the end token."""
        left = len(row.source) - 1 - row.position
        return left if left >= 0 else len(row.source) - 1

    def _log_probs(self, row: _Row) -> np.ndarray:
        random = np.random.default_rng([row.fed, row.position, *row.source])
        logits = random.random(self._runtime.vocabulary_size).astype(np.float32)
        logits[row.source[self._looked_at(row)]] += 4.0
        shifted = logits - logits.max()
        normalised: np.ndarray = shifted - np.log(np.exp(shifted).sum())
        return normalised.astype(np.float32)
