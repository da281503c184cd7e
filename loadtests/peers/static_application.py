"""Our runtime, searches and HTTP API behind Ray Serve's `@serve.batch`: static batches in place of continuous ones.

A batch is formed, decoded to its end, and only then is the next one begun; its answers go out together. Everything else
is the product's own, so a comparison with it shows what the way of batching does. Rows that are finished stay in their
batch (`fixed_batches`), or leave it: then our engine decodes it, which is given all of it at once and nothing until it
is through, so that half of what continuous batching does is done by the other side, too.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from loadtests.peers.fixed_batches import FixedBatches
from loadtests.peers.serving import deployed
from service.api.app import Api
from service.api.body import RequestLimits
from service.api.catalogue import Catalogue
from service.api.exchange import Receive, Scope, Send
from service.deployments.choices import among, open_bundles, runtime_of
from service.engine.engine import Engine
from service.engine.job import Outcome
from service.engine.limits import EngineLimits
from service.errors import AttendantError, ConfigurationError
from service.exchanged import TranslationRequest
from service.messages import SearchOptions, Segment, SegmentResult
from service.observability.metrics import Metrics
from service.runtime.seam import Runtime
from service.settings import Settings
from service.translation.translator import Translator

BATCHING_PATH = "/batching"
"""GET tells a `BatchingState`; PUT of a `Batching` in JSON sets it and counts anew."""
WARM_UP = ("Hello.", "How are you today?")
WHOLE_BATCH = EngineLimits(max_batch_rows=65_536, max_batch_tokens=1 << 24, max_queue_segments=65_536)
"""So that the engine takes all of a batch at once."""


@dataclass(frozen=True, slots=True)
class Batching:
    """The two options of `@serve.batch`."""

    max_batch_size: int = 32
    """Segments."""
    batch_wait_timeout_s: float = 0.01
    """Seconds that a batch waits for more after its first segment."""


@dataclass(frozen=True, slots=True)
class BatchingState:
    """How batches are formed, and what came of it since that was set."""

    batching: Batching
    num_batches: int
    num_segments: int


class StaticBatches:
    """Segments into results, by batches that `@serve.batch` forms."""

    def __init__(self, runtime: Runtime[Any], batching: Batching, rows_leave: bool) -> None:
        from ray import serve

        decode = (
            partial(_decode_by_engine, Engine(runtime, WHOLE_BATCH)) if rows_leave else FixedBatches(runtime).decode
        )
        self._batching, self._num_batches, self._num_segments = batching, 0, 0

        async def translate_batch(segments: list[Segment]) -> list[SegmentResult]:
            self._num_batches += 1
            self._num_segments += len(segments)
            return await asyncio.to_thread(decode, segments)

        self._translate_batch: Any = serve.batch(**asdict(batching))(translate_batch)

    def configure(self, batching: Batching) -> None:
        """Form batches so from now on, and count anew."""
        self._translate_batch.set_max_batch_size(batching.max_batch_size)
        self._translate_batch.set_batch_wait_timeout_s(batching.batch_wait_timeout_s)
        self._batching, self._num_batches, self._num_segments = batching, 0, 0

    def state(self) -> BatchingState:
        """How it stands."""
        return BatchingState(self._batching, self._num_batches, self._num_segments)

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        """As the engine's own: one result for each segment, in order."""
        results: list[SegmentResult] = await asyncio.gather(*map(self._translate_batch, segments))
        return results


def _decode_by_engine(engine: Engine, segments: Sequence[Segment]) -> list[SegmentResult]:
    """Decode one batch to its end; rows that are finished leave it."""
    outcomes: dict[int, Outcome] = {}
    engine.submit(segments, outcomes.__setitem__)
    while engine.tick():
        pass
    results = []
    for i in range(len(segments)):
        outcome = outcomes[i]
        if isinstance(outcome, AttendantError):
            raise outcome
        results.append(outcome)
    return results


class StaticApp:
    """The product's API over static batches, and `/batching` to set and read them."""

    def __init__(self, api: Api, batches: StaticBatches) -> None:
        self._api, self._batches = api, batches

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """An ASGI application."""
        if scope["type"] != "http" or scope["path"] != BATCHING_PATH:
            await self._api(scope, receive, send)
            return
        body = (await receive()).get("body", b"")
        if scope["method"] == "PUT":
            self._batches.configure(Batching(**json.loads(body)))
        content = json.dumps(asdict(self._batches.state())).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": content})


class StaticIngress:
    """What Serve calls. One model only, so that every batch is of it."""

    def __init__(self, settings: Settings, rows_leave: bool) -> None:
        bundles = open_bundles(settings)
        if len(bundles) != 1:
            raise ConfigurationError("static batches are measured with one model; name it in ATTENDANT_MODELS")
        metrics = Metrics()
        runtime = runtime_of(bundles[0], settings)
        metrics.model_served(bundles[0].manifest, runtime.kind)
        batches = StaticBatches(runtime, Batching(), rows_leave)
        self._translator = Translator(bundles[0], batches.translate)
        self._app = StaticApp(Api(Catalogue([self._translator]), among(settings, RequestLimits), metrics), batches)

    async def __serve_build_asgi_app__(self) -> StaticApp:
        """Warm up; Serve sends requests only afterwards."""
        for beam_size in (1, 4):
            await self._translator.translate(TranslationRequest(WARM_UP, SearchOptions(beam_size=beam_size)))
        return self._app


def application(settings: Settings, rows_leave: bool) -> Any:
    """The Serve application, with one replica: `/batching` speaks to the one that answers.

    `rows_leave`: whether rows that are finished leave their batch before its end.
    """
    if settings.num_replicas != 1:
        raise ConfigurationError("static batches are measured with one replica")
    return deployed(StaticIngress, settings, settings, rows_leave)
