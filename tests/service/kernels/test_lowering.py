"""Graphs as steps: what is known is computed as ONNX Runtime does, all else is refused by its operator's name."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from onnx import TensorProto

from service.lowering.graph import UnsupportedGraphError, read_graph
from service.lowering.lower import lower
from service.lowering.plan import Plan
from service.lowering.values import Appended, AttentionMaps, AttentionWeights, GraphInput, Heads, Tensor
from service.operators.additive_attention import AdditiveAttention
from service.operators.product import Product
from service.runtime.onnx import open_session
from service.runtime.plans import decoder_inputs
from tests.bundles import published
from tests.service.kernels.graphs import HIDDEN, NUM_POSITIONS, VOCABULARY, GraphWriter
from tests.service.kernels.programs import computed, needs_instruction

MEMORY, QUERIES = 48, 32
INPUTS = [
    *(GraphInput(name) for name in ("token_ids", "position", "keys", "values", "mask")),
    GraphInput("memory", MEMORY),
    GraphInput("memory_key", QUERIES),
    GraphInput("hidden", HIDDEN, is_carried=True),
]


def lowered(writer: GraphWriter, *outputs: str) -> Plan:
    return lower(read_graph(writer.model(outputs)), INPUTS)


def feed_forward(writer: GraphWriter) -> str:
    """A block of a Transformer: normalised, quantised, widened, made positive, narrowed, and added to its source."""
    source = writer.embedded()
    normal = writer.quantised(writer.normalised(source))
    wide = writer.product(normal, HIDDEN, 4 * HIDDEN)
    positive = writer.quantised(writer.node("Relu", wide), 0.05, 0)
    return writer.node("Add", source, writer.product(positive, 4 * HIDDEN, HIDDEN, 0.05, 0))


@needs_instruction
def test_a_small_graph_gives_what_onnx_runtime_gives() -> None:
    writer, random = GraphWriter(), np.random.default_rng(3)
    result = feed_forward(writer)
    token_ids, positions = random.integers(0, VOCABULARY, 200), random.integers(0, NUM_POSITIONS, 200)
    session = open_session(writer.model([result]), 1)
    (expected,) = session.run([result], {"token_ids": token_ids, "position": positions})
    graph = lowered(writer, result)
    target = graph.outputs[result]
    assert isinstance(target, Tensor)
    (ours,) = computed(graph.steps, [target], positions, token_ids=token_ids)
    differences = np.abs(ours - expected)
    assert np.median(differences) <= 1e-5
    assert (differences > 1e-4).mean() <= 0.05, "more than rare differences of a quantisation step"


def float_block(writer: GraphWriter, order: str) -> str:
    """The same block in float32; biases come before or behind (`order`), and the result is scaled."""
    table = writer.constant(writer.random.normal(size=(VOCABULARY, HIDDEN)), np.float32)
    places = writer.constant(writer.random.normal(size=(NUM_POSITIONS, HIDDEN)), np.float32)
    words = writer.node("Mul", writer.node("Gather", table, "token_ids"), writer.constant(3.0, np.float32))
    source = writer.node("Add", words, writer.node("Gather", places, "position"))
    wide, narrow = (
        writer.constant(writer.random.normal(0.0, 0.2, shape), np.float32)
        for shape in ((HIDDEN, 4 * HIDDEN), (4 * HIDDEN, HIDDEN))
    )
    biases = writer.constant(writer.random.normal(size=4 * HIDDEN), np.float32)
    product = writer.node("MatMul", writer.normalised(source), wide)
    sums = writer.node("Add", *((product, biases) if order == "behind" else (biases, product)))
    result = writer.node("MatMul", writer.node("Relu", sums), narrow)
    scaled = writer.node("Mul", result, writer.constant(0.125, np.float32))
    last = writer.constant(writer.random.normal(size=(HIDDEN, HIDDEN)), np.float32)
    ends = writer.constant(writer.random.normal(size=HIDDEN), np.float32)
    return writer.node("Gemm", writer.node("Add", source, scaled), last, ends, transB=1)


@needs_instruction
@pytest.mark.parametrize("order", ["before", "behind"])
def test_a_float32_graph_gives_what_onnx_runtime_gives(order: str) -> None:
    writer, random = GraphWriter(), np.random.default_rng(4)
    result = float_block(writer, order)
    token_ids, positions = random.integers(0, VOCABULARY, 50), random.integers(0, NUM_POSITIONS, 50)
    session = open_session(writer.model([result]), 1)
    (expected,) = session.run([result], {"token_ids": token_ids, "position": positions})
    graph = lowered(writer, result)
    assert [type(step).__name__ for step in graph.steps].count("Binary") == 0, "sums are done by products"
    target = graph.outputs[result]
    assert isinstance(target, Tensor)
    (ours,) = computed(graph.steps, [target], positions, token_ids=token_ids)
    np.testing.assert_allclose(ours, expected, rtol=1e-4, atol=1e-4)
    (alone,) = computed(graph.steps, [target], positions[7:8], token_ids=token_ids[7:8])
    np.testing.assert_array_equal(alone[0], ours[7])


# ---- against ONNX Runtime: graphs that other exporters write --------------------------------------------------------


def function_of_odd_columns(w: GraphWriter) -> str:
    return w.node("Tanh", w.embedded(18))


def difference_from_a_row_of_constants(w: GraphWriter) -> str:
    return w.node("Sub", w.embedded(), w.constant(np.ones(HIDDEN), np.float32))


def four_side_by_side(w: GraphWriter) -> str:
    return w.node("Concat", *(w.embedded() for _ in range(4)), axis=-1)


def float_product_that_others_read(w: GraphWriter) -> str:
    weights, biases = w.constant(w.random.normal(size=(HIDDEN, 16)), np.float32), w.constant(np.ones(16), np.float32)
    product = w.node("MatMul", w.embedded(), weights)
    return w.node("Add", w.node("Add", product, biases), product)


def float_product_of_odd_columns(w: GraphWriter) -> str:
    return w.node("MatMul", w.embedded(), w.constant(w.random.normal(size=(HIDDEN, 24)), np.float32))


def product_of_odd_columns(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded()), HIDDEN, 24)


def product_of_odd_depth(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded(18)), 18, 16)


def positive_numbers_quantised_to_another_zero(w: GraphWriter) -> str:
    positive = w.quantised(w.node("Relu", w.embedded()), zero=1)
    return w.product(positive, zero=1)


def sum_with_normalised_numbers(w: GraphWriter) -> str:
    source = w.embedded()
    return w.node("Add", source, w.normalised(source))


def factor_of_rows(w: GraphWriter) -> str:
    return w.node("Mul", w.embedded(), w.constant(2.0, np.float32))


def one_minus(w: GraphWriter) -> str:
    return w.node("Sub", w.constant(1.0, np.float32), w.embedded())


def ten_side_by_side(w: GraphWriter) -> str:
    return w.node("Concat", *(w.embedded(8 + i) for i in range(10)), axis=-1)


def gelu_by_erf(w: GraphWriter) -> str:
    x = w.embedded()
    inner = w.node("Erf", w.node("Div", x, w.constant(2**0.5, np.float32)))
    return w.node(
        "Mul", w.node("Mul", x, w.node("Add", inner, w.constant(1.0, np.float32))), w.constant(0.5, np.float32)
    )


def gelu(w: GraphWriter) -> str:
    return w.node("Gelu", w.embedded(19))


def swish(w: GraphWriter) -> str:
    x = w.embedded()
    return w.node("Mul", x, w.node("Sigmoid", x))


def post_norm_block(w: GraphWriter) -> str:
    """A feed-forward block of a Transformer with normalisation behind the residual connection."""
    source = w.normalised(w.embedded())
    wide = w.product(w.quantised(source), HIDDEN, 4 * HIDDEN)
    narrow = w.product(w.quantised(w.node("Mul", wide, w.node("Sigmoid", wide))), 4 * HIDDEN, HIDDEN)
    return w.normalised(w.node("Add", source, narrow))


def rows_by_a_row_of_factors(w: GraphWriter) -> str:
    return w.node("Mul", w.constant(np.linspace(-1, 1, HIDDEN), np.float32), w.node("Relu", w.embedded()))


def half_of_a_product(w: GraphWriter, kind: str, *others: str) -> str:
    """What reads some columns of a product only, of which the other ones are for nobody."""
    product = w.node("MatMul", w.embedded(), w.constant(w.random.normal(size=(HIDDEN, 64)), np.float32))
    return w.node(kind, w.node("Split", product, num_outputs=2, axis=1) + "_1", *others)


def rectified_half_of_a_product(w: GraphWriter) -> str:
    return half_of_a_product(w, "Relu")


def half_of_a_product_and_a_row(w: GraphWriter) -> str:
    return half_of_a_product(w, "Add", w.constant(np.linspace(-1, 1, 32), np.float32))


def half_of_a_product_by_a_row(w: GraphWriter) -> str:
    return half_of_a_product(w, "Mul", w.constant(np.linspace(-1, 1, 32), np.float32))


def rectified_rows_by_float_weights(w: GraphWriter) -> str:
    return w.node("MatMul", w.node("Relu", w.embedded()), w.constant(w.random.normal(size=(HIDDEN, 64)), np.float32))


@pytest.mark.parametrize(
    "written",
    [
        function_of_odd_columns,
        difference_from_a_row_of_constants,
        four_side_by_side,
        float_product_that_others_read,
        float_product_of_odd_columns,
        product_of_odd_columns,
        product_of_odd_depth,
        positive_numbers_quantised_to_another_zero,
        sum_with_normalised_numbers,
        factor_of_rows,
        one_minus,
        ten_side_by_side,
        gelu_by_erf,
        gelu,
        swish,
        post_norm_block,
        rows_by_a_row_of_factors,
        rectified_rows_by_float_weights,
        rectified_half_of_a_product,
        half_of_a_product_and_a_row,
        half_of_a_product_by_a_row,
    ],
)
@pytest.mark.parametrize("in_numpy", [False, True])
def test_other_graphs_give_what_onnx_runtime_gives(written: Callable[[GraphWriter], str], in_numpy: bool) -> None:
    writer, random = GraphWriter(), np.random.default_rng(5)
    result = written(writer)
    token_ids, positions = random.integers(0, VOCABULARY, 37), random.integers(0, NUM_POSITIONS, 37)
    session = open_session(writer.model([result]), 1)
    (expected,) = session.run([result], {"token_ids": token_ids, "position": positions})
    plan = lowered(writer, result)
    target = plan.outputs[result]
    assert isinstance(target, Tensor)
    (ours,) = computed(plan.steps, [target], positions, token_ids=token_ids, in_numpy=in_numpy)
    differences = np.abs(ours - expected)
    assert np.median(differences) <= 1e-5
    assert (differences > 1e-3).mean() <= 0.05, "more than rare differences of a quantisation step"


# ---- what is refused -------------------------------------------------------------------------------------------------


def refused_gemm_with_a_factor(w: GraphWriter) -> str:
    return w.node("Gemm", w.embedded(), w.constant(np.zeros((HIDDEN, 16)), np.float32), alpha=2.0)


def refused_unknown_operator(w: GraphWriter) -> str:
    return w.node("Softsign", w.embedded())


def refused_product_of_unsigned_weights(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded()), dtype=np.uint8)


def refused_product_of_asymmetric_weights(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded()), others=[w.constant(3, np.int8)])


def refused_product_of_another_scale(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded(), scale=0.03), scale=0.031)


def refused_product_of_another_zero(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded(), zero=128), zero=127)


def refused_product_of_floats(w: GraphWriter) -> str:
    return w.product(w.embedded())


def refused_product_of_another_depth(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded()), depth=2 * HIDDEN)


def refused_product_with_a_weight_of_minus_128(w: GraphWriter) -> str:
    """Its size is no int8, and two products of it no sum of 16 bits."""
    output = w.product(w.quantised(w.embedded()))
    weights = w.constants[w.nodes[-1].input[1]]
    weights[-1, -1] = -128
    return output


def refused_quantisation_to_signed(w: GraphWriter) -> str:
    return w.quantised(w.embedded(), zero=0, dtype=np.int8)


def refused_quantisation_by_column(w: GraphWriter) -> str:
    scales = w.constant(np.full(HIDDEN, 0.03), np.float32)
    return w.node("QuantizeLinear", w.embedded(), scales, w.constant(np.zeros(HIDDEN), np.uint8), axis=1)


def refused_normalisation_of_another_axis(w: GraphWriter) -> str:
    return w.quantised(w.normalised(w.embedded(), axis=0))


def refused_normalisation_with_one_gain_for_all(w: GraphWriter) -> str:
    gains, biases = w.constant([1.5], np.float32), w.constant(np.zeros(HIDDEN), np.float32)
    return w.quantised(w.node("LayerNormalization", w.embedded(), gains, biases, axis=-1))


def refused_normalisation_with_computed_gains(w: GraphWriter) -> str:
    biases = w.constant(np.zeros(HIDDEN), np.float32)
    return w.quantised(w.node("LayerNormalization", w.embedded(), w.embedded(), biases, axis=-1))


def refused_product_with_one_bias_for_all(w: GraphWriter) -> str:
    return w.product(w.quantised(w.embedded()), others=["", w.constant([1.5], np.float32)])


def refused_sum_of_other_sizes(w: GraphWriter) -> str:
    return w.node("Add", w.embedded(16), w.embedded(32))


def refused_gathering_of_another_axis(w: GraphWriter) -> str:
    return w.node("Gather", w.constant(np.zeros((4, 16)), np.float32), "token_ids", axis=1)


def attention_to_the_past(
    w: GraphWriter, columns: int, num_heads: int, casts: Sequence[int] = (), **options: int
) -> str:
    source = w.product(w.quantised(w.embedded()), HIDDEN, 3 * columns)
    for kind in casts:
        source = w.node("Cast", source, to=kind)
    longest = w.node("ReduceMax", "position")
    return w.node(
        "GroupQueryAttention", source, "", "", "keys", "values", "position", longest,
        num_outputs=3, num_heads=num_heads, **{"kv_num_heads": num_heads, **options},
    )  # fmt: skip


def refused_attention_to_the_past_with_a_window(w: GraphWriter) -> str:
    return attention_to_the_past(w, 32, 2, local_window_size=4)


def refused_attention_to_the_past_with_shared_keys(w: GraphWriter) -> str:
    return attention_to_the_past(w, 32, 2, kv_num_heads=1)


def attention_to_a_halved_past(w: GraphWriter, columns: int, num_heads: int) -> str:
    return attention_to_the_past(w, columns, num_heads, [TensorProto.FLOAT16, TensorProto.FLOAT])


def refused_attention_to_a_past_that_stays_in_half_precision(w: GraphWriter) -> str:
    return attention_to_the_past(w, 32, 2, [TensorProto.FLOAT16])


def refused_attention_to_a_past_of_another_precision(w: GraphWriter) -> str:
    return attention_to_the_past(w, 32, 2, [TensorProto.BFLOAT16, TensorProto.FLOAT])


def refused_attention_to_a_past_that_is_rounded_twice(w: GraphWriter) -> str:
    return attention_to_the_past(w, 32, 2, [TensorProto.FLOAT16, TensorProto.FLOAT, TensorProto.FLOAT])


def refused_sum_in_half_precision(w: GraphWriter) -> str:
    half = w.node("Cast", w.embedded(), to=TensorProto.FLOAT16)
    return w.node("Add", half, half)


def attention_to_a_segment(w: GraphWriter, columns: int, num_heads: int, **options: int | float) -> str:
    source = w.quantised(w.embedded())
    queries, keys, values = (w.product(source, HIDDEN, columns) for _ in range(3))
    lengths = w.node("ReduceSum", "mask", w.constant([1], np.int64), keepdims=0)
    heads = {"q_num_heads": num_heads, "kv_num_heads": num_heads}
    return w.node("Attention", queries, keys, values, "", "", "", lengths, **{**heads, **options})


def refused_attention_to_a_segment_that_is_causal(w: GraphWriter) -> str:
    return attention_to_a_segment(w, 32, 2, is_causal=1)


def refused_attention_to_a_segment_of_another_scale(w: GraphWriter) -> str:
    return attention_to_a_segment(w, 32, 2, scale=1.0)


def attention_to_the_source(w: GraphWriter, columns: int, num_heads: int, padding: float = -1e9) -> str:
    queries = w.product(w.quantised(w.embedded()), HIDDEN, columns)
    shape = w.constant([0, 1, num_heads, columns // num_heads], np.int64)
    heads = w.node("Transpose", w.node("Reshape", queries, shape), perm=[0, 2, 1, 3])
    products = w.node("MatMul", heads, w.node("Transpose", "keys", perm=[0, 1, 3, 2]))
    mask = w.node("Where", "mask", w.constant(0.0, np.float32), w.constant(padding, np.float32))
    weights = w.node("Softmax", w.node("Add", products, mask), axis=-1)
    context = w.node("Transpose", w.node("MatMul", weights, "values"), perm=[0, 2, 1, 3])
    return w.node("Reshape", context, w.constant([0, columns], np.int64))


def refused_attention_to_padding(w: GraphWriter) -> str:
    return attention_to_the_source(w, 32, 2, padding=-5.0)


def gates(w: GraphWriter, tokens: str, hidden: str) -> str:
    """A gated recurrent unit, of a Transformer's kind of embeddings."""
    given, own = (w.product(w.quantised(each), HIDDEN, 3 * HIDDEN) for each in (tokens, hidden))
    left, right = (w.node("Split", each, num_outputs=3, axis=1) for each in (given, own))
    reset, update = (
        w.node("Sigmoid", w.node("Add", left + i, right + i)) for i in ("", "_1")
    )  # fmt: skip
    new = w.node("Tanh", w.node("Add", left + "_2", w.node("Mul", reset, right + "_2")))
    return w.node("Add", new, w.node("Mul", update, w.node("Sub", hidden, new)))


