"""Values that wait (see `service.lowering.values`) as rows."""

from __future__ import annotations

from service.lowering.lowering import Lowering, expect, float_rows
from service.lowering.values import Embedding, GraphInput, Lookup, Rows, Value
from service.operators.carry import Load
from service.operators.embed import embedded

RowsLike = Rows | Embedding | Lookup | GraphInput
"""What `as_rows` takes; of graph inputs only state that is carried."""


def as_rows(lowering: Lowering, value: Value) -> Rows:
    """Rows of floats: `value`, or what a step makes of it, once."""
    if isinstance(value, Rows):
        return float_rows(value)
    if value not in lowering.computed:
        lowering.computed[value] = _computed(lowering, value)
    return lowering.computed[value]


def _computed(lowering: Lowering, value: Value) -> Rows:
    if isinstance(value, Embedding | Lookup):
        return embedded(lowering, value)
    state = expect(GraphInput, value)
    if not state.is_carried:
        raise TypeError(f"expected rows, found input {state.name}")
    return lowering.add(Load(Rows(state.columns), state))
