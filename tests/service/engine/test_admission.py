"""When refused requests are told to come back."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.admission import MAX_RETRY_AFTER_S, SPACING, Appointments


def told(appointments: Appointments, now: float, wait_s: float, own_s: float, most_s: float = 1.0) -> float:
    """Seconds until a refused request shall come back."""
    refusal = appointments.refusal(now, wait_s, most_s, own_s)
    assert str(refusal).startswith("the wait would be ")
    assert refusal.retry_after_s is not None
    return refusal.retry_after_s


def test_a_long_wait_is_told_when_it_will_be_short() -> None:
    appointments = Appointments()
    assert told(appointments, 5.0, 3.0, 0.1) == pytest.approx(2.0)


def test_a_crowd_is_told_to_come_back_one_after_the_other() -> None:
    appointments = Appointments()
    times = [told(appointments, 0.0, 3.0, 0.5) for _ in range(4)]
    assert times == pytest.approx([2.0 + i * 0.5 * SPACING for i in range(4)])


def test_appointments_that_have_passed_delay_nobody() -> None:
    appointments = Appointments()
    for _ in range(4):
        told(appointments, 0.0, 3.0, 0.5)
    assert told(appointments, 10.0, 1.5, 0.5) == pytest.approx(0.5)


@given(st.lists(st.tuples(st.floats(0, 2), st.floats(1.01, 20), st.floats(0, 5)), min_size=1, max_size=50))
def test_nobody_is_sent_away_for_long_nor_told_to_come_before_the_last_one(
    asked: list[tuple[float, float, float]],
) -> None:
    appointments, now, moments = Appointments(), 0.0, []
    for pause, wait_s, own_s in asked:
        now += pause
        after = told(appointments, now, wait_s, own_s)
        assert 0 < after <= MAX_RETRY_AFTER_S + 1e-9
        moments.append((now + after, after))
    for (earlier, _), (later, after) in itertools.pairwise(moments):
        assert later >= earlier - 1e-9 or after == pytest.approx(MAX_RETRY_AFTER_S)
