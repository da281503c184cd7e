"""Scaled dot-product attention, written out so that its weights can be exported (Vaswani et al. 2017, section 3.2)."""

from __future__ import annotations

import math

import torch
from torch import Tensor

MASKED_SCORE = -1e9
"""Added to scores of padding: exp() of it is exactly 0 in float32, and it is finite, so no row becomes NaN."""


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


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """Equation 1: softmax(Q K^T / sqrt(D) + bias) V.

    `query` [B, N, T, D], `key` and `value` [B, N, S, D], `bias` broadcast to [B, N, T, S].
    Returns context [B, N, T, D] and weights [B, N, T, S].
    """
    scores = torch.matmul(query * (1.0 / math.sqrt(query.shape[-1])), key.transpose(-1, -2))
    weights = torch.softmax(scores + bias, dim=-1)
    return torch.matmul(weights, value), weights
