"""Passes over a plan: fewer steps that give the same rows.

`fused` runs them in order. Steps themselves know with which readers they can be one (`Step.absorb`).
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from service.lowering.plan import Plan, Step
from service.lowering.values import Heads, Tensor


def fused(plan: Plan) -> Plan:
    """The plan after all passes."""
    for change in (absorb_readers, drop_unread, skip_zeros):
        plan = change(plan)
    return plan


def outputs_of(plan: Plan) -> set[Tensor]:
    """Tensors that somebody else reads."""
    values = (value.rows if isinstance(value, Heads) else value for value in plan.outputs.values())
    return {value for value in values if isinstance(value, Tensor)}


def absorb_readers(plan: Plan) -> Plan:
    """A step whose target one later step reads, and nobody else, is done together with that step where it can be."""
    outputs = outputs_of(plan)
    uses = Counter(source for step in plan.steps for source in step.sources())
    done: list[Step] = []
    for step in plan.steps:
        whole = step
        for number in range(len(done) - 1, -1, -1):  # the latest first: its other operands are there already
            producer = done[number]
            target = producer.target
            if target is None or target in outputs or uses[target] != 1 or target not in step.sources():
                continue
            together = producer.absorb(step)
            if together is not None:
                whole = together
                del done[number]
                break
        done.append(whole)
    return Plan(tuple(done), plan.outputs)


def drop_unread(plan: Plan) -> Plan:
    """Steps whose rows nobody reads are left out."""
    read = outputs_of(plan)
    kept: list[Step] = []
    for step in reversed(plan.steps):
        if step.target is None or step.target in read or step.writes_state():
            read.update(step.sources())
            kept.append(step)
    return Plan(tuple(reversed(kept)), plan.outputs)


def skip_zeros(plan: Plan) -> Plan:
    """Products of rows that are never negative, which are mostly 0 behind a rectifier, pass over what is 0."""
    positive: set[Tensor] = set()
    steps: list[Step] = []
    for step in plan.steps:
        sources = step.sources()
        changed = step.skipping_zeros() if sources and sources[0] in positive else None
        steps.append(changed or step)
        target = step.target
        if target is not None and (step.is_never_negative() or (target.dtype is np.uint8 and target.zero == 0)):
            positive.add(target)
    return Plan(tuple(steps), plan.outputs)
