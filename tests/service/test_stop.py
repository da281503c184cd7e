"""Signals, as `attendant serve` and `attendant node` take them."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator

import pytest

from service.stop import Stop


@pytest.fixture
def stop() -> Iterator[Stop]:
    """One that listens; the handlers of before are put back."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    found = Stop()
    found.listen()
    yield found
    for number, handler in before.items():
        signal.signal(number, handler)


def ends_at_once(stop: Stop) -> bool:
    """Whether `wait` returns though nobody sends anything any more."""
    waiting = threading.Thread(target=stop.wait, daemon=True)
    waiting.start()
    waiting.join(5.0)
    return not waiting.is_alive()


def test_a_signal_before_anything_runs_ends_it_there_and_then(stop: Stop) -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGTERM)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_signal_is_not_lost_when_python_drops_what_it_raised(stop: Stop) -> None:
    class Dropping:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    Dropping()  # gone at once
    assert stop.was_told
    assert ends_at_once(stop)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_ends_waiting_and_the_second_one_raises(stop: Stop, number: signal.Signals) -> None:
    stop.may_drain = True
    assert not stop.was_told
    signal.raise_signal(number)
    assert ends_at_once(stop)
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(number)


def test_waiting_ends_with_its_time(stop: Stop) -> None:
    assert not stop.wait(timeout_s=0.01)
    stop.may_drain = True
    signal.raise_signal(signal.SIGTERM)
    assert stop.wait(timeout_s=0.0)
