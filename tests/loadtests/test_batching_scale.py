from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

import numpy as np
import pytest

from loadtests.peers.echo import BODY, echo
from loadtests.peers.http_load import Load
from loadtests.peers.memory import Course
from loadtests.peers.process_cost import Memory
from loadtests.peers.proxy_ceiling import Cost
from loadtests.peers.scripted_runtime import FIRST_PIECE, WaitingRuntime
from service.engine.engine import Engine
from service.engine.job import Outcome
from service.messages import SearchOptions, Segment, SegmentResult


def translated(runtime: WaitingRuntime, source: tuple[int, ...]) -> tuple[int, ...]:
    results: list[Outcome] = []
    engine = Engine(runtime)
    engine.submit([Segment(source, SearchOptions(beam_size=1))], lambda _, outcome: results.append(outcome))
    while engine.tick():
        pass
    assert isinstance(results[0], SegmentResult)
    return results[0].hypotheses[0].token_ids


def test_ids_of_a_large_vocabulary_are_folded_and_come_back_reversed() -> None:
    runtime = WaitingRuntime()
    count = runtime.vocabulary_size - FIRST_PIECE
    source = (7999, 5, 120, 4000)
    assert translated(runtime, source) == tuple(FIRST_PIECE + token % count for token in reversed(source))


def test_a_translation_waits_once_for_each_token_and_the_end() -> None:
    waits: list[float] = []
    translated(WaitingRuntime(step_s=0.25, wait=waits.append), (10, 11, 12))
    assert waits == [0.25] * 4


def test_the_echo_reads_its_request_and_answers() -> None:
    messages = [{"type": "http.request", "body": b"a", "more_body": True}, {"type": "http.request", "body": b"b"}]
    sent: list[Any] = []

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(echo({"type": "http"}, receive, send))
    assert not messages
    assert sent[0]["status"] == 200
    assert sent[1]["body"] == BODY


def test_costs_are_told_per_request_and_the_proxy_s_ceiling_is_one_core_of_it() -> None:
    load = Load(1000, 1000, 10.0, np.zeros(1000), Counter(), 0.5)
    cost = Cost(load, proxy_s=0.2, replica_s=2.0, ray_s=0.8, wall_s=20.0, num_requests=2000)
    assert cost.proxy_ceiling == pytest.approx(10_000)
    assert cost.cores == pytest.approx(3.0 / 20 + 0.05)
    assert "proxy 100, replicas 1000, Ray 400, client 500" in str(cost)


def test_growth_is_that_of_the_second_half() -> None:
    course = Course([Memory(rss, rss, rss, 0.0) for rss in (100.0, 180.0, 200.0, 200.5, 201.5)], "")
    assert course.growth == pytest.approx(1.5)
