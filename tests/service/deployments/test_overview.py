"""What `attendant status` says of a machine: its models, labels, withdrawn canaries, and what it refuses."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from service.deployments.overview import releases, shown
from service.observability import table
from service.observability.series import SeriesTable
from service.settings import Settings

LABELS = ("m@stable=1", "m@canary=2")


@pytest.fixture
def counted(tmp_path: Path) -> SeriesTable:
    """Where a replica counts that serves m@1 and m@2, and served old@1 once."""
    (tmp_path / "counts").mkdir()
    series = SeriesTable(tmp_path / "counts")
    for model, serves in (("m@2", 1), ("m@1", 1), ("old@1", 0)):
        series.series(table.MODEL_REPLICAS, model).set(serves)
    series.series(table.CANARY_WITHDRAWN, "m@2", "latency").add(0)
    return series


def told(counted: SeriesTable, settings: Settings) -> dict[str, Any]:
    """`releases` of that machine."""
    assert counted.directory is not None
    return releases(counted.directory, settings)


def test_a_machine_tells_its_models_and_labels(counted: SeriesTable) -> None:
    settings = Settings(labels=LABELS, shadows=("m=other",))
    expected = {"served": {"m@1": 1, "m@2": 1}, "labels": list(LABELS), "shadows": ["m=other"]}
    assert told(counted, settings) == {**expected, "withdrawn": [], "refused": ""}


def test_a_canary_that_has_the_label_no_more_is_not_told(counted: SeriesTable) -> None:
    counted.series(table.CANARY_WITHDRAWN, "m@2", "errors").add()
    withdrawn = [{"model": "m@2", "reason": "errors"}]
    assert told(counted, Settings(labels=LABELS))["withdrawn"] == withdrawn
    assert told(counted, Settings(labels=("m@stable=2",)))["withdrawn"] == []


def test_labels_are_those_of_the_models_file(counted: SeriesTable, tmp_path: Path) -> None:
    file = tmp_path / "models.toml"
    file.write_text('models = "m"\nlabels = "m@stable=2"\n')
    found = told(counted, Settings(labels=LABELS, models_file=file))
    assert (found["labels"], found["refused"]) == (["m@stable=2"], "")


@pytest.mark.parametrize(
    ("text", "refusing", "reason"),
    [
        ("models = 3\n", 1, "cannot be used: models"),
        ('models = "nope"\n', 2, "2 of the replicas cannot serve what "),
    ],
)
def test_a_models_file_without_use_is_told_with_its_reason(
    counted: SeriesTable, tmp_path: Path, text: str, refusing: int, reason: str
) -> None:
    file = tmp_path / "models.toml"
    file.write_text('models = "m"\n')
    settings = Settings(models_file=file)
    file.write_text(text)
    counted.series(table.UNUSABLE_FILE, "models").set(refusing)
    found = told(counted, settings)
    assert reason in found["refused"]
    assert found["served"] == {"m@1": 1, "m@2": 1}


def overview_of(node: Mapping[str, Any]) -> dict[str, Any]:
    """An overview with that machine alone."""
    application = {"status": "running", "message": ""}
    return {"application": application, "models": ["m@1"], "nodes": [{"address": "10.0.0.1", **node}], "replicas": []}


def test_lines_say_what_a_machine_serves_and_what_it_refuses() -> None:
    node = {
        "alive": True,
        "running_rows": 4.0,
        "served": {"m@1": 2, "m@2": 2},
        "labels": list(LABELS),
        "withdrawn": [{"model": "m@2", "reason": "latency"}],
        "refused": "the file is gone",
    }
    assert shown(overview_of(node)).splitlines()[2:] == [
        "node 10.0.0.1: running rows 4",
        "  replicas by model m@1 2, m@2 2",
        "  labels m@stable=1, m@canary=2",
        "  withdrew the canary m@2 for its latency",
        "  refused, so that the models stay as they were: the file is gone",
    ]


@pytest.mark.parametrize(("node", "line"), [({"alive": True}, "no numbers"), ({"alive": False}, "lost")])
def test_a_machine_without_numbers_has_one_line(node: dict[str, bool], line: str) -> None:
    assert shown(overview_of(node)).splitlines()[2:] == [f"node 10.0.0.1: {line}"]
