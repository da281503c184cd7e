"""POST /v1/translate: read, check, translate, answer. A client that goes away takes its work with it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from service.api.body import ClientGoneError
from service.api.catalogue import Served
from service.api.requests import TranslateBody
from service.errors import DeadlineExceededError
from service.messages import TranslationRequest, TranslationResult

GRACE_S = 0.5
"""How long after its deadline the engine may still say so itself, before the request is given up."""


def translation_request(body: TranslateBody, timeout_s: float) -> TranslationRequest:
    """The service's own noun for a valid body."""
    return TranslationRequest(
        texts=body.texts,
        search=body.search_options,
        attention=body.attention_options,
        timeout_s=timeout_s,
    )


async def translate_for_client(
    served: Served, request: TranslationRequest, receive: Callable[[], Awaitable[Any]]
) -> TranslationResult:
    """The translation. Raises ClientGoneError when the client closes the connection first; the work is then cancelled.

    Also raises whatever the model raises, and DeadlineExceededError when it does not answer in time at all.
    """
    watch = _Watch(receive)
    timeout_s = None if request.timeout_s is None else request.timeout_s + GRACE_S
    try:
        async with asyncio.timeout(timeout_s):
            return await served.translate(request)
    except TimeoutError:
        raise DeadlineExceededError(f"the translation was not ready within {request.timeout_s:g} s") from None
    except asyncio.CancelledError:
        if watch.has_left and watch.undo():
            raise ClientGoneError from None
        raise
    finally:
        watch.stop()


class _Watch:
    """Cancels the present task when its client goes away."""

    def __init__(self, receive: Callable[[], Awaitable[Any]]) -> None:
        self.has_left = False
        task = asyncio.current_task()
        assert task is not None
        self._task = task
        self._departure = asyncio.ensure_future(_departure(receive))
        self._departure.add_done_callback(self._leave)

    def _leave(self, departure: asyncio.Future[None]) -> None:
        if not departure.cancelled():
            self.has_left = True
            self._task.cancel()

    def undo(self) -> bool:
        """Whether the client alone had the task cancelled, which is then taken back."""
        return self._task.uncancel() == 0

    def stop(self) -> None:
        """Watch no more."""
        self._departure.remove_done_callback(self._leave)
        self._departure.cancel()


async def _departure(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
