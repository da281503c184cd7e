"""Between a decoder's state and the output projection."""

from __future__ import annotations

import torch
from torch import Tensor


def maxout(units: Tensor) -> Tensor:
    """The larger of each pair of units [..., 2 H]: [..., H] (Goodfellow et al. 2013, arXiv:1302.4389)."""
    left, right = units.chunk(2, dim=-1)
    return torch.maximum(left, right)