def attention_by_pairs(w: GraphWriter, source: str, *, is_float: bool = False, **changes: int) -> tuple[str, str]:
    """Context [R, MEMORY] and weights of additive attention; `changes` are axes and sizes that are not as they must."""
    at = {"rows": 2, "keys": 1, "last": 3, "columns": 1, "size": MEMORY, "queries": QUERIES, **changes}
    query = w.product(w.quantised(source), HIDDEN, at["queries"])
    segments = w.node("Shape", "mask", start=0, end=1)
    shape = w.node("Concat", segments, w.constant([-1, at["queries"]], np.int64), axis=0)
    spread = w.node("Unsqueeze", w.node("Reshape", query, shape), w.constant([at["rows"]], np.int64))
    pairs = w.node("Tanh", w.node("Add", spread, w.node("Unsqueeze", "memory_key", w.constant([at["keys"]], np.int64))))
    if is_float:
        energies = w.node("MatMul", pairs, w.constant(w.random.normal(size=(QUERIES, at["columns"])), np.float32))
    else:
        others = ["", w.constant(np.zeros(1), np.float32)][: at["columns"] - 1]
        scale, zero = 1 / 127, 128
        weights = w.constant(w.random.integers(-127, 128, (QUERIES, at["columns"])), np.int8)
        scales, zeros = w.constant(np.full(at["columns"], 0.004), np.float32), w.constant(zero, np.uint8)
        scaled = w.constant(scale, np.float32)
        energies = w.node(
            "MatMulIntegerToFloat", w.quantised(pairs, scale, zero), weights, scaled, scales, zeros, *others
        )
    energies = w.node("Squeeze", energies, w.constant([at["last"]], np.int64))
    mask = w.node("Where", "mask", w.constant(0.0, np.float32), w.constant(-1e9, np.float32))
    masked = w.node("Add", energies, w.node("Unsqueeze", mask, w.constant([1], np.int64)))
    weights = w.node("Softmax", masked, axis=-1)
    context = w.node("Reshape", w.node("MatMul", weights, "memory"), w.constant([-1, at["size"]], np.int64))
    return context, weights


