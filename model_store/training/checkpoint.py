"""Checkpoints that survive a kill at any moment: written beside, then renamed over."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor


class CheckpointError(ValueError):
    """A checkpoint that cannot be read; the message names the remedy."""


@dataclass
class Progress:
    """Where a run is."""

    step: int = 0
    """Optimiser steps done."""
    tokens: int = 0
    """Source and target tokens trained on."""
    done: float = 0.0
    """Share of the run that is over, by tokens or by the clock."""
    epoch: int = 0
    """Epochs finished."""
    batch: int = 0
    """Batches of this epoch done."""
    seconds: float = 0.0
    """Time spent in steps, over all sessions."""
    device: str = ""
    """What computes: `device_name` of it."""
    train_losses: list[tuple[int, float]] = field(default_factory=list)
    """(tokens, negative log-likelihood per target token) now and then."""
    started_from: str = ""
    """Name of the model that the run began with; empty for a run from nothing."""
    validations: list[tuple[int, float, float]] = field(default_factory=list)
    """(tokens, negative log-likelihood per target token, BLEU) of each validation."""


def save_atomically(values: Mapping[str, Any], path: Path) -> None:
    """Write `values` to `path` so that a reader finds either the old file or the new one, whole."""
    beside = path.with_suffix(".partial")
    with beside.open("wb") as file:
        torch.save(dict(values), file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)


def load(path: Path) -> dict[str, Any]:
    """Read what `save_atomically` wrote; tensors and plain values only. Raises CheckpointError."""
    try:
        values: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
    except (RuntimeError, OSError, EOFError, pickle.UnpicklingError) as error:
        raise CheckpointError(f"{path} is damaged; remove it, or use --fresh to start again") from error
    return values


def average(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """The mean of several weight dictionaries (Vaswani et al. 2017, section 6.1)."""
    return {name: torch.stack([state[name] for state in states]).mean(dim=0) for name in states[0]}
