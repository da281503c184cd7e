"""The observer interface of the engine. Calls come from the engine's thread: they must be cheap and never raise."""

from __future__ import annotations

from typing import Protocol

from service.messages import FinishReason, Timings


class EngineObserver(Protocol):
    """Receives every event of one engine."""

    def encoded(self, num_segments: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """A mini-batch of segments went through the encoder."""
        ...

    def stepped(self, num_steps: int, num_rows: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """All rows advanced by one token, so many times, each of which took `seconds`.

        In each, `num_tokens` of the rows' `num_padded_tokens` source columns are real.
        """
        ...

    def finished(self, reason: FinishReason, timings: Timings, num_source_tokens: int, num_target_tokens: int) -> None:
        """A segment was delivered; `reason` is its best hypothesis's."""
        ...

    def dropped(self, code: str) -> None:
        """A segment ended by an error, whose slug is `code`."""
        ...

    def depth(self, queued_segments: int, running_rows: int) -> None:
        """Waiting segments and live rows after a tick."""
        ...


class SilentObserver:
    """Ignores every event."""

    def encoded(self, num_segments: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """See `EngineObserver.encoded`."""

    def stepped(self, num_steps: int, num_rows: int, num_tokens: int, num_padded_tokens: int, seconds: float) -> None:
        """See `EngineObserver.stepped`."""

    def finished(self, reason: FinishReason, timings: Timings, num_source_tokens: int, num_target_tokens: int) -> None:
        """See `EngineObserver.finished`."""

    def dropped(self, code: str) -> None:
        """See `EngineObserver.dropped`."""

    def depth(self, queued_segments: int, running_rows: int) -> None:
        """See `EngineObserver.depth`."""
