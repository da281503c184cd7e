"""The files of one training run."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class RunFolder:
    """A folder that belongs to one run."""

    path: Path

    @property
    def checkpoint(self) -> Path:
        """Everything needed to resume."""
        return self.path / "checkpoint.pt"

    @property
    def weights(self) -> Path:
        """The finished model, for export."""
        return self.path / "weights.pt"

    @property
    def tokenizer(self) -> Path:
        """The sentencepiece model."""
        return self.path / "tokenizer.model"

    @property
    def links(self) -> Path:
        """Word links of the training pairs, where the recipe wants some."""
        return self.path / "links.txt"

    @property
    def curve(self) -> Path:
        """The loss curve."""
        return self.path / "curve.png"

    def clear(self) -> None:
        """Remove the run's files, and nothing else, so that the next run starts afresh."""
        for file in (self.checkpoint, self.weights, self.tokenizer, self.links, self.curve):
            file.unlink(missing_ok=True)
