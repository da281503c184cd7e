"""A request that the proxy had sent to another replica before is told from one that comes straight."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.api.resent import REMEMBERED_S, RESENT_S, Resent


class Clock:
    """Set by hand."""

    def __init__(self, now: float = 1_700_000_000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def sent(at: float, proxy: str = "first") -> bytes:
    """The header of a request that a proxy had at that time of its own clock."""
    return f"{round(at * 1000)} {proxy}".encode()


def test_a_request_that_was_with_another_replica_is_told_by_its_age() -> None:
    clock = Clock()
    resent = Resent(clock)
    assert not resent(sent(clock.now - 0.004))
    assert not resent(sent(clock.now - 0.9))
    assert resent(sent(clock.now - 3.0))
    assert not resent(sent(clock.now - 0.004))


@given(st.floats(-1e5, 1e5), st.floats(-1e5, 1e5))
def test_clocks_of_proxies_may_be_wrong(first: float, second: float) -> None:
    clock = Clock()
    resent = Resent(clock)
    for _ in range(3):
        clock.now += 10.0
        assert not resent(sent(clock.now + first - 0.01, "first"))
        assert not resent(sent(clock.now + second - 0.01, "second"))
        assert resent(sent(clock.now + first - 0.01 - 1.5 * RESENT_S, "first"))
        assert resent(sent(clock.now + second - 0.01 - 1.5 * RESENT_S, "second"))


def test_a_clock_that_is_set_is_wrong_for_two_minutes_at_most() -> None:
    clock = Clock()
    resent = Resent(clock)
    assert not resent(sent(clock.now))
    clock.now += 1.0
    assert resent(sent(clock.now - 50.0))  # the proxy's clock was set back
    for _ in range(3):
        clock.now += REMEMBERED_S
        last = resent(sent(clock.now - 50.0))
    assert not last
    clock.now -= 1e6  # and this machine's
    assert not resent(sent(clock.now - 50.0))


@pytest.mark.parametrize("header", [b"", b" ", b"x y", b"-5 a", b"1.5 a", b"\xff\xb2 a", "²".encode("latin-1") + b" a"])
def test_what_no_proxy_writes_says_nothing(header: bytes) -> None:
    assert not Resent()(header)
