"""Products of every width, whole tiles or not: each column is the product of its own weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.kernels.target import PART_BYTES, TARGET, TARGETS, Target
from service.lowering.plan import Step
from service.lowering.values import Tensor
from service.operators.float_product import FloatProduct
from service.operators.product import Product
from service.operators.quantise import Quantise
from tests.service.kernels.programs import computed, fed, needs_instruction

WIDTHS = st.integers(1, 5 * TARGET.tile_columns)


@needs_instruction
@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(1, 20), st.integers(1, 40), WIDTHS)
@example(0, 1, 160, 3000)
@example(1, 7, 16, 2 * TARGET.tile_columns - 1)
def test_an_int8_product_of_any_width(seed: int, num_rows: int, depth: int, columns: int) -> None:
    random = np.random.default_rng(seed)
    source, weights = random.integers(0, 256, (num_rows, depth)), random.integers(-127, 128, (depth, columns))
    scales, biases = random.uniform(1e-3, 0.1, columns), random.normal(size=columns)
    feed, middle = fed(source), Tensor(depth, np.uint8, 1.0, 0)
    parts = weights.astype(np.int8), scales.astype(np.float32), biases.astype(np.float32)
    steps: list[Step] = [feed, Quantise(middle, feed.target), Product(Tensor(columns), middle, *parts)]
    (result,) = computed(steps, [steps[-1].target], range(num_rows))
    np.testing.assert_allclose(result, (source @ weights) * scales + biases, rtol=1e-5, atol=1e-3)


@needs_instruction
@settings(max_examples=150)
@given(st.integers(0, 2**32), st.integers(1, 20), st.integers(1, 40), WIDTHS)
@example(0, 1, 160, 3000)
def test_a_float_product_of_any_width(seed: int, num_rows: int, depth: int, columns: int) -> None:
    random = np.random.default_rng(seed)
    source, weights = random.normal(size=(num_rows, depth)), random.normal(size=(depth, columns)).astype(np.float32)
    biases = random.normal(size=columns).astype(np.float32)
    feed = fed(source)
    steps: list[Step] = [feed, FloatProduct(Tensor(columns), feed.target, weights, biases)]
    (result,) = computed(steps, [steps[-1].target], range(num_rows))
    np.testing.assert_allclose(result, source @ weights + biases, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
@pytest.mark.parametrize("columns", [1, 16, 31, 32, 63, 64, 3000])
def test_packed_weights_hold_each_weight_once(target: Target, columns: int) -> None:
    weights = np.random.default_rng(2).integers(1, 128, (8, columns)).astype(np.int8)
    packed = target.packed(weights)
    assert np.sort(packed[packed > 0]).tolist() == np.sort(weights.ravel()).tolist()


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_interleaved_weights_hold_each_weight_once_in_its_tile(target: Target) -> None:
    """And instructions that interleave rows give whole vectors: as many as go into a tile."""
    assert target.tile_vectors == target.dot_depth
    assert target.weight_bytes % PART_BYTES == 0
    assert (target.dot_product is None) != (target.dot_parts is None)
    assert (target.compress is None) != (target.permute is None)
    weights = np.random.default_rng(3).integers(-127, 128, (12, 3 * target.tile_columns)).astype(np.int8)
    tiles = target.interleaved(weights).reshape(3, 12, target.tile_columns)
    for tile, columns in zip(tiles, np.split(weights, 3, axis=1), strict=True):
        np.testing.assert_array_equal(np.sort(tile, axis=1), np.sort(columns, axis=1))