def recurrent_step(w: GraphWriter, *, is_float: bool) -> tuple[str, str]:
    """A step of a recurrent network that attends: logits, and the next hidden layer."""
    tokens = w.embedded()
    context, _ = attention_by_pairs(w, "hidden", is_float=is_float)
    hidden = gates(w, tokens, "hidden")
    columns = 2 * HIDDEN + MEMORY
    joined = w.node("Concat", hidden, tokens, context, axis=-1)
    if is_float:
        read = w.node("MatMul", joined, w.constant(w.random.normal(size=(columns, 64)), np.float32))
    else:
        read = w.product(w.quantised(joined), columns, 64)
    halves = w.node("Split", read, num_outputs=2, axis=1)
    return w.node("Max", halves, halves + "_1"), hidden


@needs_instruction
@pytest.mark.parametrize("is_float", [False, True])
def test_a_recurrent_step_gives_what_onnx_runtime_gives(is_float: bool) -> None:
    writer, random = GraphWriter(), np.random.default_rng(8)
    logits, hidden = recurrent_step(writer, is_float=is_float)
    lengths, width, k = [5, 2, 7], 7, 4
    num_rows, num_segments = k * len(lengths), len(lengths)
    states = {"memory": ("B", "S", MEMORY), "memory_key": ("B", "S", QUERIES), "hidden": ("R", HIDDEN)}
    arrays = {
        "memory": random.normal(size=(num_segments, width, MEMORY)).astype(np.float32),
        "memory_key": random.normal(size=(num_segments, width, QUERIES)).astype(np.float32),
    }
    begins = random.normal(size=(num_segments, HIDDEN)).astype(np.float32)
    token_ids, positions = random.integers(0, VOCABULARY, num_rows), np.zeros(num_rows, np.int64)
    session = open_session(writer.model([logits, hidden], states), 1)
    expected = session.run(
        [logits, hidden],
        {
            **arrays,
            "token_ids": token_ids,
            "position": positions,
            "hidden": np.repeat(begins, k, axis=0),
            "mask": np.arange(width) < np.array(lengths)[:, None],
        },
    )
    graph = lower(read_graph(writer.model([logits, hidden], states)), INPUTS)
    (attention,) = (step.weights for step in graph.steps if isinstance(step, AdditiveAttention))
    at = {
        name: array.ctypes.data + array.strides[0] * np.arange(num_segments)
        for name, array in {**arrays, "hidden": begins}.items()
    }
    targets = [graph.outputs[name] for name in (logits, hidden)]
    ours = computed(
        graph.steps, targets, positions, token_ids=token_ids, beam_size=k, lengths=lengths,
        states={**at, "hidden": np.zeros(0)}, beginnings=at, room=1,
        shown=np.zeros((num_rows, 1, width), np.float32), first_slices={attention: 0},
    )  # fmt: skip
    for mine, theirs in zip(ours, expected, strict=True):
        differences = np.abs(mine - theirs)
        assert np.median(differences) <= 1e-5
        assert (differences > 1e-4).mean() <= 0.05, "more than rare differences of a quantisation step"


