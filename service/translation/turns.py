"""Time slices of the event loop, so that a long request does not hold up the others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from service.text.steps import Steps

Item = TypeVar("Item")
Result = TypeVar("Result")
TURN_S = 0.001
"""Seconds after which a request of many sentences yields to the event loop. To yield at every sentence would cost a
round of the loop, and competition for the interpreter lock, each time."""


class Turn:
    """A time slice of the event loop for one request."""

    def __init__(self) -> None:
        """The time slice begins now."""
        self._ends = time.monotonic() + TURN_S

    async def each(self, work: Callable[[Item], Result], items: Sequence[Item]) -> list[Result]:
        """`work` of every item; yields to the event loop between two items once the time slice is over."""
        results = []
        for item in items:
            if time.monotonic() >= self._ends:
                await self._next()
            results.append(work(item))
        return results

    async def through(self, steps: Steps[Result]) -> Result:
        """The result of `steps`; yields to the event loop between two of them once the time slice is over."""
        while True:
            if time.monotonic() >= self._ends:
                await self._next()
            try:
                next(steps)
            except StopIteration as end:
                result: Result = end.value
                return result

    async def _next(self) -> None:
        await asyncio.sleep(0)
        self._ends = time.monotonic() + TURN_S
