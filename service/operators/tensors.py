"""Values that wait (see `service.lowering.values`) as rows."""

from __future__ import annotations

from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, float_tensor
from service.lowering.rules import lowers
from service.lowering.values import Embedding, GraphInput, Lookup, Tensor, Value
from service.operators.carry import LoadState
from service.operators.embed import embedded

TensorLike = Tensor | Embedding | Lookup | GraphInput
"""What `as_tensor` takes; of graph inputs only state that is carried."""


def as_tensor(lowering: Lowering, value: Value) -> Tensor:
    """A tensor of floats: `value`, or what a step makes of it, once."""
    if isinstance(value, Tensor):
        return float_tensor(value)
    if value not in lowering.computed:
        lowering.computed[value] = _computed(lowering, value)
    return lowering.computed[value]


def _computed(lowering: Lowering, value: Value) -> Tensor:
    if isinstance(value, Embedding | Lookup):
        return embedded(lowering, value)
    state = expect(GraphInput, value)
    if not state.is_carried:
        raise TypeError(f"expected rows, found input {state.name}")
    return lowering.add(LoadState(Tensor(state.columns), state))


@lowers("Identity", TensorLike)
def _identity(lowering: Lowering, node: Node, value: Value) -> Value:
    """State that a step hands on as it is."""
    return as_tensor(lowering, value)
