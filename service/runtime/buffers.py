"""Preallocated state arrays of the live rows, with a capacity in segments, source columns and target entries."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from model_store.contract.manifest import StateTensors
from model_store.contract.state import Lifetime
from service.memory import whole_lines, zeros
from service.runtime.ancestry import copy_entries

SOURCE_STEP = 4
"""Source columns are allocated in multiples of this."""
CAPACITY_STEP = 16
"""Entries of growing arrays are allocated in multiples of this."""


def rounded_up(value: int, step: int) -> int:
    """The smallest multiple of `step` that is at least `value` and positive."""
    return max(step, -(-value // step) * step)


@dataclass(frozen=True, slots=True)
class Extent:
    """Capacity of the buffers."""

    segments: int
    source_length: int
    """S: source columns."""
    capacity: int
    """T: entries of growing arrays."""


class Buffers:
    """One array for each state array, and the source mask.

    Static arrays and the mask have one row for each segment, carried and growing ones have K.
    """

    def __init__(self, specs: Sequence[StateTensors], beam_size: int, half_precision: Collection[str] = ()) -> None:
        """`half_precision` are the decoder inputs whose arrays have 16 bits a number, not 32 (IEEE 754 binary16)."""
        self.specs = tuple(specs)
        self._dtypes = {
            spec.name: np.dtype(np.float16 if spec.step_input in half_precision else spec.dtype) for spec in specs
        }
        self.beam_size = beam_size
        self.extent = Extent(0, SOURCE_STEP, CAPACITY_STEP)
        self.mask = np.zeros((0, SOURCE_STEP), dtype=np.bool_)
        self._memory = self._spare = np.zeros(0, np.uint8)
        self._use(self._carve(self.extent))
        self._encoded = [
            (spec.name, self.rows_of(spec), None if (axis := spec.axis("S")) is None else (slice(None),) * (axis - 1))
            for spec in self.specs
            if spec.encoder_output
        ]
        """Encoder outputs: name, rows per segment, and the axes between the row axis and S, if there is an S."""
        self.version = 0
        """Changes whenever an array or the mask moves in memory."""

    def rows_of(self, spec: StateTensors) -> int:
        """Rows that each segment has of an array: 1 or K."""
        return 1 if spec.lifetime is Lifetime.STATIC else self.beam_size

    def resize(self, extent: Extent, num_segments: int, used_entries: int) -> None:
        """Move the first `num_segments` segments into buffers of capacity `extent`; unused entries are finite."""
        if extent == self.extent:
            return
        used = Extent(
            num_segments, min(self.extent.source_length, extent.source_length), min(used_entries, extent.capacity)
        )
        stay = all(self._shape(spec, extent) == self._shape(spec, self.extent) for spec in self.specs)
        if stay and self.mask.shape == (extent.segments, extent.source_length):
            self.extent = extent  # another depth, and nothing that grows
            return
        if not stay:
            arrays = self._carve(extent)
            for spec in self.specs:
                if num_segments:
                    part = tuple(slice(0, size) for size in self._shape(spec, used))
                    arrays[spec.name][part] = self.arrays[spec.name][part]
            self._use(arrays)
        mask = np.zeros((extent.segments, extent.source_length), dtype=np.bool_)
        mask[:num_segments, : used.source_length] = self.mask[:num_segments, : used.source_length]
        self.mask, self.extent = mask, extent
        self.version += 1

    def write(self, slot: int, encoded: Mapping[str, np.ndarray], lengths: Sequence[int]) -> None:
        """Copy the encoder output of consecutive segments to `slot` and the slots after it.

        `lengths` are their source columns. Arrays of `encoded` have one row per segment, and at least as many columns
        as the longest segment.
        """
        count, num_columns = len(lengths), max(lengths)
        self.mask[slot : slot + count] = np.arange(self.extent.source_length) < np.array(lengths)[:, None]
        for name, each, before_columns in self._encoded:
            part = (slice(None), *before_columns, slice(num_columns)) if before_columns is not None else ()
            rows = self.arrays[name][each * slot : each * (slot + count)]
            for row in range(each):
                rows[row::each][part] = encoded[name][part]

    def move(self, to: np.ndarray, source: np.ndarray, used_entries: int) -> None:
        """Copy segments `source` onto segments `to`, growing arrays up to `used_entries` entries."""
        self.mask[to] = self.mask[source]
        for spec in self.specs:
            part = self.arrays[spec.name]
            if spec.lifetime is Lifetime.GROWING:
                axis = spec.axis("T")
                assert axis is not None
                part = part[(slice(None),) * axis + (slice(0, used_entries),)]
            each = self.rows_of(spec)
            for row in range(each):
                part[to * each + row] = part[source * each + row]

    def copy_rows(self, moves: np.ndarray) -> None:
        """Make the copies `moves` (see `ancestry.MOVE`): of carried arrays whole rows, of growing ones the entries."""
        for array in self._carried:
            array[moves["to"]] = array[moves["source"]]
        for array in self._growing:
            copy_entries(array, moves)

    def _use(self, arrays: dict[str, np.ndarray]) -> None:
        """Replace the arrays."""
        self.arrays = arrays
        self._carried = [arrays[spec.name] for spec in self.specs if spec.lifetime is Lifetime.CARRIED]
        self._growing = [_by_entry(arrays[spec.name], spec) for spec in self.specs if spec.lifetime is Lifetime.GROWING]

    def _carve(self, extent: Extent) -> dict[str, np.ndarray]:
        """New arrays of capacity `extent` in one block of memory, another one than that of the present arrays."""
        shapes = {spec.name: self._shape(spec, extent) for spec in self.specs}
        sizes = [math.prod(shapes[spec.name]) * self._dtypes[spec.name].itemsize for spec in self.specs]
        begins = list(itertools.accumulate(map(whole_lines, sizes), initial=0))
        self._memory, self._spare = self._spare, self._memory
        if len(self._memory) < begins[-1]:
            self._memory = zeros(begins[-1])
        elif len(set(self._dtypes.values())) > 1:
            self._memory[:] = 0  # what was of another type need not be finite in this one
        arrays = {}
        for spec, size, begin in zip(self.specs, sizes, begins, strict=False):
            arrays[spec.name] = (
                self._memory[begin : begin + size].view(self._dtypes[spec.name]).reshape(shapes[spec.name])
            )
        return arrays

    def _shape(self, spec: StateTensors, extent: Extent) -> tuple[int, ...]:
        sizes = {"S": extent.source_length, "T": extent.capacity}
        rows = extent.segments * self.rows_of(spec)
        return (rows, *(sizes[axis] if isinstance(axis, str) else axis for axis in spec.axes))


def _by_entry(array: np.ndarray, spec: StateTensors) -> np.ndarray:
    """A growing array as [R, X, T, Y]."""
    axis = spec.axis("T")
    assert axis is not None
    return array.reshape(
        len(array), math.prod(array.shape[1:axis]), array.shape[axis], math.prod(array.shape[axis + 1 :])
    )
