"""Mini-batches of the encoder: everybody has a turn, nobody is padded much."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.engine.job import Job
from service.engine.ready import MAX_MINI_BATCH, SPARE_TOKENS, Ready, around
from service.messages import SearchOptions, Segment


def job(num_source_tokens: int) -> Job:
    return Job(Segment((5,) * (num_source_tokens - 1), SearchOptions()), lambda _: None, 0.0, 9)


@given(st.lists(st.integers(2, 100), min_size=1, max_size=80))
def test_the_front_is_always_in_the_next_mini_batch_and_padding_is_little(lengths: list[int]) -> None:
    ready, encoded = Ready(), 0
    jobs = [job(length) for length in lengths]
    ready.extend(jobs)
    while batch := ready.next_mini_batch():
        first = next(other for other in ready._waiting if other.encoded is None)
        assert first in batch
        assert 0 < len(batch) <= MAX_MINI_BATCH
        real = [one.num_source_tokens for one in batch]
        assert max(real) * len(real) - sum(real) <= max(SPARE_TOKENS, sum(real) // 16)
        for one in batch:
            assert one.encoded is None
            one.encoded = "done"
        encoded += len(batch)
    assert encoded == len(jobs)
    for _ in jobs:
        ready.take()
    assert ready.joining == jobs, "jobs keep the order in which they left the queue"
    assert len(ready) == len(jobs), "until they have joined they are not lost"
    ready.joined()
    assert not ready


def padding(lengths: list[int]) -> int:
    """Cells of a batch of texts of these lengths that hold no token."""
    return max(lengths) * len(lengths) - sum(lengths)


@given(st.lists(st.integers(2, 60), min_size=1, max_size=60).map(sorted), st.data())
def test_a_mini_batch_grows_to_the_side_that_wastes_least_until_that_is_too_much(
    lengths: list[int], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(lengths) - 1))
    jobs = [job(length) for length in lengths]
    first, last = start, start + 1
    while last - first < MAX_MINI_BATCH:
        sides = [(first - 1, last)] * (first > 0) + [(first, last + 1)] * (last < len(lengths))
        wider = min(sides, key=lambda side: padding(lengths[slice(*side)]), default=None)
        if wider is None:
            break
        wasted = padding(lengths[slice(*wider)])
        if wasted > max(SPARE_TOKENS, sum(lengths[slice(*wider)]) // 16):
            break
        first, last = wider
    found = [one.num_source_tokens for one in around(jobs, start)]
    assert jobs[start] in around(jobs, start)
    assert len(found) == last - first
    assert padding(found) == padding(lengths[first:last])
