"""How far a run is, and its learning rate: linear warm-up, plateau, linear decay to zero.

Hu et al. 2024 (arXiv:2404.06395, "WSD"). The rate depends on nothing but progress, so a run can be lengthened before
its decay begins.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from model_store.training.recipe import TrainingPart


@dataclass
class Horizon:
    """The end of a run: the recipe's tokens or, with `seconds`, that time from now on, whatever tokens come by then.

    The learning rate follows either (Li et al. 2020, arXiv:1905.04753, "Budgeted training").
    """

    num_tokens: int
    seconds: float | None = None
    first: float = 0.0
    """With `seconds`: the share of the run that was over before."""
    _started: float = field(default_factory=lambda: time.monotonic(), init=False)

    def done(self, tokens: int) -> float:
        """The share of the run that is over after `tokens` tokens: 0 at its start, 1 or more at its end."""
        if self.seconds is None:
            return tokens / self.num_tokens
        return self.first + (1.0 - self.first) * (time.monotonic() - self._started) / self.seconds


def learning_rate(training: TrainingPart, step: int, done: float) -> float:
    """The rate of step `step` (from 1) when the share `done` of the run is over."""
    warm = min(1.0, step / training.warmup_steps)
    left = max(0.0, 1.0 - done)
    return training.peak_learning_rate * warm * min(1.0, left / training.decay_fraction)
