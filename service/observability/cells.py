"""Numbers that lie in memory-mapped files, counted by compiled code."""

from __future__ import annotations

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import doubles_at


@compiled(keeps_lock=True)
def count(cells: np.ndarray, bounds: np.ndarray, values: np.ndarray, times: float) -> None:
    """Count one of `values` [M] in each of `cells` [M, 1 + B].

    A row holds the addresses of a number and of B buckets, 0 where it has none; `bounds` [M, B] are the buckets'
    largest values, ascending, the last one infinite. A number without buckets gets its value added. One with buckets is
    the sum of what was observed, and observes the value as many `times`.
    """
    for m in range(len(values)):
        value = values[m]
        number = doubles_at(cells[m, 0], 1)
        if cells[m, 1] == 0:
            number[0] += value
        else:
            number[0] += value * times
            b = 0
            while bounds[m, b] < value:
                b += 1
            bucket = doubles_at(cells[m, 1 + b], 1)
            bucket[0] += times
