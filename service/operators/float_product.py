"""Products with float32 weights (MatMul, Gemm), with biases, a rectifier and an addend, passing over what is 0."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import int64s_at, record_at
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View
from service.kernels.llvm import LINE_BYTES
from service.kernels.nonzeros import COUNT_BYTES, SPARSE_COST, find_nonzeros, found_bytes
from service.kernels.row_batch import row_batch_at
from service.kernels.target import LANES, TARGET
from service.kernels.tile import float_row, float_tiles, prefetched, tile_variant
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, float_constant, of_columns, require
from service.lowering.plan import Operand, Scratch, Step
from service.lowering.rules import lowers
from service.lowering.values import Tensor, Value
from service.operators.binary import Binary, BinaryConstant
from service.operators.product import addend_constants, addend_of, addend_operands, can_skip_zeros, padded
from service.operators.tensors import TensorLike, as_tensor
from service.operators.unary import Unary

OPERANDS = layout("target source weights biases addend addend_stride columns depth found", "least")
"""`found` is used by sparse products only."""
TILE_ROWS, TILE_COLUMNS = TARGET.tile_rows, TARGET.tile_columns

_tile, _row, _prefetch = float_tiles(), float_row(), prefetched()


@compiled()
def _multiply(o: Any, num_rows: int) -> None:
    """target [rows, columns] = source [rows, depth] times weights, float32, plus biases.

    Sums below `least` become that; the addend is added then, see `product`.
    """
    n, depth, stride = o.columns, o.depth, o.addend_stride
    least = np.int64(np.float32(o.least).view(np.int32))
    column = 0
    while column < n:
        is_wide = n - column >= TILE_COLUMNS
        weights, biases = o.weights + 4 * column * depth, o.biases + 4 * column
        for row in range(0, num_rows, TILE_ROWS):
            addend = o.addend + (stride * row + 4 * column if stride else 0)
            _tile((
                tile_variant(min(num_rows - row, TILE_ROWS), is_wide), o.source + 4 * row * depth, 4 * depth, weights,
                depth, biases, least, addend, stride, o.target + 4 * (row * n + column), 4 * n, n - column,
            ))  # fmt: skip
        column += TILE_COLUMNS if is_wide else LANES


@kernel("FloatProduct", OPERANDS)
def float_product(at: int, batch_at: int) -> None:
    """See `_multiply`."""
    _multiply(record_at(at, OPERANDS), row_batch_at(batch_at).num_rows)


@kernel("SparseFloatProduct", OPERANDS)
def sparse_float_product(at: int, batch_at: int) -> None:
    """As `float_product`: where much is 0, that is passed over. `columns` is a multiple of TILE_COLUMNS."""
    o, num_rows = record_at(at, OPERANDS), row_batch_at(batch_at).num_rows
    n, depth, stride = o.columns, o.depth, o.addend_stride
    total = find_nonzeros(o.source, depth, num_rows, False, o.found)
    if SPARSE_COST * total > depth * num_rows:
        _multiply(o, num_rows)
        return
    least = np.int64(np.float32(o.least).view(np.int32))
    for column in range(0, n, TILE_COLUMNS):
        weights, biases = o.weights + 4 * column * depth, o.biases + 4 * column
        if total >= depth:
            _prefetch((weights, 4 * depth * TILE_COLUMNS // LINE_BYTES))
        for row in range(num_rows):
            found = o.found + row * found_bytes(depth)
            steps = max(1, int64s_at(found, 1)[0])
            addend = o.addend + (stride * row + 4 * column if stride else 0)
            _row((
                o.source + 4 * row * depth, found + COUNT_BYTES, weights, steps, biases, least, addend,
                o.target + 4 * (row * n + column),
            ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class FloatProduct(Step):
    """target = source times weights [K, columns], plus biases, max(0, that) if `is_positive`, plus `addend` if any."""

    target: Tensor
    source: Tensor
    weights: np.ndarray
    biases: np.ndarray
    is_positive: bool = False
    addend: Tensor | None = None
    skips_zeros: bool = False

    @property
    def kernel(self) -> Kernel:
        return sparse_float_product if self.skips_zeros else float_product

    def operands(self) -> Mapping[str, Operand]:
        found = Scratch(found_bytes(self.source.columns)) if self.skips_zeros else 0
        return {
            "target": self.target, "source": self.source, "columns": self.target.columns, "depth": self.source.columns,
            "least": 0.0 if self.is_positive else -np.inf, **addend_operands(self.target, self.addend),
            "found": found,
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        weights = TARGET.packed(self.weights)
        return {"weights": weights, "biases": padded(self.biases), **addend_constants(self.addend)}

    def reference(self, view: View) -> np.ndarray:
        sums = view.rows("source").astype(np.float64) @ self.weights + self.biases
        result: np.ndarray = (np.maximum(sums, 0.0) if self.is_positive else sums).astype(np.float32)
        return result + view.rows("addend") if self.addend else result

    def absorb(self, reader: Step) -> Step | None:
        if self.addend:
            return None
        if isinstance(reader, BinaryConstant | Unary) and reader.source is not self.target:
            return None  # it reads some columns only
        match reader:
            case BinaryConstant(target, "Add", constant=biases) if not self.is_positive and not self.biases.any():
                return replace(self, target=target, biases=biases)
            case BinaryConstant(target, "Mul", constant=factors) if not self.is_positive or (factors >= 0).all():
                return replace(self, target=target, weights=self.weights * factors, biases=self.biases * factors)
            case Unary(target, "Relu"):
                return replace(self, target=target, is_positive=True)
            case Binary() if addend := addend_of(reader, self.target):
                return replace(self, target=reader.target, addend=addend)
        return None

    def is_never_negative(self) -> bool:
        return self.is_positive and self.addend is None

    def skipping_zeros(self) -> Step | None:
        return replace(self, skips_zeros=True) if can_skip_zeros(self.source, self.target) else None

    def writes_over(self) -> Sequence[Tensor]:
        return (self.addend,) if self.addend and self.addend is not self.source else ()


@lowers("MatMul", TensorLike, np.ndarray)
def _matmul(lowering: Lowering, node: Node, left: Value, weights: np.ndarray) -> Value:
    return _multiplied(lowering, left, weights)


@lowers("Gemm", TensorLike, np.ndarray)
def _gemm(lowering: Lowering, node: Node, left: Value, right: np.ndarray, biases: Value = None) -> Value:
    options = node.attributes
    factors = options.get("alpha", 1.0), options.get("beta", 1.0)
    require(factors == (1.0, 1.0), "alpha and beta of 1", f"{factors[0]:g} and {factors[1]:g}")
    require(not options.get("transA"), "rows as they are", "rows transposed")
    return _multiplied(lowering, left, right.T if options.get("transB") else right, biases)


def _multiplied(lowering: Lowering, left: Value, weights: np.ndarray, biases: Value = None) -> Tensor:
    source = as_tensor(lowering, left)
    require(
        weights.ndim == 2 and weights.shape[0] == source.columns, f"weights [{source.columns}, columns]", weights.shape
    )
    columns = float_constant(weights).shape[1]
    added = np.zeros(columns, np.float32) if biases is None else of_columns(biases, columns)
    return lowering.add(FloatProduct(Tensor(columns), source, weights, added))
