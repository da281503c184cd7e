"""Ranges of 8-bit activations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model_store.export.clipping import Counts
from model_store.export.quantise import Range, activation_scale


def counted(values: np.ndarray) -> Counts:
    counts = Counts(Range(float(values.min()), float(values.max())))
    counts.add(values)
    return counts


def squared_error(values: np.ndarray, covered: Range) -> float:
    scale, zero = activation_scale(covered)
    rounded = (np.clip(np.rint(values / scale) + zero, 0, 255) - zero) * scale
    return float(np.mean((rounded - values) ** 2))


def test_a_rare_large_value_does_not_make_all_others_coarse() -> None:
    values = np.random.default_rng(0).standard_normal(1_000_000)
    values[0] = 20.0
    best = counted(values).best_range()
    assert best.high < 0.6 * 20.0
    assert squared_error(values, best) < 0.6 * squared_error(values, Range(values.min(), 20.0))


def test_equally_frequent_values_are_all_covered() -> None:
    values = np.linspace(-3.0, 5.0, 100_001)
    assert counted(values).best_range() == Range(-3.0, 5.0)


@settings(max_examples=50)
@given(
    st.integers(0, 2**32),
    st.sampled_from([0.1, 1.0, 3.0]),
    st.floats(-5, 5),
    st.sampled_from([1e-3, 1.0, 1e3]),
    st.booleans(),
)
def test_the_best_range_has_no_more_error_than_the_one_of_all_values(
    seed: int, heaviness: float, shift: float, size: float, is_rectified: bool
) -> None:
    rng = np.random.default_rng(seed)
    values = size * (shift + np.sign(rng.standard_normal(2000)) * np.exp(heaviness * rng.standard_normal(2000)))
    values = np.maximum(values, 0.0) if is_rectified else values
    seen, counts = Range(float(values.min()), float(values.max())), counted(values)
    best = counts.best_range()
    assert min(seen.low, 0.0) <= best.low <= 0.0 <= best.high <= max(seen.high, 0.0)
    everything = squared_error(values, seen)
    assert squared_error(values, best) <= everything * 1.02 + 1e-12  # values are counted in bins
    assert counts.squared_error(seen) == pytest.approx(everything, rel=0.1, abs=1e-12 * size**2)


def test_an_activation_that_is_always_zero_has_an_empty_range() -> None:
    assert counted(np.zeros(10)).best_range() == Range(0.0, 0.0)


def test_without_values_there_is_no_range() -> None:
    with pytest.raises(ValueError, match="none were counted"):
        Counts(Range(-1.0, 1.0)).best_range()
