"""Operators of layers as ONNX: what the exporter writes for functions that torch computes otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from onnx.defs import OpSchema
from onnxscript.values import Op, Opset

from model_store.export.loops import DOMAIN, READ_TAPES

OPSET_VERSION = 24
"""The first with Attention's nonpad_kv_seqlen."""


op = Opset("", OPSET_VERSION)
CONTRIB = "com.microsoft"
"""Domain of the operators that only ONNX Runtime has."""


def signature(
    name: str, inputs: Sequence[str], outputs: Sequence[str], attributes: Sequence[str] = (), domain: str = CONTRIB
) -> OpSchema:
    """An operator of another domain than ONNX's, as the exporter needs it: float32, int32 or bool inputs, integer
    attributes."""
    parameter, optional = OpSchema.FormalParameter, OpSchema.FormalParameterOption.Optional
    return OpSchema(
        name,
        domain,
        1,
        inputs=[parameter(n, f"T_{n}", param_option=optional) for n in inputs],
        outputs=[parameter(n, f"T_{outputs[0]}") for n in outputs],
        type_constraints=[
            *((f"T_{n}", ["tensor(float)", "tensor(int32)", "tensor(bool)"], "") for n in inputs),
            (f"T_{outputs[0]}", ["tensor(float)"], ""),
        ],
        attributes=[OpSchema.Attribute(n, OpSchema.AttrType.INT, "", required=False) for n in attributes],
    )


group_query_attention = Op(
    Opset(CONTRIB, 1),
    "GroupQueryAttention",
    signature(
        "GroupQueryAttention",
        ("query", "key", "value", "past_key", "past_value", "seqlens_k", "total_sequence_length"),
        ("output", "present_key", "present_value"),
        ("num_heads", "kv_num_heads"),
    ),
)


read_tapes = Op(
    Opset(DOMAIN, 1),
    READ_TAPES,
    signature(
        READ_TAPES,
        ("gates", "queries", "mask", "hidden_gates", "hidden_query", "key", "energy"),
        ("hidden_tape", "cell_tape", "key_tape", "maps"),
        domain=DOMAIN,
    ),
)


def _attend_growing(qkv: Any, keys: Any, values: Any, position: Any) -> Any:
    last = op.Cast(position, to=onnx.TensorProto.INT32)
    longest = op.Add(
        op.ReduceMax(last, keepdims=0), op.Constant(value=numpy_helper.from_array(np.array(1, dtype=np.int32)))
    )
    heads = keys.shape[1]
    return group_query_attention(qkv, None, None, keys, values, last, longest, num_heads=heads, kv_num_heads=heads)


def _attend_itself(query: Any, key: Any, value: Any, lengths: Any, num_heads: int) -> Any:
    heads = {"q_num_heads": num_heads, "kv_num_heads": num_heads}
    return op.Attention(query, key, value, None, None, None, lengths, **heads)[0]


def _first_size(x: Any) -> Any:
    return op.Shape(x, start=0, end=1)


def _group_rows(x: Any, memory: Any) -> Any:
    rest = op.Constant(value_ints=[-1, x.shape[1]])
    return op.Reshape(x, op.Concat(_first_size(memory), rest, axis=0))


def _ungroup_rows(x: Any, rows: Any) -> Any:
    return op.Reshape(x, op.Constant(value_ints=[-1, x.shape[2]]))


def _attend_shared(query: Any, key: Any, value: Any, bias: Any) -> Any:
    _, heads, _, size = key.shape
    sizes = op.Concat(_first_size(bias), op.Constant(value_ints=[-1, heads, size]), axis=0)
    queries = op.Transpose(op.Reshape(query, sizes), perm=[0, 2, 1, 3])  # [B, N, K, D]
    scores = op.MatMul(queries, op.Transpose(key, perm=[0, 1, 3, 2]))
    weights = op.Softmax(op.Add(scores, op.Unsqueeze(bias, op.Constant(value_ints=[1, 2]))), axis=-1)
    context = op.Transpose(op.MatMul(weights, value), perm=[0, 2, 1, 3])
    return op.Reshape(context, op.Constant(value_ints=[-1, 1, heads * size])), weights


def _row_maps(weights: Any, rows: Any) -> Any:
    sizes = op.Concat(op.Constant(value_ints=[-1, weights.shape[1]]), op.Shape(weights, start=3, end=4), axis=0)
    return op.Reshape(op.Transpose(weights, perm=[0, 2, 1, 3]), sizes)


def _recurrent(x: Any, lengths: Any, weights: Sequence[Any], kind: str, is_backward: bool) -> Any:
    """torch orders the gates of a GRU (reset, update, new) and of an LSTM (input, forget, new, output), ONNX (update,
    reset, new) and (input, output, forget, new); time comes first in ONNX."""

    def in_order(weight: Any) -> Any:
        if kind == "GRU":
            reset, update, new = op.Split(weight, axis=0, num_outputs=3)
            return op.Concat(update, reset, new, axis=0)
        enter, forget, new, leave = op.Split(weight, axis=0, num_outputs=4)
        return op.Concat(enter, leave, forget, new, axis=0)

    def directions(index: int) -> Any:
        each = [op.Unsqueeze(in_order(w), op.Constant(value_ints=[0])) for w in weights[index::4]]
        return op.Concat(*each, axis=0) if len(each) > 1 else each[0]

    direction = "bidirectional" if len(weights) == 8 else "reverse" if is_backward else "forward"
    arguments = (
        op.Transpose(x, perm=[1, 0, 2]),
        directions(0),
        directions(1),
        op.Concat(directions(2), directions(3), axis=1),
        op.Cast(lengths, to=onnx.TensorProto.INT32),
    )
    if kind == "GRU":
        sizes = {"hidden_size": weights[1].shape[1], "linear_before_reset": 1}
        states, last = op.GRU(*arguments, direction=direction, **sizes)  # [S, D, B, H], [D, B, H]
        cell = last
    else:
        states, last, cell = op.LSTM(*arguments, direction=direction, hidden_size=weights[1].shape[1])
    side_by_side = op.Constant(value_ints=[0, 0, -1])
    lasts = (op.Reshape(op.Transpose(part, perm=[1, 0, 2]), op.Constant(value_ints=[0, -1])) for part in (last, cell))
    return op.Reshape(op.Transpose(states, perm=[2, 0, 1, 3]), side_by_side), *lasts


def _read_tapes(*taken: Any) -> Any:
    return read_tapes(*taken)


def translations() -> dict[Any, Any]:
    ops = torch.ops.attendant
    return {
        ops.attend_growing.default: _attend_growing,
        ops.attend_itself.default: _attend_itself,
        ops.attend_shared.default: _attend_shared,
        ops.group_rows.default: _group_rows,
        ops.ungroup_rows.default: _ungroup_rows,
        ops.row_maps.default: _row_maps,
        ops.recurrent.default: _recurrent,
        ops.read_tapes.default: _read_tapes,
    }
