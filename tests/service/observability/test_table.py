from __future__ import annotations

import pytest

from service.observability.table import TABLE, MetricSpec

UNITS = (
    "_seconds",
    "_total",
    "_rows",
    "_segments",
    "_info",
    "_in_flight",
    "_replicas",
    "_processes",
    "_ready",
    "_ratio",
    "_nats",
)
PERSONAL = {"text", "request_id", "client", "path", "pid", "user"}


@pytest.mark.parametrize("spec", TABLE, ids=lambda spec: spec.name)
class TestEveryMetric:
    def test_is_named_for_the_project_and_ends_in_its_unit(self, spec: MetricSpec) -> None:
        assert spec.name.startswith("attendant_")
        assert spec.name.endswith(UNITS)

    def test_has_the_suffix_of_its_kind(self, spec: MetricSpec) -> None:
        assert spec.name.endswith("_total") == (spec.kind == "counter")

    def test_is_explained_in_a_sentence(self, spec: MetricSpec) -> None:
        assert spec.help[0].isupper()
        assert spec.help.endswith(".")

    def test_has_buckets_and_a_way_to_merge_where_its_kind_needs_them(self, spec: MetricSpec) -> None:
        assert bool(spec.buckets) == (spec.kind == "histogram")
        assert (spec.merge is not None) == (spec.kind == "gauge")

    def test_has_ascending_buckets_that_start_at_a_millisecond_for_times(self, spec: MetricSpec) -> None:
        assert list(spec.buckets) == sorted(set(spec.buckets))
        if spec.kind == "histogram" and spec.name.endswith("_seconds"):
            assert spec.buckets[0] == 0.001

    def test_has_no_label_that_a_client_can_make_grow(self, spec: MetricSpec) -> None:
        assert PERSONAL.isdisjoint(spec.labels)


def test_no_name_appears_twice() -> None:
    series = [name for spec in TABLE for name in spec.series]
    assert len(series) == len(set(series))
