"""A browser for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.service.web.browser import Browser, opened


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with opened(tmp_path_factory.mktemp("profile")) as browser:
        yield browser
