"""The learning rate rises, stays, and falls to zero."""

from __future__ import annotations

import itertools

import pytest

from model_store.training.recipe import TrainingPart
from model_store.training.schedule import learning_rate

TRAINING = TrainingPart(num_tokens=1000, peak_learning_rate=0.5, warmup_steps=10, decay_fraction=0.4)


def test_it_rises_linearly_to_its_peak() -> None:
    assert [learning_rate(TRAINING, step, 0) for step in (1, 5, 10)] == pytest.approx([0.05, 0.25, 0.5])


@pytest.mark.parametrize("tokens", [0, 300, 600])
def test_it_stays_at_its_peak_until_decay_begins(tokens: int) -> None:
    assert learning_rate(TRAINING, 50, tokens) == pytest.approx(0.5)


def test_it_falls_linearly_to_zero() -> None:
    assert [learning_rate(TRAINING, 50, t) for t in (800, 900, 1000, 1100)] == pytest.approx([0.25, 0.125, 0.0, 0.0])


def test_before_decay_a_longer_run_has_the_same_rates() -> None:
    longer = TRAINING.model_copy(update={"num_tokens": 2000})
    for step, tokens in itertools.product((1, 7, 100), (0, 100, 600)):
        assert learning_rate(TRAINING, step, tokens) == learning_rate(longer, step, tokens)
