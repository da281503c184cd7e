"""docs/operations.md and docs/runbook.md say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from service import settings
from service.observability.reference import markdown
from service.observability.table import TABLE

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/operations.md").read_text() + (ROOT / "docs/runbook.md").read_text()


def test_the_table_of_metrics_is_the_code_s_own() -> None:
    held = PAGE.partition("<!-- metrics -->\n")[2].partition("<!-- /metrics -->")[0]
    assert held == markdown(), "run `python -m service.observability.reference` and paste what it prints"


def test_the_table_of_settings_is_the_code_s_own() -> None:
    held = PAGE.partition("<!-- settings -->\n")[2].partition("<!-- /settings -->")[0]
    assert held == settings.markdown(), "run `python -m service.settings` and paste what it prints"


def test_settings_that_the_page_names_exist() -> None:
    variables = {settings.variable(name) for name in settings.Settings.model_fields}
    assert set(re.findall(r"\bATTENDANT_[A-Z_]*[A-Z]\b", PAGE)) <= variables


def test_metrics_that_the_page_names_exist() -> None:
    series = {name for spec in TABLE for name in spec.series} | {spec.name for spec in TABLE}
    assert set(re.findall(r"\battendant_[a-z_]+\b", PAGE)) <= series


def test_files_that_the_page_names_exist() -> None:
    named = re.findall(r"`((?:deploy|tests|docs)/[\w./-]+)`", PAGE)
    assert named
    assert all((ROOT / name).exists() for name in named)
