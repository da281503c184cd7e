"""Sinusoidal positions (Vaswani et al. 2017, section 3.5)."""

from __future__ import annotations

import math

import torch
from torch import Tensor


def sinusoids(num_positions: int, size: int) -> Tensor:
    """The table PE [num_positions, size]: sines in the even columns, cosines in the odd ones."""
    position = torch.arange(num_positions, dtype=torch.float32).unsqueeze(1)
    frequency = torch.exp(torch.arange(0, size, 2, dtype=torch.float32) * (-math.log(10000.0) / size))
    table = torch.zeros(num_positions, size)
    table[:, 0::2] = torch.sin(position * frequency)
    table[:, 1::2] = torch.cos(position * frequency)
    return table


def rotated(x: Tensor, position: Tensor) -> Tensor:
    """Queries or keys `x` [B, N, T, D], each pair of numbers turned by an angle that grows with its `position`, [T] or
    [B, 1, 1] (Su et al. 2021, arXiv:2104.09864, equation 34, halves in place of neighbours)."""
    half = x.shape[-1] // 2
    frequency = torch.exp(torch.arange(half, dtype=torch.float32, device=x.device) * (-math.log(10000.0) / half))
    angle = position[..., None].to(torch.float32) * frequency  # [T, D / 2] or [B, 1, 1, D / 2]
    cosine, sine = torch.cos(angle), torch.sin(angle)
    left, right = x[..., :half], x[..., half:]
    return torch.cat([left * cosine - right * sine, right * cosine + left * sine], dim=-1)
