"""The load generator's queries over HTTP, and what its summary tells."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from loadtests.peers.http_client import request_bytes
from loadtests.peers.http_service import Service
from loadtests.peers.mlperf import MAX_CONNECTIONS, Asker, loadgen_probe, parse_summary, replay
from tests.loadtests.answer_server import AnswerServer, ok, status

SUMMARY = """
Completed samples per second    : 352.92
Result is : VALID
50.00 percentile latency (ns)   : 23930000
97.00 percentile latency (ns)   : 59710000
"""


def test_a_summary_of_the_load_generator_is_read_in_our_units() -> None:
    probe = parse_summary(SUMMARY, 350.0, 0)
    assert (probe.answered_rate, probe.p50_ms, probe.p97_ms) == (352.92, 23.93, 59.71)
    assert probe.holds


def test_a_summary_without_a_number_is_told() -> None:
    with pytest.raises(ValueError, match=r"97\.00 percentile"):
        parse_summary(SUMMARY.replace("97.00", "99.00"), 350.0, 0)


class Sample(NamedTuple):
    """A query, as the load generator hands it over."""

    id: int
    index: int


@dataclass
class Answered:
    """Takes the load generator's place at the other end: notes which queries were answered."""

    ids: list[int] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def QuerySampleResponse(self, query_id: int, address: int, size: int) -> int:  # noqa: N802
        return query_id

    def QuerySamplesComplete(self, responses: Sequence[int]) -> None:  # noqa: N802
        with self.changed:
            self.ids += responses
            self.changed.notify_all()

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.ids) >= count, timeout=10)


@contextmanager
def asking(
    answer: Callable[[int, bytes], bytes | None] = lambda number, body: ok(b"{}"),
    delay_s: Callable[[int], float] = lambda number: 0.0,
) -> Iterator[tuple[Asker, Answered]]:
    server, answered = AnswerServer(answer, delay_s), Answered()
    try:
        asker = Asker(server.url, [request_bytes(server.url, {"text": str(i)}) for i in range(3)], answered)
        try:
            yield asker, answered
        finally:
            asker.close()
    finally:
        server.close()


def test_every_query_is_answered_once_and_noted_as_it_was_issued() -> None:
    with asking() as (asker, answered):
        for number in range(100):
            asker.issue([Sample(number, number % 3)])
        answered.wait_for(100)
    assert sorted(answered.ids) == list(range(100))
    assert asker.num_errors == 0
    assert [arrival.text for arrival in asker.arrivals] == [number % 3 for number in range(100)]


def test_more_queries_than_connections_wait_for_one() -> None:
    with asking(delay_s=lambda number: 0.2 if number < MAX_CONNECTIONS else 0.0) as (asker, answered):
        asker.issue([Sample(number, 0) for number in range(MAX_CONNECTIONS + 50)])
        answered.wait_for(MAX_CONNECTIONS + 50)
    assert sorted(answered.ids) == list(range(MAX_CONNECTIONS + 50))
    assert asker.num_errors == 0


def test_errors_and_hang_ups_are_counted_and_end_their_queries() -> None:
    answers: list[Any] = [status(503), None, ok(b"{}")]
    with asking(lambda number, body: answers[number % 3]) as (asker, answered):
        for number in range(9):
            asker.issue([Sample(number, 0)])
            answered.wait_for(number + 1)
    assert sorted(answered.ids) == list(range(9))
    assert asker.num_errors == 6


def test_both_generators_see_the_delay_of_a_server() -> None:
    pytest.importorskip("mlperf_loadgen")
    server: Any = AnswerServer(lambda number, body: ok(b"{}"), lambda number: 0.02)
    try:
        service = Service("a server", "", server, "", lambda text, fields: {"text": text}, lambda answer: [])
        texts = [str(number) for number in range(5)]
        theirs, arrivals = loadgen_probe(service, texts, 1, 100.0, 1.0, 1)
        ours = replay(service, texts, 1, 100.0, arrivals)
    finally:
        server.close()
    assert len(arrivals) == 100
    for seen in (ours, theirs):
        assert seen.num_errors == 0
        assert 20.0 <= seen.p50_ms < 40.0
        assert seen.answered_rate == pytest.approx(theirs.answered_rate, rel=0.05)
