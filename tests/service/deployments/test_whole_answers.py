"""What reaches a client in one piece, and that nothing else changes."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn

from service.api.exchange import Receive, Scope, Send
from service.deployments.whole_answers import send_whole_answers

BODY = b"x" * 5_000
PAUSE_S = 0.3
REQUEST = b"GET %s HTTP/1.1\r\nhost: here\r\n%s\r\n"


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Holds up the event loop between head and body, as a slow processor does; or between two pieces of a stream."""
    is_stream = scope["path"] == "/stream"
    length = [] if is_stream else [(b"content-length", str(len(BODY)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": length})
    if is_stream:
        await send({"type": "http.response.body", "body": b"first", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass  # nothing more comes until the client is gone
    time.sleep(PAUSE_S)
    await send({"type": "http.response.body", "body": BODY})


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    send_whole_answers()
    server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off"))
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        serving = threading.Thread(target=server.run, args=([listening],))
        serving.start()
        yield listening.getsockname()[1]
        server.should_exit = True
        serving.join()


def asked(port: int, path: bytes, header: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(REQUEST % (path, header))
    return connection


def test_a_head_never_leaves_before_its_body(port: int):
    with asked(port, b"/") as connection:
        for _ in range(2):  # a second request on the same connection, too
            first = connection.recv(100_000)
            assert first.startswith(b"HTTP/1.1 200 ")
            assert first.endswith(b"\r\n\r\n" + BODY)
            connection.sendall(REQUEST % (b"/", b""))


def test_an_answer_that_ends_its_connection_comes_whole(port: int):
    with asked(port, b"/", b"connection: close\r\n") as connection, connection.makefile("rb") as answer:
        assert answer.read().endswith(b"\r\n\r\n" + BODY)


def test_pieces_of_a_stream_are_not_held_back(port: int):
    with asked(port, b"/stream") as connection:
        assert connection.recv(100_000).endswith(b"5\r\nfirst\r\n")
