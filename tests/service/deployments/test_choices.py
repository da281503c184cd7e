"""Settings choose bundles and limits; what cannot be used is said at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from model_store.contract.errors import UnknownBundleError
from service.api.body import RequestLimits
from service.deployments.choices import among, limits_with, open_bundles
from service.engine.limits import EngineLimits
from service.errors import ConfigurationError
from service.settings import Settings


def opened(**values: Any) -> list[str]:
    return [bundle.manifest.reference for bundle in open_bundles(Settings(**values))]


def test_everything_in_the_store_is_served_when_nothing_is_named(store: Path) -> None:
    assert opened(store=store) == ["better@1", "worse@1"]


def test_only_what_is_named_is_served(store: Path) -> None:
    assert opened(store=store, models=("worse@1", "worse@1")) == ["worse@1"]


def test_a_model_that_the_store_lacks_is_an_error(store: Path) -> None:
    with pytest.raises(UnknownBundleError, match="better@1"):
        opened(store=store, models=("best",))


def test_an_empty_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(
        UnknownBundleError, match="holds no bundle; publish one, or name another store with --store or ATTENDANT_STORE"
    ):
        opened(store=tmp_path)


def test_the_smallest_settings_are_limits_that_the_engine_takes() -> None:
    least = Settings(max_batch_rows=16, max_batch_tokens=1024, batch_wait_ms=0, max_queue_segments=1)
    assert among(least, EngineLimits).max_batch_rows == 16
    assert among(Settings(max_texts=3), RequestLimits).max_texts == 3


def test_unnamed_limits_stay_as_they_were() -> None:
    assert limits_with(EngineLimits(max_batch_rows=64), {"batch_wait_ms": 2.5}) == EngineLimits(
        max_batch_rows=64, batch_wait_ms=2.5
    )


@pytest.mark.parametrize(
    ("changes", "names"),
    [
        ({"max_batch_row": 32}, ["max_batch_row"]),
        ({"max_batch_rows": "32", "batch_wait_ms": None, "x": 1}, ["max_batch_rows", "batch_wait_ms", "x"]),
        ({"max_batch_rows": True}, ["max_batch_rows"]),
        ({"max_batch_rows": 1, "max_queue_segments": 0}, ["max_batch_rows", "max_queue_segments"]),
        ({"batch_wait_ms": float("nan")}, ["batch_wait_ms"]),
    ],
)
def test_every_bad_limit_is_told_at_once(changes: dict[str, Any], names: list[str]) -> None:
    with pytest.raises(ConfigurationError) as caught:
        limits_with(EngineLimits(), changes)
    assert sorted(fault.field for fault in caught.value.faults) == sorted(names)
