"""Proof, before anything is written, that ONNX Runtime computes what torch computes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from model_store.architectures.base import Architecture
from model_store.contract.tokenizer import END_ID
from model_store.data.batching import PAD_ID, pad, source_arrays
from model_store.decoding.stepper import State, StepModel
from model_store.export.stepper import open_session
from model_store.export.teacher_forced import forced, specification
from model_store.training.stepper import TorchStepper

TOLERANCE = 1e-4
"""Largest absolute difference between ONNX Runtime float32 and torch that an export may show."""


class ParityError(RuntimeError):
    """An export that does not compute what torch computes; nothing is written."""


@dataclass(frozen=True)
class Parity:
    """Largest absolute differences seen."""

    log_probs: float
    attention: float
    state: float
    teacher_forced: float = 0.0
    """Of the third graph's log-probabilities and maps."""


def _gap(left: np.ndarray, right: np.ndarray) -> float:
    return float(np.abs(left.astype(np.float64) - right).max(initial=0.0))


def _state_gap(left: State, right: State) -> float:
    return max(_gap(left[name], right[name]) for name in left)


def measure_parity(model: Architecture, exported: StepModel, num_steps: int = 6, seed: int = 0) -> Parity:
    """Step torch and the export side by side over random rows whose ages differ, and compare everything they return."""
    random = np.random.default_rng(seed)
    reference = TorchStepper(model)
    rows, length, capacity = 5, 9, 16
    source_ids = random.integers(4, model.config.vocabulary_size, (rows, length))
    lengths = np.array([9, 2, 5, 7, 1])
    source_mask = np.arange(length)[None, :] < lengths[:, None]
    source_ids = np.where(source_mask, source_ids, PAD_ID)
    expected, actual = (s.encode(source_ids, source_mask, capacity) for s in (reference, exported))
    worst = [0.0, 0.0, _state_gap(expected, actual)]
    position = np.array([0, 3, 1, 0, 5])
    for _ in range(num_steps):
        tokens = random.integers(2, model.config.vocabulary_size, rows)
        left = reference.step(tokens, position, source_mask, expected)
        right = exported.step(tokens, position, source_mask, actual)
        gaps = (
            _gap(left.log_probs, right.log_probs),
            _gap(left.attention, right.attention),
            _state_gap(left.state, right.state),
        )
        worst = [max(w, g) for w, g in zip(worst, gaps, strict=True)]
        expected, actual, position = left.state, right.state, position + 1
    return Parity(*worst)


def measure_forced_parity(model: Architecture, graph: bytes, seed: int = 1) -> float:
    """The largest absolute difference of what the third graph gives from `forced`, over random pairs."""
    random, size = np.random.default_rng(seed), model.config.vocabulary_size
    sources = [random.integers(4, size, length).tolist() for length in (8, 1, 5)]
    targets = [random.integers(4, size, length).tolist() for length in (4, 7, 1)]
    source_ids, source_mask = source_arrays(sources)
    feeds = {
        "source_ids": source_ids,
        "source_mask": source_mask,
        "target_ids": pad([[*ids, END_ID] for ids in targets]),
    }
    with torch.inference_mode():
        expected = forced(model, *(torch.from_numpy(array) for array in feeds.values()))
    actual = open_session(graph).run(None, feeds)
    lengths = {"S": [len(ids) + 1 for ids in sources], "T": [len(ids) + 1 for ids in targets]}
    specified = zip(specification(model).outputs, expected, actual, strict=True)
    return max(
        _gap(left[i].numpy()[real], right[i][real])
        for output, left, right in specified
        for i in range(len(sources))
        for real in [tuple(slice(lengths[axis][i] if isinstance(axis, str) else None) for axis in output.axes[1:])]
    )


def require_parity(parity: Parity) -> None:
    """Raise ParityError when any difference is over TOLERANCE."""
    over = {name: gap for name, gap in vars(parity).items() if not gap <= TOLERANCE}
    if over:
        raise ParityError(f"ONNX Runtime and torch differ by more than {TOLERANCE}: {over}; nothing was written")
