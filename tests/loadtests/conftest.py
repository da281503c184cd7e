from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

Answer = Callable[[dict[str, Any]], tuple[int, bytes]]
"""What a server does with the JSON of a request: status and body. It may block as long as it likes."""

TRANSLATED = 200, json.dumps({"translations": [{"text": "Le chat."}]}).encode()


class Server(ThreadingHTTPServer):
    """Whose waiting line holds every client of a test, also on a busy machine."""

    request_queue_size = 1024


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    """Starts real HTTP servers on free ports; returns their URLs."""
    with ExitStack() as stack:

        def start(answer: Answer) -> str:
            server = stack.enter_context(Server(("127.0.0.1", 0), _handler(answer)))
            thread = threading.Thread(target=server.serve_forever, args=(0.02,))
            thread.start()
            stack.callback(thread.join, 10)
            stack.callback(server.shutdown)
            return f"http://127.0.0.1:{server.server_port}"

        yield start


def _handler(answer: Answer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status, body = answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            with suppress(ConnectionError):  # clients may have gone
                self.send_response(status)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler
