"""A server of the page with published models."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from service.deployments.replica import Replica
from service.observability.metrics import Metrics
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings
from tests.bundles import published

BESIDE = ("bahdanau", "seq2seq")
MODELS = ("en-fr-transformer", "fr-en-transformer", *(f"en-fr-{name}" for name in BESIDE))


@contextmanager
def served(around: Callable[[Any], Any] = lambda app: app) -> Iterator[str]:
    """The address of a server, one of whose models has no attention; `around` may change what its application does."""
    replica = Replica([published(name) for name in MODELS], Settings(max_wait_s=60.0), Metrics(), OnnxRuntime)
    asyncio.run(replica.start())
    server = uvicorn.Server(uvicorn.Config(around(replica.app), port=0, log_level="error", lifespan="off"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        asyncio.run(replica.stop())
