"""Memory in large pages, where the system has them: what is read all over at every step would wait for page tables."""

from __future__ import annotations

import mmap

import numpy as np

LARGE_PAGE_BYTES, CACHE_LINE_BYTES = 1 << 21, 64


def whole_lines(num_bytes: int) -> int:
    """`num_bytes`, rounded up to whole cache lines."""
    return -(-num_bytes // CACHE_LINE_BYTES) * CACHE_LINE_BYTES


def lines(num_bytes: int) -> np.ndarray:
    """`num_bytes` of any contents, uint8, that begin with a cache line."""
    memory = np.empty(num_bytes + CACHE_LINE_BYTES, np.uint8)
    start = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[start : start + num_bytes]


def zeros(num_bytes: int) -> np.ndarray:
    """`num_bytes` zeros, uint8; from a large page's size on they begin with one."""
    if num_bytes < LARGE_PAGE_BYTES // 2:
        return np.zeros(num_bytes, np.uint8)
    memory = mmap.mmap(-1, num_bytes + 2 * LARGE_PAGE_BYTES)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    array = np.frombuffer(memory, np.uint8)
    start = -array.ctypes.data % LARGE_PAGE_BYTES
    return array[start : start + num_bytes]