def refused_parts_of_rows_behind_one_another(w: GraphWriter) -> str:
    return w.node("Split", w.embedded(), num_outputs=2, axis=0)


def refused_parts_of_different_sizes(w: GraphWriter) -> str:
    return w.node("Split", w.embedded(), num_outputs=3, axis=1)


def refused_difference_of_other_sizes(w: GraphWriter) -> str:
    return w.node("Sub", w.embedded(16), w.embedded(32))


def refused_difference_from_a_memory(w: GraphWriter) -> str:
    return w.node("Sub", w.embedded(QUERIES), "memory_key")


def refused_largest_of_three(w: GraphWriter) -> str:
    return w.node("Max", w.embedded(), w.embedded(), w.embedded())


def refused_rows_behind_one_another(w: GraphWriter) -> str:
    return w.node("Concat", w.embedded(), w.embedded(), axis=0)


def refused_pairs_by_the_logistic_function(w: GraphWriter) -> str:
    query = w.node("Reshape", w.embedded(QUERIES), w.constant([1, -1, QUERIES], np.int64))
    spread = [
        w.node("Unsqueeze", each, w.constant([i], np.int64)) for each, i in ((query, 2), ("memory_key", 1))
    ]  # fmt: skip
    return w.node("Sigmoid", w.node("Add", *spread))


