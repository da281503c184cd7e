"""What `attendant serve` tells while it starts; tests/service/deployments starts real servers."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from click.testing import CliRunner

from service import app
from service.commands import serve
from service.settings import Settings


@pytest.mark.parametrize(("start_s", "told"), [(0.3, 1), (0.0, 0)])
def test_only_a_slow_start_is_explained(monkeypatch: pytest.MonkeyPatch, start_s: float, told: int) -> None:
    def start_and_stop(settings: Settings, ready: Callable[[str], None]) -> None:
        time.sleep(start_s)
        ready("http://127.0.0.1:8000")
        time.sleep(0.3)

    monkeypatch.setattr(serve, "SLOW_START_S", 0.1)
    monkeypatch.setattr(app, "serve_until_told", start_and_stop)
    result = CliRunner().invoke(serve.serve)
    assert result.exit_code == 0
    assert result.stderr.count("unless `attendant prepare` has") == told
    assert result.stderr.index("Starting ...") < result.stderr.index("Ready after") < result.stderr.index("Stopped.")
