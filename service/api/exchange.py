"""One HTTP exchange: what came in, what goes out, and how ASGI carries it."""

from __future__ import annotations

import asyncio
import hmac
import random
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

JSON = "application/json"
OTHER = "other"
"""In place of the route of a path that there is not."""
PASS_HEADER = b"x-attendant-pass"
"""The header in which the proxy shows its pass."""
CLIENT_HEADER = b"x-attendant-client"
"""The header in which it tells who sends."""
SENT_HEADER = b"x-attendant-sent"
"""The header in which it tells when it had the request, see `Resent`; `service.deployments.haproxy` has all three."""
_SANE_ID = re.compile(rb"[A-Za-z0-9._:-]{1,128}")


@dataclass(slots=True)
class Exchange:
    """One request on its way: what came in, and what logs and metrics will say about it."""

    method: str
    path: str
    headers: Mapping[bytes, bytes]
    request_id: str
    receive: Receive
    route: str = OTHER
    """The route's template."""
    model: str = ""
    """`name@version`, once it is chosen."""
    key: str = ""
    """The name of its API key; empty where none is asked for."""
    address: str = ""
    """Whom the proxy in front saw, who may send more; empty without that proxy. It is told to nobody."""
    was_sent_before: bool = False
    """Whether the proxy had sent it to another replica, which was lost with it."""
    is_admitted: bool = False
    """Whether the limits of its key have let it in, so that it counts among the key's requests under way."""
    charged: int = 0
    """Characters that its key was charged."""
    sizes: dict[str, float] = field(default_factory=dict)
    worked: float = 0.0
    """`time.monotonic()` when its body was read and checked; 0 when it never was."""

    @property
    def client(self) -> str:
        """Who takes turns with other clients: the name of the API key, or an address where no keys are asked for."""
        return self.key or self.address

    def shows(self, proxy_pass: bytes) -> bool:
        """Whether it comes with the proxy's pass."""
        return hmac.compare_digest(self.headers.get(PASS_HEADER, b""), proxy_pass)


Write = Callable[[bytes], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Answer:
    """What goes out."""

    body: bytes
    media_type: str = JSON
    status: int = 200
    headers: tuple[tuple[bytes, bytes], ...] = ()
    write_rest: Callable[[Write], Awaitable[str]] | None = None
    """Writes what follows `body` piece by piece, and gives the code that logs and metrics get, see `send_answer`; None
    where `body` is all."""


Handler = Callable[[Exchange], Awaitable[Answer]]


def fixed(answer: Answer) -> Handler:
    """Answers alike for ever."""
    return changing(lambda: answer)


def changing(answer: Callable[[], Answer]) -> Handler:
    """Answers the same to everybody, which changes at times."""

    async def handler(exchange: Exchange) -> Answer:
        return answer()

    return handler


def made_once(answer: Callable[[], Answer]) -> Handler:
    """Answers alike for ever, made beside the event loop for the first who asks; others who ask meanwhile wait."""
    made: list[asyncio.Future[Answer]] = []

    async def handler(exchange: Exchange) -> Answer:
        if not made:
            made.append(asyncio.ensure_future(asyncio.to_thread(answer)))
        try:
            return await asyncio.shield(made[0])  # who goes away ends it for nobody else
        except Exception:
            made.clear()  # the next who asks tries again
            raise

    return handler


def exchange_of(scope: Scope, receive: Receive) -> Exchange:
    """The request in this scope. Its id is the client's when that is sane, else a new one."""
    headers = dict(scope["headers"])
    given = headers.get(b"x-request-id", b"")
    request_id = given.decode() if _SANE_ID.fullmatch(given) else f"{random.getrandbits(128):032x}"
    return Exchange(scope["method"], scope["path"], headers, request_id, receive)


async def send_answer(send: Send, exchange: Exchange, answer: Answer) -> str | None:
    """Send the whole answer, with the request's id on it. A code, `ok` or an error's slug, where it came piece by piece
    and could fail meanwhile."""
    headers = [(b"content-type", answer.media_type.encode()), (b"x-request-id", exchange.request_id.encode())]
    if answer.write_rest is None:
        headers.append((b"content-length", str(len(answer.body)).encode()))
    await send({"type": "http.response.start", "status": answer.status, "headers": [*headers, *answer.headers]})
    if answer.write_rest is None:
        await send({"type": "http.response.body", "body": b"" if exchange.method == "HEAD" else answer.body})
        return None

    async def write(piece: bytes) -> None:
        await send({"type": "http.response.body", "body": piece, "more_body": True})

    await write(answer.body)
    code = await answer.write_rest(write)
    await send({"type": "http.response.body", "body": b""})
    return code
