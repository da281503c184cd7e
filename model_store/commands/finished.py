"""Opens what a command goes on with: a finished run, or a bundle as the run that it came from."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model_store.training.finished import FinishedRun


def open_finished(folder: Path) -> FinishedRun:
    """The finished run or the bundle in `folder`. Raises FileNotFoundError, CheckpointError and StoreError."""
    from model_store.contract.bundle import open_bundle
    from model_store.contract.manifest import MANIFEST_FILE
    from model_store.export.weights import finished_of
    from model_store.training.finished import open_run

    return finished_of(open_bundle(folder)) if (folder / MANIFEST_FILE).exists() else open_run(folder)
