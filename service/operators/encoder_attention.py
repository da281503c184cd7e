"""Self-attention of an encoder (`Attention` of ONNX): each token to all tokens of its segment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from service.kernels.addresses import int64s_at, record_at
from service.kernels.entries import attend, heads_at_once
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.row_batch import row_batch_at, scratch_of
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, float_tensor, require
from service.lowering.plan import Operand, Step
from service.lowering.rules import lowers
from service.lowering.values import SourceLengths, Tensor, Value
from service.operators.self_attention import attended, check_heads, head_scale

OPERANDS = layout("target queries keys values columns num_heads", "scale")


@kernel("EncoderSelfAttention", OPERANDS)
def encoder_self_attention(at: int, batch_at: int) -> None:
    """Self-attention of an encoder: queries, keys and values, all [rows, columns].

    The rows of a segment follow one another, as many as its source length. All of them look at the same entries, head
    after head: those of one are near while they do.
    """
    o, batch = record_at(at, OPERANDS), row_batch_at(batch_at)
    n, heads = o.columns, o.num_heads
    lengths, size = int64s_at(batch.source_lengths, batch.num_segments), n // heads
    weights, offsets = scratch_of(batch)
    for t in range(lengths.max()):
        offsets[0, t] = 4 * n * t
    first = 0
    for count in lengths:
        for r in range(first, first + count):
            head = 0
            while head < heads:
                num = heads_at_once(size, heads, head)
                segment, here = 4 * (first * n + head * size), 4 * (r * n + head * size)
                attend(
                    size, num, False, o.queries + here, o.keys + segment, o.values + segment, offsets[0], count,
                    o.scale, weights, o.target + here,
                )  # fmt: skip
                head += num
        first += count


@dataclass(frozen=True, slots=True)
class EncoderSelfAttention(Step):
    """Self-attention of a token to all tokens of its segment."""

    target: Tensor
    queries: Tensor
    keys: Tensor
    values: Tensor
    num_heads: int

    @property
    def kernel(self) -> Kernel:
        return encoder_self_attention

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "queries": self.queries, "keys": self.keys, "values": self.values,
            "columns": self.target.columns, "num_heads": self.num_heads,
            "scale": head_scale(self.target, self.num_heads),
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        queries, keys, values = (view.rows(name) for name in ("queries", "keys", "values"))
        results, first = [], 0
        for length in view.batch.source_lengths.tolist():
            own = slice(first, first + length)
            results += [attended(query, keys[own], values[own], self.num_heads)[0] for query in queries[own]]
            first += length
        return np.array(results, np.float32)


@lowers("Attention", Tensor, Tensor, Tensor)
def _lower(
    lowering: Lowering, node: Node, queries: Tensor, keys: Tensor, values: Tensor, mask: Value = None,
    past_keys: Value = None, past_values: Value = None, lengths: Value = None,
) -> Value:  # fmt: skip
    options, heads = node.attributes, node.attributes["q_num_heads"]
    require(mask is None and past_keys is None and past_values is None, "no mask and no past", "one of them")
    kv_heads = options["kv_num_heads"]
    require(kv_heads == heads, f"keys and values of {heads} heads", f"those of {kv_heads}")
    others = [name for name in ("scale", "is_causal", "softcap") if options.get(name)]
    require(not others, "no other options", ", ".join(others))
    require(len(node.outputs) == 1, "one output", len(node.outputs))
    expect(SourceLengths, lengths)
    columns = float_tensor(queries).columns
    check_heads(columns, heads)
    step = EncoderSelfAttention(Tensor(columns), queries, float_tensor(keys), float_tensor(values), heads)
    return lowering.add(step)
