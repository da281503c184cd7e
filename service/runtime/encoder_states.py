"""Where the encoder output of a lane's segments lies: a segment's memory, which all its rows read and none changes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from service.runtime.buffers import Buffers
from service.runtime.encoded import EncodedSegments, PaddedSegments, PlacedSegments


class EncoderStates(Protocol):
    """The encoder states of all segments of a lane, by slot."""

    def resize(self, num_segments: int) -> None:
        """Set the capacity to so many segments; present ones stay."""
        ...

    def put(
        self, slots: Sequence[int], encoded: Sequence[EncodedSegments], picks: Sequence[int], buffers: Buffers
    ) -> None:
        """Segment number `picks[i]` of `encoded[i]` starts in `slots[i]`."""
        ...

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """The segments of slots `source` move to slots `to`, and only the first `num_segments` are left."""
        ...


class CopiedEncoderStates:
    """Copies the encoder output into buffers, padded to one width: ONNX graphs take one array for all segments."""

    def resize(self, num_segments: int) -> None:
        """See `EncoderStates.resize`; buffers have their own."""

    def put(
        self, slots: Sequence[int], encoded: Sequence[EncodedSegments], picks: Sequence[int], buffers: Buffers
    ) -> None:
        """See `EncoderStates.put`."""
        for first, last in _runs(slots, encoded, picks):
            batch, here = encoded[first], slice(picks[first], picks[last] + 1)
            assert isinstance(batch, PaddedSegments)
            arrays = {name: array[here] for name, array in batch.arrays.items()}
            buffers.write(slots[first], arrays, batch.lengths[here])

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """See `EncoderStates.move`; buffers move all that they have."""


def _runs(slots: Sequence[int], encoded: Sequence[EncodedSegments], picks: Sequence[int]) -> Iterator[tuple[int, int]]:
    """First and last index of each run that one copy can do: neighbouring slots, neighbouring picks of one batch."""
    first = 0
    for i in range(1, len(slots) + 1):
        if (
            i < len(slots)
            and encoded[i] is encoded[first]
            and slots[i] - slots[first] == picks[i] - picks[first] == i - first
        ):
            continue
        yield first, i - 1
        first = i


class LinkedEncoderStates:
    """Leaves the encoder output where the encoder wrote it; steps get its addresses."""

    def __init__(self, num_arrays: int) -> None:
        """`num_arrays`: arrays of each segment, in the order of `PlacedSegments.addresses`."""
        self.addresses = np.zeros((num_arrays, 0), np.int64)
        """[arrays, B]: where each array of each segment begins."""
        self._blocks: list[object] = []
        """By slot: the block of memory that must not be freed while the segment lives."""

    def resize(self, num_segments: int) -> None:
        """See `EncoderStates.resize`."""
        present = min(num_segments, len(self._blocks))
        addresses = np.zeros((len(self.addresses), num_segments), np.int64)
        addresses[:, :present] = self.addresses[:, :present]
        self.addresses = addresses
        self._blocks = self._blocks[:present] + [None] * (num_segments - present)

    def put(
        self, slots: Sequence[int], encoded: Sequence[EncodedSegments], picks: Sequence[int], buffers: Buffers
    ) -> None:
        """See `EncoderStates.put`."""
        for first, last in _runs(slots, encoded, picks):
            batch, there, here = encoded[first], slots[first], picks[first]
            assert isinstance(batch, PlacedSegments)
            count = last + 1 - first
            self.addresses[:, there : there + count] = batch.addresses[:, here : here + count]
            self._blocks[there : there + count] = batch.blocks[here : here + count]

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """See `EncoderStates.move`."""
        if to:
            self.addresses[:, to] = self.addresses[:, source]
        for there, here in zip(to, source, strict=True):
            self._blocks[there] = self._blocks[here]
        self._blocks[num_segments:] = [None] * (len(self._blocks) - num_segments)
