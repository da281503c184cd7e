from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
import uvloop

from loadtests.peers.timer import Timer


@pytest.mark.parametrize("new_loop", [uvloop.new_event_loop, asyncio.new_event_loop])
def test_a_timer_is_never_early_and_may_be_late_by_less_than_a_millisecond(
    new_loop: Callable[[], asyncio.AbstractEventLoop],
) -> None:
    async def latenesses() -> list[float]:
        loop, late = asyncio.get_running_loop(), []
        for number in range(40):
            delay, done, start = 0.0004 + 0.0003 * (number % 7), loop.create_future(), time.perf_counter()
            timer = Timer(loop, lambda done=done: done.set_result(None))  # type: ignore[misc]
            timer.set(delay)
            await done
            late.append(time.perf_counter() - start - delay)
            timer.close()
        return late

    with asyncio.Runner(loop_factory=new_loop) as runner:
        late = sorted(runner.run(latenesses()))
    assert 0.0 <= late[0] < 0.001


def test_a_timer_that_is_set_again_forgets_the_time_before() -> None:
    async def calls() -> list[float]:
        loop, at, start, called = asyncio.get_running_loop(), list[float](), time.perf_counter(), asyncio.Event()

        def due() -> None:
            at.append(time.perf_counter() - start)
            called.set()

        timer = Timer(loop, due)
        for delays_s in ((0.01, 0.06), (0.0,)):
            called.clear()
            for delay_s in delays_s:
                timer.set(delay_s)
            await called.wait()
        timer.set(0.02)
        timer.close()
        await asyncio.sleep(0.05)
        return at

    first, second = asyncio.run(calls())
    assert 0.06 <= first <= second
