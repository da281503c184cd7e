"""The seam between decoding and whatever runs the two graphs: torch in training, ONNX Runtime after export."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np

State = dict[str, np.ndarray]
"""State arrays by name, row axis first."""


class StepResult(NamedTuple):
    """`log_probs` [R, V], `attention` [R, A, S] (A is 0 without attention) and the next state."""

    log_probs: np.ndarray
    attention: np.ndarray
    state: State


class StepModel(Protocol):
    """Runs `encode` and `step` of one model on numpy arrays."""

    def encode(self, source_ids: np.ndarray, source_mask: np.ndarray, capacity: int) -> State:
        """State of B rows; growing arrays are zeros with `capacity` entries."""
        ...

    def step(self, token_ids: np.ndarray, position: np.ndarray, source_mask: np.ndarray, state: State) -> StepResult:
        """Advance R rows by one token."""
        ...


def take_rows(state: Mapping[str, np.ndarray], rows: np.ndarray) -> State:
    """The state of the given rows, in that order; rows may repeat."""
    return {name: array[rows] for name, array in state.items()}
