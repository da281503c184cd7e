"""The API over a real replica with tiny bundles, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from model_store.contract.bundle import Bundle
from service.deployments.choices import open_bundles
from service.deployments.replica import Replica
from service.observability.metrics import Metrics
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings

Ask = Callable[..., httpx.Response]


def ask_app(app: Any, method: str, path: str, **options: Any) -> httpx.Response:
    """One request to an ASGI application, and its whole answer."""

    async def run() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://attendant") as client:
            return await client.request(method, path, **options)

    return asyncio.run(run())


@pytest.fixture(scope="session")
def settings(store: Path) -> Settings:
    return Settings(store=store, max_texts=8, max_text_characters=100, max_body_bytes=1 << 17, request_timeout_s=20)


@pytest.fixture(scope="session")
def bundles(settings: Settings) -> list[Bundle]:
    return open_bundles(settings)


@pytest.fixture(scope="session")
def replica(bundles: list[Bundle], settings: Settings) -> Iterator[Replica]:
    """A started replica with both bundles."""
    replica = Replica(bundles, settings, Metrics(), OnnxRuntime)
    asyncio.run(replica.start())
    yield replica
    asyncio.run(replica.stop())


@pytest.fixture
def ask(replica: Replica) -> Ask:
    """`ask(method, path, ...)`: one request to the replica."""
    return lambda method, path, **options: ask_app(replica.app, method, path, **options)


@pytest.fixture
def translate(ask: Ask) -> Callable[..., httpx.Response]:
    """`translate(text=..., ...)`: POST /v1/translate with these fields."""
    return lambda **fields: ask("POST", "/v1/translate", json={"max_output_tokens": 12, **fields})
