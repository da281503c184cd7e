"""Convolutions over time as products over windows: a step is then the same product over the last inputs."""

from __future__ import annotations

import torch
from torch import Tensor, nn
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


class LightConvolution(nn.Module):
    """Lightweight convolution behind a gate (Wu et al. 2019, arXiv:1901.10430, section 3): the features of a head share
    one kernel, whose weights a softmax makes sum to 1."""

    def __init__(self, size: int, kernel_size: int, num_heads: int) -> None:
        super().__init__()
        self.kernel_size, self.num_heads = kernel_size, num_heads
        self.gated = nn.Linear(size, 2 * size)
        self.kernel = nn.Parameter(torch.zeros(kernel_size, num_heads))

    def _weights(self, size: int) -> Tensor:
        """[k, H]: the kernel of each feature."""
        return torch.softmax(self.kernel, dim=0).repeat_interleave(size // self.num_heads, dim=1)

    def forward(self, x: Tensor, after: int, mask: Tensor | None = None) -> Tensor:
        """Each place of `x` [B, T, H] with its neighbours, `after` of them behind it, that are real under `mask`
        [B, T]."""
        gated = functional.glu(self.gated(x), dim=-1)
        gated = gated if mask is None else gated * mask[:, :, None]
        places = windows(gated, self.kernel_size - 1 - after, after)
        return (places.unflatten(2, (self.kernel_size, -1)) * self._weights(x.shape[2])).sum(dim=2)

    def step(self, x: Tensor, past: Tensor) -> tuple[Tensor, Tensor]:
        """One place `x` [R, 1, H] with the `past` gated inputs [R, k - 1, H]: output [R, 1, H], and the next past."""
        gated = functional.glu(self.gated(x), dim=-1)
        together = torch.cat([past, gated], dim=1)
        return (together * self._weights(x.shape[2])).sum(dim=1, keepdim=True), together[:, 1:]
