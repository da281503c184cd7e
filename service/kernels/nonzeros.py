"""Activations that are not 0, found row by row: products of the others need not be computed."""

from __future__ import annotations

from service.compiled import compiled
from service.kernels.addresses import int64s_at
from service.kernels.target import LANES
from service.kernels.tile import nonzeros
from service.kernels.tile_code import INDEX_BYTES

COUNT_BYTES = 8
"""Of how many activations of a row are not 0."""
SPARSE_COST = 3
"""An activation of one row alone costs about as much as so many of a tile of many rows."""

_nonzero_bytes, _nonzero_floats = nonzeros(of_bytes=True), nonzeros(of_bytes=False)


@compiled()
def found_bytes(depth: int) -> int:
    """Memory for the activations that are not 0 of a row of `depth`: see `find_nonzeros`."""
    return COUNT_BYTES + (INDEX_BYTES + 1) * (depth + LANES)


@compiled()
def find_nonzeros(source: int, depth: int, num_rows: int, of_bytes: bool, found: int) -> int:
    """Find the activations of each row that are not 0; how many they are in all.

    For each row it writes to `found` how many they are, int64, then their indices, int32, and, `of_bytes`, what they
    are, uint8; there is room for `depth` and one vector of both. `depth` is a multiple of LANES.
    """
    total, vectors = 0, depth // LANES
    for row in range(num_rows):
        here = found + row * found_bytes(depth)
        indices = here + COUNT_BYTES
        if of_bytes:
            _nonzero_bytes((source + row * depth, vectors, indices, nonzero_values(here, depth), here))
        else:
            _nonzero_floats((source + 4 * row * depth, vectors, indices, here))
        total += int64s_at(here, 1)[0]
    return total


@compiled()
def nonzero_values(found: int, depth: int) -> int:
    """Where the uint8 of a row that are not 0 lie; see `find_nonzeros`."""
    return found + COUNT_BYTES + INDEX_BYTES * (depth + LANES)
