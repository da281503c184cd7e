"""Time of a decoding step per row as targets grow: flat when the past is kept, not computed again."""

from __future__ import annotations

import statistics
import time

import numpy as np

from loadtests.measure.setting import setting, show
from model_store.contract.bundle import Bundle
from service.runtime.onnx import OnnxRuntime

LENGTHS = (20, 40, 80, 160)
NUM_ROWS = 16
NUM_SOURCE_TOKENS = 20
NUM_ROUNDS = 7


def seconds_per_token(runtime: OnnxRuntime, length: int) -> float:
    """Mean time of one row's token while `NUM_ROWS` rows grow to `length` tokens."""
    rows = runtime.new_rows()
    rows.append(runtime.encode([list(range(10, 9 + NUM_SOURCE_TOKENS))] * NUM_ROWS))
    tokens = np.full(NUM_ROWS, runtime.begin_id)
    started = time.perf_counter()
    for _ in range(length):
        tokens = rows.step(tokens, False).log_probs[:, 4:].argmax(axis=1) + 4
    return (time.perf_counter() - started) / length / NUM_ROWS


def measure(bundle: Bundle) -> list[float]:
    """Median microseconds per token for each length; the lengths take turns."""
    runtime = OnnxRuntime(bundle)
    rounds = [[seconds_per_token(runtime, length) for length in LENGTHS] for _ in range(NUM_ROUNDS + 1)][1:]
    return [statistics.median(column) * 1e6 for column in zip(*rounds, strict=True)]


def main() -> None:
    """Print the table."""
    rows = []
    for bundle in setting(__doc__ or "").bundles():
        costs = measure(bundle)
        rows.append((bundle.manifest.name, *(f"{cost:.1f}" for cost in costs), f"{max(costs) / costs[0]:.2f}x"))
    header = ["model", *(f"{length} tokens" for length in LENGTHS), "worst over 20"]
    show(f"Decoding, microseconds per token, {NUM_ROWS} rows, one thread", header, rows)


if __name__ == "__main__":
    main()
