"""Loops over tokens: what the exporter writes as one operator of ours becomes a Loop of ONNX.

The exporter's own loops name their results in an order that differs from run to run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import onnx
from onnx import NodeProto, helper, parser

DOMAIN = "attendant"
"""Of operators that no runtime knows: they are expanded before a graph is used."""
READ_TAPES = "ReadTapes"

READ_TAPES_LOOP = """
before (float[] gates, float[] queries, bool[] mask, float[] hidden_gates, float[] hidden_query, float[] key,
        float[] energy) => (float[] hidden_tape, float[] cell_tape, float[] key_tape, float[] maps)
<int64 one = {1}, int64 zero = {0}, int64[1] first = {0}, int64[1] second = {1}>
{
  sizes = Shape(gates)
  length = Gather(sizes, one)
  places = Range(zero, length, one)
  real = Cast<to = 1>(mask)
  to_gates = Transpose<perm = [1, 0]>(hidden_gates)
  to_query = Transpose<perm = [1, 0]>(hidden_query)
  to_key = Transpose<perm = [1, 0]>(key)
  to_energy = Transpose<perm = [1, 0]>(energy)
  keys_shape = Shape(queries)
  no_keys = ConstantOfShape(keys_shape)
  batch_and_length = Shape<start = 0, end = 2>(gates)
  size = Shape<start = 1, end = 2>(hidden_gates)
  states_shape = Concat<axis = 0>(batch_and_length, size)
  no_states = ConstantOfShape(states_shape)
  only_length = Shape<start = 1, end = 2>(gates)
  maps_shape = Concat<axis = 0>(batch_and_length, only_length)
  no_maps = ConstantOfShape(maps_shape)
  begin = Slice(no_states, first, second, second)
  no_read = Squeeze(begin, second)
}
"""
READ_TAPES_BODY = """
body (int64 t, bool going, float[] hiddens, float[] cells, float[] keys, float[] maps, float[] read)
  => (bool go_on, float[] next_hiddens, float[] next_cells, float[] next_keys, float[] next_maps, float[] next_read)
<int64[1] first = {0}, int64[1] second = {1}, int64[1] third = {2}, int64[2] around = {0, 2}, float far = {1e9}>
{
  go_on = Identity(going)
  input_query = Gather<axis = 1>(queries, t)
  own_query = MatMul(read, to_query)
  query = Add(input_query, own_query)
  queried = Unsqueeze(query, second)
  sums = Add(keys, queried)
  hidden_layer = Tanh(sums)
  energies = MatMul(hidden_layer, to_energy)
  scores = Squeeze(energies, third)
  masked = Sub(scores, far)
  visible = Less(places, t)
  seen = Where(visible, scores, masked)
  weights = Softmax<axis = -1>(seen)
  row = Unsqueeze(weights, second)
  read_hiddens = MatMul(row, hiddens)
  next_read = Squeeze(read_hiddens, second)
  read_cells = MatMul(row, cells)
  read_cell = Squeeze(read_cells, second)
  input_gates = Gather<axis = 1>(gates, t)
  own_gates = MatMul(next_read, to_gates)
  gate_sums = Add(input_gates, own_gates)
  enter, forget, candidate, leave = Split<axis = -1, num_outputs = 4>(gate_sums)
  open_enter = Sigmoid(enter)
  open_forget = Sigmoid(forget)
  open_leave = Sigmoid(leave)
  new = Tanh(candidate)
  kept = Mul(open_forget, read_cell)
  entered = Mul(open_enter, new)
  cell = Add(kept, entered)
  shown = Tanh(cell)
  hidden = Mul(open_leave, shown)
  here_real = Gather<axis = 1>(real, t)
  is_real = Unsqueeze(here_real, second)
  real_hidden = Mul(hidden, is_real)
  real_cell = Mul(cell, is_real)
  own_key = MatMul(real_hidden, to_key)
  equal = Equal(places, t)
  here = Unsqueeze(equal, around)
  hidden_entry = Unsqueeze(real_hidden, second)
  cell_entry = Unsqueeze(real_cell, second)
  key_entry = Unsqueeze(own_key, second)
  next_hiddens = Where(here, hidden_entry, hiddens)
  next_cells = Where(here, cell_entry, cells)
  next_keys = Where(here, key_entry, keys)
  next_maps = Where(here, row, maps)
}
"""
"""`TapeCell` of layers/tapes.py, token by token; what it takes from outside is computed before the loop."""


def expand_loops(model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph with every operator of DOMAIN written out."""
    expanded: dict[str, Callable[[NodeProto, str], tuple[list[onnx.TensorProto], Iterator[NodeProto]]]] = {
        READ_TAPES: _read_tapes
    }
    nodes = []
    for number, node in enumerate(model.graph.node):
        if node.domain != DOMAIN:
            nodes.append(node)
            continue
        constants, written = expanded[node.op_type](node, f"loop{number}.")
        nodes += written
        model.graph.initializer.extend(constants)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    kept = [opset for opset in model.opset_import if opset.domain != DOMAIN]
    del model.opset_import[:]
    model.opset_import.extend(kept)
    return model


def _read_tapes(node: NodeProto, prefix: str) -> tuple[list[onnx.TensorProto], Iterator[NodeProto]]:
    before, body = parser.parse_graph(READ_TAPES_LOOP), parser.parse_graph(READ_TAPES_BODY)
    outer = dict(zip((value.name for value in before.input), node.input, strict=True))
    outer |= {name: prefix + name for each in before.node for name in each.output}
    outer |= {constant.name: prefix + constant.name for constant in before.initializer}
    inner = {value.name for value in body.input} | {name for each in body.node for name in each.output}
    inner |= {constant.name for constant in body.initializer}
    _rename(before, outer)
    _rename(body, {**outer, **{name: f"{prefix}body.{name}" for name in inner}})
    begun = ["no_states", "no_states", "no_keys", "no_maps", "no_read"]
    loop = helper.make_node(
        "Loop",
        [outer["length"], "", *(outer[name] for name in begun)],
        [*node.output, f"{prefix}last_read"],
        name=f"{prefix}read_tapes",
        body=body,
    )
    return list(before.initializer), iter([*before.node, loop])


def _rename(graph: onnx.GraphProto, names: dict[str, str]) -> None:
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
    for value in (*graph.input, *graph.output, *graph.initializer):
        value.name = names.get(value.name, value.name)
