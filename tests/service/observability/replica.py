"""Counts as a replica does: reads how many requests to count from stdin and answers `done` after each line."""

from __future__ import annotations

import sys

from service.messages import FinishReason, Timings
from service.observability.metrics import Metrics

MODEL = "en-fr-tiny@1"


def main() -> None:
    metrics = Metrics()
    metrics.process_started()
    engine = metrics.engine_observer(MODEL)
    metrics.ready(True)
    print("ready", flush=True)
    for line in sys.stdin:
        for _ in range(int(line)):
            metrics.request_started()
            engine.depth(3, 4)
            engine.stepped(1, 4, 20, 32, 0.002)
            engine.finished(FinishReason.EOS, Timings(0.001, 0.002, 0.003), 5, 7)
            metrics.request_finished("/v1/translate", MODEL, "ok", 0.01)
        print("done", flush=True)


if __name__ == "__main__":
    main()
