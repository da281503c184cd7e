"""What every comparison of the bench is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from loadtests.peers.alternate import MIN_ROUNDS
from model_store.contract.bundle import Bundle
from model_store.contract.store import EMBEDDED_STORE, Store

MODEL = "en-fr-transformer"
"""The published model whose weights both sides have."""


@dataclass(frozen=True, slots=True)
class Options:
    """Where the text and the models are, and how much to measure."""

    data: Path = Path("../shared/data")
    """Folder of the test sets."""
    store: Path = EMBEDDED_STORE
    """Folder of published bundles."""
    cache: Path = Path("runs/peers")
    """Where models written out for peers are kept between runs."""
    rounds: int = MIN_ROUNDS
    """How often both sides are measured, in turn."""
    num_sentences: int = 1000
    """The first so many of the shuffled test sentences."""
    seconds: float | None = None
    """Length of one measurement under load, where a row has one; None takes the row's own."""
    pictures: Path | None = None
    """Folder that rows with a picture draw it into; None for no pictures."""

    def bundle(self) -> Bundle:
        """The published model. Raises StoreError when the store does not hold it."""
        return Store(self.store).open(MODEL)
