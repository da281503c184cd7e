"""Learning rate: linear warm-up, plateau, linear decay to zero (Hu et al. 2024, arXiv:2404.06395, "WSD").

It depends on nothing but progress, so a run can be lengthened before its decay begins.
"""

from __future__ import annotations

from model_store.training.recipe import TrainingPart


def learning_rate(training: TrainingPart, step: int, tokens_done: int) -> float:
    """The rate of step `step` (from 1) after `tokens_done` tokens."""
    warm = min(1.0, step / training.warmup_steps)
    left = max(0.0, 1.0 - tokens_done / training.num_tokens)
    return training.peak_learning_rate * warm * min(1.0, left / training.decay_fraction)
