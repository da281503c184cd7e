"""Memory in huge pages, where the system has them: data that every step reads would wait for page-table walks."""

from __future__ import annotations

import mmap
import weakref
from collections.abc import Callable, Iterator

import numpy as np

LARGE_PAGE_BYTES, CACHE_LINE_BYTES = 1 << 21, 64


def whole_lines(num_bytes: int) -> int:
    """`num_bytes`, rounded up to whole cache lines."""
    return -(-num_bytes // CACHE_LINE_BYTES) * CACHE_LINE_BYTES


def zeros(num_bytes: int) -> np.ndarray:
    """`num_bytes` zeros, uint8. From half a huge page on they begin at the start of one."""
    if num_bytes < LARGE_PAGE_BYTES // 2:
        return np.zeros(num_bytes, np.uint8)
    # shared memory, Python's own choice, gets no large pages unless the system says so
    memory = mmap.mmap(-1, num_bytes + 2 * LARGE_PAGE_BYTES, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    array = np.frombuffer(memory, np.uint8)
    start = -array.ctypes.data % LARGE_PAGE_BYTES
    return array[start : start + num_bytes]


def enlarged(array: np.ndarray, *sizes: int) -> np.ndarray:
    """A copy of `array` with these sizes on its first axes, zeros behind what there was."""
    larger = np.zeros((*sizes, *array.shape[len(sizes) :]), dtype=array.dtype)
    larger[tuple(slice(0, size) for size in array.shape)] = array
    return larger


class Blocks:
    """A pool of blocks of one size in huge pages. The block given back last is taken first: it is warm in the cache.

    The pool never shrinks: it has as much memory as was ever in use at once.
    """

    def __init__(self, num_bytes: int) -> None:
        self.num_bytes = whole_lines(num_bytes)
        self._free: list[np.ndarray] = []

    def take(self) -> Block:
        """A block of any contents."""
        if not self._free:
            self._free.extend(self._carve())
        return Block(self._free.pop(), self._free)

    def _carve(self) -> Iterator[np.ndarray]:
        count = max(1, LARGE_PAGE_BYTES // self.num_bytes)
        memory = zeros(max(LARGE_PAGE_BYTES, count * self.num_bytes))
        return (memory[i * self.num_bytes : (i + 1) * self.num_bytes] for i in range(count))


class Block:
    """Memory that goes back to its `Blocks` with the last reference to it."""

    __slots__ = ("__weakref__", "_free", "address", "memory")

    def __init__(self, memory: np.ndarray, free: list[np.ndarray]) -> None:
        self.memory, self._free = memory, free
        """uint8; it begins with a cache line."""
        self.address: int = memory.ctypes.data

    def __del__(self) -> None:
        self._free.append(self.memory)


class Parts:
    """Hands out parts of blocks one after the other, so that a small user does not hold a whole block."""

    def __init__(self, place_bytes: int, num_places: int) -> None:
        """Each block has `num_places` places of `place_bytes` bytes; their layout is up to the user."""
        self.num_places = num_places
        self._blocks = Blocks(num_places * place_bytes)
        self._latest: Callable[[], Block | None] = lambda: None
        """The block that is being filled, while anybody holds it; a new one begins at its warm end."""
        self._used = 0

    def take(self, num_places: int) -> tuple[Block, int]:
        """A block, and the number of the first of `num_places` places in it, reserved while the block is held."""
        block = self._latest()
        if block is None or self._used + num_places > self.num_places:
            block, self._used = self._blocks.take(), 0
            self._latest = weakref.ref(block)
        first, self._used = self._used, self._used + num_places
        return block, first
