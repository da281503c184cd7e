"""What holds for every test."""

from __future__ import annotations

import pytest
from hypothesis import settings

# A busy machine is no fault of the code: pytest's own time limit ends what hangs.
settings.register_profile("attendant", deadline=None)
settings.load_profile("attendant")


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the marks in the same hook
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Say which tests one process of pytest-xdist runs: those of one tiny network, which is trained once, and those of
    one file, which share what the file's fixtures start.
    """
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        group = "-".join(map(str, params["exported"])) if "exported" in params else item.location[0]
        item.add_marker(pytest.mark.xdist_group(group))
