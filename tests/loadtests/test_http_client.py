from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import numpy as np
import pytest

from loadtests.peers.http_client import ask_all, closed_loop, open_loop, request_bytes
from loadtests.peers.http_connection import NO_ANSWER, TIMEOUT, LoadError
from loadtests.server import free_port
from tests.loadtests.answer_server import AnswerServer, chunked, ok, status

Start = Callable[..., AnswerServer]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts answer servers; they are closed in the end."""
    with ExitStack() as stack:

        def begin(
            answer: Callable[[int, bytes], bytes | None] = lambda number, body: ok(b"{}"),
            delay_s: Callable[[int], float] = lambda number: 0.0,
        ) -> AnswerServer:
            server = AnswerServer(answer, delay_s)
            stack.callback(server.close)
            return server

        yield begin


def test_a_closed_loop_keeps_its_connections_busy_and_counts_only_its_window(start: Start) -> None:
    server = start(delay_s=lambda number: 0.02)
    load = closed_loop(server.url, [request_bytes(server.url, {"text": "é"})], 4, 0.4, warm_s=0.1).checked("four")

    assert server.num_connections == 4
    assert load.num_answered < server.num_requests  # those of the warming and after the end are not counted
    assert load.rate == pytest.approx(4 / 0.02, rel=0.3)
    assert load.percentile_ms(50) >= 20
    assert load.percentile_ms(0) <= load.percentile_ms(97)


def test_anything_but_200_fails_a_run(start: Start) -> None:
    server = start(lambda number, body: status(503) if number % 5 == 4 else ok(b""))
    load = closed_loop(server.url, [request_bytes(server.url, {})], 1, 0.2)

    assert load.errors["http_503"] > 0
    with pytest.raises(LoadError, match="http_503"):
        load.checked("a row")


def test_a_server_that_hangs_up_is_an_error_and_the_loop_goes_on(start: Start) -> None:
    server = start(lambda number, body: None if number == 1 else ok(b""))
    load = closed_loop(server.url, [request_bytes(server.url, {})], 1, 0.2)
    assert load.errors == {NO_ANSWER: 1}
    assert load.num_answered > 1


def test_a_connection_that_the_server_means_to_close_is_not_used_again(start: Start) -> None:
    server = start(lambda number, body: ok(b"", b"connection: close\r\n"))
    closed_loop(server.url, [request_bytes(server.url, {})], 1, 0.1).checked("a row")
    assert server.num_connections >= server.num_requests > 1


def test_an_answer_that_never_comes_is_a_timeout(start: Start) -> None:
    server = start(delay_s=lambda number: 60.0)
    load = closed_loop(server.url, [request_bytes(server.url, {})], 2, 0.1, timeout_s=0.1)
    assert load.errors == {TIMEOUT: 2}


def test_a_server_that_is_not_there_is_told() -> None:
    url = f"http://127.0.0.1:{free_port()}/translate"
    with pytest.raises(LoadError, match="no connection to"):
        closed_loop(url, [request_bytes(url, {})], 1, 0.1)


def test_an_open_loop_counts_latency_from_the_moment_due(start: Start) -> None:
    """One connection, 20 ms an answer, requests due every 10 ms: each waits 10 ms longer than the one before."""
    server = start(delay_s=lambda number: 0.02)
    due_s = [0.01 * i for i in range(20)]
    requests = [request_bytes(server.url, {})] * len(due_s)

    queued = open_loop(server.url, requests, due_s, max_connections=1).checked("queued")
    assert server.num_connections == 1
    assert queued.latencies_s[-1] - queued.latencies_s[0] >= 0.9 * 19 * 0.01
    assert queued.percentile_ms(0) >= 20

    parallel = open_loop(server.url, requests, due_s).checked("parallel")
    assert parallel.percentile_ms(50) < queued.percentile_ms(50)
    assert parallel.num_requests == parallel.num_answered == 20


def test_an_open_loop_sends_at_the_plans_rate(start: Start) -> None:
    server = start()
    due_s = np.cumsum(np.random.default_rng(1).exponential(1 / 1000, 500)).tolist()
    load = open_loop(server.url, [request_bytes(server.url, {})] * 500, due_s).checked("a row")
    assert due_s[-1] <= load.seconds < due_s[-1] + 2.0  # a busy machine may stop for a second


def test_an_open_loop_that_is_hopeless_stops_sending_and_waits_for_what_it_sent(start: Start) -> None:
    server = start(delay_s=lambda number: 0.05)
    due_s = [0.01 * i for i in range(1000)]
    requests = [request_bytes(server.url, {})] * len(due_s)
    load = open_loop(server.url, requests, due_s, is_hopeless=lambda latency_s: latency_s > 0.01)
    assert 0 < load.num_answered == load.num_requests < 500  # some ten, but a busy machine may stop for seconds
    assert load.seconds < 5.0
    assert not load.errors


def test_an_open_loop_gives_up_after_its_timeout(start: Start) -> None:
    server = start(delay_s=lambda number: 60.0 if number == 3 else 0.0)
    requests = [request_bytes(server.url, {})] * 5
    load = open_loop(server.url, requests, [0.01 * i for i in range(5)], timeout_s=2.0)
    assert load.errors == {TIMEOUT: 1}
    assert load.num_answered == 4


def test_answers_come_back_in_the_order_of_their_requests(start: Start) -> None:
    server = start(lambda number, body: (chunked if number % 2 else ok)(body), lambda number: 0.01 * (number % 3))
    requests = [request_bytes(server.url, {"text": str(number)}) for number in range(20)]
    assert ask_all(server.url, requests, 4) == [b'{"text": "%d"}' % number for number in range(20)]


def test_answers_that_are_no_200_are_told_with_their_body(start: Start) -> None:
    server = start(lambda number, body: b"HTTP/1.1 422 X\r\ncontent-length: 4\r\n\r\nwhy?")
    with pytest.raises(LoadError, match=r"request \d got http_422: b'why\?'"):
        ask_all(server.url, [request_bytes(server.url, {})] * 3)
