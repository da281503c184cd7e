"""What belongs to a processor. Code of kernels asks `TARGET` and does not name a width, a tile or an instruction.

Another processor is another `Target`; numpy (`service.kernels.interpreter`) is what runs where there is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from llvmlite import binding


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of processor that kernels are compiled for."""

    name: str
    features: tuple[str, ...]
    """What LLVM calls the instruction sets that it must have."""
    lanes: int
    """Numbers of 32 bits in one vector register."""
    dot_depth: int
    """Products of bytes that one dot-product instruction adds to each sum."""
    tile_rows: int
    """Rows of a tile of a matrix product, whose sums stay in registers."""
    tile_vectors: int
    """Vectors of columns of a tile."""
    dot_product: str
    """LLVM's name for: each of `lanes` int32 sums plus the products of `dot_depth` uint8 and int8."""
    scale_by_power: str
    """LLVM's name for x 2^n."""
    compress: str
    """LLVM's name for moving the int32 that a mask chooses to the front."""

    @property
    def vector_bytes(self) -> int:
        """Bytes of one vector register."""
        return 4 * self.lanes

    @property
    def tile_columns(self) -> int:
        """Columns of a whole tile."""
        return self.tile_vectors * self.lanes

    def is_here(self) -> bool:
        """Whether this processor is one of these."""
        found = binding.get_host_cpu_features()
        return all(found.get(feature) for feature in self.features)

    def packed(self, weights: np.ndarray) -> np.ndarray:
        """Weights [K, columns] as tiles read them.

        For the columns of each tile [K / depth, columns, depth], depth being 1 of float32; zeros fill up K to whole
        dot products and the last columns to a whole vector. A tile that is not full is of single vectors.
        """
        depth = self.dot_depth if weights.dtype == np.int8 else 1
        rows, columns = (-(-size // step) * step for size, step in zip(weights.shape, (depth, self.lanes), strict=True))
        whole = np.zeros((rows, columns), weights.dtype)
        num_real = weights.shape[1]
        whole[: weights.shape[0], : weights.shape[1]] = weights
        tiles, start = [], 0
        while start < columns:
            width = self.tile_columns if num_real - start >= self.tile_columns else self.lanes
            tile = whole[:, start : start + width].reshape(rows // depth, depth, width)
            tiles.append(tile.transpose(0, 2, 1).reshape(-1))
            start += width
        return np.concatenate(tiles)

    def interleaved(self, weights: np.ndarray) -> np.ndarray:
        """int8 weights [K, columns] as products of single rows read them: for each whole tile [K, tile columns].

        Rows are interleaved by instructions that work in quarters of a vector; so columns 0 to 3 of each of the tile's
        vectors of sums are in the first quarter.
        """
        depth, columns = weights.shape
        quarters = weights.reshape(depth, columns // self.tile_columns, self.tile_vectors, 4, self.lanes // 4)
        return np.ascontiguousarray(quarters.transpose(1, 0, 3, 2, 4))


AVX512_VNNI = Target(
    name="AVX-512 with VNNI",
    features=("avx512f", "avx512bw", "avx512vl", "avx512vnni"),
    lanes=16,
    dot_depth=4,
    tile_rows=6,  # with 4 vectors: 24 sums, 4 registers of weights and one of activations, of 32
    tile_vectors=4,
    dot_product="llvm.x86.avx512.vpdpbusd.512",
    scale_by_power="llvm.x86.avx512.mask.scalef.ps.512",
    compress="llvm.x86.avx512.mask.compress.v16i32",
)
TARGET = AVX512_VNNI
LANES = TARGET.lanes
