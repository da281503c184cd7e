"""Compiled functions without a place for their code."""

from __future__ import annotations

import logging

import pytest

from service.compiled import compiled


def test_where_nothing_can_be_kept_functions_are_compiled_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    scope: dict[str, object] = {}
    exec("def double(x):\n    return 2 * x", scope)  # of no file, so Numba has no place beside it
    with caplog.at_level(logging.WARNING):
        double = compiled()(scope["double"])  # type: ignore[arg-type, var-annotated]
    assert double(21) == 42
    assert "NUMBA_CACHE_DIR" in caplog.text
