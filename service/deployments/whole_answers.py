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


class GatheredWrites:
    """An asyncio transport whose writes of one turn of the event loop leave together."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport, self._pieces = transport, list[bytes]()

    def __getattr__(self, name: str) -> Any:
        """Whatever else a transport does."""
        return getattr(self._transport, name)

    def write(self, piece: bytes) -> None:
        """Send this with what comes before the event loop's next turn."""
        if not self._pieces:
            asyncio.get_running_loop().call_soon(self._flush)
        self._pieces.append(piece)

    def close(self) -> None:
        """End the connection once everything is sent."""
        self._flush()
        self._transport.close()

    def _flush(self) -> None:
        pieces, self._pieces = self._pieces, []
        if pieces and not self._transport.is_closing():
            self._transport.write(b"".join(pieces))


class WholeAnswers(HttpToolsProtocol):
    """uvicorn's HTTP/1.1 over gathered writes."""

    def connection_made(self, transport: Any) -> None:
        """Begin a connection."""
        super().connection_made(GatheredWrites(transport))  # type: ignore[arg-type]


def send_whole_answers() -> None:
    """Have the HTTP servers of this process, which Serve starts, send whole answers."""
    config.HTTP_PROTOCOLS["auto"] = f"{__name__}:{WholeAnswers.__name__}"
