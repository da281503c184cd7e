"""From an ONNX graph to a plan. A graph with anything that no rule knows is refused, and ONNX Runtime runs it."""

from __future__ import annotations

from collections.abc import Sequence

import service.operators  # noqa: F401  (registers the rules)
from service.lowering.fusion import fused
from service.lowering.graph import OnnxGraph, UnsupportedGraphError
from service.lowering.lowering import Lowering
from service.lowering.plan import Plan
from service.lowering.rules import apply_rules
from service.lowering.values import GraphInput


def lower(graph: OnnxGraph, inputs: Sequence[GraphInput]) -> Plan:
    """The plan of `graph`, which has these `inputs`.

    Raises UnsupportedGraphError with the operator, what was expected and what was found.
    """
    given = {each.name: each for each in inputs}
    lowering = Lowering({**graph.constants, **given}, given)
    for node in graph.nodes:
        try:
            results = apply_rules(lowering, node)
        except (TypeError, ValueError, LookupError) as error:
            reason = str(error)
            if isinstance(error, LookupError):
                reason = f"expected {reason}, found no attribute or value of that name"
            raise UnsupportedGraphError(f"operator {node.operator} that gives {node.outputs[0]}: {reason}") from error
        for name, value in zip(node.outputs, results if isinstance(results, tuple) else (results,), strict=False):
            lowering.values[name] = value
    if unknown := [name for name in graph.outputs if name not in lowering.values]:
        raise UnsupportedGraphError(f"outputs {', '.join(unknown)}, which no rule gives")
    outputs = {name: lowering.values[name] for name in graph.outputs}
    return fused(Plan(tuple(lowering.steps), outputs))
