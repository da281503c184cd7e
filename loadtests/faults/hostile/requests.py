"""Hostile requests as bytes: recorded requests changed by chance, and cases that schemathesis makes of the OpenAPI
document."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

import httpx
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis.errors import HypothesisException
from hypothesis.strategies import SearchStrategy

from loadtests.faults.hostile.corpus import (
    HEADERS,
    METHODS,
    PATHS,
    RAW_BODIES,
    RECORDED,
    SMUGGLING,
    TEXTS,
    VALUES,
    WEIGHTS,
    Hostile,
    Json,
)


def whole(method: str, path: str, headers: list[str], body: bytes | None) -> bytes:
    """One request, after which the connection is closed."""
    lines = [f"{method} {path} HTTP/1.1", "host: a", "connection: close", *headers]
    if body is not None:
        if not any(line.lower().startswith("content-type:") for line in headers):
            lines.append("content-type: application/json")
        lines.append(f"content-length: {len(body)}")
    return "\r\n".join(lines).encode("utf-8", "surrogatepass") + b"\r\n\r\n" + (body or b"")


def changed(seed: int, key: str = "") -> Iterator[Hostile]:
    """Recorded requests with something wrong in body, path, method or headers; `key` goes along with half of them."""
    chance = Random(seed)
    while True:
        method, path, body = chance.choices(RECORDED, WEIGHTS)[0]
        headers = [f"authorization: Bearer {key}"] if key and chance.random() < 0.5 else []
        kind = chance.choices(("body", "bytes", "headers", "path", "method", "smuggling"), (50, 18, 14, 10, 4, 4))[0]
        if kind == "smuggling":
            yield _spliced(chance.choice(SMUGGLING), chance)
            continue
        sent = None if body is None else json.dumps(_spoilt(body, chance)).encode("utf-8", "surrogatepass")
        if kind == "bytes" and sent is not None:
            sent = _garbled(sent, chance)
        elif kind == "headers":
            headers += chance.sample(HEADERS, chance.randint(1, 3))
        elif kind == "path":
            path = chance.choice(PATHS) if chance.random() < 0.7 else path + chance.choice("/?#%;é\\\x7f")
        elif kind == "method":
            method = chance.choice(METHODS)
        yield Hostile(kind, whole(method, path, headers, sent), must_answer=kind != "headers" and method != "CONNECT")


def _spliced(one: Hostile, chance: Random) -> Hostile:
    """A request of the corpus, now and then with a byte changed, after which nobody knows how it is to be read."""
    if not one.content or chance.random() < 0.7:
        return one
    at = chance.randrange(len(one.content))
    content = one.content[:at] + bytes([chance.randrange(256)]) + one.content[at + 1 :]
    return Hostile(f"{one.kind}, changed", content, must_answer=False, may_wait=True)


def _spoilt(body: Json, chance: Random) -> Json:
    """The body with some values exchanged, fields left out and fields added."""
    spoilt = json.loads(json.dumps(body))
    for _ in range(chance.randint(0, 3)):
        inside = spoilt
        while (deeper := _objects(inside)) and chance.random() < 0.3 + 0.6 * ("pairs" in inside):
            inside = chance.choice(deeper)
        name = chance.choice([*inside, chance.choice(("x", "Text", "beam-size", "stream", "__proto__"))])
        change = chance.random()
        if change < 0.15:
            inside.pop(name, None)
        elif change < 0.55:
            inside[name] = chance.choice(TEXTS)
        else:
            inside[name] = deepcopy(chance.choice(VALUES))
    return spoilt


def _objects(body: Json) -> list[Json]:
    """The objects with fields in the values of an object, or in lists that are its values."""
    values = [one for value in body.values() for one in (value if isinstance(value, list) else [value])]
    return [one for one in values if isinstance(one, dict) and one]


def _garbled(sent: bytes, chance: Random) -> bytes:
    """Other bytes: a whole body of the corpus, or this one cut, doubled or with bytes changed."""
    kind = chance.random()
    if kind < 0.3:
        return chance.choice(RAW_BODIES)
    if kind < 0.5:
        return sent[: chance.randrange(len(sent) + 1)]
    if kind < 0.6:
        return sent + sent
    data = bytearray(sent)
    for _ in range(chance.randint(1, 6)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def of_the_document(document: Json, count: int, seed: int) -> Iterator[Hostile]:
    """Cases that schemathesis makes of an OpenAPI document, half of them such as do not fit it.

    Operations without fields have no case that does not fit.
    """
    import schemathesis
    from schemathesis import GenerationMode

    found: Any = schemathesis.openapi.from_dict(document).get_all_operations()
    operations = [one.ok() for one in found]
    modes = [(one, mode) for one in operations for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)]
    share = -(-count // len(modes))
    made = [
        one for operation, mode in modes for one in _cases(operation.as_strategy(generation_mode=mode), share, seed)
    ]
    return iter(Random(seed).sample(made, len(made)))


def _cases(strategy: SearchStrategy[Any], count: int, seed: int) -> list[Hostile]:
    """As many cases of the strategy, or fewer where it has no more."""
    found: list[Hostile] = []

    @seeded(seed)
    @settings(
        max_examples=count,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def draw(case: Any) -> None:
        found.append(_of_case(case))

    with contextlib.suppress(HypothesisException):
        draw()
    return found


def _of_case(case: Any) -> Hostile:
    sent = case.as_transport_kwargs(base_url="http://a")
    request = httpx.Request(
        sent["method"], sent["url"], params=sent.get("params"), headers=sent.get("headers"),
        json=sent.get("json"), content=sent.get("data"),
    )  # fmt: skip
    dropped = (b"content-length", b"connection", b"host", b"user-agent", b"transfer-encoding")
    headers = [f"{_text(name)}: {_text(value)}" for name, value in request.headers.raw if name.lower() not in dropped]
    body = request.read() if sent["method"] not in ("GET", "HEAD") else None
    return Hostile("schemathesis", whole(sent["method"], _text(request.url.raw_path), headers, body))


def _text(value: bytes) -> str:
    return value.decode("latin-1")
