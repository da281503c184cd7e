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
    work = asyncio.ensure_future(served.translate(request))
    departure = asyncio.ensure_future(_departure(receive))
    timeout_s = None if request.timeout_s is None else request.timeout_s + GRACE_S
    try:
        await asyncio.wait((work, departure), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        if work.done():
            return work.result()
        if departure.done():
            raise ClientGoneError
        raise DeadlineExceededError(f"the translation was not ready within {request.timeout_s:g} s")
    finally:
        for task in (work, departure):
            task.cancel()
        await asyncio.gather(work, departure, return_exceptions=True)


async def _departure(receive: Callable[[], Awaitable[Any]]) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
