"""The live rows of one lane: their state in preallocated buffers, for any stepper."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from model_store.contract.manifest import Manifest, StateTensors
from service.memory import enlarged
from service.runtime.buffers import DEPTH_STEP, WIDTH_STEP, Buffers, Extent, rounded_up
from service.runtime.encoded import EncodedSegments
from service.runtime.memories import Memories
from service.runtime.past import Past
from service.runtime.seam import Decoded, StepOutput, Turns
from service.search.records import Searches


class Stepper(Protocol):
    """Computes decoder steps on buffers."""

    @property
    def past(self) -> Past:
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
    def halved(self) -> frozenset[str]:
        """The decoder inputs whose arrays are float16 in the buffers; see `Buffers`."""
        ...

    @property
    def memories(self) -> Memories:
        """Where the encoder output of the segments is kept."""
        ...

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray, lengths: np.ndarray) -> StepOutput:
        """One step: feed `token_ids` [R] to the first R rows, and update their state in `buffers`.

        `positions` are the tokens that each row was fed before, `lengths` the source tokens of each segment; both have
        the capacity of the buffers.
        """
        ...

    def decode(
        self,
        buffers: Buffers,
        positions: np.ndarray,
        lengths: np.ndarray,
        searches: Searches,
        wants_attention: bool,
        turns: Turns,
    ) -> Decoded | None:
        """See `Rows.decode`. The buffers have the capacity for so many steps; `positions` are updated, too."""
        ...


class StateRows:
    """The live rows of one lane. The buffers are resized with the rows' need; a step that fits allocates nothing."""

    def __init__(self, manifest: Manifest, stepper: Stepper, rows_per_segment: int) -> None:
        self._rows_per_segment = rows_per_segment
        self._buffers = Buffers(stepper.in_buffers(manifest.state), rows_per_segment, stepper.halved)
        self._stepper = stepper
        self._num_segments = self._depth = 0
        self._positions = np.zeros(0, dtype=np.int64)
        """Tokens that each row has been fed."""
        self._lengths = np.zeros(0, dtype=np.int64)
        """Source tokens of each segment."""

    @property
    def num_segments(self) -> int:
        """See `Rows.num_segments`."""
        return self._num_segments

    @property
    def width(self) -> int:
        """See `Rows.width`."""
        return self._buffers.extent.width

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
        self._stepper.past.begin(where)
        self._stepper.memories.put(slots, encoded, picks, self._buffers)

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """See `Rows.move`."""
        if to:
            there, here = np.array(to, dtype=np.int64), np.array(source, dtype=np.int64)
            self._buffers.move(there, here, self._depth)
            self._stepper.past.move(there, here)
            for array in (self._of_segments(self._positions), self._lengths):
                array[there] = array[here]
        self._stepper.memories.move(to, source, num_segments)
        self._num_segments = num_segments
        self._look()
        if num_segments:  # when none is left, nothing is computed over what is too large; the next to come may need it
            self._fit(num_segments, 1)

    def reorder(self, owners: np.ndarray) -> None:
        """See `Rows.reorder`."""
        self._stepper.past.reorder(owners, self._positions, self._buffers)

    def decode(self, searches: Searches, wants_attention: bool, turns: Turns) -> Decoded | None:
        """See `Rows.decode`."""
        turns = turns._replace(most=min(turns.most, self._make_entries()))
        decoded = self._stepper.decode(self._buffers, self._positions, self._lengths, searches, wants_attention, turns)
        if decoded is not None:
            self._depth += decoded.num_steps
        return decoded

    def step(self, token_ids: np.ndarray) -> StepOutput:
        """See `Rows.step`."""
        self._make_entries()
        output = self._stepper.run(self._buffers, token_ids, self._positions, self._lengths)
        live = self._live(self._positions)
        np.add(live, 1, out=live)
        self._depth += 1
        return output

    def _make_entries(self) -> int:
        """Make the buffers large enough for one more entry; returns the free entries of the oldest row."""
        if self._depth == self._buffers.extent.depth:
            self._fit(self._num_segments, 1)
        return self._buffers.extent.depth - self._depth

    def _look(self) -> None:
        """Update the depth, which is the position of the oldest row."""
        self._depth = int(self._live(self._positions).max(initial=0))

    def _live(self, array: np.ndarray) -> np.ndarray:
        """The part of an array by rows that is in use."""
        return array[: self._num_segments * self._rows_per_segment]

    def _of_segments(self, array: np.ndarray) -> np.ndarray:
        """An array by rows as [B, K]."""
        return array.reshape(-1, self._rows_per_segment)

    def _fit(self, num_segments: int, width: int) -> None:
        """Resize the buffers for so many segments, `width` columns and one more entry; see `Stepper.most_slack`."""
        extent, slack = self._buffers.extent, self._stepper.most_slack
        width = max(width, int(self._lengths[: self._num_segments].max(initial=1)))
        width_fits = _fits(extent.width, width, WIDTH_STEP, slack)
        depth_fits = _fits(extent.depth, self._depth + 1, DEPTH_STEP, slack)
        room = extent.segments
        if num_segments <= room and width_fits and depth_fits:
            return
        if num_segments > room:
            room = rounded_up(num_segments, 8) if num_segments > 2 * room else 2 * room
        depth = self._depth + 1 if self._depth < extent.depth else 2 * extent.depth
        best = Extent(
            room,
            extent.width if width_fits else rounded_up(width, WIDTH_STEP),
            extent.depth if depth_fits else rounded_up(depth, DEPTH_STEP),
        )
        self._buffers.resize(best, self._num_segments, self._depth)
        self._stepper.past.resize(room, best.depth)
        if room != extent.segments:
            self._positions = enlarged(self._positions, room * self._rows_per_segment)
            self._lengths = enlarged(self._lengths, room)
            self._stepper.memories.resize(room)


def _fits(size: int, needed: int, step: int, slack: float) -> bool:
    """Whether `size` is enough, and no more than `slack` times what would be allocated."""
    return needed <= size <= slack * rounded_up(needed, step)
