"""Rows of one segment share its encoder output: of R rows and B segments, row r belongs to segment r // (R / B).

In torch these are plain functions; the exporter sees custom operators, because it cannot express that B divides R.
Grouping and ungrouping move no data: they only name the K = R / B rows of a segment as an axis of their own. What they
cannot group, because an axis of it is S, takes a copy of its segment's arrays to each row: `segments_of_rows`.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model_store.layers.attention import attend, merge_heads, split_heads


def segments_of_rows(rows: Tensor, segments: Tensor) -> Tensor:
    """The segment of each of `rows` [R, ...], of the `segments` [B, ...]: [R]. It takes a static array to rows."""
    return torch.arange(rows.shape[0], device=rows.device) * segments.shape[0] // rows.shape[0]


@torch.library.custom_op("attendant::group_rows", mutates_args=())
def group_rows(x: Tensor, memory: Tensor) -> Tensor:
    """Group `x` [R, H] by the segments of `memory` [B, ...]: [B, K, H]."""
    return x.view(memory.shape[0], -1, x.shape[1]).clone()


@group_rows.register_fake
def _(x: Tensor, memory: Tensor) -> Tensor:
    _require_fixed_size(x.shape[1])
    return x.new_empty(memory.shape[0], x.shape[0] // memory.shape[0], x.shape[1])


@torch.library.custom_op("attendant::ungroup_rows", mutates_args=())
def ungroup_rows(x: Tensor, rows: Tensor) -> Tensor:
    """Turn `x` [B, K, H] into the rows [R, H] that `rows` [R, ...] are."""
    return x.reshape(rows.shape[0], x.shape[2]).clone()


@ungroup_rows.register_fake
def _(x: Tensor, rows: Tensor) -> Tensor:
    _require_fixed_size(x.shape[2])
    return x.new_empty(rows.shape[0], x.shape[2])


def _require_fixed_size(size: int) -> None:
    if not isinstance(size, int):
        raise TypeError(
            "group_rows and ungroup_rows take a last axis of a fixed size, not one that grows with the source; "
            "take static arrays to rows with `static[segments_of_rows(...)]`"
        )


@torch.library.custom_op("attendant::attend_shared", mutates_args=())
def attend_shared(query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """Attend from `query` [R, 1, H] to each row's segment: `key` and `value` [B, N, S, D], `bias` [B, S].

    Keys are scaled already. Returns context [R, 1, H] and weights [B, N, K, S].
    """
    grouped = query.view(key.shape[0], -1, query.shape[2])  # [B, K, H]
    context, weights = attend(split_heads(grouped, key.shape[1]), key, value, bias[:, None, None, :])
    return merge_heads(context).reshape(query.shape).contiguous(), weights


@attend_shared.register_fake
def _(query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    rows_of_segment = query.shape[0] // key.shape[0]
    weights = query.new_empty(key.shape[0], key.shape[1], rows_of_segment, key.shape[2])
    return torch.empty_like(query), weights


@torch.library.custom_op("attendant::row_maps", mutates_args=())
def row_maps(weights: Tensor, rows: Tensor) -> Tensor:
    """Turn weights [B, A, K, S] into one map for each of `rows` [R, ...]: [R, A, S]."""
    return weights.transpose(1, 2).reshape(rows.shape[0], weights.shape[1], weights.shape[3]).clone()


@row_maps.register_fake
def _(weights: Tensor, rows: Tensor) -> Tensor:
    return weights.new_empty(rows.shape[0], weights.shape[1], weights.shape[3])
