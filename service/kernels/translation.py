"""From an ONNX graph to the steps that kernels do: what each operator means for the rows of a batch.

Operators that only arrange (reshape, transpose, concatenate) are followed, not done: a kernel reads its operands where
they lie. Any operator or arrangement that is not known here is refused, and ONNX Runtime runs the graph.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from onnx import TensorProto

from service.kernels.graph import Graph, Node, UnsupportedGraphError
from service.kernels.heads import HEAD_SIZES
from service.kernels.operands import (
    PLACE_INPUTS,
    TOKEN_INPUTS,
    Translation,
    as_,
    as_rows,
    floats,
    need,
    of_columns,
    one,
)  # fmt: skip
from service.kernels.recurrent import (
    attended_pairs,
    bent,
    combine,
    combined,
    energies_of,
    grouped,
    joined,
    masked,
    pairs_of,
    quantised_pairs,
    split,
    spread,
    without_last_axis,
)  # fmt: skip
from service.kernels.steps import (
    Appended,
    AttendPast,
    AttendSegment,
    AttendSource,
    Buffer,
    Combine,
    Context,
    Embed,
    Embedding,
    Energies,
    FloatProduct,
    Given,
    Grouped,
    Halved,
    Heads,
    Join,
    Joined,
    Lengths,
    Normalise,
    Normalised,
    Pairs,
    Part,
    Picked,
    Positive,
    Product,
    Products,
    Quantise,
    Shown,
    Sizes,
    Spread,
    Step,
    Translated,
    Turned,
    Value,
    Weights,
    sources_of,
)


def translate(graph: Graph, inputs: Sequence[Given]) -> Translated:
    """The steps of `graph`, which has these `inputs`. Raises UnsupportedGraphError."""
    uses = Counter(name for node in graph.nodes for name in node.inputs)
    translation = Translation({**graph.constants, **{given.name: given for given in inputs}}, uses)
    for node in graph.nodes:
        known = _OPERATORS.get(node.kind)
        if known is None:
            raise UnsupportedGraphError(f"operator {node.kind}")
        try:
            results = known(translation, node, *translation.operands(node))
        except (TypeError, ValueError, LookupError) as error:  # LookupError: an attribute or a value is not there
            raise UnsupportedGraphError(f"operator {node.kind} that gives {node.outputs[0]}: {error}") from error
        for name, value in zip(node.outputs, results if isinstance(results, tuple) else (results,), strict=False):
            translation.values[name] = value
    if unknown := [name for name in graph.outputs if name not in translation.values]:
        raise UnsupportedGraphError(f"outputs {', '.join(unknown)}, which no known operator gives")
    outputs = {name: translation.values[name] for name in graph.outputs}
    return Translated(fused(translation.steps, outputs.values()), outputs)


def fused(steps: Sequence[Step], outputs: Collection[Value]) -> tuple[Step, ...]:
    """The same with sums done by the product that comes right before, when nothing else reads that."""
    read = {output.source if isinstance(output, Heads) else output for output in outputs}
    uses = Counter(source for step in steps for source in sources_of(step))
    done: list[Step] = []
    for step in steps:
        last = done[-1] if done else None
        if isinstance(step, Combine) and step.operation == "Add" and isinstance(last, Product | FloatProduct):
            others = [source for source in (step.source, step.second) if source is not last.target]
            is_only_read_here = uses[last.target] == 1 and last.target not in read
            if last.addend is None and is_only_read_here and len(others) == 1 and isinstance(others[0], Buffer):
                done[-1] = replace(last, target=step.target, addend=others[0])
                continue
        done.append(step)
    return tuple(done)


def _head_size(columns: int, num_heads: int) -> None:
    need(columns / num_heads in HEAD_SIZES, f"heads of {columns / num_heads:g}, not of one of {HEAD_SIZES}")


def _change_product(
    translation: Translation, node: Node, product: Buffer, change: Callable[[FloatProduct], FloatProduct]
) -> Buffer:
    """Let the step that gives `product` do what `node` does, too; nothing but `node` may read that."""
    names = {name for name in node.inputs if translation.values.get(name) is product}
    need(all(translation.uses[name] == 1 for name in names), "a product that others read, too")
    for i, step in enumerate(translation.steps):
        if isinstance(step, FloatProduct) and step.target is product:
            translation.steps[i] = change(step)
            return product
    raise TypeError("a constant and what is no product")


def _with_biases(step: FloatProduct, biases: np.ndarray) -> FloatProduct:
    need(not step.biases.any() and not step.is_positive, "biases of what has some")
    return replace(step, biases=of_columns(biases, step.target.columns))


def _times(step: FloatProduct, factor: float) -> FloatProduct:
    need(not step.is_positive or factor >= 0, "a factor that turns signs")
    return replace(step, weights=step.weights * np.float32(factor), biases=step.biases * np.float32(factor))


def _gather(_: Translation, node: Node, table: Value, by: Value) -> Value:
    need(node.attributes.get("axis", 0) == 0, "another axis")
    return Picked(as_(np.ndarray, table), as_(Given, by))


def _slice(_: Translation, node: Node, table: Value, start: Value, end: Value, axes: Value, step: Value) -> Value:
    """Positions from the first on, for every source column."""
    as_(Sizes, end)
    need(one(start) == 0 and one(axes) == 0 and one(step) == 1, "another part")
    return Picked(as_(np.ndarray, table), Given("column"))


def _cast(_: Translation, node: Node, value: Value) -> Value:
    kind = node.attributes.get("to")
    if isinstance(value, Buffer):
        need(kind == TensorProto.FLOAT16, "floats as another type")
        return Halved(floats(value), are_floats=False)
    if isinstance(value, Halved):
        need(kind == TensorProto.FLOAT and not value.are_floats, "half precision as another type")
        return replace(value, are_floats=True)
    return as_(Given, value) if not isinstance(value, Picked) else value


def _multiply(translation: Translation, node: Node, left: Value, right: Value) -> Value:
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return left * right
    if isinstance(left, Picked) and isinstance(right, np.ndarray):
        need(left.table.dtype == np.float32, "a table of another type")
        return Embedding(left.table, np.full(len(left.table), one(right), np.float32), left.by)
    if isinstance(left, Buffer | Part) and isinstance(right, Buffer | Part | Given):
        return combine(translation, "Multiply", left, right)
    if isinstance(left, Buffer) and isinstance(right, np.ndarray):
        factor = one(right)
        return _change_product(translation, node, left, lambda step: _times(step, factor))
    table, scales = as_(Picked, left), as_(Picked, right)
    need(table.by is scales.by and table.table.dtype == np.int8, "factors of other things")
    need(scales.table.size == len(table.table), "another number of scales")
    return Embedding(table.table, scales.table.reshape(-1), table.by)


def _add(translation: Translation, node: Node, left: Value, right: Value) -> Value:
    match left, right:
        case Embedding(table=table, by=token), Picked(table=places, by=place):
            need(token.name in TOKEN_INPUTS and place.name in PLACE_INPUTS, "rows picked by another input")
            need(places.dtype == np.float32 and places.shape[1] == table.shape[1], "positions of another size")
            target = Buffer(table.shape[1])
            translation.steps.append(Embed(target, left, places))
            return target
        case (Buffer() | Part(), Buffer() | Part() | Given()) | (Given(), Buffer() | Part()):
            return combine(translation, "Add", left, right)
        case (Grouped() as queries, Spread() as keys) | (Spread() as keys, Grouped() as queries):
            return pairs_of(queries, keys)
        case (Energies() as energies, Lengths(as_mask=True)) | (Lengths(as_mask=True), Energies() as energies):
            return masked(energies)
        case (Buffer() as product, np.ndarray() as biases) | (np.ndarray() as biases, Buffer() as product):
            return _change_product(translation, node, product, lambda step: _with_biases(step, biases))
        case Products(), Lengths(as_mask=True):
            return Products(left.queries, left.keys, is_masked=True)
        case Sizes(), np.ndarray():
            return Sizes((None,) * len(left.values))
    raise TypeError(f"{type(left).__name__} and {type(right).__name__}")


def _unsqueeze(_: Translation, node: Node, value: Value, axes: Value) -> Value:
    """An axis of size 1 comes."""
    if isinstance(value, Grouped | Given | Weights):
        return spread(value, int(one(axes)))
    return value if isinstance(value, Lengths | Normalised) else as_(Buffer, value)


def _squeeze(_: Translation, node: Node, value: Value, axes: Value) -> Value:
    """An axis of size 1 goes."""
    if isinstance(value, Energies):
        return without_last_axis(value, int(one(axes)))
    return value if isinstance(value, Lengths | Normalised) else as_(Buffer, value)


def _where(_: Translation, node: Node, mask: Value, real: Value, padding: Value) -> Value:
    as_(Given, mask)
    need(one(real) == 0 and one(padding) <= LEAST_MASKED, "another mask")
    return Lengths(as_mask=True)


def _layer_normalization(_: Translation, node: Node, source: Value, gains: Value, biases: Value) -> Value:
    need(node.attributes.get("axis", -1) == -1, "another axis")
    of = floats(source)
    every = of_columns(gains, of.columns), of_columns(biases, of.columns)
    return Normalised(of, *every, float(node.attributes.get("epsilon", 1e-5)))


def _relu(translation: Translation, node: Node, source: Value) -> Value:
    of = floats(source)
    if any(isinstance(step, FloatProduct) and step.target is of for step in translation.steps):
        return _change_product(translation, node, of, lambda step: replace(step, is_positive=True))
    return Positive(of)


def _quantize_linear(translation: Translation, node: Node, source: Value, scale: Value, zero: Value) -> Value:
    need(as_(np.ndarray, zero).dtype == np.uint8, "another type")
    if isinstance(source, Pairs):
        return quantised_pairs(source, one(scale), int(one(zero)))
    if isinstance(source, Positive):
        need(one(zero) == 0, "a zero that lets negative numbers through")
        source = source.source
    if not isinstance(source, Normalised | Joined):
        source = as_rows(translation, source)
    columns = source.source.columns if isinstance(source, Normalised) else source.columns
    target = Buffer(columns, np.uint8, one(scale), int(one(zero)))
    match source:
        case Normalised():
            translation.steps.append(Normalise(target, source))
        case Joined(parts):
            translation.steps.append(Join(target, parts))
        case _:
            translation.steps.append(Quantise(target, source))
    return target


def _product(
    translation: Translation, node: Node, source: Value, weights: Value, source_scale: Value, scales: Value,
    source_zero: Value, zeros: Value = None, biases: Value = None,
) -> Value:  # fmt: skip
    depth, columns = as_(np.ndarray, weights).shape
    if isinstance(source, Pairs):
        need(source.scale == one(source_scale) and source.zero == int(one(source_zero)), "scaled twice")
        need(weights.dtype == np.int8 and zeros is None and biases is None, "weights that are not symmetric int8")
        return energies_of(source, weights, source.scale * one(scales))
    need(as_(Buffer, source).dtype is np.uint8 and source.columns == depth, "another source")
    need(source.scale == one(source_scale) and source.zero == int(one(source_zero)), "scaled twice")
    need(weights.dtype == np.int8 and zeros is None, "weights that are not symmetric int8")
    need(depth % 4 == 0 and columns % 16 == 0, f"sizes {depth} and {columns}, not multiples of 4 and 16")
    target = Buffer(columns)
    factors = np.full(columns, scales, np.float32) if as_(np.ndarray, scales).size == 1 else scales
    added = np.zeros(columns, np.float32) if biases is None else biases
    every = of_columns(factors, columns), of_columns(added, columns)
    translation.steps.append(Product(target, source, weights, *every))
    return target


def _transpose(_: Translation, node: Node, value: Value) -> Value:
    order = tuple(node.attributes["perm"])
    match value:
        case np.ndarray():
            return value.transpose(order)
        case Heads() if order == HEADS_FIRST:
            return Heads(value.source, value.num_heads, not value.heads_first)
        case Given() if order == (0, 1, 3, 2):
            return Turned(value)
        case Context() | Shown() | Weights() if order == HEADS_FIRST:
            return value
    raise TypeError(f"{type(value).__name__} turned by {order}")


def _shape(_: Translation, node: Node, value: Value) -> Value:
    return Sizes((None,) * (node.attributes["end"] - node.attributes.get("start", 0)))


def _concat(translation: Translation, node: Node, *parts: Value) -> Value:
    if all(isinstance(part, Weights) for part in parts):
        need(node.attributes["axis"] == 1, "weights side by side")
        return Shown(parts)
    if any(isinstance(part, Buffer) for part in parts):
        return joined(translation, node, parts)
    sizes = (part.values if isinstance(part, Sizes) else as_(np.ndarray, part).tolist() for part in parts)
    return Sizes(tuple(itertools.chain.from_iterable(sizes)))


def _reshape(translation: Translation, node: Node, value: Value, shape: Value) -> Value:
    sizes = shape.values if isinstance(shape, Sizes) else tuple(as_(np.ndarray, shape).tolist())
    match value:
        case Buffer(columns=columns) if len(sizes) == 4:
            floats(value)
            heads, size = as_(int, sizes[2]), as_(int, sizes[3])
            need(heads * size == columns, "heads of another size")
            return Heads(value, heads)
        case Buffer() if len(sizes) == 3:
            return grouped(value, sizes)
        case Context(weights=Weights(products=Energies())):
            return attended_pairs(translation, value, sizes)
        case Context(weights=Weights(products=Products(queries=queries, keys=keys)) as weights, values=values):
            columns = queries.source.columns
            need(sizes[-1] == columns, "a context of another size")
            _head_size(columns, queries.num_heads)
            target = Buffer(columns)
            translation.steps.append(AttendSource(target, queries.source, keys, values, queries.num_heads, weights))
            return target
        case Shown() | Weights():
            return value
    raise TypeError(f"{type(value).__name__} as {sizes}")


def _matmul(translation: Translation, node: Node, left: Value, right: Value) -> Value:
    match left, right:
        case Pairs(scale=0.0), np.ndarray():
            need(right.dtype == np.float32, "weights of another type")
            return energies_of(left, right, 1.0)
        case Buffer() | Normalised() | Joined() | Picked() | Given(is_carried=True), np.ndarray():
            return _float_product(translation, left, right)
        case Heads(heads_first=True), Turned(state=keys):
            return Products(left, keys)
        case Weights(), Given():
            return Context(left, right)
    raise TypeError(f"{type(left).__name__} times {type(right).__name__}")


def _gemm(translation: Translation, node: Node, left: Value, right: Value, biases: Value = None) -> Value:
    options = node.attributes
    need(not options.get("transA") and options.get("alpha", 1.0) == 1.0 == options.get("beta", 1.0), "other options")
    weights = as_(np.ndarray, right).T if options.get("transB") else as_(np.ndarray, right)
    return _float_product(translation, left, weights, biases)


def _float_product(translation: Translation, left: Value, weights: np.ndarray, biases: Value = None) -> Buffer:
    source = as_rows(translation, left)
    depth, columns = weights.shape
    need(source.columns == depth and weights.dtype == np.float32, "weights of another size or type")
    need(columns % 16 == 0, f"{columns} columns, not a multiple of 16")
    target = Buffer(columns)
    added = np.zeros(columns, np.float32) if biases is None else of_columns(biases, columns)
    translation.steps.append(FloatProduct(target, source, weights, added))
    return target


def _softmax(_: Translation, node: Node, products: Value) -> Value:
    need(isinstance(products, Products | Energies) and products.is_masked, "weights of padding")
    need(node.attributes.get("axis", -1) == -1, "another axis")
    return Weights(products)


def _reduce_max(_: Translation, node: Node, value: Value) -> Value:
    as_(Given, value)
    return Sizes((None,))


def _reduce_sum(_: Translation, node: Node, mask: Value, axes: Value) -> Value:
    as_(Given, mask)
    need(one(axes) == 1, "another axis")
    return Lengths(as_mask=False)


def _group_query_attention(
    translation: Translation, node: Node, source: Value, key: Value, value: Value, keys: Value, values: Value,
    positions: Value, total: Value,
) -> Value:  # fmt: skip
    heads = node.attributes["num_heads"]
    need(set(node.attributes) == {"num_heads", "kv_num_heads"}, "options that are not known")
    need(node.attributes["kv_num_heads"] == heads and key is None and value is None, "queries and keys apart")
    as_(Given, positions), as_(Sizes, total)
    are_halved = isinstance(source, Halved)
    if are_halved:
        need(source.are_floats, "numbers of 16 bits")
        source = source.source
    target = Buffer(floats(source).columns // 3)
    _head_size(target.columns, heads)
    translation.steps.append(AttendPast(target, source, as_(Given, keys), as_(Given, values), heads, are_halved))
    return target, Appended(keys), Appended(values)


def _attention(
    translation: Translation, node: Node, queries: Value, keys: Value, values: Value, mask: Value = None,
    past_keys: Value = None, past_values: Value = None, lengths: Value = None,
) -> Value:  # fmt: skip
    options, heads = node.attributes, node.attributes["q_num_heads"]
    need(mask is None and past_keys is None and past_values is None, "a mask or a past")
    need(options["kv_num_heads"] == heads and "scale" not in options, "heads or a scale of another kind")
    need(not options.get("is_causal") and not options.get("softcap") and len(node.outputs) == 1, "other options")
    need(not as_(Lengths, lengths).as_mask, "a mask")
    target = Buffer(floats(queries).columns)
    _head_size(target.columns, heads)
    translation.steps.append(AttendSegment(target, queries, floats(keys), floats(values), heads))
    return target


LEAST_MASKED = -1e4
"""What is added to products of padding is at most this: its exponential is 0 then."""
HEADS_FIRST = (0, 2, 1, 3)
_OPERATORS: Mapping[str, Callable[..., Value]] = {
    "Add": _add,
    "Attention": _attention,
    "Cast": _cast,
    "Concat": _concat,
    "Gather": _gather,
    "Gemm": _gemm,
    "com.microsoft.GroupQueryAttention": _group_query_attention,
    "LayerNormalization": _layer_normalization,
    "MatMul": _matmul,
    "com.microsoft.MatMulIntegerToFloat": _product,
    "Max": combined("Larger"),
    "Mul": _multiply,
    "QuantizeLinear": _quantize_linear,
    "ReduceMax": _reduce_max,
    "ReduceSum": _reduce_sum,
    "Relu": _relu,
    "Reshape": _reshape,
    "Shape": _shape,
    "Slice": _slice,
    "Sigmoid": bent("Sigmoid"),
    "Softmax": _softmax,
    "Split": split,
    "Squeeze": _squeeze,
    "Sub": combined("Subtract"),
    "Tanh": bent("Tanh"),
    "Transpose": _transpose,
    "Unsqueeze": _unsqueeze,
    "Where": _where,
}
