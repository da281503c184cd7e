"""Answers that leave a replica whole: HTTP's head and the body behind it go into one write.

uvicorn writes them one after the other. A replica that was killed between the two left a client with half an answer,
which HAProxy could no longer ask of another replica; a write is done as a whole or not at all, as far as the kernel has
room for it. It also costs one system call instead of two, here and in HAProxy.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn import config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD = b"HTTP/"
"""What a head begins with."""


class HeldHeads:
    """An asyncio transport that holds an HTTP head until what follows it is written, or the event loop's next turn."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport, self._head = transport, b""

    def __getattr__(self, name: str) -> Any:
        """Whatever else a transport does."""
        return getattr(self._transport, name)

    def write(self, piece: bytes) -> None:
        """Send this, behind the head that is held; a head is held."""
        if not self._head and piece.startswith(HEAD):
            self._head = piece
            asyncio.get_running_loop().call_soon(self._flush)  # nothing may follow it
            return
        head, self._head = self._head, b""
        self._transport.write(head + piece)

    def close(self) -> None:
        """End the connection once everything is sent."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        head, self._head = self._head, b""
        if head and not self._transport.is_closing():
            self._transport.write(head)


class WholeAnswers(HttpToolsProtocol):
    """uvicorn's HTTP/1.1, its heads with their bodies."""

    def connection_made(self, transport: Any) -> None:
        """Begin a connection."""
        super().connection_made(HeldHeads(transport))  # type: ignore[arg-type]


def send_whole_answers() -> None:
    """Have the HTTP servers of this process, which Serve starts, send whole answers."""
    config.HTTP_PROTOCOLS["auto"] = f"{__name__}:{WholeAnswers.__name__}"
