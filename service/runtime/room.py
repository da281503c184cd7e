"""Memory that is used again: a fresh large array costs a page fault for every 4 kB that is touched."""

from __future__ import annotations

import math

import numpy as np

from service.memory import zeros


class Room:
    """Arrays of changing shape in the same memory, which grows when it must and is never NaN before it is written."""

    def __init__(self, dtype: np.typing.DTypeLike) -> None:
        self._memory = np.zeros(0, dtype=dtype)

    def array(self, shape: tuple[int, ...]) -> np.ndarray:
        """An array of `shape`, with old contents in any order; it takes the place of the one given before."""
        size = math.prod(shape)
        if size > len(self._memory):
            self._memory = zeros(size * self._memory.itemsize).view(self._memory.dtype)
        return self._memory[:size].reshape(shape)
