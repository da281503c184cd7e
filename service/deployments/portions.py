"""A request of more segments than the queue holds is still translated: portion by portion."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from service.errors import OverloadedError
from service.messages import Segment, SegmentResult

Translate = Callable[[Sequence[Segment]], Awaitable[list[SegmentResult]]]


def in_portions(translate: Translate, size: Callable[[], int]) -> Translate:
    """`translate` with at most `size()` segments at a time.

    The first portion is refused as usual when the queue is full. Later ones, for which work has been done, wait for
    room instead; the segments' deadlines bound how long.
    """

    async def translate_in_portions(segments: Sequence[Segment]) -> list[SegmentResult]:
        step = max(1, size())
        results = list(await translate(segments[:step]))
        for start in range(step, len(segments), step):
            results += await _patiently(translate, segments[start : start + step])
        return results

    return translate_in_portions


async def _patiently(translate: Translate, segments: Sequence[Segment]) -> list[SegmentResult]:
    while True:
        try:
            return await translate(segments)
        except OverloadedError as error:
            await asyncio.sleep(error.retry_after_s or 1.0)
