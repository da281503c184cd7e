"""Tests that share something expensive run in one process of pytest-xdist."""

from __future__ import annotations

import pytest


def test_the_tests_of_a_file_stay_in_one_process(request: pytest.FixtureRequest) -> None:
    """pytest-xdist writes the group behind the test's id; versions of it and of pytest that do not go together do not,
    and every process makes every fixture."""
    if not getattr(request.config.option, "loadgroup", False):
        pytest.skip("there is one process")
    assert request.node.nodeid.endswith(f"@{request.node.location[0]}")
