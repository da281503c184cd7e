"""Convolution over source tokens, against its equation, ONNX Runtime, and by itself against any company."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.lowering.graph import UnsupportedGraphError, read_graph
from service.lowering.lower import lower
from service.lowering.values import GraphInput, Tensor
from service.operators.conv import Conv
from service.operators.embed import Embed
from service.runtime.onnx import open_session
from tests.service.kernels.graphs import HIDDEN, NUM_POSITIONS, VOCABULARY, GraphWriter
from tests.service.kernels.programs import computed, fed

SEEDS = st.integers(0, 2**32)
TAPS = st.integers(1, 6)
CHANNELS, COLUMNS = st.sampled_from([1, 3, 16, 17]), st.sampled_from([1, 5, 16, 33])
LENGTHS = st.lists(st.sampled_from([1, 2, 3, 7, 16, 17]), min_size=1, max_size=5)
INPUTS = [GraphInput("token_ids"), GraphInput("position")]


def convolved(tokens: np.ndarray, weights: np.ndarray, biases: np.ndarray) -> np.ndarray:
    """Of tokens [S, channels] and weights [taps, channels, columns] the sum of one convolution for each channel."""
    taps, channels, columns = weights.shape
    behind = taps // 2
    result = np.tile(biases.astype(np.float64), (len(tokens), 1))
    for i in range(columns):
        for c in range(channels):
            whole = np.convolve(tokens[:, c].astype(np.float64), weights[::-1, c, i].astype(np.float64))
            result[:, i] += whole[behind : behind + len(tokens)]
    return result


def drawn(seed: int, num_tokens: int, taps: int, channels: int, columns: int) -> tuple[Embed, Conv]:
    """A step that gives tokens, and their convolution."""
    random = np.random.default_rng(seed)
    feed = fed(random.normal(size=(num_tokens, channels)))
    weights = random.normal(size=(taps, channels, columns)).astype(np.float32)
    return feed, Conv(Tensor(columns), feed.target, weights, random.normal(size=columns).astype(np.float32))


@pytest.mark.parametrize("in_numpy", [False, True])
@settings(max_examples=30)
@given(SEEDS, TAPS, CHANNELS, COLUMNS, LENGTHS)
def test_tokens_are_summed_with_their_neighbours_in_the_segment_and_with_no_others(
    in_numpy: bool, seed: int, taps: int, channels: int, columns: int, lengths: list[int]
) -> None:
    feed, step = drawn(seed, sum(lengths), taps, channels, columns)
    steps = [feed, step]
    (together,) = computed(steps, [step.target], range(sum(lengths)), lengths=lengths, in_numpy=in_numpy)
    first = 0
    for length in lengths:
        rows = slice(first, first + length)
        expected = convolved(feed.positions[rows], step.weights, step.biases)
        np.testing.assert_allclose(together[rows], expected, rtol=1e-4, atol=1e-4)
        own = range(first, first + length)
        (alone,) = computed(steps, [step.target], own, lengths=[length], in_numpy=in_numpy)
        np.testing.assert_array_equal(alone, together[rows])
        first += length


@pytest.mark.parametrize("in_numpy", [False, True])
@pytest.mark.parametrize("taps", [2, 3, 8])
def test_tokens_of_other_segments_are_never_read(taps: int, in_numpy: bool) -> None:
    """They are no numbers here: even times zero they would be seen."""
    lengths, own = [4, 5, 3], slice(4, 9)
    feed, step = drawn(1, sum(lengths), taps, 16, 33)
    expected = convolved(feed.positions[own], step.weights, step.biases)
    feed.positions[: own.start] = feed.positions[own.stop :] = np.nan
    (result,) = computed([feed, step], [step.target], range(sum(lengths)), lengths=lengths, in_numpy=in_numpy)
    np.testing.assert_allclose(result[own], expected, rtol=1e-4, atol=1e-4)
    assert np.isnan(result[: own.start]).all()
    assert np.isnan(result[own.stop :]).all()


# ---- against ONNX Runtime: graphs of one segment ---------------------------------------------------------------------


def transposed(w: GraphWriter, source: str) -> str:
    return w.node("Transpose", source, perm=[0, 2, 1])


def channels_first(w: GraphWriter) -> str:
    """Embeddings of one segment [1, HIDDEN, R]."""
    return transposed(w, w.node("Unsqueeze", w.embedded(), w.constant([0], np.int64)))


def tensor_of(w: GraphWriter, source: str) -> str:
    """[1, columns, R] as rows [R, columns]."""
    return w.node("Squeeze", transposed(w, source), w.constant([0], np.int64))


def convolution(w: GraphWriter, source: str, shape: Sequence[int], num_biases: int = 0, **options: Any) -> str:
    """`Conv` with weights of this shape; `pads` keep the length unless `options` have others."""
    weights = w.constant(w.random.normal(0.0, 0.2, shape), np.float32)
    biases = [w.constant(w.random.normal(size=num_biases), np.float32)] if num_biases else []
    taps = shape[-1]
    return w.node("Conv", source, weights, *biases, **{"pads": [(taps - 1) // 2, taps // 2], **options})


def three_tokens_with_biases(w: GraphWriter) -> str:
    return tensor_of(w, convolution(w, channels_first(w), (24, HIDDEN, 3), 24))


def four_tokens_without_biases(w: GraphWriter) -> str:
    return tensor_of(w, convolution(w, channels_first(w), (16, HIDDEN, 4)))


def one_token_without_pads(w: GraphWriter) -> str:
    weights = w.constant(w.random.normal(size=(16, HIDDEN, 1)), np.float32)
    return tensor_of(w, w.node("Conv", channels_first(w), weights))


def all_options_as_they_are_unless_told(w: GraphWriter) -> str:
    options = {"kernel_shape": [5], "strides": [1], "dilations": [1], "group": 1, "auto_pad": "NOTSET"}
    return tensor_of(w, convolution(w, channels_first(w), (16, HIDDEN, 5), 16, **options))


def one_behind_the_other(w: GraphWriter) -> str:
    wide = convolution(w, channels_first(w), (4 * HIDDEN, HIDDEN, 3), 4 * HIDDEN)
    return tensor_of(w, convolution(w, wide, (HIDDEN, 4 * HIDDEN, 3), HIDDEN))


def residual_block(w: GraphWriter) -> str:
    """Two convolutions with a rectifier between them, added to their source and normalised."""
    axis = w.constant([0], np.int64)
    source = w.node("Unsqueeze", w.embedded(), axis)
    wide = transposed(w, convolution(w, transposed(w, source), (64, HIDDEN, 3), 64))
    positive = transposed(w, w.node("Relu", wide))
    narrow = transposed(w, convolution(w, positive, (HIDDEN, 64, 3), HIDDEN))
    return w.node("Squeeze", w.normalised(w.node("Add", source, narrow)), axis)


@pytest.mark.parametrize(
    "written",
    [
        three_tokens_with_biases,
        four_tokens_without_biases,
        one_token_without_pads,
        all_options_as_they_are_unless_told,
        one_behind_the_other,
        residual_block,
    ],
)
@pytest.mark.parametrize("in_numpy", [False, True])
def test_segments_together_give_what_onnx_runtime_gives_for_each(
    written: Callable[[GraphWriter], str], in_numpy: bool
) -> None:
    writer, random, lengths = GraphWriter(), np.random.default_rng(6), [20, 1, 16]
    result, num_rows = written(writer), sum(lengths)
    token_ids, positions = random.integers(0, VOCABULARY, num_rows), random.integers(0, NUM_POSITIONS, num_rows)
    session = open_session(writer.model([result]), 1)
    segments = [np.split(array, np.cumsum(lengths)[:-1]) for array in (token_ids, positions)]
    expected = [
        session.run([result], {"token_ids": ids, "position": places})[0] for ids, places in zip(*segments, strict=True)
    ]
    plan = lower(read_graph(writer.model([result])), INPUTS)
    target = plan.outputs[result]
    assert isinstance(target, Tensor)
    (ours,) = computed(plan.steps, [target], positions, token_ids=token_ids, lengths=lengths, in_numpy=in_numpy)
    np.testing.assert_allclose(ours, np.concatenate(expected), rtol=1e-4, atol=1e-4)


# ---- what is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("shape", "options", "expected", "found"),
    [
        ((16, HIDDEN, 3), {"strides": [2]}, "strides [1]", "strides [2]"),
        ((16, HIDDEN, 3), {"dilations": [2], "pads": [2, 2]}, "dilations [1]", "dilations [2]"),
        ((16, HIDDEN // 2, 3), {"group": 2}, "group 1", "group 2"),
        ((16, HIDDEN, 3), {"pads": [0, 0]}, "pads [1, 1]", "pads [0, 0]"),
        ((16, HIDDEN, 3), {"pads": [2, 0]}, "pads [1, 1]", "pads [2, 0]"),
        ((16, HIDDEN, 4), {"pads": [2, 1]}, "pads [1, 2]", "pads [2, 1]"),
        ((16, HIDDEN, 3), {"auto_pad": "SAME_LOWER"}, "pads that are given", "auto_pad SAME_LOWER"),
        ((16, HIDDEN, 1, 3), {"pads": [0, 1, 0, 1]}, "weights [columns, channels, kernel]", "(16, 32, 1, 3)"),
        ((16, 2 * HIDDEN, 3), {}, "64 channels", "32"),
    ],
)
def test_other_convolutions_are_refused_with_what_was_expected_and_found(
    shape: Sequence[int], options: dict[str, Any], expected: str, found: str
) -> None:
    writer = GraphWriter()
    output = tensor_of(writer, convolution(writer, channels_first(writer), shape, **options))
    message = rf"operator Conv .*expected {re.escape(expected)}.*, found .*{re.escape(found)}"
    with pytest.raises(UnsupportedGraphError, match=message):
        lower(read_graph(writer.model([output])), INPUTS)


def refused_biases_for_other_columns(w: GraphWriter) -> str:
    return convolution(w, channels_first(w), (16, HIDDEN, 3), 8)


def refused_rows_with_channels_last(w: GraphWriter) -> str:
    return convolution(w, w.embedded(), (16, HIDDEN, 3))


def refused_weights_that_are_computed(w: GraphWriter) -> str:
    return w.node("Conv", channels_first(w), channels_first(w))


def refused_weights_of_another_precision(w: GraphWriter) -> str:
    return w.node("Conv", channels_first(w), w.constant(np.ones((16, HIDDEN, 1)), np.float64))


@pytest.mark.parametrize(
    "refused",
    [
        refused_biases_for_other_columns,
        refused_rows_with_channels_last,
        refused_weights_that_are_computed,
        refused_weights_of_another_precision,
    ],
)
def test_operands_of_other_kinds_are_refused(refused: Callable[[GraphWriter], str]) -> None:
    writer = GraphWriter()
    output = refused(writer)
    with pytest.raises(UnsupportedGraphError, match=r"operator Conv .*expected .*, found "):
        lower(read_graph(writer.model([output])), INPUTS)


def test_another_order_of_axes_is_refused() -> None:
    writer = GraphWriter()
    output = writer.node("Transpose", writer.embedded(), perm=[1, 0])
    with pytest.raises(UnsupportedGraphError, match=r"operator Transpose .*expected order \(0, 2, 1\), found order"):
        lower(read_graph(writer.model([output])), INPUTS)


def test_a_decoder_is_refused_as_its_rows_are_no_source_tokens() -> None:
    writer = GraphWriter()
    output = three_tokens_with_biases(writer)
    inputs = [*INPUTS, GraphInput("memory", 48)]
    with pytest.raises(UnsupportedGraphError, match=r"operator Conv .*expected an encoder.*, found .*memory"):
        lower(read_graph(writer.model([output])), inputs)
