from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable
from typing import Any

from loadtests.client import (
    ABANDONED,
    CANCELLED,
    NO_ANSWER,
    OK,
    TIMEOUT,
    WRONG_ANSWER,
    Outcome,
    Target,
    run_plan,
    translations,
)
from loadtests.plan import Arrival
from tests.loadtests.conftest import TRANSLATED, Answer

Serve = Callable[[Answer], str]


def run(url: str, *plan: Arrival, **options: Any) -> list[Outcome]:
    max_duration_s = options.pop("max_duration_s", 30.0)
    return asyncio.run(run_plan(plan, Target(url, **options), max_duration_s=max_duration_s))


def test_a_slow_server_is_asked_again_before_it_has_answered_and_every_wait_counts(serve: Serve) -> None:
    everyone = threading.Barrier(4)  # the server answers nobody before all four have asked

    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        everyone.wait(20)
        return TRANSLATED

    due = (0.0, 0.1, 0.2, 0.3)
    outcomes = run(serve(answer), *(Arrival(due_s, "Hello.") for due_s in due))

    assert [outcome.code for outcome in outcomes] == [OK] * 4
    for outcome in outcomes:
        assert outcome.latency_s >= 0.3 - outcome.due_s


def test_latency_counts_from_the_time_a_request_was_due_not_from_when_it_was_sent(serve: Serve) -> None:
    (outcome,) = run(serve(lambda body: TRANSLATED), Arrival(-2.0, "Hello."))  # the generator is two seconds late

    assert outcome.sent_s >= 0.0
    assert outcome.done_s - outcome.sent_s < outcome.latency_s - 1.9


def test_the_server_is_asked_for_what_the_options_say(serve: Serve) -> None:
    bodies: list[dict[str, Any]] = []

    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        bodies.append(body)
        return TRANSLATED

    run(serve(answer), Arrival(0.0, "Hello."), body={"beam_size": 2, "attention": True})
    assert bodies == [{"text": "Hello.", "beam_size": 2, "attention": True}]


def test_refusals_are_told_by_the_servers_code(serve: Serve) -> None:
    problem = 429, json.dumps({"code": "overloaded"}).encode()
    (outcome,) = run(serve(lambda body: problem), Arrival(0.0, "Hello."))
    assert (outcome.code, outcome.status, outcome.is_answered) == ("overloaded", 429, True)


def test_an_answer_that_is_not_the_services_own_is_told_by_its_status(serve: Serve) -> None:
    (outcome,) = run(serve(lambda body: (503, b"<html>no backend</html>")), Arrival(0.0, "Hello."))
    assert (outcome.code, outcome.is_answered) == ("http_503", False)


def test_a_success_without_its_translation_is_wrong(serve: Serve) -> None:
    (outcome,) = run(serve(lambda body: (200, b'{"translations": []}')), Arrival(0.0, "Hello."))
    assert (outcome.code, outcome.is_answered) == (WRONG_ANSWER, False)


def test_another_translation_than_the_expected_one_is_wrong(serve: Serve) -> None:
    answer = serve(lambda body: (200, json.dumps({"translations": [{"text": body["text"].upper()}]}).encode()))
    plan = [Arrival(0.0, "one"), Arrival(0.0, "two"), Arrival(0.0, "three")]
    outcomes = run(answer, *plan, expected={"one": "ONE", "two": "deux"})
    assert [outcome.code for outcome in outcomes] == [OK, WRONG_ANSWER, OK]
    assert asyncio.run(translations(["one"], Target(answer))) == {"one": "ONE"}


def test_clients_that_go_away_do_and_are_not_failures_of_the_server(serve: Serve) -> None:
    gone = threading.Event()
    url = serve(lambda body: TRANSLATED if gone.wait(20) else (500, b""))

    def progress(outcome: Outcome) -> None:
        gone.set()

    (outcome,) = asyncio.run(run_plan([Arrival(0.0, "Hello.", cancel_after_s=0.05)], Target(url), progress))
    assert outcome.code == CANCELLED
    assert outcome.latency_s < 20


def test_a_client_waits_no_longer_than_its_timeout(serve: Serve) -> None:
    over = threading.Event()
    url = serve(lambda body: TRANSLATED if over.wait(20) else (500, b""))
    target = Target(url, timeout_s=0.05)
    (outcome,) = asyncio.run(run_plan([Arrival(0.0, "Hello.")], target, lambda outcome: over.set()))
    assert outcome.code == TIMEOUT


def test_a_run_ends_when_its_time_is_over(serve: Serve) -> None:
    plan = [Arrival(0.0, "Hello."), Arrival(3600.0, "Too late.")]
    outcomes = asyncio.run(run_plan(plan, Target(serve(lambda body: TRANSLATED)), max_duration_s=1.0))
    assert [outcome.code for outcome in outcomes] == [OK, ABANDONED]


def test_a_server_that_is_not_there_is_no_answer() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, not listening: connections are refused
        (outcome,) = run(f"http://127.0.0.1:{held.getsockname()[1]}", Arrival(0.0, "Hello."))
    assert (outcome.code, outcome.detail, outcome.status) == (NO_ANSWER, "ClientConnectorError", None)
