"""The queue's turns, by client and by call, and what a new call would wait for."""

from __future__ import annotations

import copy
from collections import Counter, deque

from hypothesis import given
from hypothesis import strategies as st

from service.engine.job import Job
from service.engine.queue import FairQueue
from service.messages import SearchOptions, Segment

CLIENTS = st.sampled_from(["", "web", "batch"])
CALLS = st.lists(st.tuples(CLIENTS, st.integers(1, 6)), max_size=12)


def jobs(client: str, count: int, length: int = 4) -> list[Job]:
    """Segments of one call."""
    segment = Segment(tuple(range(length - 1)), SearchOptions(beam_size=1), client=client)
    return [Job(segment, lambda _: None, 0.0, 9) for _ in range(count)]


@given(CALLS, CLIENTS, st.integers(1, 6))
def test_no_more_comes_before_a_new_call_than_is_predicted_and_no_less_than_half_of_it(
    calls: list[tuple[str, int]], client: str, count: int
) -> None:
    """If nobody else comes: what comes anew is the other half."""
    queue = FairQueue()
    for name, number in calls:
        queue.extend(jobs(name, number), number)
    predicted = queue.tokens_before(client, count)
    new = jobs(client, count)
    queue.extend(new, count)
    left, taken = set(new), 0
    while left:
        job = queue.pop()
        left.discard(job)
        taken += job not in new
    assert taken * 4 <= predicted <= (2 * taken + 2) * 4  # the last round may end before another client's turn


@given(CALLS, st.data())
def test_every_segment_is_taken_once_and_the_counts_are_right(
    calls: list[tuple[str, int]], data: st.DataObject
) -> None:
    queue, waiting = FairQueue(), set[Job]()
    for name, number in calls:
        some = jobs(name, number, data.draw(st.integers(2, 9)))
        queue.extend(some, data.draw(st.integers(1, 4)))
        waiting |= set(some)
        action = data.draw(st.sampled_from(["pop", "remove", "nothing"]))
        if action == "pop":
            front = queue.front
            assert queue.pop() is front
            waiting.remove(front)
        elif action == "remove":
            unwanted = {job for job in waiting if data.draw(st.booleans())}
            assert set(queue.remove(unwanted.__contains__)) == unwanted
            waiting -= unwanted
        assert set(queue) == waiting
        assert len(queue) == len(waiting)
        assert 0 <= queue.num_places <= len(queue)
    assert {queue.pop() for _ in range(len(queue))} == waiting
    assert (len(queue), queue.num_places, queue.tokens_before("", 1)) == (0, 0, 0.0)


def test_a_client_of_many_calls_has_one_turn_in_each_round() -> None:
    queue = FairQueue()
    for _ in range(50):
        queue.extend(jobs("batch", 3), 3)
    queue.extend(jobs("web", 2), 2)
    assert [queue.pop().segment.client for _ in range(5)] == ["batch", "web", "batch", "web", "batch"]


def test_a_large_call_keeps_no_other_call_of_its_client_waiting() -> None:
    queue = FairQueue()
    large, small = jobs("", 100), jobs("", 1)
    queue.extend(large, 10)
    queue.extend(small, 1)
    assert queue.pop() is small[0]


def test_a_small_call_overtakes_a_large_one_that_is_half_done() -> None:
    queue = FairQueue()
    queue.extend(jobs("", 100), 10)
    for _ in range(50):
        queue.pop()
    small = jobs("", 3)
    queue.extend(small, 1)
    assert {queue.pop() for _ in range(3)} == set(small)


def test_like_calls_end_in_the_order_in_which_they_came() -> None:
    queue = FairQueue()
    calls = [jobs("", 5) for _ in range(4)]
    order: list[Job] = []
    for call in calls:
        queue.extend(call, 5)
        order.append(queue.pop())
    order += [queue.pop() for _ in range(len(queue))]
    assert order == [job for call in calls for job in call]


def test_a_large_call_ends_however_many_small_ones_come() -> None:
    """Small ones are half of the load: a hundred segments are done after two hundred turns."""
    queue = FairQueue()
    large = set(jobs("", 100))
    queue.extend(list(large), 100)
    for turn in range(1, 400):
        if turn % 2:
            queue.extend(jobs("", 1), 1)
        large.discard(queue.pop())
        if not large:
            break
    assert turn <= 210


@given(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 6)), min_size=1, max_size=12))
def test_no_call_ends_later_than_if_calls_took_turns(calls: list[tuple[int, int]]) -> None:
    """Each comes with so many segments, and after it so many are taken."""
    queue, turns = FairQueue(), deque[deque[Job]]()
    ends: list[dict[int, int]] = [{}, {}]
    number = {}
    taken = 0
    for which, (size, pops) in enumerate([*calls, (0, 10_000)]):
        some = jobs("", size)
        number.update(dict.fromkeys(some, which))
        queue.extend(some, size)
        if some:
            turns.append(deque(some))
        for _ in range(min(pops, len(queue))):
            taken += 1
            ends[0][number[queue.pop()]] = taken
            call = turns.popleft()
            ends[1][number[call.popleft()]] = taken
            if call:
                turns.append(call)
    assert all(ends[0][which] <= ends[1][which] + len(calls) for which in ends[0])


@given(st.lists(st.tuples(CLIENTS, st.integers(1, 3)), min_size=2, max_size=30))
def test_no_client_is_more_than_one_turn_ahead_of_another_that_waits(calls: list[tuple[str, int]]) -> None:
    queue = FairQueue()
    for name, number in calls:
        queue.extend(jobs(name, number), number)
    left, taken = Counter(job.segment.client for job in queue), Counter[str]()
    for _ in range(len(queue)):
        waiting = copy.copy(left)
        name = queue.pop().segment.client
        taken[name] += 1
        left[name] -= 1
        assert all(taken[name] <= taken[other] + 1 for other, count in waiting.items() if count and other != name)
