"""Products with int8 weights (`com.microsoft.MatMulIntegerToFloat`), and those that pass over what is 0.

A row's numbers come from that row alone, added up in the same order whatever its company, tile by tile or by itself.
"""

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
from service.kernels.nonzeros import COUNT_BYTES, SPARSE_COST, find_nonzeros, found_bytes, nonzero_values
from service.kernels.row_batch import row_batch_at
from service.kernels.target import LANES, TARGET
from service.kernels.tile import prefetched, product_row, product_tiles, tile_variant
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, of_columns, require, scalar
from service.lowering.plan import Operand, Scratch, Step
from service.lowering.rules import lowers
from service.lowering.values import Tensor, Value
from service.operators.binary import Binary

OPERANDS = layout(
    "target source weights initial_sums factors biases addend addend_stride columns depth interleaved found"
)
"""`interleaved` and `found` are used by sparse products only."""
DEPTH, TILE_ROWS, TILE_COLUMNS = TARGET.dot_depth, TARGET.tile_rows, TARGET.tile_columns

_tile, _row, _prefetch = product_tiles(), product_row(), prefetched()


@compiled()
def _multiply(o: Any, num_rows: int) -> None:
    """target [rows, columns] = source [rows, depth], uint8, times weights, int8.

    The sums begin with `initial_sums`, which stand for the source's zero and `Target.level_shift`. They are multiplied
    by `factors`; `biases` and the addend are added: a row of it for each, `addend_stride` bytes apart, or zeros for one
    tile with a stride of 0.
    """
    n, depth, stride = o.columns, o.depth, o.addend_stride
    steps = -(-depth // DEPTH)
    column = 0
    while column < n:
        is_wide = n - column >= TILE_COLUMNS
        weights = o.weights + column * steps * DEPTH
        for row in range(0, num_rows, TILE_ROWS):
            addend = o.addend + (stride * row + 4 * column if stride else 0)
            _tile((
                tile_variant(min(num_rows - row, TILE_ROWS), is_wide), o.source + row * depth, depth, weights, steps,
                o.initial_sums + 4 * column, o.factors + 4 * column, o.biases + 4 * column, addend, stride,
                o.target + 4 * (row * n + column), 4 * n, n - column,
            ))  # fmt: skip
        column += TILE_COLUMNS if is_wide else LANES


@kernel("Product", OPERANDS)
def product(at: int, batch_at: int) -> None:
    """See `_multiply`."""
    _multiply(record_at(at, OPERANDS), row_batch_at(batch_at).num_rows)


@kernel("SparseProduct", OPERANDS)
def sparse_product(at: int, batch_at: int) -> None:
    """As `product`, of a source whose zero is 0: where much of it is 0, that is passed over.

    `columns` is a multiple of TILE_COLUMNS; `interleaved` are the weights once more; `found`: see `find_nonzeros`.
    """
    o, num_rows = record_at(at, OPERANDS), row_batch_at(batch_at).num_rows
    n, depth, stride = o.columns, o.depth, o.addend_stride
    total = find_nonzeros(o.source, depth, num_rows, True, o.found)
    if SPARSE_COST * total > depth * num_rows:
        _multiply(o, num_rows)
        return
    for column in range(0, n, TILE_COLUMNS):
        weights = o.interleaved + column * depth
        if total >= depth:  # most of them will be read
            _prefetch((weights, depth * TILE_COLUMNS // LINE_BYTES))
        for row in range(num_rows):
            found = o.found + row * found_bytes(depth)
            steps = max(1, -(-int64s_at(found, 1)[0] // DEPTH))
            addend = o.addend + (stride * row + 4 * column if stride else 0)
            _row((
                nonzero_values(found, depth), found + COUNT_BYTES, steps, weights, o.factors + 4 * column,
                o.biases + 4 * column, addend, o.target + 4 * (row * n + column),
            ))  # fmt: skip


def addend_operands(target: Tensor, addend: Tensor | None) -> dict[str, Operand]:
    """Operands of what may add rows to its result; without those a constant of zeros is added to all."""
    return {"addend_stride": 4 * target.columns, "addend": addend} if addend else {"addend_stride": 0}


def addend_constants(addend: Tensor | None) -> dict[str, np.ndarray]:
    """See `addend_operands`."""
    return {} if addend else {"addend": np.zeros(TILE_COLUMNS, np.float32)}


def padded(constant: np.ndarray) -> np.ndarray:
    """A constant of columns, with zeros up to whole vectors."""
    return np.pad(constant, (0, -len(constant) % LANES))


def addend_of(step: Binary, product: Tensor) -> Tensor | None:
    """The rows that a sum adds to the rows of a product, if it is one and those are whole."""
    others = [operand for operand in (step.source, step.second) if operand is not product]
    if step.operation != "Add" or len(others) != 1 or not isinstance(others[0], Tensor):
        return None
    return others[0]


@dataclass(frozen=True, slots=True)
class Product(Step):
    """target = source times int8 weights [K, columns], times their scales, plus biases, plus `addend` if any."""

    target: Tensor
    source: Tensor
    weights: np.ndarray
    scales: np.ndarray
    biases: np.ndarray
    addend: Tensor | None = None
    skips_zeros: bool = False

    @property
    def kernel(self) -> Kernel:
        return sparse_product if self.skips_zeros else product

    def operands(self) -> Mapping[str, Operand]:
        sparse = (
            {"found": Scratch(found_bytes(self.source.columns))} if self.skips_zeros else {"found": 0, "interleaved": 0}
        )
        return {
            "target": self.target, "source": self.source, "columns": self.target.columns, "depth": self.source.columns,
            **addend_operands(self.target, self.addend), **sparse,
        }  # fmt: skip

    def constants(self) -> Mapping[str, np.ndarray]:
        sums = (TARGET.level_shift - self.source.zero) * self.weights.sum(axis=0, dtype=np.int32)
        found = {
            "weights": TARGET.packed(self.weights), "initial_sums": padded(sums), "biases": padded(self.biases),
            "factors": padded(np.float32(self.source.scale) * self.scales), **addend_constants(self.addend),
        }  # fmt: skip
        return {**found, "interleaved": TARGET.interleaved(self.weights)} if self.skips_zeros else found

    def reference(self, view: View) -> np.ndarray:
        levels = view.rows("source").astype(np.int32) - self.source.zero
        factors = (np.float32(self.source.scale) * self.scales).astype(np.float64)
        result = (levels @ self.weights.astype(np.int32)) * factors + self.biases
        total: np.ndarray = result.astype(np.float32)
        return total + view.rows("addend") if self.addend else total

    def absorb(self, reader: Step) -> Step | None:
        if self.addend or not isinstance(reader, Binary):
            return None
        addend = addend_of(reader, self.target)
        return replace(self, target=reader.target, addend=addend) if addend else None

    def skipping_zeros(self) -> Step | None:
        return replace(self, skips_zeros=True) if can_skip_zeros(self.source, self.target) else None

    def writes_over(self) -> Sequence[Tensor]:
        return (self.addend,) if self.addend and self.addend is not self.source else ()


def can_skip_zeros(source: Tensor, target: Tensor) -> bool:
    """Whether sizes are those that products of single rows have code for."""
    return source.columns % LANES == 0 and target.columns % TILE_COLUMNS == 0


@lowers("com.microsoft.MatMulIntegerToFloat", Tensor, np.ndarray, np.ndarray, np.ndarray, np.ndarray)
def _lower(
    lowering: Lowering, node: Node, source: Tensor, weights: np.ndarray, source_scale: np.ndarray, scales: np.ndarray,
    source_zero: np.ndarray, zeros: Value = None, biases: Value = None,
) -> Value:  # fmt: skip
    depth, columns = weights.shape
    require(source.dtype is np.uint8, "a source of uint8", f"one of {np.dtype(source.dtype).name}")
    require(source.columns == depth, f"{depth} columns", source.columns)
    check_quantisation(source.scale, source.zero, source_scale, source_zero)
    check_weights(weights, zeros)
    factors = np.full(columns, scales, np.float32) if scales.size == 1 else scales
    added = np.zeros(columns, np.float32) if biases is None else expect(np.ndarray, biases)
    every = of_columns(factors, columns), of_columns(added, columns)
    return lowering.add(Product(Tensor(columns), source, weights, *every))


def check_quantisation(scale: float, zero: int, told_scale: np.ndarray, told_zero: np.ndarray) -> None:
    """Refuse a product that takes its source for something else than it was quantised to."""
    told = scalar(told_scale), int(scalar(told_zero))
    require((scale, zero) == told, f"scale {told[0]:g} and zero {told[1]}", f"scale {scale:g} and zero {zero}")


def check_weights(weights: np.ndarray, zeros: Value) -> None:
    """Refuse weights that are not symmetric int8."""
    require(
        weights.dtype == np.int8 and zeros is None,
        "weights of symmetric int8",
        f"{weights.dtype} with zeros" if zeros is not None else weights.dtype,
    )
    require(bool((weights > -128).all()), "weights from -127 to 127", -128)
