"""What `attendant serve` tells while it starts; tests/service/deployments starts real servers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from service import app
from service.commands import serve
from service.settings import Settings


class Patience:
    """A `threading.Timer` whose time is up when a test says so."""

    last: Patience

    def __init__(self, interval: float, function: Callable[..., object], args: Any, kwargs: Any) -> None:
        self._call, self._is_over = lambda: function(*args, **kwargs), True
        self.interval = interval
        Patience.last = self

    def start(self) -> None:
        self._is_over = False

    def cancel(self) -> None:
        self._is_over = True

    def pass_by(self) -> None:
        """The interval has passed."""
        if not self._is_over:
            self._call()


@pytest.mark.parametrize("is_slow", [True, False])
def test_only_a_slow_start_is_explained(monkeypatch: pytest.MonkeyPatch, is_slow: bool) -> None:
    def start_and_stop(settings: Settings, ready: Callable[[str], None]) -> None:
        if is_slow:
            Patience.last.pass_by()
        ready("http://127.0.0.1:8000")
        Patience.last.pass_by()

    monkeypatch.setattr(serve.threading, "Timer", Patience)
    monkeypatch.setattr(app, "serve_until_told", start_and_stop)
    result = CliRunner().invoke(serve.serve)
    assert result.exit_code == 0
    assert Patience.last.interval == serve.SLOW_START_S
    assert result.stderr.count("unless `attendant prepare` has") == is_slow
    assert result.stderr.index("Starting ...") < result.stderr.index("Ready after") < result.stderr.index("Stopped.")


@pytest.mark.parametrize("has_keys", [True, False])
def test_the_line_to_try_sends_a_key_where_the_server_asks_for_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, has_keys: bool
) -> None:
    monkeypatch.setattr(app, "serve_until_told", lambda _, ready: ready("http://127.0.0.1:8000"))
    (tmp_path / "keys.toml").touch()
    environment = {"ATTENDANT_KEYS_FILE": str(tmp_path / "keys.toml")} if has_keys else {}
    result = CliRunner().invoke(serve.serve, env=environment)
    assert ("'authorization: Bearer KEY'" in result.stderr) is has_keys
