"""Starts the FastAPI peer with some number of workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from loadtests.peers import fastapi_app, instructions
from loadtests.peers.http_process import running_process
from loadtests.peers.options import Options
from loadtests.server import Server, free_port

WORKERS = (1, 2, 4)
"""Numbers of workers that are tried for the best one."""


@contextmanager
def running_fastapi(options: Options, num_workers: int) -> Iterator[Server]:
    """The peer under uvicorn on a free port, with the weights of the published model in int8."""
    from loadtests.peers.ctranslate2_model import (  # CTranslate2 is in the extra `peers` alone
        ctranslate2_model,
        tokenizer_file,
    )

    bundle, port = options.bundle(), free_port()
    environment = instructions.environment() | {
        fastapi_app.MODEL: str(ctranslate2_model(bundle, "int8", options.cache).absolute()),
        fastapi_app.TOKENIZER: str(tokenizer_file(bundle, options.cache).absolute()),
    }
    command = [sys.executable, "-m", "uvicorn", f"{fastapi_app.__name__}:create_app", "--factory"]
    command += ["--host", "127.0.0.1", "--port", str(port), "--workers", str(num_workers)]
    command += ["--no-access-log", "--log-level", "warning"]
    with running_process(command, f"http://127.0.0.1:{port}", "/health", environment) as server:
        yield server
