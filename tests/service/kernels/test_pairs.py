"""Additive attention, against its equations and by itself against any company."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.lowering.values import AttentionWeights, Energies, GraphInput, Pairs, Tensor
from service.operators.additive_attention import AdditiveAttention
from tests.service.kernels.programs import computed, fed, needs_instruction, quantised, softmax

pytestmark = needs_instruction

SCALE, ZERO = 1 / 127, 128
FACTOR = 2e-4


@dataclass
class Drawn:
    """Queries of some rows, and what the encoder gave for their segments."""

    queries: np.ndarray
    keys: list[np.ndarray]
    values: list[np.ndarray]
    weights: np.ndarray
    beam_size: int

    def attended(self, *, segments: list[int] | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Contexts and weights [rows, longest] of the rows of some segments, all unless told."""
        chosen = list(range(len(self.keys))) if segments is None else segments
        k = self.beam_size
        rows = [row for b in chosen for row in range(b * k, b * k + k)]
        feed, columns = fed(self.queries[rows]), self.values[0].shape[1]
        is_int8 = self.weights.dtype == np.int8
        pairs = Pairs(feed.target, GraphInput("keys"), True, SCALE if is_int8 else 0.0, ZERO if is_int8 else 0)
        energies = Energies(pairs, self.weights, FACTOR if is_int8 else 1.0, False, True)
        step = AdditiveAttention(
            Tensor(columns), feed.target, energies, GraphInput("values"), AttentionWeights(energies)
        )
        lengths = [len(self.keys[b]) for b in chosen]
        shown = np.full((len(rows), 1, max(lengths) + 3), 9.0, np.float32)
        places = {
            name: np.array([arrays[b].ctypes.data for b in chosen], np.int64)
            for name, arrays in (("keys", self.keys), ("values", self.values))
        }
        (result,) = computed(
            [feed, step], [step.target], range(len(rows)),
            beam_size=k, lengths=lengths, states=places, shown=shown, first_slices={step.weights: 0},
        )  # fmt: skip
        for row in range(len(rows)):
            assert (shown[row, 0, lengths[row // k] :] == 0.0).all(), "weights behind the last source token"
        return result, shown[:, 0]


def drawn(random: np.random.Generator, num_segments: int, beam_size: int, size: int, is_int8: bool) -> Drawn:
    lengths, columns = random.integers(1, 40, num_segments), int(random.integers(1, 60))
    return Drawn(
        random.normal(size=(num_segments * beam_size, size)).astype(np.float32),
        [random.normal(size=(n, size)).astype(np.float32) for n in lengths],
        [random.normal(size=(n, columns)).astype(np.float32) for n in lengths],
        random.integers(-127, 128, size).astype(np.int8) if is_int8 else random.normal(size=size).astype(np.float32),
        beam_size,
    )


DRAWN = given(
    st.integers(0, 2**32), st.integers(1, 6), st.integers(1, 4), st.sampled_from([16, 48, 256]), st.booleans()
)


@settings(max_examples=60)
@DRAWN
def test_contexts_and_weights_are_those_of_the_equations(
    seed: int, num_segments: int, beam_size: int, size: int, is_int8: bool
) -> None:
    it = drawn(np.random.default_rng(seed), num_segments, beam_size, size, is_int8)
    contexts, weights = it.attended()
    for row, query in enumerate(it.queries):
        keys, values = it.keys[row // beam_size], it.values[row // beam_size]
        bent = np.tanh((query + keys).astype(np.float64))
        doubtful = np.zeros(len(keys))
        if is_int8:
            levels, is_sure = quantised(bent, SCALE, ZERO)
            nearly = np.abs(bent / np.float32(SCALE) % 1.0 - 0.5) < 1e-4
            doubtful = ((nearly | ~is_sure) * np.abs(it.weights.astype(float))).sum(axis=1) * FACTOR
            energies = (levels - ZERO) @ it.weights.astype(np.float64) * FACTOR
        else:
            energies = bent @ it.weights.astype(np.float64)
        expected = softmax(energies)
        tolerance = 2e-6 * size**0.5 + 2 * doubtful.max()
        np.testing.assert_allclose(weights[row, : len(keys)], expected, rtol=tolerance, atol=1e-7)
        np.testing.assert_allclose(contexts[row], expected @ values, atol=20 * tolerance)


@settings(max_examples=40)
@DRAWN
def test_a_segment_gets_the_same_bits_alone_as_beside_others(
    seed: int, num_segments: int, beam_size: int, size: int, is_int8: bool
) -> None:
    it = drawn(np.random.default_rng(seed), num_segments, beam_size, size, is_int8)
    contexts, weights = it.attended()
    for b, keys in enumerate(it.keys):
        own = slice(b * beam_size, (b + 1) * beam_size)
        alone_contexts, alone_weights = it.attended(segments=[b])
        np.testing.assert_array_equal(contexts[own], alone_contexts)
        np.testing.assert_array_equal(weights[own, : len(keys)], alone_weights[:, : len(keys)])


def test_integers_are_summed_exactly() -> None:
    """Of the largest ones, half of them negative, a single one is left; floats would lose it if they were rounded."""
    keys = np.full((2, 256), 50.0, np.float32)
    keys[1, 0] = 0.0
    weights = np.tile([127, -127], 128).astype(np.int8)
    it = Drawn(np.zeros((1, 256), np.float32), [keys], [np.eye(2, dtype=np.float32)], weights, 1)
    _, shares = it.attended()
    assert shares[0, 1] / shares[0, 0] == pytest.approx(np.exp(-127 * 127 * FACTOR), rel=1e-6)
