"""Rows that continue others have their past, and no more is copied than differs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from service.runtime.ancestry import Ancestry, copy_entries


@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(2, 5))
def test_pasts_follow_any_reordering(seed: int, num_segments: int, width: int) -> None:
    random, depth = np.random.default_rng(seed), 12
    ancestry = Ancestry(width)
    ancestry.resize(num_segments)
    ancestry.begin(np.arange(num_segments))
    past = np.zeros((num_segments * width, 2, depth, 3), dtype=np.float32)
    expected: list[list[float]] = [[] for _ in range(num_segments * width)]
    positions = np.zeros(num_segments * width, dtype=np.int64)
    copied = needed = 0
    for step in range(depth):
        written = random.random(len(past)).astype(np.float32)
        past[:, :, step] = written[:, None, None]
        expected = [[*own, new] for own, new in zip(expected, written.tolist(), strict=True)]
        positions += 1
        owners = np.tile(np.arange(width), (num_segments, 1))
        for b in range(num_segments):  # some rows, never all, continue one that stays
            stay = random.permutation(width)[: random.integers(1, width + 1)]
            for k in set(range(width)) - set(stay.tolist()):
                owners[b, k] = random.choice(stay)
        moves = ancestry.reorder(owners, positions)
        before = past.copy()
        copy_entries(past, moves)
        source = (owners + width * np.arange(num_segments)[:, None]).reshape(-1)
        needed += int((before[:, 0, :, 0] != before[source, 0, :, 0]).sum())
        copied += int((moves["last"] - moves["first"]).sum())
        expected = [expected[row] for row in source]
        np.testing.assert_array_equal(past[:, 1, : step + 1, 2], np.array(expected, dtype=np.float32))
    assert copied == needed
