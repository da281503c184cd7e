"""Memory in large pages."""

from __future__ import annotations

import numpy as np
import pytest

from service.memory import LARGE_PAGE_BYTES, zeros

SIZES = [0, 1, 100, 4096, LARGE_PAGE_BYTES // 2 - 1, LARGE_PAGE_BYTES // 2, LARGE_PAGE_BYTES, 3 * LARGE_PAGE_BYTES + 5]


@pytest.mark.parametrize("num_bytes", SIZES)
def test_memory_has_its_size_is_zero_and_can_be_written(num_bytes: int) -> None:
    memory = zeros(num_bytes)
    assert memory.shape == (num_bytes,)
    assert memory.dtype == np.uint8
    assert not memory.any()
    memory[:] = 255
    assert (memory == 255).all()


@pytest.mark.parametrize("num_bytes", SIZES)
def test_large_memory_begins_with_a_large_page(num_bytes: int) -> None:
    address = zeros(num_bytes).ctypes.data
    assert num_bytes < LARGE_PAGE_BYTES // 2 or address % LARGE_PAGE_BYTES == 0
    assert zeros(num_bytes).view(np.uint8).flags.c_contiguous


@pytest.mark.parametrize("num_bytes", [64, 2 * LARGE_PAGE_BYTES])
def test_no_two_pieces_of_memory_overlap(num_bytes: int) -> None:
    pieces = [zeros(num_bytes) for _ in range(4)]
    for i, piece in enumerate(pieces):
        piece[:] = i + 1
    assert all((piece == i + 1).all() for i, piece in enumerate(pieces))


def test_memory_stays_while_any_view_of_it_does() -> None:
    view = zeros(2 * LARGE_PAGE_BYTES).view(np.float32)[5:9]
    view[:] = 1.5
    others = [zeros(2 * LARGE_PAGE_BYTES) for _ in range(4)]
    for other in others:
        other[:] = 7
    assert (view == 1.5).all()
