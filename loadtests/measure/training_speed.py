"""Tokens per second of training the published Transformer recipe, on every core and in every precision."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import torch

from loadtests.measure.setting import setting, show
from model_store.data.batching import Batch
from model_store.training.folder import RunFolder
from model_store.training.loop import Run
from model_store.training.recipe import load_recipe

SECONDS = 20.0
NUM_ROUNDS = 3
NUM_BATCHES = 300


def speed(run: Run, batches: Iterator[Batch]) -> float:
    """Source and target tokens per second over about SECONDS."""
    for _ in range(3):
        run.step(next(batches))
    started, tokens = time.perf_counter(), 0
    while time.perf_counter() - started < SECONDS:
        tokens += run.step(next(batches))
    return tokens / (time.perf_counter() - started)


def main() -> None:
    """Print the table."""
    measured = setting(__doc__ or "")
    recipe = load_recipe("en-fr-transformer")
    torch.set_num_threads(os.cpu_count() or 1)
    found: dict[str, list[float]] = {"float32": [], "bfloat16": []}
    with tempfile.TemporaryDirectory(prefix="attendant-measure-") as folder:
        runs: dict[str, Run] = {}
        for precision in (*found, "auto"):
            training = recipe.training.model_copy(update={"precision": precision, "batch_tokens": 4096})
            own = RunFolder(Path(folder) / precision)
            own.path.mkdir()
            for before in runs.values():
                shutil.copyfile(before.folder.links, own.links)  # the aligner takes minutes
            runs[precision] = Run(recipe.model_copy(update={"training": training}), measured.data, own.path)
        batches = cycle(list(islice(runs["auto"].batches(), NUM_BATCHES)))  # an epoch takes two minutes to prepare
        for _ in range(NUM_ROUNDS):
            for precision, speeds in found.items():
                speeds.append(speed(runs[precision], batches))
        chosen = runs["auto"].precision
    rows = [(name, f"{statistics.median(s):,.0f}", f"{min(s):,.0f} to {max(s):,.0f}") for name, s in found.items()]
    show(f"Training a Transformer, tokens per second; auto takes {chosen}", ["precision", "median", "range"], rows)


if __name__ == "__main__":
    main()
