"""Hostile requests: the same from the same seed, every kind there, and each thing that must not be is seen."""

from __future__ import annotations

import itertools
import re
import socket

import pytest

from loadtests.faults.hostile.__main__ import Seen
from loadtests.faults.hostile.corpus import SMUGGLING, TEXTS, Hostile
from loadtests.faults.hostile.requests import changed
from loadtests.faults.slow import held
from model_store.contract.placeholders import PLACEHOLDERS
from service.text.protection import Protector
from service.text.segments import Segmenter

WHOLE = Hostile("body", b"POST /v1/translate HTTP/1.1\r\n\r\n")
UNFINISHED = Hostile("head too short", b"POST", may_wait=True)


def test_the_same_seed_gives_the_same_requests_and_every_kind_of_them() -> None:
    first, again, other = (list(itertools.islice(changed(seed, "key"), 2000)) for seed in (1, 1, 2))
    assert first == again
    assert first != other
    assert {"body", "bytes", "headers", "path", "method"} <= {one.kind for one in first}
    assert sum(b"authorization: Bearer key\r\n" in one.content for one in first) > 500
    assert any(one in SMUGGLING for one in first)


@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_the_text_room_reads_every_hostile_text(language: str) -> None:
    protector = Protector(PLACEHOLDERS, str.isascii)
    segmenter = Segmenter(language, lambda text: [*map(ord, text)], 90, None, PLACEHOLDERS, protector, most_words=30)
    for text in TEXTS:
        segmented = segmenter.segment(text)
        assert segmented.join([segment.text for segment in segmented.segments])[0] == text


@pytest.mark.parametrize(
    ("one", "answer", "took_s", "guarded", "fault"),
    [
        (WHOLE, b"HTTP/1.1 422 \r\n", 0.1, False, None),
        (WHOLE, b"HTTP/1.1 200 \r\n", 5.0, False, None),
        (WHOLE, b"HTTP/1.1 401 \r\n", 0.1, True, None),
        (WHOLE, b"HTTP/1.1 200 \r\n", 0.1, True, r"\['200'\] without a key to body"),
        (WHOLE, b"HTTP/1.1 400 \r\n\r\nHTTP/1.1 200 \r\n", 0.1, True, "without a key"),
        (WHOLE, b"HTTP/1.1 422 \r\n", 1.5, False, "422 only after 1.5 s to body"),
        (WHOLE, b"HTTP/1.1 500 \r\n", 0.1, False, r"\['500'\] to body"),
        (WHOLE, None, 10.0, False, "no answer within 10 s to body"),
        (WHOLE, b"", 0.1, False, "closed without an answer: body"),
        (UNFINISHED, None, 0.3, False, None),
        (UNFINISHED, b"HTTP/1.1 408 \r\n", 8.0, False, None),
        (UNFINISHED, b"HTTP/1.1 503 \r\n", 8.0, False, r"\['503'\] to head too short"),
        (Hostile("health", b"GET /health/live HTTP/1.1\r\n\r\n"), b"HTTP/1.1 200 \r\n", 0.1, True, None),
    ],
)
def test_what_must_not_be_is_seen(
    one: Hostile, answer: bytes | None, took_s: float, guarded: bool, fault: str | None
) -> None:
    seen = Seen()
    seen.add(one, answer, took_s, guarded)
    if fault is None:
        assert seen.faults == []
    else:
        (told,) = seen.faults
        assert re.search(fault, told)


def test_the_servers_side_of_a_connection_is_held_until_the_server_ends_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            mine = client.getsockname()[1]
            there, _ = server.accept()
            assert held(port) == {mine}
            there.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")  # reset, as when data is left
            there.close()
            assert held(port) == set()
