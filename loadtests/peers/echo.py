"""The smallest Serve application: it reads a request and answers `{}`. What it costs, every service behind it costs."""

from __future__ import annotations

from typing import Any

from loadtests.peers.serving import deployed
from service.api.exchange import Receive, Scope, Send
from service.settings import Settings

BODY = b"{}"
HEADERS = [(b"content-type", b"application/json"), (b"content-length", b"2")]


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """An ASGI application: 200 and `{}` on every path, once the body is read."""
    if scope["type"] == "lifespan":
        for event in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{event}.complete"})
        return
    while (await receive()).get("more_body", False):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    await send({"type": "http.response.body", "body": BODY})


class EchoIngress:
    """What Serve calls."""

    async def __serve_build_asgi_app__(self) -> Any:
        """The application."""
        return echo


def application(settings: Settings) -> Any:
    """The Serve application."""
    return deployed(EchoIngress, settings)
