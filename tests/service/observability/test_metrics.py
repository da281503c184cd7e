from __future__ import annotations

from collections.abc import Iterator

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.messages import FinishReason, Timings
from service.observability.engine_metrics import EngineMetrics
from service.observability.labels import WITHDRAWAL_REASONS
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.observability.table import TABLE

MODEL = "en-fr-tiny@1"


@pytest.fixture
def metrics(monkeypatch: pytest.MonkeyPatch) -> Metrics:
    """The metrics of a process that is alone."""
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    return Metrics(SeriesTable())


@pytest.fixture
def engine(metrics: Metrics) -> Iterator[EngineMetrics]:
    return metrics.engine_observer(MODEL)


def shown(metrics: Metrics) -> dict[str, float]:
    families = text_string_to_metric_families(metrics.exposition()[0].decode())
    samples = [sample for family in families for sample in family.samples]
    return {s.name + "".join(f" {k}={v}" for k, v in sorted(s.labels.items())): s.value for s in samples}


def test_requests_are_counted_by_route_model_and_code(metrics: Metrics, engine: EngineMetrics) -> None:
    for code in ("ok", "ok", "overloaded"):
        metrics.request_started()
        metrics.request_finished("/v1/translate", MODEL, code, 0.02)

    seen = shown(metrics)

    assert seen[f"attendant_requests_total code=ok model={MODEL} route=/v1/translate"] == 2
    assert seen[f"attendant_requests_total code=overloaded model={MODEL} route=/v1/translate"] == 1
    assert seen[f"attendant_request_seconds_count model={MODEL} outcome=ok route=/v1/translate"] == 2
    assert seen[f"attendant_request_seconds_count model={MODEL} outcome=error route=/v1/translate"] == 1
    assert seen["attendant_requests_in_flight"] == 0


def test_a_request_under_way_is_in_flight(metrics: Metrics) -> None:
    metrics.request_started()
    assert shown(metrics)["attendant_requests_in_flight"] == 1


def test_names_that_clients_make_up_are_counted_together(metrics: Metrics) -> None:
    for junk in ("a", "b", "c"):
        metrics.request_started()
        metrics.request_finished(f"/{junk}", junk, junk, 0.001)

    assert shown(metrics)["attendant_requests_total code=other model=other route=other"] == 3


def test_padding_is_told_from_tokens(metrics: Metrics, engine: EngineMetrics) -> None:
    engine.encoded(num_segments=2, num_tokens=9, num_padded_tokens=12, seconds=0.001)
    engine.stepped(num_steps=1, num_rows=8, num_tokens=30, num_padded_tokens=40, seconds=0.002)
    engine.stepped(num_steps=1, num_rows=8, num_tokens=30, num_padded_tokens=40, seconds=0.002)

    seen = shown(metrics)

    assert seen[f"attendant_computed_tokens_total content=padding model={MODEL} phase=encode"] == 3
    assert seen[f"attendant_computed_tokens_total content=padding model={MODEL} phase=step"] == 20
    assert seen[f"attendant_computed_tokens_total content=token model={MODEL} phase=step"] == 60
    assert seen[f"attendant_step_rows_sum model={MODEL}"] == 16


def test_segments_are_counted_by_how_they_ended(metrics: Metrics, engine: EngineMetrics) -> None:
    engine.finished(FinishReason.EOS, Timings(0.5, 0.25, 0.25), num_source_tokens=5, num_target_tokens=6)
    engine.finished(FinishReason.LENGTH, Timings(0.0, 0.0, 0.0), num_source_tokens=7, num_target_tokens=8)
    engine.dropped("deadline_exceeded")

    seen = shown(metrics)

    assert seen[f"attendant_segments_total model={MODEL} reason=eos"] == 1
    assert seen[f"attendant_segments_total model={MODEL} reason=length"] == 1
    assert seen[f"attendant_segments_dropped_total code=deadline_exceeded model={MODEL}"] == 1
    assert seen[f"attendant_source_tokens_total model={MODEL}"] == 12
    assert seen[f"attendant_target_tokens_total model={MODEL}"] == 14
    assert seen[f"attendant_segment_seconds_sum model={MODEL}"] == 1.0
    assert seen[f"attendant_queue_seconds_sum model={MODEL}"] == 0.5


def test_depths_are_those_told_last(metrics: Metrics, engine: EngineMetrics) -> None:
    for queued, rows in ((9, 9), (9, 9), (4, 16)):
        engine.depth(queued, rows)

    assert shown(metrics)[f"attendant_queue_depth_segments model={MODEL}"] == 4
    assert shown(metrics)[f"attendant_running_rows model={MODEL}"] == 16


def test_texts_and_their_characters_are_counted(metrics: Metrics, engine: EngineMetrics) -> None:
    metrics.translated(MODEL, num_texts=3, num_source_characters=120)

    assert shown(metrics)[f"attendant_texts_total model={MODEL}"] == 3
    assert shown(metrics)[f"attendant_source_characters_total model={MODEL}"] == 120


def test_a_replica_says_that_it_lives_and_when_it_is_ready(metrics: Metrics) -> None:
    metrics.process_started()
    assert (shown(metrics)["attendant_replicas"], shown(metrics)["attendant_replicas_ready"]) == (1, 0)
    metrics.ready(True)
    assert shown(metrics)["attendant_replicas_ready"] == 1
    assert shown(metrics)["attendant_newest_replica_start_time_seconds"] > 0


def test_a_replica_s_start_is_counted_before_it_lives(metrics: Metrics) -> None:
    metrics.replica_started()
    assert shown(metrics)["attendant_replica_starts_total"] == 1
    assert "attendant_replicas" not in shown(metrics)


def test_a_canary_s_counts_are_there_before_it_is_withdrawn(metrics: Metrics) -> None:
    counts = {reason: f"attendant_canary_withdrawn_total model=m@2 reason={reason}" for reason in WITHDRAWAL_REASONS}
    metrics.canaries_offered(["m@2"])
    assert {name: shown(metrics)[name] for name in counts.values()} == dict.fromkeys(counts.values(), 0)
    metrics.canary_withdrawn("m@2", "errors")
    metrics.canaries_offered(["m@2"])
    assert [shown(metrics)[counts[reason]] for reason in ("errors", "confidence", "latency")] == [1, 0, 0]


def test_a_stalled_engine_is_shown(metrics: Metrics, engine: EngineMetrics) -> None:
    metrics.engine_stalled(MODEL, 9.5)
    assert shown(metrics)[f"attendant_engine_stalled_seconds model={MODEL}"] == 9.5


def test_the_same_engine_is_observed_once(metrics: Metrics, engine: EngineMetrics) -> None:
    assert metrics.engine_observer(MODEL) is engine


def test_what_is_shown_is_exactly_the_table(metrics: Metrics, engine: EngineMetrics) -> None:
    families = {family.name for family in text_string_to_metric_families(metrics.exposition()[0].decode())}
    assert families == {spec.family for spec in TABLE}


def test_the_content_type_is_prometheus_text(metrics: Metrics) -> None:
    assert metrics.exposition()[1].startswith("text/plain; version=0.0.4")