def refused_pairs_with_another_axis_of_rows(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), rows=1)[0]


def refused_pairs_with_another_axis_of_keys(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), keys=2)[0]


def refused_pairs_of_other_sizes(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), queries=48)[0]


def refused_energies_without_another_axis(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), last=2)[0]


def refused_energies_of_two_columns(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), columns=2)[0]


def refused_float_energies_of_two_columns(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), columns=2, is_float=True)[0]


def refused_context_of_another_size(w: GraphWriter) -> str:
    return attention_by_pairs(w, w.embedded(), size=2 * MEMORY)[0]


def refusal(refused: Callable[[GraphWriter], str]) -> str:
    """Why a graph is not lowered."""
    writer = GraphWriter()
    output = refused(writer)
    with pytest.raises(UnsupportedGraphError) as raised:
        lowered(writer, output)
    return str(raised.value)


@pytest.mark.parametrize(
    ("refused", "operator", "told"),
    [
        (refused_parts_of_rows_behind_one_another, "Split", "expected parts of columns, axis -1, found axis 0"),
        (refused_parts_of_different_sizes, "Split", "expected 3 equal parts, found 32 columns"),
        (refused_difference_of_other_sizes, "Sub", "expected operands of equal columns, found 16 and 32"),
        (refused_difference_from_a_memory, "Sub", "expected rows, found input memory_key"),
        (refused_largest_of_three, "Max", "expected two operands, found 3"),
        (refused_rows_behind_one_another, "Concat", "expected rows side by side, axis -1, found axis 0"),
        (
            refused_pairs_by_the_logistic_function,
            "Sigmoid",
            "expected operands (Tensor | Embedding | Lookup | GraphInput | ColumnSlice), found (Pairs)",
        ),
        (refused_pairs_with_another_axis_of_rows, "Unsqueeze", "expected axis 2, found axis 1"),
        (refused_pairs_with_another_axis_of_keys, "Unsqueeze", "expected axis 1, found axis 2"),
        (refused_pairs_of_other_sizes, "Add", "expected keys of 48 columns, found 32"),
        (refused_energies_without_another_axis, "Squeeze", "expected the last axis, found axis 2"),
        (
            refused_energies_of_two_columns,
            "com.microsoft.MatMulIntegerToFloat",
            "expected a constant of one number, found one of shape (2,)",
        ),
        (refused_float_energies_of_two_columns, "MatMul", "expected weights of shape (32, 1), found (32, 2)"),
        (refused_context_of_another_size, "Reshape", "expected a context of 48 columns, found (-1, 96)"),
        (refused_unknown_operator, "Softsign", "no rule of that name"),
        (refused_gemm_with_a_factor, "Gemm", "expected alpha and beta of 1, found 2 and 1"),
        (
            refused_product_of_unsigned_weights,
            "com.microsoft.MatMulIntegerToFloat",
            "expected weights of symmetric int8, found uint8",
        ),
        (
            refused_product_of_asymmetric_weights,
            "com.microsoft.MatMulIntegerToFloat",
            "expected weights of symmetric int8, found int8 with zeros",
        ),
        (
            refused_product_of_another_scale,
            "com.microsoft.MatMulIntegerToFloat",
            "expected scale 0.031 and zero 128, found scale 0.03 and zero 128",
        ),
        (
            refused_product_of_another_zero,
            "com.microsoft.MatMulIntegerToFloat",
            "expected scale 0.03 and zero 127, found scale 0.03 and zero 128",
        ),
        (
            refused_product_of_floats,
            "com.microsoft.MatMulIntegerToFloat",
            "expected a source of uint8, found one of float32",
        ),
        (refused_product_of_another_depth, "com.microsoft.MatMulIntegerToFloat", "expected 64 columns, found 32"),
        (
            refused_product_with_a_weight_of_minus_128,
            "com.microsoft.MatMulIntegerToFloat",
            "expected weights from -127 to 127, found -128",
        ),
        (refused_quantisation_to_signed, "QuantizeLinear", "expected a zero of uint8, found one of int8"),
        (
            refused_quantisation_by_column,
            "QuantizeLinear",
            "expected a constant of one number, found one of shape (32,)",
        ),
        (
            refused_product_with_one_bias_for_all,
            "com.microsoft.MatMulIntegerToFloat",
            "expected a constant of shape (32,), found (1,)",
        ),
        (refused_normalisation_of_another_axis, "LayerNormalization", "expected axis -1, found axis 0"),
        (
            refused_normalisation_with_one_gain_for_all,
            "LayerNormalization",
            "expected a constant of shape (32,), found (1,)",
        ),
        (
            refused_normalisation_with_computed_gains,
            "LayerNormalization",
            "expected operands (Tensor | Embedding | Lookup | GraphInput, constant, constant), found "
            "(Tensor, Tensor, constant)",
        ),
        (refused_sum_of_other_sizes, "Add", "expected operands of equal columns, found 16 and 32"),
        (refused_gathering_of_another_axis, "Gather", "expected axis 0, found axis 1"),
        (
            refused_attention_to_the_past_with_a_window,
            "com.microsoft.GroupQueryAttention",
            "expected no options but numbers of heads, found local_window_size",
        ),
        (
            refused_attention_to_the_past_with_shared_keys,
            "com.microsoft.GroupQueryAttention",
            "expected keys and values of 2 heads, found those of 1",
        ),
        (
            refused_attention_to_a_past_that_stays_in_half_precision,
            "com.microsoft.GroupQueryAttention",
            "expected queries of float32, found those of float16",
        ),
        (refused_attention_to_a_past_of_another_precision, "Cast", "expected a cast to float16, found one to bfloat16"),
        (
            refused_attention_to_a_past_that_is_rounded_twice,
            "Cast",
            "expected a cast of float16 to float32, found one to float",
        ),
        (
            refused_sum_in_half_precision,
            "Add",
            "expected operands (Shape, constant) or (Scores, PaddingMask) or (Embedding, Lookup) or "
            "(Tensor | ColumnSlice | GraphInput, Tensor | ColumnSlice | GraphInput) or (Tensor | "
            "ColumnSlice | GraphInput, constant) or (constant, Tensor | ColumnSlice | GraphInput) or "
            "(TensorByBeam, ExpandedState) or (ExpandedState, TensorByBeam) or (Energies, "
            "PaddingMask) or (PaddingMask, Energies), found (HalfPrecision, HalfPrecision)",
        ),
        (refused_attention_to_a_segment_that_is_causal, "Attention", "expected no other options, found is_causal"),
        (refused_attention_to_a_segment_of_another_scale, "Attention", "expected no other options, found scale"),
        (refused_attention_to_padding, "Where", "expected 0 and at most -10000 for padding, found (0.0, -5.0)"),
    ],
)
def test_what_is_not_known_is_refused_by_its_operator_with_what_was_expected_and_found(
    refused: Callable[[GraphWriter], str], operator: str, told: str
) -> None:
    assert re.fullmatch(rf"operator {operator}( that gives \w+)?: {re.escape(told)}", refusal(refused))


