"""Reused memory: a new large array costs a page fault for every 4 kB that is touched."""

from __future__ import annotations

import math

import numpy as np

from service.memory import zeros


class ArrayPool:
    """Arrays of changing shape in the same memory, which grows when needed and begins as zeros: never as NaN."""

    def __init__(self, dtype: np.typing.DTypeLike) -> None:
        self._memory = np.zeros(0, dtype=dtype)

    def array(self, shape: tuple[int, ...]) -> np.ndarray:
        """An array of `shape` with arbitrary old contents, in the memory of the array returned before."""
        size = math.prod(shape)
        if size > len(self._memory):
            self._memory = zeros(size * self._memory.itemsize).view(self._memory.dtype)
        return self._memory[:size].reshape(shape)
