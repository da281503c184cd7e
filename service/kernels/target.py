"""What belongs to a processor. Code of kernels asks `TARGET` and does not name a width, a tile or an instruction.

Another processor is another `Target` of `TARGETS`. Where there is none, ONNX Runtime computes the graphs, and numpy
(`service.kernels.interpreter`) stands in for kernels in tests.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from llvmlite import binding

PART_BYTES = 16
"""What instructions that interleave bytes work in."""


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of processor that kernels are compiled for."""

    name: str
    features: tuple[str, ...]
    """What LLVM calls the instruction sets that it must have."""
    lanes: int
    """Numbers of 32 bits in one vector register."""
    dot_depth: int
    """Products of bytes that one dot product adds to each sum."""
    dot_product: str | None
    """LLVM's name for: each of `lanes` int32 sums plus `dot_depth` products of uint8 and int8; None where `dot_parts`
    do it."""
    tile_rows: int
    """Rows of a tile of a matrix product, whose sums stay in registers."""
    tile_vectors: int
    """Vectors of columns of a tile; as many as `dot_depth`."""
    entry_vectors: int
    """Vectors of an attention entry, heads side by side, whose sums registers hold."""
    scale_by_power: str | None
    """LLVM's name for x 2^n; None where it takes integers to compute that."""
    compress: str | None
    """LLVM's name for moving the int32 that a mask chooses to the front; None where a table says how to permute."""
    dot_parts: tuple[str, str, str] | None = None
    """LLVM's names for: bytes with the signs of others; pairs of products of uint8 and int8, added with 16 bits; pairs
    of products of int16, added with 32 bits."""
    permute: str | None = None
    """LLVM's name for int32 in another order, where there is no `compress`."""

    @property
    def vector_bytes(self) -> int:
        """Bytes of one vector of float32."""
        return 4 * self.lanes

    @property
    def weight_bytes(self) -> int:
        """Bytes of one vector of int8 weights: `dot_depth` for each sum."""
        return self.dot_depth * self.lanes

    @property
    def level_shift(self) -> int:
        """What is taken from activations, uint8, before they are multiplied by dense int8 weights."""
        return 0 if self.dot_parts is None else 128

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

        Rows are interleaved by instructions that work in parts of 16 bytes. With four parts, columns 0 to 3 of each of
        the tile's vectors of sums are in the first one.
        """
        depth, columns = weights.shape
        parts = self.weight_bytes // PART_BYTES
        divided = weights.reshape(depth, columns // self.tile_columns, self.tile_vectors, parts, self.lanes // parts)
        return np.ascontiguousarray(divided.transpose(1, 0, 3, 2, 4))


AVX512_VNNI = Target(
    name="AVX-512 with VNNI",
    features=("avx512f", "avx512bw", "avx512vl", "avx512vnni"),
    lanes=16,
    dot_depth=4,
    dot_product="llvm.x86.avx512.vpdpbusd.512",
    tile_rows=6,  # with 4 vectors: 24 sums, 4 registers of weights and one of activations, of 32
    tile_vectors=4,
    entry_vectors=16,
    scale_by_power="llvm.x86.avx512.mask.scalef.ps.512",
    compress="llvm.x86.avx512.mask.compress.v16i32",
)
AVX2 = Target(
    name="AVX2",
    features=("avx2", "fma", "f16c"),
    lanes=8,
    dot_depth=4,
    dot_product=None,
    tile_rows=2,  # with 4 vectors: 8 sums, 4 registers of weights, 2 of activations and one of products, of 16
    tile_vectors=4,
    entry_vectors=8,
    scale_by_power=None,
    compress=None,
    dot_parts=("llvm.x86.avx2.psign.b", "llvm.x86.avx2.pmadd.ub.sw", "llvm.x86.avx2.pmadd.wd"),
    permute="llvm.x86.avx2.permd",
)
TARGETS = (AVX512_VNNI, AVX2)
"""From the fastest to the slowest."""
TARGET = next((target for target in TARGETS if target.is_here()), TARGETS[-1])
"""That of this processor. Where there is none, only those functions run that need no instruction named here."""
LANES = TARGET.lanes
