"""How long a scrape of /metrics takes beside 16 replicas on one machine, each with every metric of five models.

The replicas are processes that have counted and live on; what is timed is what answers the scrape: reading their files,
adding up, writing the text.
"""

from __future__ import annotations

import itertools
import multiprocessing
import statistics
import tempfile
import time
from multiprocessing.synchronize import Event
from pathlib import Path

from loadtests.measure.setting import machine, show
from model_store.contract.store import EMBEDDED_STORE, Store
from service.observability.exposition import exposed_node
from service.observability.series import SeriesTable
from service.observability.table import TABLE, MetricSpec

NUM_REPLICAS = 16
NUM_ROUNDS = 20
VALUES = {"route": 4, "code": 4}
"""Values of labels beside the model; others have two."""
BAR_MS = 100


def label_values(spec: MetricSpec, models: list[str]) -> list[tuple[str, ...]]:
    """The label values that a busy replica has for a metric."""
    sides = [
        models if label in ("model", "shadow") else [f"{label}{i}" for i in range(VALUES.get(label, 2))]
        for label in spec.labels
    ]
    return list(itertools.product(*sides))[: 8 * len(models)]


def count(directory: Path, models: list[str], ready: Event, end: Event) -> None:
    """One replica: it counts something everywhere, and lives until it is told to end."""
    table = SeriesTable(directory)
    for spec in TABLE:
        for values in label_values(spec, models):
            series = table.series(spec, *values)
            if spec.kind == "histogram":
                series.observe(0.1)
            else:
                series.add()
    ready.set()
    end.wait()


def main() -> None:
    """Print the table."""
    models = [bundle.manifest.reference for bundle in Store(EMBEDDED_STORE).open_all()]
    context = multiprocessing.get_context("spawn")
    end = context.Event()
    with tempfile.TemporaryDirectory() as name:
        marks = [context.Event() for _ in range(NUM_REPLICAS)]
        replicas = [context.Process(target=count, args=(Path(name), models, mark, end)) for mark in marks]
        for replica in replicas:
            replica.start()
        for mark in marks:
            mark.wait()
        seconds = []
        for _ in range(NUM_ROUNDS):
            started = time.perf_counter()
            body, _ = exposed_node(Path(name))
            seconds.append(time.perf_counter() - started)
        end.set()
        for replica in replicas:
            replica.join()
    num_lines = sum(not line.startswith(b"#") for line in body.splitlines())
    row = NUM_REPLICAS, len(models), num_lines, f"{statistics.median(seconds) * 1e3:.0f}", f"{max(seconds) * 1e3:.0f}"
    header = ["replicas", "models", "lines", "ms, median", f"ms, slowest (bar: {BAR_MS})"]
    show(f"A scrape, {machine()}", header, [row])


if __name__ == "__main__":
    main()
