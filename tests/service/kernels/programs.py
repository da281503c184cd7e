"""Programs of a few steps, fed and read by hand, and what tests of kernels share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from service.kernels import machine
from service.kernels.entries import GROUP
from service.kernels.heads import MOST_VECTORS
from service.kernels.program import Instructions, Places, Program
from service.kernels.steps import (
    AttendPairs,
    AttendPast,
    AttendSource,
    Buffer,
    Carry,
    Embed,
    Embedding,
    Given,
    Load,
    Step,
    Translated,
    Weights,
)  # fmt: skip
from service.kernels.vectors import LANES, processor_has_dot_products

needs_instruction = pytest.mark.skipif(
    not processor_has_dot_products(), reason="this processor has no dot products of int8 (AVX-512 VNNI)"
)
GUARD = 111
"""What memory behind a result holds, and must hold still."""


def fed(data: np.ndarray) -> Embed:
    """A step that gives each row the row of `data` [n, columns], float32, that its position names."""
    columns = data.shape[1]
    nothing = Embedding(np.zeros((1, columns), np.int8), np.ones(1, np.float32), Given("token_ids"))
    return Embed(Buffer(columns), nothing, data.astype(np.float32))


def fed_by_token(table: np.ndarray, scales: np.ndarray, num_positions: int) -> Embed:
    """A step that gives each row the row of `table` [n, columns], int8, that its token names, times its scale."""
    columns = table.shape[1]
    return Embed(
        Buffer(columns), Embedding(table, scales, Given("token_ids")), np.zeros((num_positions, columns), np.float32)
    )


def computed(
    steps: Sequence[Step],
    outputs: Sequence[Buffer],
    positions: Sequence[int] | np.ndarray,
    *,
    token_ids: Sequence[int] | np.ndarray | None = None,
    rows_per_segment: int = 1,
    lengths: Sequence[int] = (),
    states: Mapping[str, np.ndarray] | None = None,
    beginnings: Mapping[str, np.ndarray] | None = None,
    shown: np.ndarray | None = None,
    first_slices: Mapping[Weights, int] | None = None,
    room: int = 0,
    origins: np.ndarray | None = None,
) -> list[np.ndarray]:
    """What `steps` give for rows of these `positions`: `outputs`, [rows, columns] each.

    `states` are read and written where they lie, `room` being T of the growing ones; `beginnings` are addresses of what
    carried ones begin with; `origins` [rows, room] says which row of its segment wrote an entry, each itself unless
    told. Attention weights are written to `shown` [rows, slices, S], those of a layer from its first slice on.
    """
    num_rows = len(positions)
    arrays = [np.full((num_rows + 1, output.columns), GUARD, output.dtype) for output in outputs]
    program = Program(Translated(tuple(steps), {str(i): output for i, output in enumerate(outputs)}))
    attention = np.zeros((num_rows, 0, 0), np.float32) if shown is None else shown
    places = Places(
        *({name: array.ctypes.data for name, array in (given or {}).items()} for given in (states, beginnings)),
        {output: array.ctypes.data for output, array in zip(outputs, arrays, strict=True)},
        {weights: attention[0, first:].ctypes.data for weights, first in (first_slices or {}).items()},
    )
    instructions = program.instructions(num_rows + 2, places)
    ids = np.zeros(num_rows, np.int64) if token_ids is None else np.array(token_ids, np.int64)
    _, slices, width = attention.shape
    if origins is None:
        origins = np.tile(np.arange(num_rows) % rows_per_segment, (max(1, room), 1)).T
    run(
        instructions,
        ids,
        np.array(positions, np.int64),
        np.array(lengths, np.int64),
        origins.astype(np.int32, order="C"),
        rows_per_segment,
        room,
        width,
        slices,
    )
    for array in arrays:
        assert (array[num_rows] == GUARD).all(), "written behind the last row"
    return [array[:num_rows] for array in arrays]


def places_for(translated: Translated) -> Places:
    """Addresses for all that is not a program's own; nothing is run, so they lead nowhere."""
    states, shown = set[str](), {}
    for step in translated.steps:
        match step:
            case AttendPast(keys=keys, values=values) | AttendSource(keys=keys, values=values):
                states |= {keys.name, values.name}
            case AttendPairs(energies=energies, values=values):
                states |= {energies.pairs.keys.name, values.name}
            case Load(state=state) | Carry(state=state):
                states.add(state.name)
        if isinstance(step, AttendSource | AttendPairs):
            shown[step.weights] = 0
    return Places(dict.fromkeys(states, 0), dict.fromkeys(states, 0), {}, shown)


def run(
    instructions: Instructions, token_ids: np.ndarray, positions: np.ndarray, lengths: np.ndarray,
    origins: np.ndarray, rows_per_segment: int, room: int, width: int, slices: int,
) -> None:  # fmt: skip
    """Run instructions: the one place of these tests that knows what the machine takes."""
    longest = max(room, width, int(lengths.max(initial=0)))
    machine.run(
        instructions.array,
        np.arange(len(token_ids)),
        rows_per_segment,
        token_ids,
        positions,
        lengths,
        origins,
        room,
        width,
        slices,
        0,
        np.zeros((MOST_VECTORS, longest + LANES), np.float32),
        np.zeros((GROUP, longest), np.int64),
    )


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
