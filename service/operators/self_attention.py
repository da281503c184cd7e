"""Self-attention of a decoder over its KV cache (`com.microsoft.GroupQueryAttention`).

Vaswani et al. 2017 (arXiv:1706.03762), equation 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from service.compiled import compiled
from service.kernels.addresses import copy_floats, record_at
from service.kernels.entries import attend, attend_shared, heads_at_once, num_shared, rows_together
from service.kernels.heads import halving
from service.kernels.instruction import Kernel, kernel, layout
from service.kernels.interpreter import View, array_at
from service.kernels.row_batch import cached_rows, row_batch_at, scratch_of
from service.lowering.graph import Node
from service.lowering.lowering import Lowering, expect, float_tensor, require
from service.lowering.plan import Operand, StateArray, Step
from service.lowering.rules import lowers
from service.lowering.values import Appended, GraphInput, HalfPrecision, Shape, Tensor, Value

OPERANDS = layout("target source keys values columns num_heads is_half", "scale")

_halve = halving()


@kernel("CachedSelfAttention", OPERANDS)
def cached_self_attention(at: int, batch_at: int) -> None:
    """`source` has query, key and value of each row [rows, 3 columns].

    Key and value become entry number `position` of the KV cache: `keys` and `values` [R, capacity, columns], float32 or
    rounded to 16 bits, where entry t of a row lies with row `cache_indirection[row, t]` of its segment. `scale` is the
    factor of the scores.
    """
    o, batch = record_at(at, OPERANDS), row_batch_at(batch_at)
    n, heads, is_half, scale, beam_size = o.columns, o.num_heads, o.is_half != 0, o.scale, batch.beam_size
    rows, positions, parents = cached_rows(batch)
    weights, offsets = scratch_of(batch)
    size, row_bytes, shrunk = n // heads, 4 * n, 2 if is_half else 1
    entry = row_bytes // shrunk
    of_row, i = entry * batch.capacity, 0
    while i < len(rows):
        segment = rows[i] // beam_size
        num_rows = rows_together(rows, i, beam_size, size)
        begin = segment * beam_size * of_row
        keys, values = o.keys + begin, o.values + begin
        query, target = o.source + 3 * i * row_bytes, o.target + i * row_bytes
        count = positions[rows[i]] + 1
        for j in range(num_rows):
            own = rows[i + j] % beam_size
            parents[rows[i + j], count - 1] = own
            for t in range(count):
                offsets[j, t] = parents[rows[i + j], t] * of_row + t * entry
            new = query + 3 * j * row_bytes + row_bytes
            _append(new, keys + offsets[j, count - 1], n, is_half)
            _append(new + row_bytes, values + offsets[j, count - 1], n, is_half)
        num_alike = num_shared(offsets, num_rows, count)
        head = 0
        while head < heads:
            num_heads, part = 1 if num_alike else heads_at_once(size, heads, head), 4 * head * size
            if num_alike:
                attend_shared(
                    size, is_half, query + part, 3 * row_bytes, keys + part // shrunk, values + part // shrunk, offsets,
                    num_alike, count, scale, weights, target + part, row_bytes,
                )  # fmt: skip
            else:
                for j in range(num_rows):
                    attend(
                        size, num_heads, is_half, query + 3 * j * row_bytes + part, keys + part // shrunk,
                        values + part // shrunk, offsets[j], count, scale, weights, target + j * row_bytes + part,
                    )  # fmt: skip
            head += num_heads
        i += num_rows


@compiled()
def _append(source: int, target: int, count: int, is_half: bool) -> None:
    """Write `count` floats at the address `source` to that of an entry, as its array has them."""
    if is_half:
        _halve((source, target, count))
    else:
        copy_floats(source, target, count)


@dataclass(frozen=True, slots=True)
class CachedSelfAttention(Step):
    """Self-attention of a row to its KV cache, to which its key and value are appended."""

    target: Tensor
    source: Tensor
    keys: GraphInput
    values: GraphInput
    num_heads: int
    is_half: bool = False
    """Whether query, key and value are rounded to half precision, so that the KV cache has numbers of 16 bits."""

    @property
    def kernel(self) -> Kernel:
        return cached_self_attention

    def operands(self) -> Mapping[str, Operand]:
        return {
            "target": self.target, "source": self.source, "keys": StateArray(self.keys.name),
            "values": StateArray(self.values.name), "columns": self.target.columns, "num_heads": self.num_heads,
            "is_half": int(self.is_half), "scale": head_scale(self.target, self.num_heads),
        }  # fmt: skip

    def reference(self, view: View) -> np.ndarray:
        batch, columns, parents = view.batch, self.target.columns, view.batch.cache_indirection
        keys, values = (self._cache(view, name) for name in ("keys", "values"))
        kind = keys.dtype
        with np.errstate(over="ignore"):
            source = view.rows("source").astype(kind).reshape(-1, 3, columns)
        for r, (_, key, value) in zip(batch.rows, source, strict=True):
            parents[r, batch.positions[r]] = r % batch.beam_size
            keys[r, batch.positions[r]], values[r, batch.positions[r]] = key, value
        results = []
        for r, (query, _, _) in zip(batch.rows, source, strict=True):
            entries = np.arange(int(batch.positions[r]) + 1)
            writers = r - r % batch.beam_size + parents[r, entries]
            results.append(attended(query, keys[writers, entries], values[writers, entries], self.num_heads)[0])
        return np.array(results, np.float32)

    def _cache(self, view: View, name: str) -> np.ndarray:
        """The KV cache's keys or values, [rows, capacity, columns]."""
        batch = view.batch
        shape = (int(batch.rows[-1]) + batch.beam_size, batch.cache_indirection.shape[1], self.target.columns)
        return array_at(view.address(name), shape, np.float16 if self.is_half else np.float32)

    def written(self, view: View) -> Mapping[str, np.ndarray]:
        places = view.batch.rows, view.batch.positions[view.batch.rows]
        return {
            f"{name} of row {r}": self._cache(view, name)[r, position][None]
            for name in ("keys", "values")
            for r, position in zip(*(each.tolist() for each in places), strict=True)
        }

    def writes_state(self) -> bool:
        return True

    def half_precision_states(self) -> Sequence[str]:
        return (self.keys.name, self.values.name) if self.is_half else ()


