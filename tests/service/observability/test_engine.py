"""A real engine, observed."""

from __future__ import annotations

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.engine.engine import Engine
from service.engine.observer import EngineObserver
from service.messages import SearchOptions, Segment, SegmentResult
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.runtime.scripted import ScriptedRuntime

MODEL = "en-fr-tiny@1"


def test_the_sums_of_an_engines_metrics_are_those_of_what_it_delivered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    metrics = Metrics(SeriesTable())
    observer: EngineObserver = metrics.engine_observer(MODEL)
    engine = Engine(ScriptedRuntime(), observer=observer)
    sources = [(5, 6, 7), (8, 9), tuple(range(4, 20)), (11,)]
    beams = [1, 4, 2, 1]
    segments = [Segment(s, SearchOptions(beam_size=k)) for s, k in zip(sources, beams, strict=True)]
    delivered: dict[int, object] = {}
    jobs = engine.submit(segments, lambda i, outcome: delivered.setdefault(i, outcome) and None)
    engine.cancel(jobs[3:])
    ticks = 1
    while engine.tick():
        ticks += 1

    families = text_string_to_metric_families(metrics.exposition()[0].decode())
    seen = {s.name: 0.0 for f in families for s in f.samples}
    families = text_string_to_metric_families(metrics.exposition()[0].decode())
    for sample in (s for f in families for s in f.samples):
        seen[sample.name] += sample.value
    results = [outcome for outcome in delivered.values() if isinstance(outcome, SegmentResult)]

    assert seen["attendant_segments_total"] == len(results) == 3
    assert seen["attendant_segments_dropped_total"] == 1
    assert seen["attendant_source_tokens_total"] == sum(len(s) + 1 for s in sources[:3])
    assert seen["attendant_target_tokens_total"] == sum(len(r.hypotheses[0].token_log_probs) for r in results)
    assert seen["attendant_step_seconds_count"] >= ticks, "each beam size steps by itself"
    assert (seen["attendant_queue_depth_segments"], seen["attendant_running_rows"]) == (0, 0)
