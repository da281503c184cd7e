"""What a manifest says about a bundle's plans: inputs, state arrays, sizes of tables."""

from __future__ import annotations

import math
from collections.abc import Callable

from model_store.contract.manifest import Manifest, StateTensors
from model_store.contract.state import Lifetime
from service.kernels.program import Instructions
from service.kernels.row_batch import RowBatch
from service.lowering.graph import UnsupportedGraphError
from service.lowering.plan import Plan
from service.lowering.values import GraphInput
from service.operators.embed import Embed

Run = Callable[[Instructions, RowBatch], None]
"""Does instructions: `run_compiled`, or `interpreter.interpret`."""


def decoder_inputs(manifest: Manifest) -> list[GraphInput]:
    """The inputs of the decoder's graph."""
    states = {
        spec.step_input: GraphInput(spec.step_input, columns(spec), spec.lifetime is Lifetime.CARRIED)
        for spec in manifest.state
    }
    return [states.get(tensor.name, GraphInput(tensor.name)) for tensor in manifest.decoder_step.inputs]


def columns(spec: StateTensors) -> int:
    """Numbers of each row of a state array, or of each entry or source token of it."""
    return math.prod(axis for axis in spec.axes if isinstance(axis, int))


def encoder_states_of(manifest: Manifest) -> list[StateTensors]:
    """The state arrays that the encoder writes: those that no step changes, and what carried ones begin with."""
    return [spec for spec in manifest.state if spec.encoder_output and spec.lifetime is not Lifetime.GROWING]


def check_tables(plan: Plan, num_positions: int, vocabulary_size: int) -> None:
    """Nothing is looked up beyond the tables of embeddings."""
    for step in plan.steps:
        if isinstance(step, Embed) and step.positions is not None and len(step.positions) < num_positions:
            raise UnsupportedGraphError(f"{len(step.positions)} positions, fewer than the {num_positions} of the limit")
        if isinstance(step, Embed) and len(step.embedding.table) < vocabulary_size:
            raise UnsupportedGraphError(f"{len(step.embedding.table)} embeddings for a vocabulary of {vocabulary_size}")
