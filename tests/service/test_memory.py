"""Memory in large pages."""

from __future__ import annotations

import numpy as np
import pytest

from service.memory import CACHE_LINE_BYTES, LARGE_PAGE_BYTES, Blocks, Parts, zeros

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


@pytest.mark.parametrize("num_bytes", [1, 5000, LARGE_PAGE_BYTES // 4, 3 * LARGE_PAGE_BYTES + 1])
def test_blocks_in_use_do_not_overlap(num_bytes: int) -> None:
    blocks = Blocks(num_bytes)
    taken = [blocks.take() for _ in range(9)]
    for i, block in enumerate(taken):
        assert len(block.memory) >= num_bytes
        assert block.address % CACHE_LINE_BYTES == 0
        assert block.address == block.memory.ctypes.data
        block.memory[:] = i + 1
    assert all((block.memory == i + 1).all() for i, block in enumerate(taken))


def test_a_block_that_nobody_holds_is_the_next_to_be_taken() -> None:
    blocks = Blocks(LARGE_PAGE_BYTES // 4)
    first, second = blocks.take(), blocks.take()
    held = [second, second]
    given_back, kept = first.address, second.address
    del first, second
    assert blocks.take().address == given_back
    third = blocks.take()
    assert third.address == given_back
    held.pop()
    assert blocks.take().address != kept, "somebody still holds it"
    held.pop()
    assert blocks.take().address == kept


def test_blocks_take_no_more_memory_than_was_in_use_at_once() -> None:
    blocks = Blocks(LARGE_PAGE_BYTES // 2)
    addresses = set[int]()
    for _ in range(20):
        addresses |= {block.address for block in [blocks.take() for _ in range(3)]}
    assert len(addresses) <= 4


def test_parts_fill_a_block_and_never_overlap() -> None:
    parts = Parts(place_bytes=64, num_places=10)
    taken = [parts.take(size) for size in (3, 4, 3, 8, 3, 10, 1)]
    assert [first for _, first in taken] == [0, 3, 7, 0, 0, 0, 0]
    assert len({block.address for block, _ in taken}) == 5
    assert all(len(block.memory) >= 640 for block, _ in taken)


def test_a_block_is_filled_from_its_beginning_when_nobody_holds_its_parts() -> None:
    parts = Parts(place_bytes=64, num_places=10)
    held, _ = parts.take(4)
    address = held.address
    other, first = parts.take(4)
    assert other is held
    assert first == 4
    del held, other
    block, first = parts.take(9)
    assert (block.address, first) == (address, 0)
