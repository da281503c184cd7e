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
