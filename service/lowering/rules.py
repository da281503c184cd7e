"""The registry of rules: how each ONNX operator is recognised and what it is lowered to.

A rule names its operator and the kinds of its first operands. Several rules may have one operator: the first one whose
kinds fit, and that does not answer `NotImplemented`, lowers the node.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import UnionType

import numpy as np

from service.lowering.graph import Node, UnsupportedGraphError
from service.lowering.lowering import Lowering
from service.lowering.values import Value

Lower = Callable[..., Value]
"""Of a lowering, a node and its operands (None for those left out): the node's outputs, one or a tuple."""
Kinds = tuple[type | UnionType, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to lower one operator."""

    kinds: Kinds
    lower: Lower

    def fits(self, operands: Sequence[Value]) -> bool:
        """Whether the first operands are of the rule's kinds."""
        return len(operands) >= len(self.kinds) and all(map(isinstance, operands, self.kinds))


RULES: dict[str, list[Rule]] = defaultdict(list)


def lowers(operator: str, *kinds: type | UnionType, commutes: bool = False) -> Callable[[Lower], Lower]:
    """Register a rule for `operator` with first operands of these kinds; `commutes`: two of them, in either order."""

    def register(lower: Lower) -> Lower:
        RULES[operator].append(Rule(kinds, lower))
        if commutes:
            first, second = kinds
            RULES[operator].append(Rule((second, first), lambda lowering, node, a, b: lower(lowering, node, b, a)))
        return lower

    return register


def apply_rules(lowering: Lowering, node: Node) -> Value:
    """What `node` is lowered to. Raises UnsupportedGraphError with what was expected and what was found."""
    rules, operands = RULES.get(node.operator), lowering.operands(node)
    if rules is None:
        raise UnsupportedGraphError(f"operator {node.operator}: no rule of that name")
    for rule in rules:
        if rule.fits(operands):
            result = rule.lower(lowering, node, *operands)
            if result is not NotImplemented:
                return result
    found = ", ".join(map(_kind_of, operands))
    expected = " or ".join(dict.fromkeys(f"({', '.join(map(_name, rule.kinds))})" for rule in rules))
    raise TypeError(f"expected operands {expected}, found ({found})")


def _name(kind: type | UnionType) -> str:
    kinds: tuple[type, ...] = (kind,) if isinstance(kind, type) else kind.__args__
    return " | ".join("constant" if each is np.ndarray else each.__name__ for each in kinds)


def _kind_of(operand: Value) -> str:
    return "nothing" if operand is None else _name(type(operand))
