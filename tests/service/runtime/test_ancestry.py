"""Rows that continue others have their KV cache, and no more is copied than differs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from service.runtime.ancestry import Ancestry, copy_entries


@given(st.integers(0, 2**32), st.integers(1, 3), st.integers(2, 5))
def test_pasts_follow_any_reordering(seed: int, num_segments: int, source_length: int) -> None:
    random, depth = np.random.default_rng(seed), 12
    ancestry = Ancestry(source_length)
    ancestry.resize(num_segments)
    ancestry.begin(np.arange(num_segments))
    kv_cache = np.zeros((num_segments * source_length, 2, depth, 3), dtype=np.float32)
    expected: list[list[float]] = [[] for _ in range(num_segments * source_length)]
    positions = np.zeros(num_segments * source_length, dtype=np.int64)
    copied = needed = 0
    for step in range(depth):
        written = random.random(len(kv_cache)).astype(np.float32)
        kv_cache[:, :, step] = written[:, None, None]
        expected = [[*own, new] for own, new in zip(expected, written.tolist(), strict=True)]
        positions += 1
        parents = np.tile(np.arange(source_length), (num_segments, 1))
        for b in range(num_segments):  # some rows, never all, continue one that stays
            stay = random.permutation(source_length)[: random.integers(1, source_length + 1)]
            for k in set(range(source_length)) - set(stay.tolist()):
                parents[b, k] = random.choice(stay)
        moves = ancestry.reorder(parents, positions)
        before = kv_cache.copy()
        copy_entries(kv_cache, moves)
        source = (parents + source_length * np.arange(num_segments)[:, None]).reshape(-1)
        needed += int((before[:, 0, :, 0] != before[source, 0, :, 0]).sum())
        copied += int((moves["last"] - moves["first"]).sum())
        expected = [expected[row] for row in source]
        np.testing.assert_array_equal(kv_cache[:, 1, : step + 1, 2], np.array(expected, dtype=np.float32))
    assert copied == needed
