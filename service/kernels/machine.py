"""Runs programs: what a graph computes for all its rows, one compiled call for all instructions.

A row is a hypothesis in the decoder and a source token in the encoder. Instructions name memory by its address, so that
nothing is looked up, allocated or handed over between them, and the GIL is free all the while. A row's numbers come
from that row and its segment alone, in the same order whatever its company.
"""

from __future__ import annotations

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import call
from service.kernels.program import Instructions
from service.kernels.row_batch import RowBatch


@compiled()
def run(program: np.ndarray, batch: np.ndarray) -> None:
    """Do all instructions of `program`, int64 [instructions, SLOTS], for a `batch`, ROW_BATCH [1]."""
    batch_address = batch.ctypes.data
    for i in range(len(program)):
        call(program[i, 0], program[i].ctypes.data, batch_address)


def run_compiled(instructions: Instructions, batch: RowBatch) -> None:
    """Do all instructions for a batch."""
    run(instructions.array, batch.record)
