"""A request's texts one by one: each is answered when it is done, while the others are still translated."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

from service.exchanged import TranslationRequest, TranslationResult, Usage
from service.messages import Timings
from service.text.sentences.splitting import about_num_sentences

Room = Callable[[str, int, bool], AbstractContextManager[None]]
"""Lets in about so many segments of a client while they are made, see `Engine.room`."""
MOST_SENTENCES = 256
"""About how many sentences of one stream are under way at once, so that a stream does not fill the queue."""


@dataclass(frozen=True, slots=True)
class TextDone:
    """One text of a stream."""

    index: int
    """Among the texts of the request."""
    request: TranslationRequest
    """For this text alone."""
    result: TranslationResult


async def one_by_one(
    translate: Callable[[TranslationRequest], Awaitable[TranslationResult]],
    room: Room,
    request: TranslationRequest,
    clock: Callable[[], float],
) -> AsyncGenerator[TextDone, None]:
    """The texts of `request` as they are done, of those done at once the earlier text first.

    Each is translated as if it were alone, which gives the same as in company. The `room` is for all of them or
    none. Raises what it and `translate` raise; whoever closes the generator cancels the rest.
    """
    parts = _parts(request)
    with room(request.client, sum(num_sentences for *_, num_sentences in parts), request.was_admitted):
        pass  # each part makes its segments by itself
    deadline = None if request.timeout_s is None else clock() + request.timeout_s
    rest = iter(parts)
    under_way: dict[asyncio.Task[TranslationResult], tuple[int, TranslationRequest, int]] = {}
    following = next(rest, None)
    try:
        while under_way or following is not None:
            while following is not None and _have_room(under_way.values(), following[2]):
                index, part, num_sentences = following
                if deadline is not None:
                    part = replace(part, timeout_s=max(0.0, deadline - clock()))
                under_way[asyncio.ensure_future(translate(part))] = index, part, num_sentences
                following = next(rest, None)
            done, _ = await asyncio.wait(under_way, return_when=asyncio.FIRST_COMPLETED)
            for task in sorted(done, key=lambda each: under_way[each][0]):
                index, part, _ = under_way.pop(task)
                yield TextDone(index, part, task.result())
    finally:
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


def _parts(request: TranslationRequest) -> Sequence[tuple[int, TranslationRequest, int]]:
    """A request for each text, with its index and about its number of sentences."""
    prefixes = request.target_prefixes or ("",) * len(request.texts)
    return [
        (
            index,
            replace(request, texts=(text,), target_prefixes=(prefix,) if prefix else (), was_admitted=True),
            about_num_sentences(text),
        )
        for index, (text, prefix) in enumerate(zip(request.texts, prefixes, strict=True))
    ]


def _have_room(under_way: Collection[tuple[int, TranslationRequest, int]], num_sentences: int) -> bool:
    return not under_way or sum(count for *_, count in under_way) + num_sentences <= MOST_SENTENCES


def merged(results: Sequence[TranslationResult], total_s: float) -> TranslationResult:
    """What all `results` together used, without their translations."""
    usages = [result.usage for result in results]
    return TranslationResult(
        translations=(),
        usage=Usage(
            source_characters=sum(usage.source_characters for usage in usages),
            source_tokens=sum(usage.source_tokens for usage in usages),
            target_tokens=sum(usage.target_tokens for usage in usages),
        ),
        timings=Timings.longest([result.timings for result in results]),
        total_s=total_s,
    )
