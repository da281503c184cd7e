"""What POST requests ask for: translations, scores, comparisons."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import aclosing

from service.api.body import MIN_TIMEOUT_S, ClientGoneError, RequestLimits, check_media_type, read_body, timeout_s
from service.api.catalogue import Catalogue, Served
from service.api.comparing import compared
from service.api.events import EVENTS, done_event, error_event, translation_event
from service.api.exchange import Answer, Exchange, Write
from service.api.keys import Keyring
from service.api.meter import Meter
from service.api.problems import as_problem
from service.api.rendering import render, render_scores
from service.api.requests import TranslateBody
from service.api.shadows import Shadows
from service.api.translating import (
    Result,
    done_for_client,
    score_request,
    translation_request,
    translation_sizes,
)
from service.api.validation import COMPARISON, SCORES, TRANSLATION, Body, BodyShape, parse
from service.errors import AttendantError, CancelledError
from service.exchanged import TranslationRequest, TranslationResult
from service.translation.streaming import TextDone, merged


class WorkHandlers:
    """Handlers of the routes on which models work."""

    def __init__(self, limits: RequestLimits, meter: Meter, keyring: Keyring | None, catalogue: Catalogue) -> None:
        self._limits, self._meter, self._keyring = limits, meter, keyring
        self._catalogue: Catalogue = catalogue
        self._shadows: Shadows | None = None

    def offer(self, catalogue: Catalogue, shadows: Shadows | None) -> None:
        """Use these models from the next request on."""
        self._catalogue, self._shadows = catalogue, shadows

    async def translate(self, exchange: Exchange) -> Answer:
        """POST /v1/translate."""
        body, seconds = await self._body(exchange, TRANSLATION)
        served = self._catalogue.choose(body.model, body.source, body.target)
        exchange.model = served.manifest.reference
        request = translation_request(body, seconds, exchange.client, exchange.was_sent_before)
        served.check(request)
        if body.stream:
            return await self._stream(exchange, served, body, request, seconds)
        started = time.monotonic()
        result = await self._watched(served.translate(request), exchange, seconds)
        self._translated(served, request, result, time.monotonic() - started)
        exchange.sizes = translation_sizes(len(request.texts), result)
        utf16 = request.texts if body.utf16 else ()
        return Answer(render(result, served.manifest, exchange.request_id, body.signals, utf16))

    async def score(self, exchange: Exchange) -> Answer:
        """POST /v1/score."""
        body, seconds = await self._body(exchange, SCORES)
        served = self._catalogue.choose(body.model, body.source, body.target)
        exchange.model = served.manifest.reference
        request = score_request(body, seconds, exchange.client)
        served.check_score(request)
        result = await done_for_client(served.score(request), seconds, exchange.receive)
        exchange.sizes = {
            "pairs": len(request.pairs),
            "characters": result.usage.source_characters,
            "score_ms": round(result.timings.decode_s * 1000, 2),
        }
        utf16 = request.texts if body.utf16 else ()
        return Answer(render_scores(result, served.manifest, exchange.request_id, utf16))

    async def compare(self, exchange: Exchange) -> Answer:
        """POST /v1/compare."""
        body, seconds = await self._body(exchange, COMPARISON)
        exchange.sizes = {"models": len(body.models), "characters": len(body.text)}
        comparison = compared(self._catalogue, body, seconds, exchange.client, exchange.was_sent_before)
        results = await done_for_client(comparison.results(), seconds, exchange.receive)
        if body.translation is None:  # else the translation was given, and is scored
            for served, result in zip(comparison.served, results, strict=True):
                self._count(served.manifest.reference, 1, result)
        return Answer(comparison.render(results, exchange.request_id))

    async def _body(self, exchange: Exchange, shape: BodyShape[Body]) -> tuple[Body, float]:
        """The valid body of a request, and the seconds until its answer is of no use."""
        started = time.monotonic()
        check_media_type(exchange.headers)
        seconds = timeout_s(exchange.headers, self._limits)
        read = await read_body(exchange.receive, exchange.headers, self._limits.max_body_bytes, seconds)
        body = parse(read, self._limits, shape)
        if self._keyring is not None:
            self._keyring.charge(exchange.key, body.num_characters)
            exchange.charged = body.num_characters
        exchange.worked = time.monotonic()
        return body, max(MIN_TIMEOUT_S, seconds - (exchange.worked - started))

    async def _watched(self, work: Awaitable[Result], exchange: Exchange, seconds: float) -> Result:
        """What a translation gives, as `done_for_client`; releases are told of the model's faults."""
        try:
            return await done_for_client(work, seconds, exchange.receive)
        except ClientGoneError:
            raise  # no fault of the model's
        except Exception as error:
            if not isinstance(error, AttendantError) or error.status >= 500:
                self._catalogue.releases.failed(exchange.model)
            raise

    def _translated(
        self, served: Served, request: TranslationRequest, result: TranslationResult, seconds: float
    ) -> None:
        """Tell releases, which compare versions, shadows and metrics of a translation."""
        model = served.manifest.reference
        if self._catalogue.releases.labels:
            characters = result.usage.source_characters
            self._catalogue.releases.answered(model, seconds, characters, result.confidences)
        if self._shadows is not None:
            self._shadows.follow(served.manifest, request, result, seconds)
        self._count(model, len(request.texts), result)

    def _count(self, model: str, num_texts: int, result: TranslationResult) -> None:
        """Tell the metrics of a translation."""
        self._meter.translated(model, num_texts, result.usage.source_characters)
        self._meter.signalled(model, result)

    async def _stream(
        self, exchange: Exchange, served: Served, body: TranslateBody, request: TranslationRequest, seconds: float
    ) -> Answer:
        """An answer text by text. What goes wrong before the first text is done is an answer of its own."""
        started = time.monotonic()
        texts = served.stream(request)
        results: list[TranslationResult] = []

        def event(done: TextDone) -> bytes:
            results.append(done.result)
            self._translated(served, done.request, done.result, done.result.total_s)
            exchange.sizes = translation_sizes(len(results), merged(results, 0.0))
            return translation_event(done, served.manifest, body)

        async def rest(write: Write) -> None:
            async for done in texts:
                await write(event(done))

        async def write_rest(write: Write) -> str:
            left = max(MIN_TIMEOUT_S, seconds - (time.monotonic() - started))
            try:
                async with aclosing(texts):
                    await self._watched(rest(write), exchange, left)
            except ClientGoneError:
                return CancelledError.code
            except Exception as error:  # noqa: BLE001 as in `Api`: whatever it was, the client is told
                problem = as_problem(error, exchange.request_id)
                await write(error_event(problem, exchange.request_id))
                return problem.code
            await write(done_event(merged(results, time.monotonic() - started), served.manifest, exchange.request_id))
            return "ok"

        first = await self._watched(_first(texts), exchange, seconds)
        return Answer(event(first), EVENTS, headers=((b"cache-control", b"no-store"),), write_rest=write_rest)


async def _first(texts: AsyncGenerator[TextDone, None]) -> TextDone:
    return await anext(texts)
