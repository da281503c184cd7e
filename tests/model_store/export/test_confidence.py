"""Calibration of confidence."""

from __future__ import annotations

import numpy as np
import pytest

from model_store.data.corpus import ParallelText
from model_store.export.confidence import area_under_curve, logistic_regression, noisy


def test_the_area_under_the_curve_is_the_chance_of_the_right_order() -> None:
    labels = np.array([True, True, False, False])
    assert area_under_curve(np.array([0.9, 0.8, 0.2, 0.1]), labels) == 1.0
    assert area_under_curve(np.array([0.1, 0.2, 0.8, 0.9]), labels) == 0.0
    assert area_under_curve(np.array([0.5, 0.5, 0.5, 0.5]), labels) == 0.5
    assert area_under_curve(np.array([0.5]), np.array([True])) == 0.5


def test_the_regression_finds_the_feature_that_tells() -> None:
    chance = np.random.default_rng(1)
    values = chance.normal(size=(2000, 3)) * [1.0, 50.0, 0.01] + [0.0, 100.0, 5.0]
    probs = 1 / (1 + np.exp(-(2.0 * values[:, 0] + 0.5)))
    weights, intercept = logistic_regression(values, chance.random(2000) < probs)
    assert weights[0] == pytest.approx(2.0, abs=0.3)
    assert abs(weights[1]) < 0.01
    found = 1 / (1 + np.exp(-(values @ weights + intercept)))
    assert np.abs(found - probs).mean() < 0.05


def test_noise_leaves_some_lines_alone_and_garbles_others() -> None:
    text = ParallelText(["The black cat ate the mouse today."] * 200, ["x"] * 200)
    found = noisy(text)
    same = sum(line == text.sources[0] for line in found.sources)
    assert 30 < same < 120
    assert found == noisy(text)
    assert all(line.strip() for line in found.sources)
