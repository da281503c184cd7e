"""Instructions that go from number to number of a row, and carried states, against their definitions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.lowering.values import ColumnSlice, GraphInput, Tensor
from service.operators.binary import Binary
from service.operators.carry import CARRIED_ENTRIES, LoadState, StoreState
from service.operators.join import Join
from service.operators.unary import Unary
from tests.service.kernels.programs import computed, fed, needs_instruction, quantised

pytestmark = needs_instruction

SEEDS = st.integers(0, 2**32)
OPERATIONS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Max": np.maximum,
}
FUNCTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "Tanh": np.tanh,
    "Sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
}


@given(SEEDS, st.sampled_from(list(OPERATIONS)), st.integers(1, 9), st.integers(1, 70), st.booleans(), st.booleans())
def test_combining_whole_buffers_and_parts_equals_the_operation(
    seed: int, operation: str, num_rows: int, columns: int, left_is_part: bool, right_is_part: bool
) -> None:
    random = np.random.default_rng(seed)
    feeds, operands, arrays = [], [], []
    for is_part in (left_is_part, right_is_part):
        before, behind = (int(each) for each in random.integers(0, 20, 2) * is_part)
        feed = fed(random.normal(size=(num_rows, before + columns + behind)))
        feeds.append(feed)
        operands.append(ColumnSlice(feed.target, before, columns) if is_part else feed.target)
        arrays.append(feed.positions[:, before : before + columns])
    step = Binary(Tensor(columns), operation, *operands)
    (result,) = computed([*feeds, step], [step.target], range(num_rows))
    np.testing.assert_array_equal(result, OPERATIONS[operation](*arrays))


@pytest.mark.parametrize("which", ["left", "right", "both"])
def test_the_larger_one_of_nan_and_a_number_is_nan(which: str) -> None:
    arrays = [np.full((1, 16), np.nan if which in (side, "both") else 3.0) for side in ("left", "right")]
    left, right = (fed(array) for array in arrays)
    step = Binary(Tensor(16), "Max", left.target, right.target)
    assert np.isnan(computed([left, right, step], [step.target], [0])[0]).all()


@given(
    SEEDS, st.sampled_from(list(FUNCTIONS)), st.integers(1, 9), st.integers(1, 5), st.sampled_from([0.01, 1.0, 30.0])
)
def test_bending_is_right_within_the_precision_of_floats_near_one(
    seed: int, function: str, num_rows: int, vectors: int, size: float
) -> None:
    feed = fed(np.random.default_rng(seed).normal(size=(num_rows, 16 * vectors + 5)) * size)
    step = Unary(Tensor(16 * vectors), function, ColumnSlice(feed.target, 3, 16 * vectors))
    (result,) = computed([feed, step], [step.target], range(num_rows))
    expected = FUNCTIONS[function](feed.positions[:, 3 : 3 + 16 * vectors].astype(np.float64))
    np.testing.assert_allclose(result, expected, rtol=0, atol=2.5e-7)


@pytest.mark.parametrize(
    ("function", "least", "middle"), [("Tanh", -1.0, 0.0), ("Sigmoid", 0.0, 0.5)]
)  # fmt: skip
def test_bending_ends_at_its_limits_and_keeps_nan(function: str, least: float, middle: float) -> None:
    feed = fed(np.array([[0.0, 60.0, -60.0, 1e4, -1e4, 3e38, -3e38, np.inf, -np.inf, np.nan] + [0.0] * 6]))
    step = Unary(Tensor(16), function, feed.target)
    (result,) = computed([feed, step], [step.target], [0])
    expected = [middle, *[1.0, least] * 4, np.nan, *[middle] * 6]
    np.testing.assert_allclose(result[0], expected, rtol=0, atol=1e-25)


@given(SEEDS, st.integers(1, 9), st.lists(st.integers(1, 40), min_size=1, max_size=8), st.booleans())
def test_joining_puts_rows_side_by_side(seed: int, num_rows: int, sizes: list[int], are_quantised: bool) -> None:
    random = np.random.default_rng(seed)
    feeds = [fed(random.normal(size=(num_rows, columns)) * 3) for columns in sizes]
    target = Tensor(sum(sizes), np.uint8, 0.05, 111) if are_quantised else Tensor(sum(sizes))
    step = Join(target, tuple(feed.target for feed in feeds))
    (result,) = computed([*feeds, step], [target], range(num_rows))
    side_by_side = np.hstack([feed.positions for feed in feeds])
    if are_quantised:
        expected, is_sure = quantised(side_by_side, 0.05, 111)
        np.testing.assert_array_equal(result[is_sure], expected[is_sure])
    else:
        np.testing.assert_array_equal(result, side_by_side)


@settings(max_examples=40)
@given(SEEDS, st.integers(1, 6), st.integers(1, 4), st.integers(1, 40))
def test_a_carried_row_is_what_the_step_before_wrote_or_what_the_encoder_gave(
    seed: int, num_segments: int, beam_size: int, columns: int
) -> None:
    """Segments of different ages side by side, for some steps: each step adds its row's number to what is carried."""
    random = np.random.default_rng(seed)
    num_rows = num_segments * beam_size
    state = np.full((num_rows, CARRIED_ENTRIES, columns), np.nan, np.float32)
    begins = random.normal(size=(num_segments, columns)).astype(np.float32)
    begins_at = begins.ctypes.data + begins.strides[0] * np.arange(num_segments)
    ages = np.repeat(random.integers(0, 3, num_segments), beam_size)
    carried = np.repeat(begins, beam_size, axis=0)
    for step in range(5):
        positions = np.maximum(0, step - ages)
        feed = fed(np.arange(5 * columns).reshape(5, columns) % 7)
        carried = np.where(positions[:, None] == 0, np.repeat(begins, beam_size, axis=0), carried)
        load = LoadState(Tensor(columns), GraphInput("hidden", columns, is_carried=True))
        total = Binary(Tensor(columns), "Add", load.target, feed.target)
        (result,) = computed(
            [feed, load, total, StoreState(total.target, load.state)], [total.target], positions,
            beam_size=beam_size, states={"hidden": state}, beginnings={"hidden": begins_at}, room=5,
        )  # fmt: skip
        carried = carried + feed.positions[positions]
        np.testing.assert_array_equal(result, carried)
