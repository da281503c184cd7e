"""Instructions that look at one row at a time, against their definitions."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st

from service.lowering.values import Embedding, GraphInput, Tensor
from service.operators.binary import Binary
from service.operators.embed import Embed
from service.operators.normalise import Normalise
from service.operators.product import Product
from service.operators.quantise import Quantise
from tests.service.kernels.programs import computed, fed, needs_instruction, quantised

pytestmark = needs_instruction

SEEDS = st.integers(0, 2**32)
FLOATS = st.floats(width=32, min_value=-(2.0**30), max_value=2.0**30)
SCALES = st.floats(width=32, min_value=2.0**-12, max_value=2.0**12)


def drawn_product(
    random: np.random.Generator, depth: int, columns: int, zero: int, num_rows: int, is_extreme: bool
) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[Quantise | Embed | Product]]:
    """Activations uint8, weights int8, what a float64 makes of their product, and the steps that compute it."""
    pick = (lambda least, most, shape: random.choice([least, most], shape)) if is_extreme else random.integers
    source = pick(0, 255, (num_rows, depth)).astype(np.uint8)
    weights = pick(-127, 127, (depth, columns)).astype(np.int8)
    scale = np.float32(random.uniform(1e-3, 2.0))
    scales = random.uniform(1e-4, 0.1, columns).astype(np.float32)
    biases = random.normal(0.0, 50.0, columns).astype(np.float32)
    feed = fed((source.astype(np.float32) - zero) * scale)
    middle = Tensor(depth, np.uint8, float(scale), zero)
    last = Product(Tensor(columns), middle, weights, scales, biases)
    sums = (source.astype(np.int64) - zero) @ weights.astype(np.int64)
    products = sums.astype(np.float32).astype(np.float64) * (scale * scales).astype(np.float64)
    return products, biases, source, [feed, Quantise(middle, feed.target), last]


@settings(max_examples=60)
@given(
    SEEDS, st.integers(1, 20), st.integers(1, 40), st.integers(1, 11), st.sampled_from([0, 1, 128, 255]), st.booleans()
)
@example(0, 7, 512, 5, 255, True)
@example(1, 20, 1, 1, 0, True)
def test_a_product_is_exact_until_it_becomes_a_float(
    seed: int, num_rows: int, fours: int, sixteens: int, zero: int, is_extreme: bool
) -> None:
    random = np.random.default_rng(seed)
    products, biases, _, steps = drawn_product(random, 4 * fours, 16 * sixteens, zero, num_rows, is_extreme)
    (result,) = computed(steps, [steps[-1].target], range(num_rows))
    expected = products + biases
    rounding = np.spacing(np.abs(expected).astype(np.float32)) + np.finfo(np.float64).eps * (np.abs(products) + 1e3)
    assert (np.abs(result - expected) <= rounding).all()


@settings(max_examples=20)
@given(SEEDS, st.integers(1, 20), st.sampled_from([4, 64, 256]), st.sampled_from([16, 80, 192]))
def test_rows_of_a_product_have_the_same_bits_in_any_company(
    seed: int, num_rows: int, depth: int, columns: int
) -> None:
    random = np.random.default_rng(seed)
    *_, steps = drawn_product(random, depth, columns, 3, num_rows, False)
    target = steps[-1].target
    (together,) = computed(steps, [target], range(num_rows))
    order = random.permutation(num_rows)
    (shuffled,) = computed(steps, [target], order)
    np.testing.assert_array_equal(shuffled, together[order])
    chosen = int(order[0])
    np.testing.assert_array_equal(computed(steps, [target], [chosen])[0][0], together[chosen])


def test_sums_of_products_do_not_saturate() -> None:
    depth = 4096
    feed = fed(np.full((3, depth), 255.0))
    middle = Tensor(depth, np.uint8, 1.0, 0)
    ones, nothing = np.ones(16, np.float32), np.zeros(16, np.float32)
    for weight in (-127, 127):
        last = Product(Tensor(16), middle, np.full((depth, 16), weight, np.int8), ones, nothing)
        (result,) = computed([feed, Quantise(middle, feed.target), last], [last.target], range(3))
        assert (result == np.float32(depth * 255 * weight)).all()


@given(st.lists(FLOATS, min_size=1, max_size=70), SCALES, st.integers(0, 255))
@example([0.5, 1.5, 2.5, -0.5, -1.5, 254.5, 255.5, 1e6, -1e6], 1.0, 0)
@example([0.5, 1.5, 2.5, -0.5, -1.5, 254.5, 255.5, 1e6, -1e6], 1.0, 3)
def test_quantising_rounds_to_the_nearest_and_saturates(values: list[float], scale: float, zero: int) -> None:
    data = np.array([values], np.float32)
    data = data[np.abs(data / np.float32(scale)) < 2.0**30][None]
    if data.size == 0:
        return
    feed = fed(data)
    target = Tensor(data.shape[1], np.uint8, scale, zero)
    (result,) = computed([feed, Quantise(target, feed.target)], [target], [0])
    expected, is_sure = quantised(data, scale, zero)
    np.testing.assert_array_equal(result[is_sure], expected[is_sure])
    assert (np.abs(result - expected) <= 1).all()


def test_quantising_rounds_ties_to_even() -> None:
    for zero in (0, 7, 128):
        values = np.arange(-zero, 255 - zero)[None] + 0.5
        feed, target = fed(values), Tensor(255, np.uint8, 1.0, zero)
        (result,) = computed([feed, Quantise(target, feed.target)], [target], [0])
        np.testing.assert_array_equal(result, np.rint(values) + zero)


def test_quantising_saturates_however_large_the_number() -> None:
    values = np.array([[1e9, 1e12, 3e38, np.inf, -1e9, -1e12, -3e38, -np.inf] * 5], np.float32)
    feed, target = fed(values), Tensor(40, np.uint8, 0.01, 10)
    (result,) = computed([feed, Quantise(target, feed.target)], [target], [0])
    np.testing.assert_array_equal(result, np.where(values > 0, 255, 0))


@given(SEEDS, st.integers(1, 9), st.sampled_from([1, 16, 37, 256, 512]), st.sampled_from([1e-3, 1.0, 300.0]))
def test_normalising_equals_its_equation_within_one_step(seed: int, num_rows: int, columns: int, spread: float) -> None:
    random = np.random.default_rng(seed)
    data = (random.normal(random.normal(), 1.0, (num_rows, columns)) * spread).astype(np.float32)
    gains, biases = random.normal(1.0, 0.3, columns).astype(np.float32), random.normal(size=columns).astype(np.float32)
    feed, target = fed(data), Tensor(columns, np.uint8, 0.03, 120)
    step = Normalise(target, feed.target, gains, biases, 1e-5)
    (result,) = computed([feed, step], [target], range(num_rows))
    x = data.astype(np.float64)
    centred = x - x.mean(axis=1, keepdims=True)
    normal = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5) * gains + biases
    expected, _ = quantised(normal, 0.03, 120)
    assert (np.abs(result - expected) <= 1).all()
    assert (result == expected).mean() >= 0.95 or result.size < 100
    alone = [computed([feed, step], [target], [row])[0][0] for row in range(num_rows)]
    np.testing.assert_array_equal(result, alone)


def test_a_row_of_one_number_is_normalised_to_the_biases() -> None:
    feed, target = fed(np.full((2, 64), 5.0)), Tensor(64, np.uint8, 1.0, 0)
    biases = np.arange(64, dtype=np.float32)
    step = Normalise(target, feed.target, np.ones(64, np.float32), biases, 1e-5)
    np.testing.assert_array_equal(computed([feed, step], [target], [0, 1])[0], [biases, biases])


@given(SEEDS, st.integers(1, 9), st.integers(1, 70))
def test_adding_equals_that_of_floats(seed: int, num_rows: int, columns: int) -> None:
    random = np.random.default_rng(seed)
    left, right = (fed(random.normal(size=(num_rows, columns))) for _ in range(2))
    step = Binary(Tensor(columns), "Add", left.target, right.target)
    twice = Binary(Tensor(columns), "Add", step.target, step.target)
    result = computed([left, right, step, twice], [twice.target], range(num_rows))[0]
    np.testing.assert_array_equal(result, (left.positions + right.positions) * np.float32(2.0))


@given(SEEDS, st.integers(1, 12), st.integers(1, 70))
def test_embedding_takes_the_rows_of_token_and_position(seed: int, num_rows: int, columns: int) -> None:
    random = np.random.default_rng(seed)
    table = random.integers(-128, 128, (31, columns)).astype(np.int8)
    scales = random.uniform(1e-3, 1.0, 31).astype(np.float32)
    places = random.normal(size=(17, columns)).astype(np.float32)
    step = Embed(Tensor(columns), Embedding(table, scales, GraphInput("token_ids")), places)
    token_ids, positions = random.integers(0, 31, num_rows), random.integers(0, 17, num_rows)
    (result,) = computed([step], [step.target], positions, token_ids=token_ids)
    expected = table[token_ids].astype(np.float64) * scales[token_ids, None] + places[positions]
    np.testing.assert_allclose(result, expected, rtol=1e-6, atol=1e-5)
    first = computed([step], [step.target], positions[:1], token_ids=token_ids[:1])[0]
    np.testing.assert_array_equal(first, result[:1])
