"""A bundle as a `Runtime`, with any encoder and any stepper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from model_store.contract.manifest import Manifest
from service.runtime.encoded import EncodedSegments
from service.runtime.rows import StateRows, Stepper


class Encoder(Protocol):
    """Computes the encoder graph."""

    def encode(self, sources: Sequence[Sequence[int]]) -> EncodedSegments:
        """See `Runtime.encode`."""
        ...


class BundleRuntime:
    """One loaded bundle. Not thread-safe: one engine owns it."""

    def __init__(self, manifest: Manifest, encoder: Encoder, new_stepper: Callable[[int], Stepper]) -> None:
        """`new_stepper(beam_size)` makes the stepper of one lane."""
        self.manifest = manifest
        self._encoder, self._new_stepper = encoder, new_stepper

    kind: str
    """See `Runtime.kind`."""

    @property
    def begin_id(self) -> int:
        """See `Runtime.begin_id`."""
        return self.manifest.special_tokens.begin

    @property
    def end_id(self) -> int:
        """See `Runtime.end_id`."""
        return self.manifest.special_tokens.end

    @property
    def max_source_tokens(self) -> int:
        """See `Runtime.max_source_tokens`."""
        return self.manifest.limits.max_source_tokens

    @property
    def max_target_tokens(self) -> int:
        """See `Runtime.max_target_tokens`."""
        return self.manifest.limits.max_target_tokens

    @property
    def coverage_slices(self) -> tuple[int, ...]:
        """See `Runtime.coverage_slices`."""
        return self.manifest.default_slices

    def encode(self, sources: Sequence[Sequence[int]]) -> EncodedSegments:
        """See `Runtime.encode`."""
        return self._encoder.encode(sources)

    def new_rows(self, beam_size: int) -> StateRows:
        """See `Runtime.new_rows`."""
        return StateRows(self.manifest, self._new_stepper(beam_size), beam_size)
