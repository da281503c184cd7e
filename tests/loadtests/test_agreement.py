from __future__ import annotations

from collections import Counter

import pytest

from loadtests.agreement import Agreement
from loadtests.client import CANCELLED, NO_ANSWER, OK, Outcome


def outcomes(**codes: int) -> list[Outcome]:
    statuses = {CANCELLED: None, NO_ANSWER: None, OK: 200, "overloaded": 429, "not_ready": 503, "http_502": 502}
    return [Outcome(0.0, 0.0, 0.1, code, statuses[code]) for code, count in codes.items() for _ in range(count)]


@pytest.mark.parametrize(
    ("clients", "server"),
    [
        (outcomes(ok=7, overloaded=2), {"ok": 7, "overloaded": 2}),
        (outcomes(ok=7, cancelled_by_client=3), {"ok": 8, "cancelled": 2}),
        (outcomes(ok=7, cancelled_by_client=3), {"ok": 7}),
        (outcomes(ok=7, no_answer=1, http_502=1), {"ok": 8}),
        (outcomes(ok=7, not_ready=2), {"ok": 7}),
    ],
    ids=["equal", "cancelled in time or too late", "cancelled before it arrived", "lost", "refused by the proxy"],
)
def test_counts_that_can_both_be_right_agree(clients: list[Outcome], server: dict[str, int]) -> None:
    assert Agreement.of(clients, Counter(server)).faults() == []


@pytest.mark.parametrize(
    ("clients", "server"),
    [
        (outcomes(ok=7), {"ok": 6}),
        (outcomes(ok=7), {"ok": 8}),
        (outcomes(ok=7, cancelled_by_client=1), {"ok": 8, "cancelled": 1}),
        (outcomes(ok=6, overloaded=1), {"ok": 7}),
    ],
    ids=["one is missing", "one too many", "counted twice", "another code"],
)
def test_counts_that_cannot_both_be_right_are_found(clients: list[Outcome], server: dict[str, int]) -> None:
    assert Agreement.of(clients, Counter(server)).faults()
