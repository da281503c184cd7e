"""Ours and the peer in turn."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from loadtests.peers.alternate import Row, alternate


def row(bar: str = "", ours: tuple[float, ...] = (2.0, 3.0, 9.0)) -> Row:
    return Row("speed", "tokens/s", list(ours), [1.0, 2.0, 3.0], "higher", bar, {"threads": "1"})


def test_both_sides_take_turns_after_one_warm_call_each() -> None:
    calls: list[str] = []

    def side(name: str) -> float:
        calls.append(name)
        return float(len(calls))

    found = alternate("turns", "calls", lambda: side("ours"), lambda: side("peer"), rounds=5)
    assert calls == ["ours", "peer"] * 6
    assert found.ours == [3, 5, 7, 9, 11]
    assert found.peer == [4, 6, 8, 10, 12]


def test_sides_that_are_warm_already_are_not_called_before() -> None:
    calls: list[int] = []
    alternate("warm", "calls", lambda: calls.append(0) or 1.0, lambda: 1.0, warm=False)
    assert len(calls) == 5


def test_fewer_than_five_rounds_are_refused() -> None:
    with pytest.raises(ValueError, match="ask for 5 or more"):
        alternate("few", "calls", lambda: 1.0, lambda: 1.0, rounds=4)


def test_the_ratio_is_the_median_of_the_rounds_and_not_of_the_numbers() -> None:
    assert row().ratios == [2.0, 1.5, 3.0]
    assert row().ratio == 2.0
    assert row().spread == (1.5, 3.0)


@pytest.mark.parametrize(
    ("bar", "passes"), [(">= 2.0x", True), (">= 2.1x", False), ("<= 2", True), ("<= 1.9x", False), ("", None)]
)
def test_a_row_passes_when_its_median_ratio_meets_the_bar(bar: str, passes: bool | None) -> None:
    assert row(bar).passes is passes


def test_speed_on_other_answers_does_not_pass() -> None:
    assert replace(row(">= 1.4x"), same_answers=True).passes is True
    assert replace(row(">= 1.4x"), same_answers=False).passes is False


def test_a_bar_that_cannot_be_read_is_refused() -> None:
    with pytest.raises(ValueError, match="write it as"):
        row("about twice")


def test_rounds_of_one_side_only_are_refused() -> None:
    with pytest.raises(ValueError, match="2 rounds of ours, 3 of the peer"):
        row(ours=(1.0, 2.0))


def test_a_row_survives_json() -> None:
    assert Row.from_dict(json.loads(json.dumps(row(">= 1.4x").as_dict()))) == row(">= 1.4x")