@pytest.mark.parametrize(
    ("known", "num_heads"),
    [
        (attention_to_the_past, 2),
        (attention_to_a_halved_past, 2),
        (attention_to_a_segment, 1),
        (attention_to_the_source, 2),
    ],
)
def test_the_same_graphs_with_heads_of_a_known_size_are_lowered(
    known: Callable[[GraphWriter, int, int], str], num_heads: int
) -> None:
    writer = GraphWriter()
    output = known(writer, 32, num_heads)
    result = lowered(writer, output)
    assert result.steps[-1].target is result.outputs[output]
    assert result.steps[-1].target.columns == 32


def refused_shape_without_an_end(w: GraphWriter) -> str:
    return w.node("Concat", w.node("Shape", w.embedded()), w.constant([4], np.int64), axis=0)


def refused_transpose_without_an_order(w: GraphWriter) -> str:
    return w.node("Transpose", w.embedded())


def refused_attention_of_four_axes(w: GraphWriter) -> str:
    source = w.embedded()
    return w.node("Attention", source, source, source)


def refused_second_output(w: GraphWriter) -> str:
    gains, biases = (w.constant(np.ones(HIDDEN), np.float32) for _ in range(2))
    return w.node("Relu", w.node("LayerNormalization", w.embedded(), gains, biases, num_outputs=2) + "_1")


