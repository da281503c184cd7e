"""Convolutions over time as products over windows: a step is then the same product over the last inputs."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def windows(x: Tensor, before: int, after: int) -> Tensor:
    """Each place of `x` [B, T, H] with the `before` places before it and `after` places after it, zeros outside:
    [B, T, (before + 1 + after) H]."""
    padded = functional.pad(x, (0, 0, before, after))
    return torch.cat([padded[:, i : i + x.shape[1]] for i in range(before + 1 + after)], dim=-1)


def last_window(past: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    """The window of a step: `past` [R, k - 1, H] and its input `x` [R, H] as [R, k H], and the next past."""
    together = torch.cat([past, x[:, None]], dim=1)
    return together.flatten(1), together[:, 1:]
