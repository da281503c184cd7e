"""Mini-batches of rescoring, and the turns that requests take."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Collection, Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.rescoring import MAX_BATCH_TOKENS, Rescorer, mini_batches
from service.errors import DeadlineExceededError, NotReadyError, OverloadedError
from service.messages import Kind, Pair

LENGTHS = st.lists(st.tuples(st.integers(0, 700), st.integers(0, 700)), max_size=60)


def pair(source: int, target: int) -> Pair:
    return Pair(range(source), range(target))


def padded(pairs: Sequence[Pair], numbers: Sequence[int]) -> int:
    """Tokens of a mini-batch of these `numbers`, with the end tokens and padding."""
    sides = zip(*((pairs[i].source_ids, pairs[i].target_ids) for i in numbers), strict=True)
    return len(numbers) * sum(max(len(each) + 1 for each in side) for side in sides)


@given(LENGTHS)
def test_every_pair_is_in_one_mini_batch_that_is_small_enough_and_no_smaller(lengths: list[tuple[int, int]]) -> None:
    pairs = [pair(*each) for each in lengths]
    batches = list(mini_batches(pairs))
    assert sorted(i for batch in batches for i in batch) == list(range(len(pairs)))
    assert all(len(batch) == 1 or padded(pairs, batch) <= MAX_BATCH_TOKENS for batch in batches)
    for batch, next_one in pairwise(batches):
        assert padded(pairs, [*batch, next_one[0]]) > MAX_BATCH_TOKENS


def lengths(pairs: Sequence[Pair], kinds: Collection[Kind]) -> list[tuple[int, int]]:
    return [(len(one.source_ids), len(one.target_ids)) for one in pairs]


def test_results_come_in_the_order_of_the_pairs() -> None:
    rescorer = Rescorer(lengths)
    wanted = [(i * 37 % 400, i * 11 % 300) for i in range(50)]
    assert asyncio.run(rescorer.rescore([pair(*each) for each in wanted])) == wanted
    rescorer.stop()


def test_requests_take_turns_by_the_mini_batch() -> None:
    ran: list[int] = []
    rescorer = Rescorer(lambda pairs, kinds: [ran.append(len(one.target_ids)) for one in pairs])

    async def both() -> None:
        await asyncio.gather(rescorer.rescore([pair(0, 900)] * 3), rescorer.rescore([pair(0, 800)] * 3))

    asyncio.run(both())
    rescorer.stop()
    assert ran == [900, 800] * 3


def test_a_client_with_many_requests_gets_no_more_turns_than_one_with_few() -> None:
    ran: list[int] = []
    rescorer = Rescorer(lambda pairs, kinds: [ran.append(len(one.target_ids)) for one in pairs])

    async def both() -> None:
        many = [rescorer.rescore([pair(0, 900)] * 3, client="many") for _ in range(10)]
        await asyncio.gather(*many, rescorer.rescore([pair(0, 800)] * 3, client="few"))

    asyncio.run(both())
    rescorer.stop()
    assert ran.count(900) == 30
    assert ran[:12].count(800) == 3  # two turns of the other before each of its own, and some under way


def test_a_deadline_ends_a_request_between_two_mini_batches() -> None:
    now = [0.0]

    def run(pairs: Sequence[Pair], kinds: Collection[Kind]) -> list[None]:
        now[0] += 1.0
        return [None] * len(pairs)

    rescorer = Rescorer(run, clock=lambda: now[0])
    with pytest.raises(DeadlineExceededError, match=r"^the scores were not ready in time$"):
        asyncio.run(rescorer.rescore([pair(0, 900)] * 5, deadline=2.5))
    assert now[0] == 3.0
    rescorer.stop()


def test_too_many_that_wait_are_refused_and_those_that_waited_are_served() -> None:
    go_on = threading.Event()

    def run(pairs: Sequence[Pair], kinds: Collection[Kind]) -> list[str]:
        go_on.wait(30)
        return ["scored"] * len(pairs)

    rescorer = Rescorer(run, max_waiting=3)

    async def crowd() -> list[str]:
        first = asyncio.ensure_future(rescorer.rescore([pair(1, 1)] * 2))
        await asyncio.sleep(0)
        with pytest.raises(OverloadedError, match=r"^too many translations wait to be scored; try again$"):
            await rescorer.rescore([pair(1, 1)] * 2)
        go_on.set()
        await first
        return await rescorer.rescore([pair(1, 1)] * 9)  # alone it may be of any size

    assert asyncio.run(crowd()) == ["scored"] * 9
    rescorer.stop()


def test_a_failure_and_a_cancelled_request_leave_nothing_waiting() -> None:
    def run(pairs: Sequence[Pair], kinds: Collection[Kind]) -> list[int]:
        if len(pairs[0].target_ids) == 7:
            raise ValueError("a graph that fails")
        return [len(one.target_ids) for one in pairs]

    rescorer = Rescorer(run, max_waiting=1)

    async def troubles() -> list[int]:
        with pytest.raises(ValueError, match="a graph that fails"):
            await rescorer.rescore([pair(1, 7)])
        given_up = asyncio.ensure_future(rescorer.rescore([pair(1, 900)] * 20))
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        return await rescorer.rescore([pair(1, 2)])

    assert asyncio.run(troubles()) == [2]
    rescorer.stop()


def test_nothing_is_begun_once_it_has_stopped() -> None:
    rescorer = Rescorer(lengths)
    rescorer.stop()
    with pytest.raises(NotReadyError):
        asyncio.run(rescorer.rescore([pair(1, 1)]))


def test_what_waits_for_the_thread_when_it_stops_ends_with_not_ready_and_what_runs_is_finished() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def run(pairs: Sequence[Pair], kinds: Collection[Kind]) -> list[str]:
        begun.set()
        go_on.wait(30)
        return ["scored"] * len(pairs)

    rescorer = Rescorer(run)

    async def stopped() -> list[list[str] | BaseException]:
        first = asyncio.ensure_future(rescorer.rescore([pair(1, 1)]))
        await asyncio.to_thread(begun.wait, 30)
        waiting = [asyncio.ensure_future(rescorer.rescore([pair(1, 1)])) for _ in range(2)]
        await asyncio.sleep(0)
        waiting[1].cancel()
        stopping = asyncio.ensure_future(asyncio.to_thread(rescorer.stop))
        await asyncio.wait(waiting)
        go_on.set()
        await stopping
        return await asyncio.gather(first, *waiting, return_exceptions=True)

    first, waiting, given_up = asyncio.run(stopped())
    assert first == ["scored"]
    assert isinstance(waiting, NotReadyError)
    assert isinstance(given_up, asyncio.CancelledError), "its own task was cancelled, and not by the stop"
