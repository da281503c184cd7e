"""Programs of a few steps, fed and read by hand, and what tests of kernels share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from service.kernels.interpreter import interpret
from service.kernels.machine import run_compiled
from service.kernels.program import Places, Program
from service.kernels.row_batch import RowBatch
from service.kernels.target import TARGET
from service.lowering.plan import InitialState, MapOf, Plan, StateArray, Step
from service.lowering.values import AttentionWeights, Embedding, GraphInput, Tensor
from service.operators.embed import Embed

needs_instruction = pytest.mark.skipif(not TARGET.is_here(), reason=f"this processor has no {TARGET.name}")
GUARD = 111
"""What memory behind a result holds, and must hold still."""


def fed(data: np.ndarray) -> Embed:
    """A step that gives each row the row of `data` [n, columns], float32, that its position names."""
    columns = data.shape[1]
    nothing = Embedding(np.zeros((1, columns), np.int8), np.ones(1, np.float32), GraphInput("token_ids"))
    return Embed(Tensor(columns), nothing, data.astype(np.float32))


def fed_by_token(table: np.ndarray, scales: np.ndarray, num_positions: int) -> Embed:
    """A step that gives each row the row of `table` [n, columns], int8, that its token names, times its scale."""
    columns = table.shape[1]
    return Embed(
        Tensor(columns),
        Embedding(table, scales, GraphInput("token_ids")),
        np.zeros((num_positions, columns), np.float32),
    )


def computed(
    steps: Sequence[Step],
    outputs: Sequence[Tensor],
    positions: Sequence[int] | np.ndarray,
    *,
    token_ids: Sequence[int] | np.ndarray | None = None,
    beam_size: int = 1,
    lengths: Sequence[int] = (),
    states: Mapping[str, np.ndarray] | None = None,
    beginnings: Mapping[str, np.ndarray] | None = None,
    shown: np.ndarray | None = None,
    first_slices: Mapping[AttentionWeights, int] | None = None,
    room: int = 0,
    origins: np.ndarray | None = None,
    in_numpy: bool = False,
) -> list[np.ndarray]:
    """What `steps` give for rows of these `positions`: `outputs`, [rows, columns] each.

    `states` are read and written where they lie, `room` being T of the growing ones; `beginnings` are addresses of what
    carried ones begin with; `origins` [rows, room] says which row of its segment wrote an entry, each itself unless
    told. Attention weights are written to `shown` [rows, slices, S], those of a layer from its first slice on.
    The interpreter computes them `in_numpy`, and where the processor is none for the kernels.
    """
    num_rows, in_numpy = len(positions), in_numpy or not TARGET.is_here()
    arrays = [np.full((num_rows + 1, output.columns), GUARD, output.dtype) for output in outputs]
    plan = Plan(tuple(steps), {str(i): output for i, output in enumerate(outputs)})
    program = Program(plan, is_compiled=not in_numpy)
    attention = np.zeros((num_rows, 0, 0), np.float32) if shown is None else shown
    places = Places(
        *({name: array.ctypes.data for name, array in (given or {}).items()} for given in (states, beginnings)),
        {output: array.ctypes.data for output, array in zip(outputs, arrays, strict=True)},
        {weights: attention[0, first:].ctypes.data for weights, first in (first_slices or {}).items()},
    )
    _, slices, width = attention.shape
    if origins is None:
        origins = np.tile(np.arange(num_rows) % beam_size, (max(1, room), 1)).T
    batch = RowBatch(
        np.arange(num_rows),
        beam_size,
        np.zeros(num_rows, np.int64) if token_ids is None else np.array(token_ids, np.int64),
        np.array(positions, np.int64),
        np.array(lengths, np.int64),
        origins.astype(np.int32, order="C"),
        width,
        slices,
    )
    run = interpret if in_numpy else run_compiled
    run(program.instructions(num_rows + 2, places), batch)
    for array in arrays:
        assert (array[num_rows] == GUARD).all(), "written behind the last row"
    return [array[:num_rows] for array in arrays]


def places_for(plan: Plan) -> Places:
    """Addresses for all that is not a program's own; nothing is run, so they lead nowhere."""
    states, maps = dict[str, int](), dict[AttentionWeights, int]()
    for step in plan.steps:
        for operand in step.operands().values():
            match operand:
                case StateArray(name) | InitialState(name):
                    states[name] = 0
                case MapOf(weights):
                    maps[weights] = 0
    return Places(states, states, {}, maps)


def quantised(x: np.ndarray, scale: float, zero: int) -> tuple[np.ndarray, np.ndarray]:
    """`x` as ONNX `QuantizeLinear` has it, and where that is sure: a reciprocal may turn what is nearly a tie."""
    exact = x.astype(np.float64) / np.float64(np.float32(scale))
    is_sure = np.abs(exact - np.floor(exact) - 0.5) > 1e-6 * np.maximum(1.0, np.abs(exact))
    return np.clip(np.rint(exact) + zero, 0, 255), is_sure


def softmax(products: np.ndarray) -> np.ndarray:
    """Over the last axis."""
    powers = np.exp(products - products.max(axis=-1, keepdims=True))
    shares: np.ndarray = powers / powers.sum(axis=-1, keepdims=True)
    return shares