def refused_output_that_is_the_mean(w: GraphWriter) -> str:
    gains, biases = (w.constant(np.ones(HIDDEN), np.float32) for _ in range(2))
    return w.node("LayerNormalization", w.embedded(), gains, biases, num_outputs=2) + "_1"


@pytest.mark.parametrize(
    ("refused", "told"),
    [
        (refused_shape_without_an_end, "operator Shape that gives value_6: expected 'end'"),
        (refused_transpose_without_an_order, "operator Transpose that gives value_6: expected 'perm'"),
        (refused_attention_of_four_axes, "operator Attention that gives value_6: expected 'q_num_heads'"),
        (refused_second_output, "operator Relu that gives value_7: expected 'value_6_1'"),
    ],
)
def test_what_a_graph_leaves_out_is_named(refused: Callable[[GraphWriter], str], told: str) -> None:
    assert refusal(refused) == f"{told}, found no attribute or value of that name"


def test_an_output_that_no_rule_gives_is_named() -> None:
    assert refusal(refused_output_that_is_the_mean) == "outputs value_6_1, which no rule gives"


def test_a_token_is_not_taken_for_a_position() -> None:
    """The one step that embeds takes tables by token and by position; a graph may mean it the other way round."""
    writer = GraphWriter()
    output = writer.embedded()
    for node in writer.nodes:
        for i, name in enumerate(node.input):
            node.input[i] = {"token_ids": "position", "position": "token_ids"}.get(name, name)
    with pytest.raises(UnsupportedGraphError, match="operator Add"):
        lowered(writer, output)


