"""Kept-alive HTTP/1.1 connections to one server, with at most one request under way on each."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import cast
from urllib.parse import urlsplit

import httptools

OK = "http_200"
NO_ANSWER = "no_answer"
TIMEOUT = "timeout"
MAX_IDLE_S = 2.0
"""Well below the 5 s after which uvicorn closes a connection that nobody uses."""


class LoadError(Exception):
    """A run that cannot be counted: some requests got an error, no answer, or none in time."""


class Connection(asyncio.Protocol):
    """One kept-alive connection with at most one request under way. Also the callbacks of its parser."""

    def __init__(self, keep_bodies: bool = False) -> None:
        self._keep_bodies = keep_bodies
        self._transport: asyncio.Transport
        self._done: Callable[[str, bytes], None] | None = None
        self._body = b""
        self.is_open = False
        self.lost: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def send(self, request: bytes, done: Callable[[str, bytes], None]) -> None:
        """Write a request; `done` gets `http_<status>` or NO_ANSWER, and the body when bodies are kept."""
        self._done = done
        if self.is_open:
            self._transport.write(request)
        else:
            self._finish(NO_ANSWER)

    async def close(self) -> None:
        """Hang up and wait until that is done; a request under way gets no `done`."""
        self.hang_up()
        await self.lost

    def hang_up(self) -> None:
        """Close the connection; a request under way gets no `done`."""
        self._done = None
        self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport, self.is_open = cast(asyncio.Transport, transport), True  # uvloop's is no subclass
        self._parser = httptools.HttpResponseParser(self)

    def data_received(self, data: bytes) -> None:
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError:
            self.is_open = False
            self._finish(NO_ANSWER)

    def connection_lost(self, error: Exception | None) -> None:
        self.is_open = False
        self.lost.set_result(None)
        self._finish(NO_ANSWER)

    def on_body(self, body: bytes) -> None:
        if self._keep_bodies:
            self._body += body

    def on_message_complete(self) -> None:
        if not self._parser.should_keep_alive():
            self.is_open = False
            self._transport.close()
        self._finish(f"http_{self._parser.get_status_code()}")

    def _finish(self, code: str) -> None:
        done, self._done = self._done, None
        body, self._body = self._body, b""
        if done is not None:
            done(code, body)


class Pool:
    """Connections to one server: opened on demand, given out last in first out, dropped when the server closed them.

    One that lay idle for MAX_IDLE_S is dropped, too: the server may be about to close it just as the next request
    is written, which would count as an error of the server.
    """

    def __init__(self, url: str, keep_bodies: bool = False) -> None:
        parts = urlsplit(url)
        self._host, self._port, self._keep_bodies = parts.hostname or "", parts.port or 80, keep_bodies
        self._free: list[tuple[float, Connection]] = []
        """When each was given back, and itself."""
        self._all: list[Connection] = []

    async def open(self) -> Connection:
        """A new connection. Raises LoadError when the server takes none."""
        loop = asyncio.get_running_loop()
        try:
            _, connection = await loop.create_connection(lambda: Connection(self._keep_bodies), self._host, self._port)
        except OSError as error:
            raise LoadError(f"no connection to {self._host}:{self._port}: {error}") from error
        self._all.append(connection)
        return connection

    def take(self) -> Connection | None:
        """A free connection that is still open, or None."""
        too_old = time.monotonic() - MAX_IDLE_S
        while self._free:
            since, connection = self._free.pop()
            if connection.is_open and since > too_old:
                return connection
            connection.hang_up()
            self._all.remove(connection)
        return None

    def give(self, connection: Connection) -> None:
        self._free.append((time.monotonic(), connection))

    @property
    def num_open(self) -> int:
        return len(self._all)

    async def close(self) -> None:
        """Close all, whatever is under way."""
        for connection in self._all:
            await connection.close()
