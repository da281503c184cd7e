"""Work for a client, which is cancelled when the client goes away or its time is up."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from service.api.body import ClientGoneError
from service.api.requests import ScoreBody, TranslateBody, attention_options
from service.errors import DeadlineExceededError
from service.exchanged import ScoreRequest, TranslationRequest, TranslationResult

Result = TypeVar("Result")

GRACE_S = 0.5
"""Seconds after the deadline in which the engine may still report it, before the request is cancelled."""
WATCH_AFTER_S = 0.05
"""Seconds after which a request that is not answered yet is watched for its client and its deadline."""


def translation_request(
    body: TranslateBody, timeout_s: float | None, client: str = "", was_admitted: bool = False
) -> TranslationRequest:
    """A valid body as the service's own request; `client` is who takes turns with others. One that `was_admitted` by
    a replica which was lost is refused for no wait."""
    return TranslationRequest(
        texts=body.texts,
        search=body.search_options,
        attention=attention_options(body.attention),
        signals=body.signals,
        locale_numbers=body.locale_numbers,
        formality=body.formality,
        timeout_s=timeout_s,
        client=client,
        target_prefixes=body.target_prefixes,
        was_admitted=was_admitted,
    )


def translation_sizes(num_texts: int, result: TranslationResult) -> dict[str, float]:
    """What logs and traces say of an answered translation."""
    timings = result.timings
    return {
        "texts": num_texts,
        "characters": result.usage.source_characters,
        "queue_ms": round(timings.queue_s * 1000, 2),
        "encode_ms": round(timings.encode_s * 1000, 2),
        "decode_ms": round(timings.decode_s * 1000, 2),
    }


def score_request(body: ScoreBody, timeout_s: float | None, client: str = "") -> ScoreRequest:
    """A valid body as the service's own request; `client` is who takes turns with others."""
    pairs = tuple((pair.text, pair.translation) for pair in body.pairs)
    return ScoreRequest(pairs, attention_options(body.attention), timeout_s, client)


async def done_for_client(
    work: Awaitable[Result], timeout_s: float | None, receive: Callable[[], Awaitable[Any]]
) -> Result:
    """What `work` gives; it is cancelled when the client closes the connection, which raises ClientGoneError.

    Also raises whatever the work raises, and DeadlineExceededError when it takes longer than `timeout_s`.
    """
    watch = _Watch(receive, timeout_s)
    try:
        return await work
    except asyncio.CancelledError:
        if watch.found is not None and watch.undo():
            raise watch.found from None
        raise
    finally:
        watch.stop()


class _Watch:
    """Cancels the present task when its client goes away or its time is up.

    It begins WATCH_AFTER_S late: most requests are answered by then and cost one timer. Nothing is missed, as a
    departure in the meantime is noticed at once.
    """

    def __init__(self, receive: Callable[[], Awaitable[Any]], timeout_s: float | None) -> None:
        self.found: ClientGoneError | DeadlineExceededError | None = None
        """Why the task was cancelled, if this did it."""
        task = asyncio.current_task()
        assert task is not None
        self._task, self._receive, self._timeout_s = task, receive, timeout_s
        self._departure: asyncio.Future[None] | None = None
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = self._loop.call_later(WATCH_AFTER_S, self._begin)

    def _begin(self) -> None:
        self._timer = None
        if self._timeout_s is not None:
            late = DeadlineExceededError(f"the answer was not ready within {self._timeout_s:.3g} s of its body")
            self._timer = self._loop.call_later(self._timeout_s + GRACE_S - WATCH_AFTER_S, self._end, late)
        self._departure = asyncio.ensure_future(_departure(self._receive))
        self._departure.add_done_callback(self._leave)

    def _leave(self, departure: asyncio.Future[None]) -> None:
        if not departure.cancelled():
            self._end(ClientGoneError())

    def _end(self, found: ClientGoneError | DeadlineExceededError) -> None:
        if self.found is None:
            self.found = found
            self._task.cancel()

    def undo(self) -> bool:
        """Take the cancellation back; whether this watch alone had asked for it."""
        return self._task.uncancel() == 0

    def stop(self) -> None:
        """Watch no more."""
        if self._timer is not None:
            self._timer.cancel()
        if self._departure is not None:
            self._departure.remove_done_callback(self._leave)
            self._departure.cancel()


async def _departure(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
