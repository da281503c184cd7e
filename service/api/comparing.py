"""POST /v1/compare: one text through several models."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace

from service.api.catalogue import Catalogue, Served
from service.api.rendering import render_comparison, translate_answer
from service.api.requests import CompareBody
from service.api.translating import translation_request
from service.errors import FieldFault, InvalidRequestError
from service.exchanged import ScoreRequest, TranslationRequest, TranslationResult


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison that every model has accepted."""

    body: CompareBody
    served: Sequence[Served]
    requests: Sequence[TranslationRequest | ScoreRequest]
    """That of each model."""

    async def results(self) -> list[TranslationResult]:
        """What each model answers. Raises what the first of them raises that fails; the others are cancelled."""
        works = [_work(*each) for each in zip(self.served, self.requests, strict=True)]
        tasks = [asyncio.ensure_future(work) for work in works]
        try:
            return list(await asyncio.gather(*tasks))
        finally:
            for task in tasks:
                task.cancel()

    def render(self, results: Sequence[TranslationResult], request_id: str) -> bytes:
        """The answer, JSON."""
        utf16 = (self.body.text,) if self.body.utf16 else ()
        answers = [
            translate_answer(result, one.manifest, request_id, self.body.signals, utf16)
            for one, result in zip(self.served, results, strict=True)
        ]
        return render_comparison(answers, request_id)


def compared(
    catalogue: Catalogue, body: CompareBody, timeout_s: float | None, client: str = "", was_admitted: bool = False
) -> Comparison:
    """The comparison that a valid body asks for. Raises what choosing raises, and what a model refuses.

    A model that has no attention at all is not asked for any.
    """
    served = [catalogue.choose(model, body.source, body.target) for model in body.models]
    requests = [_request(one, body, timeout_s, client, was_admitted) for one in served]
    for one, request in zip(served, requests, strict=True):
        if isinstance(request, ScoreRequest):
            one.check_score(request)
        else:
            one.check(request)
    return Comparison(body, served, requests)


def _request(
    served: Served, body: CompareBody, timeout_s: float | None, client: str, was_admitted: bool
) -> TranslationRequest | ScoreRequest:
    request = translation_request(body.translation_by(served.manifest.reference), timeout_s, client, was_admitted)
    if not served.manifest.attention_slices:
        request = replace(request, attention=None)
    if body.translation is None:
        return request
    return ScoreRequest(((body.text, body.translation),), request.attention, timeout_s, client)


def _work(served: Served, request: TranslationRequest | ScoreRequest) -> Awaitable[TranslationResult]:
    return _scored(served, request) if isinstance(request, ScoreRequest) else served.translate(request)


async def _scored(served: Served, request: ScoreRequest) -> TranslationResult:
    """The translation's scores. A fault of the pair is one of the field `translation`: a comparison has no `pairs`."""
    try:
        return await served.score(request)
    except InvalidRequestError as error:
        faults = [FieldFault("translation", f"does not fit: `text` {fault.message}") for fault in error.faults]
        if not faults or error.faults[0].field != "pairs[0]":
            raise
        raise InvalidRequestError(f"`translation` {faults[0].message}", faults) from None
