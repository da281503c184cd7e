"""Scaled dot-product attention, written out so that its weights can be exported (Vaswani et al. 2017, section 3.2)."""

from __future__ import annotations

import torch
from torch import Tensor

MASKED_SCORE = -1e9
"""Added to scores of padding: exp() of it is exactly 0 in float32, and it is finite, so no row becomes NaN."""


Maps = list[Tensor] | None
"""Where layers put their attention weights, [B, heads, rows, columns] each; None: nobody wants them."""


def keep(maps: Maps, weights: Tensor) -> None:
    """Put `weights` into `maps` when somebody wants them."""
    if maps is not None:
        maps.append(weights)


def split_heads(x: Tensor, num_heads: int) -> Tensor:
    """[B, T, N*D] -> [B, N, T, D]."""
    batch, length, width = x.shape
    return x.view(batch, length, num_heads, width // num_heads).transpose(1, 2)


def merge_heads(x: Tensor) -> Tensor:
    """[B, N, T, D] -> [B, T, N*D]."""
    batch, num_heads, length, size = x.shape
    return x.transpose(1, 2).reshape(batch, length, num_heads * size)


def score_bias(mask: Tensor) -> Tensor:
    """Turn a mask (True = may be attended to) into what is added to the scores: 0 or MASKED_SCORE."""
    return torch.where(mask, 0.0, MASKED_SCORE)


def scaled(x: Tensor) -> Tensor:
    """Queries or keys [..., D] times 1 / sqrt(D), as equation 1 wants the one or the other."""
    return x * x.shape[-1] ** -0.5


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """Equation 1: softmax(Q K^T + bias) V, where queries or keys are scaled already.

    `query` [B, N, T, D], `key` and `value` [B, N, S, D], `bias` broadcast to [B, N, T, S].
    Returns context [B, N, T, D] and weights [B, N, T, S].
    """
    weights = torch.softmax(torch.matmul(query, key.transpose(-1, -2)) + bias, dim=-1)
    return torch.matmul(weights, value), weights


@torch.library.custom_op("attendant::attend_itself", mutates_args=())
def attend_itself_op(query: Tensor, key: Tensor, value: Tensor, lengths: Tensor, num_heads: int) -> Tensor:
    """What the exporter sees in place of `attend_itself`; `lengths` [B] are the real tokens of each row."""
    mask = torch.arange(query.shape[1], device=query.device)[None, :] < lengths[:, None]
    return _attend_itself(query, key, value, mask, num_heads).contiguous()


@attend_itself_op.register_fake
def _(query: Tensor, key: Tensor, value: Tensor, lengths: Tensor, num_heads: int) -> Tensor:
    return torch.empty_like(query)


def _attend_itself(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor, num_heads: int, maps: Maps = None
) -> Tensor:
    queries, keys, values = (split_heads(x, num_heads) for x in (query, key, value))
    context, weights = attend(scaled(queries), keys, values, score_bias(mask)[:, None, None, :])
    keep(maps, weights)
    return merge_heads(context)


def attend_itself(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, num_heads: int, maps: Maps = None) -> Tensor:
    """Attention of a sequence over itself: `query`, `key`, `value` [B, S, H], padding at the end under `mask` [B, S].

    Returns context [B, S, H]; the weights [B, N, S, S] are put into `maps`.
    """
    if torch.compiler.is_exporting() and maps is None:
        return attend_itself_op(query, key, value, mask.sum(dim=1), num_heads)
    return _attend_itself(query, key, value, mask, num_heads, maps)
