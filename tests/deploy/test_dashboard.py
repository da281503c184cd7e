from __future__ import annotations

import itertools
import string
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from service.observability.labels import ROUTES, known_code
from service.observability.table import TABLE
from tests.deploy.promql import (
    ROOT,
    alerts,
    dashboard,
    grouping_labels,
    matchers,
    panels,
    queries,
    series_names,
    shown_labels,
    texts,
)

SERIES = {name for spec in TABLE for name in spec.series}
LABELS = {name: {*spec.labels, *(["le"] if name.endswith("_bucket") else [])} for spec in TABLE for name in spec.series}
OF_PROMETHEUS = {"job", "instance"}
"""Labels that Prometheus adds to everything that it scrapes."""
GRAFANA = ROOT / "deploy/grafana/provisioning"


def overlaps(first: dict[str, int], second: dict[str, int]) -> bool:
    beside = first["x"] + first["w"] <= second["x"] or second["x"] + second["w"] <= first["x"]
    above = first["y"] + first["h"] <= second["y"] or second["y"] + second["h"] <= first["y"]
    return not (beside or above)


@pytest.mark.parametrize(("where", "expression"), queries().items())
def test_every_series_that_is_shown_or_alerted_on_is_in_the_table(where: str, expression: str) -> None:
    unknown = series_names(expression) - SERIES
    assert not unknown, where


@pytest.mark.parametrize(("where", "expression"), queries().items())
def test_every_label_and_value_that_is_asked_for_is_exported(where: str, expression: str) -> None:
    exported = OF_PROMETHEUS | {label for name in series_names(expression) for label in LABELS[name]}
    assert grouping_labels(expression) <= exported, where
    for name, label, values in matchers(expression):
        assert label in OF_PROMETHEUS | LABELS.get(name, set()), (where, name)
        if label == "code":
            assert [known_code(value) for value in values.split("|")] == values.split("|")
        if label == "route":
            assert values in ROUTES


@pytest.mark.parametrize(("where", "expression", "text"), [(where, *found) for where, found in texts().items()])
def test_legends_and_annotations_fill_in_labels_that_the_expression_has(where: str, expression: str, text: str) -> None:
    exported = OF_PROMETHEUS | {label for name in series_names(expression) for label in LABELS[name]}
    kept = grouping_labels(expression) if "by (" in expression else exported
    assert shown_labels(text) <= kept, where


def test_every_metric_is_on_the_dashboard() -> None:
    shown = {name for where, expression in queries().items() if "panel" in where for name in series_names(expression)}
    assert not [spec.name for spec in TABLE if shown.isdisjoint(spec.series)]


def test_panels_have_their_own_ids_titles_and_places() -> None:
    every = dashboard()["panels"]
    assert len({panel["id"] for panel in every}) == len(every)
    assert all(panel["title"] for panel in every)
    assert all(panel["gridPos"]["x"] + panel["gridPos"]["w"] <= 24 for panel in every)
    places = [panel["gridPos"] for panel in every]
    assert not [pair for pair in itertools.combinations(places, 2) if overlaps(*pair)]


@pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel["title"])
def test_every_panel_is_described_and_has_a_unit_and_queries(panel: dict[str, Any]) -> None:
    assert panel["description"].endswith(".")
    assert panel["fieldConfig"]["defaults"]["unit"]
    assert [target["refId"] for target in panel["targets"]] == list(string.ascii_uppercase[: len(panel["targets"])])


def test_the_dashboard_reads_the_datasource_that_is_provisioned() -> None:
    (source,) = yaml.safe_load((GRAFANA / "datasources/prometheus.yaml").read_text())["datasources"]

    def uids(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            if "datasource" in node:
                yield node["datasource"]["uid"]
            node = list(node.values())
        if isinstance(node, list):
            yield from itertools.chain.from_iterable(map(uids, node))

    assert set(uids(dashboard())) == {source["uid"]}


def test_grafana_looks_for_dashboards_where_compose_mounts_them() -> None:
    (provider,) = yaml.safe_load((GRAFANA / "dashboards/attendant.yaml").read_text())["providers"]
    grafana = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]["grafana"]
    mounts = dict(volume.split(":")[:2] for volume in grafana["volumes"])

    assert mounts["./deploy/grafana/dashboards"] == provider["options"]["path"]
    assert mounts["./deploy/grafana/provisioning"] == "/etc/grafana/provisioning"
    assert grafana["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"].startswith(provider["options"]["path"])


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_every_alert_says_what_is_wrong_and_where_its_runbook_is(rule: dict[str, Any]) -> None:
    page, _, anchor = rule["annotations"]["runbook"].partition("#")
    headings = [line.lstrip("# ") for line in (ROOT / page).read_text().splitlines() if line.startswith("#")]

    assert rule["labels"]["severity"] in {"warning", "critical"}
    assert rule["annotations"]["summary"]
    assert rule["annotations"]["description"].endswith(".")
    assert anchor == rule["alert"].lower()
    assert rule["alert"] in headings
