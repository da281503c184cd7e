"""Preallocated arrays for the live rows: capacity for rows, source columns and target entries, kept tight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model_store.contract.manifest import StateTensors
from model_store.contract.state import Lifetime

WIDTH_STEP = 4
"""Source columns are allocated in multiples of this."""
DEPTH_STEP = 16
"""Entries of growing arrays are allocated in multiples of this."""


def rounded_up(value: int, step: int) -> int:
    """The smallest multiple of `step` that is at least `value` and positive."""
    return max(step, -(-value // step) * step)


@dataclass(frozen=True, slots=True)
class Extent:
    """Sizes of the buffers."""

    rows: int
    width: int
    """S: source columns."""
    depth: int
    """T: entries of growing arrays."""


class Buffers:
    """One array for each state array, and the source mask; the first R rows are live."""

    def __init__(self, specs: Sequence[StateTensors]) -> None:
        self.specs = tuple(specs)
        self.extent = Extent(0, WIDTH_STEP, DEPTH_STEP)
        self.arrays: dict[str, np.ndarray] = {}
        self.mask = np.zeros((0, WIDTH_STEP), dtype=np.bool_)
        self.version = 0
        """Changes whenever an array is allocated anew."""

    def _shape(self, spec: StateTensors, extent: Extent) -> tuple[int, ...]:
        sizes = {"S": extent.width, "T": extent.depth}
        return (extent.rows, *(sizes[axis] if isinstance(axis, str) else axis for axis in spec.axes))

    def resize(self, extent: Extent, num_rows: int, used_width: int, used_depth: int) -> None:
        """Move the first `num_rows` rows into buffers of `extent`; what lies beyond the used part is zero."""
        if extent == self.extent:
            return
        used = Extent(num_rows, min(used_width, extent.width), min(used_depth, extent.depth))
        arrays = {}
        for spec in self.specs:
            array = np.zeros(self._shape(spec, extent), dtype=spec.dtype)
            if num_rows:
                part = tuple(slice(0, size) for size in self._shape(spec, used))
                array[part] = self.arrays[spec.name][part]
            arrays[spec.name] = array
        mask = np.zeros((extent.rows, extent.width), dtype=np.bool_)
        mask[:num_rows, : used.width] = self.mask[:num_rows, : used.width]
        self.arrays, self.mask, self.extent = arrays, mask, extent
        self.version += 1

    def write(self, first: int, values: dict[str, np.ndarray], mask: np.ndarray) -> None:
        """Write new rows from row `first` on: encoder outputs [B, ...] and `mask` [B, S']; S' may be less than S."""
        rows = slice(first, first + len(mask))
        self.mask[rows, : mask.shape[1]] = mask
        self.mask[rows, mask.shape[1] :] = False
        for spec in self.specs:
            if spec.name in values:
                value = values[spec.name]
                part = (rows, *(slice(0, size) for size in value.shape[1:]))
                self.arrays[spec.name][part] = value

    def move(self, to: np.ndarray, source: np.ndarray, new_source: np.ndarray, depth: int) -> None:
        """Copy rows `source` onto rows `to`, growing arrays up to `depth` entries.

        `new_source` says for each of them whether it translates another segment than the row it replaces: within one
        segment the static arrays are alike already.
        """
        static_to, static_from = to[new_source], source[new_source]
        self.mask[static_to] = self.mask[static_from]
        for spec in self.specs:
            array = self.arrays[spec.name]
            if spec.lifetime is Lifetime.STATIC:
                if len(static_to):
                    array[static_to] = array[static_from]
            elif spec.lifetime is Lifetime.GROWING:
                axis = spec.axis("T")
                assert axis is not None
                past = np.moveaxis(array, axis, 1)[:, :depth]  # [R, T, ...], a view
                past[to] = past[source]
            else:
                array[to] = array[source]