def test_the_published_transformer_is_lowered_wholly() -> None:
    bundle = published("en-fr-transformer")
    manifest = bundle.manifest
    encoder, decoder = (
        lower(read_graph(model), inputs)
        for model, inputs in (
            (bundle.encoder, [GraphInput(tensor.name) for tensor in manifest.encoder.inputs]),
            (bundle.decoder_step, decoder_inputs(manifest)),
        )
    )
    for spec in manifest.state:
        if spec.encoder_output:
            memory = encoder.outputs[spec.encoder_output]
            assert isinstance(memory, Heads)
            assert (memory.num_heads, "S", memory.rows.columns // memory.num_heads) == spec.axes
        if spec.step_output:
            appended = decoder.outputs[spec.step_output]
            assert isinstance(appended, Appended)
            assert appended.state.name == spec.step_input
    logits, attention = (
        decoder.outputs[name] for name in (manifest.decoder_step.logits, manifest.decoder_step.attention)
    )
    assert isinstance(logits, Tensor)
    assert logits.columns == manifest.tokenizer.vocabulary_size
    assert isinstance(attention, AttentionMaps)
    for model, steps in ((bundle.encoder, encoder.steps), (bundle.decoder_step, decoder.steps)):
        num_products = sum(node.operator == "com.microsoft.MatMulIntegerToFloat" for node in read_graph(model).nodes)
        assert sum(isinstance(step, Product) for step in steps) == num_products


def test_the_published_recurrent_network_has_a_decoder_that_is_lowered_and_an_encoder_that_is_not() -> None:
    bundle = published("en-fr-bahdanau")
    manifest = bundle.manifest
    decoder = lower(read_graph(bundle.decoder_step), decoder_inputs(manifest))
    logits, attention, hidden = (
        decoder.outputs[name] for name in (manifest.decoder_step.logits, manifest.decoder_step.attention, "next_hidden")
    )
    assert isinstance(logits, Tensor)
    assert logits.columns == manifest.tokenizer.vocabulary_size
    assert isinstance(attention, AttentionWeights)
    assert isinstance(hidden, Tensor)
    with pytest.raises(UnsupportedGraphError, match="operator "):
        lower(read_graph(bundle.encoder), [GraphInput(tensor.name) for tensor in manifest.encoder.inputs])
