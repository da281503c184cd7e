"""Scores that pass over what is 0: their sums are the same to the last bit, and no other weights are read."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.kernels.nonzeros import COUNT_BYTES, find_nonzeros, found_bytes, nonzero_values
from service.kernels.target import TARGET
from service.lowering.fusion import skip_zeros
from service.lowering.graph import read_graph
from service.lowering.lower import lower
from service.lowering.plan import Plan, Step
from service.lowering.values import GraphInput, Tensor
from service.operators.float_product import FloatProduct
from service.operators.product import Product
from service.operators.quantise import Quantise
from service.runtime.plans import decoder_inputs
from tests.bundles import published
from tests.service.kernels.programs import computed, fed, needs_instruction

SHAPES = st.tuples(
    st.integers(1, 20), st.integers(1, 40).map(lambda n: 16 * n), st.integers(1, 3).map(lambda n: 64 * n)
)
SHARES = st.sampled_from([0.0, 0.01, 0.1, 0.3, 0.35, 0.6, 1.0])
MORE = TARGET.lanes
"""With so many columns more than whole tiles hold, nothing is passed over."""


def drawn(random: np.random.Generator, shape: tuple[int, int], share: float) -> np.ndarray:
    """Whole numbers from 0 to 255, `share` of them not 0; of some rows all or none."""
    shares = np.where(random.random((shape[0], 1)) < 0.2, random.integers(0, 2, (shape[0], 1)), share)
    return np.where(random.random(shape) < shares, random.integers(1, 256, shape), 0).astype(np.float32)


def int8_product(source: np.ndarray, weights: np.ndarray, scales: np.ndarray, addends: np.ndarray) -> list[Step]:
    """Steps: `source` as uint8 times `weights`, times `scales`, less those, plus `addends`."""
    feed, addend = fed(source), fed(addends)
    middle = Tensor(source.shape[1], np.uint8, 1.0, 0)
    product = Product(Tensor(weights.shape[1]), middle, weights, scales, -scales, addend.target)
    return [feed, addend, Quantise(middle, feed.target), product]


def float_product(source: np.ndarray, weights: np.ndarray, biases: np.ndarray, addends: np.ndarray) -> list[Step]:
    """Steps: `source` once more, as a rectified product gives it, times `weights`, plus `biases`, plus `addends`."""
    feed, addend, size = fed(source), fed(addends), source.shape[1]
    rectified = FloatProduct(
        Tensor(size), feed.target, np.eye(size, dtype=np.float32), np.zeros(size, np.float32), is_positive=True
    )
    product = FloatProduct(Tensor(weights.shape[1]), rectified.target, weights, biases, addend=addend.target)
    return [feed, addend, rectified, product]


def skipping(steps: list[Step]) -> list[Step]:
    """The steps behind the pass that lets products pass over zeros."""
    return list(skip_zeros(Plan(tuple(steps), {"result": steps[-1].target})).steps)


def skips(steps: list[Step]) -> bool:
    """Whether the last step, a product, passes over zeros."""
    return "Sparse" in skipping(steps)[-1].kernel.name


@needs_instruction
@settings(max_examples=60)
@given(st.integers(0, 2**32), SHAPES, SHARES)
@example(0, (1, 1024, 256), 0.02)
@example(1, (20, 16, 64), 0.0)
def test_an_int8_product_has_the_same_bits_where_zeros_are_passed_over(
    seed: int, shape: tuple[int, int, int], share: float
) -> None:
    random, (num_rows, depth, columns) = np.random.default_rng(seed), shape
    source = drawn(random, (num_rows, depth), share)
    weights = random.integers(-127, 128, (depth, columns + MORE)).astype(np.int8)
    scales = random.uniform(1e-4, 0.1, columns + MORE).astype(np.float32)
    addends = random.normal(size=(num_rows, columns + MORE)).astype(np.float32)
    whole = int8_product(source, weights, scales, addends)
    tiled = int8_product(source, weights[:, :columns], scales[:columns], addends[:, :columns])
    assert skips(tiled)
    assert not skips(whole)
    (expected,), (result,) = (
        computed(skipping(steps), [steps[-1].target], range(num_rows)) for steps in (whole, tiled)
    )
    np.testing.assert_array_equal(result, expected[:, :columns])


@needs_instruction
@settings(max_examples=60)
@given(st.integers(0, 2**32), SHAPES, SHARES)
@example(0, (1, 1024, 256), 0.02)
@example(1, (20, 16, 64), 0.0)
def test_a_float_product_has_the_same_bits_where_zeros_are_passed_over(
    seed: int, shape: tuple[int, int, int], share: float
) -> None:
    random, (num_rows, depth, columns) = np.random.default_rng(seed), shape
    source = drawn(random, (num_rows, depth), share) * np.float32(0.3)
    weights, biases, addends = (
        random.normal(size=(size, columns + MORE)).astype(np.float32) for size in (depth, 1, num_rows)
    )
    whole = float_product(source, weights, biases[0], addends)
    tiled = float_product(source, weights[:, :columns], biases[0, :columns], addends[:, :columns])
    assert skips(tiled)
    assert not skips(whole)
    (expected,), (result,) = (
        computed(skipping(steps), [steps[-1].target], range(num_rows)) for steps in (whole, tiled)
    )
    np.testing.assert_array_equal(result, expected[:, :columns])


@needs_instruction
@given(st.integers(0, 2**32), st.integers(1, 8), st.sampled_from([0.0, 0.2, 0.9, 1.0]), st.booleans())
def test_behind_the_numbers_that_are_not_0_come_zeros(seed: int, vectors: int, share: float, is_full: bool) -> None:
    """A product takes them by fours; memory holds what other products left there."""
    random, depth = np.random.default_rng(seed), vectors * TARGET.lanes
    row = drawn(random, (1, depth), share).astype(np.uint8)[0]
    if is_full:
        row[-TARGET.lanes :] = 200
    found = np.full(found_bytes(depth), 255, np.uint8)
    total = find_nonzeros(row.ctypes.data, depth, 1, True, found.ctypes.data)
    values = found[nonzero_values(0, depth) :]
    indices = found[COUNT_BYTES : nonzero_values(0, depth)].view(np.int32)
    assert total == found[:COUNT_BYTES].view(np.int64)[0] == np.count_nonzero(row)
    np.testing.assert_array_equal(indices[:total], np.flatnonzero(row))
    np.testing.assert_array_equal(values[:total], row[row > 0])
    assert not values[total : total + TARGET.lanes].any()
    assert np.all((indices[total : total + TARGET.lanes] >= 0) & (indices[total : total + TARGET.lanes] < depth))


@needs_instruction
@pytest.mark.parametrize(("share", "is_passed_over"), [(0.1, True), (0.9, False)])
def test_weights_of_what_is_0_are_passed_over_only_where_that_is_much(share: float, is_passed_over: bool) -> None:
    source = np.repeat((np.arange(100) < 100 * share).astype(np.float32)[None], 4, axis=0)
    source = np.pad(source, ((0, 0), (0, 12)))
    weights = np.where(source[0, :, None] > 0, np.ones((112, 64)), np.inf).astype(np.float32)
    steps = float_product(source, weights, np.zeros(64, np.float32), np.zeros((4, 64), np.float32))
    (result,) = computed(skipping(steps), [steps[-1].target], range(4))
    expected = np.float32(100 * share) if is_passed_over else np.float32(np.nan)  # 0 times infinity
    np.testing.assert_array_equal(result, np.full((4, 64), expected))


@pytest.mark.parametrize("zero", [0, 7])
def test_integers_of_0_are_passed_over_only_where_they_stand_for_0(zero: int) -> None:
    feed, middle = fed(np.zeros((1, 64))), Tensor(64, np.uint8, 1.0, zero)
    ones = np.ones(64, np.float32)
    product = Product(Tensor(64), middle, np.ones((64, 64), np.int8), ones, ones)
    assert skips([feed, Quantise(middle, feed.target), product]) == (zero == 0)


def test_the_published_transformer_passes_over_zeros_once_in_each_layer() -> None:
    bundle = published("en-fr-transformer")
    for model, inputs, num_layers in (
        (bundle.encoder, [GraphInput(tensor.name) for tensor in bundle.manifest.encoder.inputs], 4),
        (bundle.decoder_step, decoder_inputs(bundle.manifest), 2),
    ):
        steps = lower(read_graph(model), inputs).steps
        assert sum(step.kernel.name == "SparseProduct" for step in steps) == num_layers