def head_scale(rows: Tensor, num_heads: int) -> float:
    """1 / sqrt(D)."""
    scale: float = (rows.columns / num_heads) ** -0.5
    return scale


def attended(
    query: np.ndarray, keys: np.ndarray, values: np.ndarray, num_heads: int, scale: float | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Reference of attention, float64: a `query` [columns] to keys and values [entries, columns], head by head.

    The result [columns], and the weights [heads, entries]. `scale` is that of the scores, 1 / sqrt(D) unless told.
    """
    heads = [array.astype(np.float64).reshape(-1, num_heads, len(query) // num_heads) for array in (keys, values)]
    own = query.astype(np.float64).reshape(num_heads, -1)
    scores = np.einsum("nd,tnd->nt", own, heads[0]) * (own.shape[1] ** -0.5 if scale is None else scale)
    weights = softmax(scores)
    return np.einsum("nt,tnd->nd", weights, heads[1]).reshape(-1), weights


def softmax(scores: np.ndarray) -> np.ndarray:
    """Over the last axis."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights: np.ndarray = powers / powers.sum(axis=-1, keepdims=True)
    return weights


def check_heads(columns: int, num_heads: int) -> None:
    """Refuse heads that do not divide the columns."""
    require(columns % num_heads == 0, f"{num_heads} equal heads", f"{columns} columns")


@lowers(
    "com.microsoft.GroupQueryAttention",
    *(Tensor | HalfPrecision, type(None), type(None), GraphInput, GraphInput, GraphInput, Shape),
)
def _lower(
    lowering: Lowering, node: Node, source: Value, key: None, value: None, keys: GraphInput, values: GraphInput,
    positions: GraphInput, total: Shape,
) -> Value:  # fmt: skip
    options, heads = node.attributes, node.attributes["num_heads"]
    others = set(options) - {"num_heads", "kv_num_heads"}
    require(not others, "no options but numbers of heads", ", ".join(sorted(others)))
    kv_heads = options["kv_num_heads"]
    require(kv_heads == heads, f"keys and values of {heads} heads", f"those of {kv_heads}")
    is_half = isinstance(source, HalfPrecision)
    if is_half:
        require(source.are_floats, "queries of float32", "those of float16")
        source = source.rows
    columns = float_tensor(source).columns // 3
    check_heads(columns, heads)
    step = CachedSelfAttention(Tensor(columns), source, expect(GraphInput, keys), values, heads, is_half)
    return lowering.add(step), Appended(keys), Appended(values)
