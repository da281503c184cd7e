"""State that each step hands to the next one: loaded before it is used, carried on at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import copy_floats, int64s_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View, array_at
from service.kernels.row_batch import cached_rows, row_batch_at
from service.lowering.plan import InitialState, Operand, StateArray, Step
from service.lowering.values import GraphInput, Tensor

CARRIED_ENTRIES = 2
"""Of each row of a carried state array: what one step writes and what the next one reads."""
LOAD, CARRY = layout("target state initial_states columns"), layout("source state columns")


@compiled()
def carried_at(row: int, step: int) -> int:
    """Which row of a carried state array [R, CARRIED_ENTRIES] has what a row wrote at a step: steps take turns, so that
    nobody writes over what others have yet to read."""
    return row * CARRIED_ENTRIES + step % CARRIED_ENTRIES


@kernel("LoadState", LOAD)
def load(at: int, batch_at: int) -> None:
    """target [rows, columns] = what `state`, a carried state array, has of the step before.

    Cache indirection tells which row wrote that. A segment that begins has it where `initial_states`, addresses [B],
    says.
    """
    o, batch = record_at(at, LOAD), row_batch_at(batch_at)
    n, beam_size = o.columns, batch.beam_size
    rows, positions, parents = cached_rows(batch)
    begins = int64s_at(o.initial_states, rows[-1] // beam_size + 1)
    for i in range(len(rows)):
        r = rows[i]
        before = positions[r] - 1
        if before < 0:
            address = begins[r // beam_size]
        else:
            address = o.state + 4 * n * carried_at(r - r % beam_size + parents[r, before], before)
        copy_floats(address, o.target + 4 * n * i, n)


@kernel("StoreState", CARRY)
def carry(at: int, batch_at: int) -> None:
    """Write `source` [rows, columns] to `state`, a carried state array, for the next step; see `load`."""
    o, batch = record_at(at, CARRY), row_batch_at(batch_at)
    n, beam_size = o.columns, batch.beam_size
    rows, positions, parents = cached_rows(batch)
    for i in range(len(rows)):
        r = rows[i]
        parents[r, positions[r]] = r % beam_size
        copy_floats(o.source + 4 * n * i, o.state + 4 * n * carried_at(r, positions[r]), n)


def _carried_row(address: int, columns: int, row: int, step: int) -> np.ndarray:
    entry = row * CARRIED_ENTRIES + step % CARRIED_ENTRIES
    return array_at(address + 4 * columns * entry, (columns,), np.float32)


@dataclass(frozen=True, slots=True)
class LoadState(Step):
    """target = the row that a carried state array has; when its segment begins, what the encoder gave for it."""

    target: Tensor
    state: GraphInput

    @property
    def kernel(self) -> Kernel:
        return load

    def operands(self) -> Mapping[str, Operand]:
        name = self.state.name
        return {
            "target": self.target, "state": StateArray(name), "initial_states": InitialState(name),
            "columns": self.target.columns,
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        batch, columns = view.batch, self.target.columns
        begins = array_at(view.address("initial_states"), (len(batch.source_lengths),), np.int64)
        loaded = []
        for r in batch.rows:
            before, segment = int(batch.positions[r]) - 1, int(r) // batch.beam_size
            if before < 0:
                loaded.append(array_at(int(begins[segment]), (columns,), np.float32))
            else:
                row = segment * batch.beam_size + int(batch.cache_indirection[r, before])
                loaded.append(_carried_row(view.address("state"), columns, row, before))
        return np.array(loaded)


@dataclass(frozen=True, slots=True)
class StoreState(Step):
    """The next step's row of a carried state array is `source`."""

    source: Tensor
    state: GraphInput
    target: None = None

    @property
    def kernel(self) -> Kernel:
        return carry

    def operands(self) -> Mapping[str, Operand]:
        return {"source": self.source, "state": StateArray(self.state.name), "columns": self.source.columns}

    def reference(self, view: View) -> None:
        batch = view.batch
        for r, row in zip(batch.rows, view.rows("source"), strict=True):
            position = int(batch.positions[r])
            batch.cache_indirection[r, position] = r % batch.beam_size
            _carried_row(view.address("state"), self.source.columns, int(r), position)[:] = row

    def written(self, view: View) -> Mapping[str, np.ndarray]:
        batch, columns = view.batch, self.source.columns
        return {
            f"state of row {r}": _carried_row(view.address("state"), columns, r, int(batch.positions[r]))[None]
            for r in batch.rows.tolist()
        }
