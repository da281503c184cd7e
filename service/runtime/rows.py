"""The live rows of one lane: their state in preallocated buffers, for any stepper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from model_store.contract.manifest import Manifest, StateTensors
from service.memory import enlarged
from service.runtime.buffers import CAPACITY_STEP, SOURCE_STEP, Buffers, Extent, rounded_up
from service.runtime.encoded import EncodedSegments
from service.runtime.encoder_states import EncoderStates
from service.runtime.kv_cache import KVCache
from service.runtime.seam import FusedRows, FusedSteps, StepOutput


class Stepper(Protocol):
    """Computes decoder steps on buffers."""

    @property
    def kv_cache(self) -> KVCache:
        """How the KV cache follows beam reordering."""
        ...

    @property
    def most_slack(self) -> float:
        """By what factor S and T of the buffers may exceed the need; small where a step computes over all of them."""
        ...

    def in_buffers(self, specs: Sequence[StateTensors]) -> Sequence[StateTensors]:
        """The state arrays to allocate in the buffers, with their axes there."""
        ...

    @property
    def half_precision(self) -> frozenset[str]:
        """The decoder inputs whose arrays are float16 in the buffers; see `Buffers`."""
        ...

    @property
    def encoder_states(self) -> EncoderStates:
        """Where the encoder output of the segments is kept."""
        ...

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray, lengths: np.ndarray) -> StepOutput:
        """One step: feed `token_ids` [R] to the first R rows, and update their state in `buffers`.

        `positions` are the tokens that each row was fed before, `lengths` the source tokens of each segment; both have
        the capacity of the buffers.
        """
        ...

    @property
    def fused(self) -> FusedStepper | None:
        """The same stepper for compiled code that makes several steps; None: it makes single steps only."""
        ...


class FusedStepper(Protocol):
    """Prepares decoder steps for compiled code."""

    def fused_steps(
        self, buffers: Buffers, positions: np.ndarray, lengths: np.ndarray, most: int, wants_attention: bool
    ) -> FusedSteps:
        """See `FusedRows.fused_steps`. The buffers have the capacity for `most` steps."""
        ...


class StateRows:
    """The live rows of one lane. The buffers are resized with the rows' need; a step that fits allocates nothing."""

    def __init__(self, manifest: Manifest, stepper: Stepper, beam_size: int) -> None:
        self._beam_size = beam_size
        self._buffers = Buffers(stepper.in_buffers(manifest.state), beam_size, stepper.half_precision)
        self._stepper, self._fused_stepper = stepper, stepper.fused
        self._num_segments = self._position = 0
        self._positions = np.zeros(0, dtype=np.int64)
        """Tokens that each row has been fed."""
        self._lengths = np.zeros(0, dtype=np.int64)
        """Source tokens of each segment."""

    @property
    def num_segments(self) -> int:
        """See `Rows.num_segments`."""
        return self._num_segments

    @property
    def source_length(self) -> int:
        """See `Rows.source_length`."""
        return self._buffers.extent.source_length

    def put(self, slots: Sequence[int], encoded: Sequence[EncodedSegments], picks: Sequence[int]) -> None:
        """See `Rows.put`."""
        where, present = np.array(slots, dtype=np.int64), self._num_segments
        lengths = [batch.lengths[pick] for batch, pick in zip(encoded, picks, strict=True)]
        needed = max(present, max(slots) + 1)
        self._of_segments(self._positions)[where[where < present]] = 0
        self._look()
        self._fit(needed, max(lengths))
        self._num_segments = needed
        self._of_segments(self._positions)[where], self._lengths[where] = 0, lengths
        self._stepper.kv_cache.begin(where)
        self._stepper.encoder_states.put(slots, encoded, picks, self._buffers)

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """See `Rows.move`."""
        if to:
            there, here = np.array(to, dtype=np.int64), np.array(source, dtype=np.int64)
            self._buffers.move(there, here, self._position)
            self._stepper.kv_cache.move(there, here)
            for array in (self._of_segments(self._positions), self._lengths):
                array[there] = array[here]
        self._stepper.encoder_states.move(to, source, num_segments)
        self._num_segments = num_segments
        self._look()
        if num_segments:  # when none is left, nothing is computed over what is too large; the next to come may need it
            self._fit(num_segments, 1)

    def reorder(self, parents: np.ndarray) -> None:
        """See `Rows.reorder`."""
        self._stepper.kv_cache.reorder(parents, self._positions, self._buffers)

    @property
    def fused(self) -> FusedRows | None:
        """See `Rows.fused`."""
        return None if self._fused_stepper is None else self

    def fused_steps(self, most: int, wants_attention: bool) -> FusedSteps:
        """See `FusedRows.fused_steps`."""
        assert self._fused_stepper is not None, "asked for what `fused` says there is not"
        most = min(most, self._make_entries())
        return self._fused_stepper.fused_steps(self._buffers, self._positions, self._lengths, most, wants_attention)

    def passed(self, num_steps: int) -> None:
        """See `FusedRows.passed`."""
        self._position += num_steps

    def step(self, token_ids: np.ndarray) -> StepOutput:
        """See `Rows.step`."""
        self._make_entries()
        output = self._stepper.run(self._buffers, token_ids, self._positions, self._lengths)
        live = self._live(self._positions)
        np.add(live, 1, out=live)
        self._position += 1
        return output

    def _make_entries(self) -> int:
        """Make the buffers large enough for one more entry; returns the free entries of the oldest row."""
        if self._position == self._buffers.extent.capacity:
            self._fit(self._num_segments, 1)
        return self._buffers.extent.capacity - self._position

    def _look(self) -> None:
        """Update the capacity, which is the position of the oldest row."""
        self._position = int(self._live(self._positions).max(initial=0))

    def _live(self, array: np.ndarray) -> np.ndarray:
        """The part of an array by rows that is in use."""
        return array[: self._num_segments * self._beam_size]

    def _of_segments(self, array: np.ndarray) -> np.ndarray:
        """An array by rows as [B, K]."""
        return array.reshape(-1, self._beam_size)

    def _fit(self, num_segments: int, source_length: int) -> None:
        """Resize the buffers for so many segments, `source_length` columns and one more entry.

        See `Stepper.most_slack`.
        """
        extent, slack = self._buffers.extent, self._stepper.most_slack
        source_length = max(source_length, int(self._lengths[: self._num_segments].max(initial=1)))
        source_fits = _fits(extent.source_length, source_length, SOURCE_STEP, slack)
        capacity_fits = _fits(extent.capacity, self._position + 1, CAPACITY_STEP, slack)
        num_slots = extent.segments
        if num_segments <= num_slots and source_fits and capacity_fits:
            return
        if num_segments > num_slots:
            num_slots = rounded_up(num_segments, 8) if num_segments > 2 * num_slots else 2 * num_slots
        capacity = self._position + 1 if self._position < extent.capacity else 2 * extent.capacity
        best = Extent(
            num_slots,
            extent.source_length if source_fits else rounded_up(source_length, SOURCE_STEP),
            extent.capacity if capacity_fits else rounded_up(capacity, CAPACITY_STEP),
        )
        self._buffers.resize(best, self._num_segments, self._position)
        self._stepper.kv_cache.resize(num_slots, best.capacity)
        if num_slots != extent.segments:
            self._positions = enlarged(self._positions, num_slots * self._beam_size)
            self._lengths = enlarged(self._lengths, num_slots)
            self._stepper.encoder_states.resize(num_slots)


def _fits(size: int, needed: int, step: int, slack: float) -> bool:
    """Whether `size` is enough, and no more than `slack` times what would be allocated."""
    return needed <= size <= slack * rounded_up(needed, step)
