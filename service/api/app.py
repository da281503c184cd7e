"""The ASGI application: a table of routes, one place where errors become answers, nothing between them."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path

from pydantic_core import to_json

from service.api import listings
from service.api.body import ClientGoneError, RequestLimits
from service.api.catalogue import Catalogue
from service.api.docs import docs_page
from service.api.exchange import (
    CLIENT_HEADER,
    OTHER,
    SENT_HEADER,
    Answer,
    Exchange,
    Handler,
    Receive,
    Scope,
    Send,
    changing,
    exchange_of,
    fixed,
    made_once,
    send_answer,
)
from service.api.handlers import WorkHandlers
from service.api.keys import Keyring
from service.api.meter import Meter
from service.api.openapi import openapi_document
from service.api.problems import MEDIA_TYPE, as_problem, problem_body, problem_headers
from service.api.resent import Resent
from service.api.shadows import Shadows
from service.errors import (
    AttendantError,
    CancelledError,
    ForbiddenError,
    MethodNotAllowedError,
    NotReadyError,
    OverloadedError,
    UnknownRouteError,
)
from service.observability.logs import ROOT, log_access
from service.observability.traces import Told, Tracing
from service.web import FOLDER, PAGE, page_answers

_log = logging.getLogger(f"{ROOT}.api")


OPEN_PATHS = ("/health/live", "/health/ready")
"""What answers without an API key."""
DOCS = "/docs"
HTML = "text/html; charset=utf-8"
FOR_PEOPLE = (PAGE, DOCS)
"""Where a browser asks its user for a key."""
ONE_MODEL = "/v1/models/{name}"


class Api:
    """The HTTP API, version 1, as an ASGI application."""

    def __init__(
        self,
        catalogue: Catalogue,
        limits: RequestLimits,
        meter: Meter,
        is_ready: Callable[[], bool] = lambda: True,
        on_shutdown: Callable[[], Awaitable[None]] | None = None,
        keyring: Keyring | None = None,
        proxy_pass: bytes | None = None,
        shadows: Shadows | None = None,
        tracing: Tracing | None = None,
        schemas_file: Path | None = None,
    ) -> None:
        """`keyring` checks the API keys of everything but health; None asks nobody for one.

        `shadows` translate some requests a second time, `tracing` tells of each. `proxy_pass` is what the proxy shows
        with each request; nobody else is answered. None answers everybody. `schemas_file`: see `openapi_document`.
        """
        self._proxy_pass, self._tracing = proxy_pass, tracing
        self._meter, self._resent = meter, Resent()
        self._work = WorkHandlers(limits, meter, keyring, catalogue)
        self._is_ready, self._on_shutdown, self._keyring = is_ready, on_shutdown, keyring
        self.offer(catalogue, shadows)
        document = cache(lambda: openapi_document(limits, schemas_file))
        self._routes: dict[str, tuple[str, Handler]] = {
            "/v1/translate": ("POST", self._work.translate),
            "/v1/score": ("POST", self._work.score),
            "/v1/compare": ("POST", self._work.compare),
            "/v1/models": ("GET", changing(lambda: Answer(self._models))),
            ONE_MODEL: ("GET", self._model),
            "/v1/languages": ("GET", changing(lambda: Answer(self._languages))),
            "/health/live": ("GET", fixed(Answer(b'{"status":"live"}'))),
            "/health/ready": ("GET", self._ready),
            "/metrics": ("GET", self._metrics),
            "/openapi.json": ("GET", made_once(lambda: Answer(to_json(document())))),
            DOCS: ("GET", made_once(lambda: Answer(docs_page(document()), HTML))),
            **{path: ("GET", fixed(answer)) for path, answer in page_answers().items()},
        }

    def offer(self, catalogue: Catalogue, shadows: Shadows | None = None) -> None:
        """Serve these models from the next request on; requests under way keep theirs."""
        self._catalogue = catalogue
        self._work.offer(catalogue, shadows)
        self._models = to_json(listings.models_answer(catalogue))
        self._languages = to_json(listings.languages_answer(catalogue))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection event: a request, or the server's start and stop."""
        if scope["type"] == "http":
            await self._serve(exchange_of(scope, receive), send)
        elif scope["type"] == "lifespan":
            await self._live(receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if self._on_shutdown is not None:
            await self._on_shutdown()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, exchange: Exchange, send: Send) -> None:
        started, code, status = time.monotonic(), CancelledError.code, CancelledError.status
        self._meter.request_started()
        try:
            answer, code = await self._answer(exchange)
            status = answer.status
            code = await send_answer(send, exchange, answer) or code
        except ClientGoneError:
            pass
        finally:
            seconds = time.monotonic() - started
            self._meter.request_finished(exchange.route, exchange.model, code, seconds)
            if exchange.is_admitted and self._keyring is not None:
                self._keyring.finished(exchange.key)
            if exchange.key:
                self._meter.key_used(exchange.key, code)
            is_work = self._allowed(exchange.route) == "POST"
            if is_work or status >= 500:
                said = exchange.request_id, exchange.route, exchange.model, code, status, seconds
                is_traced = is_work and exchange.method == "POST"
                trace_id = self._traced(exchange, code, status, started, seconds) if is_traced else ""
                log_access(*said, exchange.key, exchange.sizes, trace_id)

    def _traced(self, exchange: Exchange, code: str, status: int, started: float, seconds: float) -> str:
        """The id of the request's trace; empty without tracing."""
        if self._tracing is None:
            return ""
        shift = time.time() - time.monotonic()
        worked = exchange.worked + shift if exchange.worked else 0.0
        told = Told(
            exchange.request_id, exchange.route, exchange.model, code, status, started + shift, worked, time.time()
        )
        trace_id, is_kept = self._tracing.record(told, exchange.headers, exchange.sizes)
        if is_kept:
            self._meter.request_traced(exchange.route, exchange.model, code, seconds, trace_id)
        return trace_id

    async def _answer(self, exchange: Exchange) -> tuple[Answer, str]:
        """The answer and its code, `ok` or an error's slug. Raises ClientGoneError, for which there is no answer."""
        try:
            if self._proxy_pass is not None:
                if not exchange.shows(self._proxy_pass):
                    raise ForbiddenError("this is a replica's own port; send requests to the server's HTTP port")
                exchange.address = exchange.headers.get(CLIENT_HEADER, b"").decode("latin-1")
                exchange.was_sent_before = self._resent(exchange.headers.get(SENT_HEADER, b""))
            exchange.route = self._route(exchange.path)
            if self._keyring is not None and exchange.path not in OPEN_PATHS:
                self._admit(exchange, self._keyring)
            return await self._handler(exchange)(exchange), "ok"
        except AttendantError as error:
            problem, headers = error, problem_headers(error, exchange.route in FOR_PEOPLE)
            if isinstance(error, OverloadedError) and self._keyring is not None:
                self._keyring.give_back(exchange.key, exchange.charged)
        except (ClientGoneError, asyncio.CancelledError):
            raise
        except Exception as error:  # noqa: BLE001 the last stop: whatever it was, the client gets an answer
            problem, headers = as_problem(error, exchange.request_id), []
        if isinstance(problem, MethodNotAllowedError):
            headers = [(b"allow", self._allowed(exchange.route).encode())]
        body = problem_body(problem, exchange.request_id)
        return Answer(body, MEDIA_TYPE, problem.status, tuple(headers)), problem.code

    @staticmethod
    def _admit(exchange: Exchange, keyring: Keyring) -> None:
        """Let in who has a key. One that a limit refuses has its name in logs and metrics all the same."""
        exchange.key = keyring.known(exchange.headers.get(b"authorization", b""))
        keyring.admit(exchange.key)
        exchange.is_admitted = True

    def _route(self, path: str) -> str:
        """The template of a path; `other` where there is none."""
        if path.startswith("/v1/models/") and path.count("/") == 3:
            return ONE_MODEL
        return path if path in self._routes else OTHER

    def _handler(self, exchange: Exchange) -> Handler:
        route = exchange.route
        if route == OTHER:
            told = ", ".join(path for path in self._routes if not path.startswith(FOLDER))
            raise UnknownRouteError(f"there is no such path; there are: {told}")
        method, handler = self._routes[route]
        if exchange.method != method and not (method == "GET" and exchange.method == "HEAD"):
            raise MethodNotAllowedError(f"{route} takes {self._allowed(route)}")
        return handler

    def _allowed(self, route: str) -> str:
        return "POST" if self._routes.get(route, ("GET",))[0] == "POST" else "GET, HEAD"

    async def _model(self, exchange: Exchange) -> Answer:
        served = self._catalogue.find(exchange.path.removeprefix("/v1/models/"))
        return Answer(to_json(listings.model_listing(served.manifest, self._catalogue)))

    async def _ready(self, exchange: Exchange) -> Answer:
        if not self._is_ready():
            raise NotReadyError("the server is starting or draining", retry_after_s=1)
        return Answer(b'{"status":"ready"}')

    async def _metrics(self, exchange: Exchange) -> Answer:
        body, media_type = self._meter.exposition(exchange.headers.get(b"accept", b"").decode("latin-1"))
        return Answer(body, media_type)
