"""Average attention (Zhang, Xiong and Su 2018, arXiv:1805.00631): the average of all that was read, in place of a
decoder's self-attention. A step carries one sum, where self-attention has a KV cache that grows. The average gives the
same weight to everything: there is nothing to show of it.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model_store.contract.state import Lifetime, StateSpec
from model_store.layers.attention import Maps
from model_store.layers.feed_forward import FeedForward, LayerSizes


class AverageAttention(nn.Module):
    """The average of all inputs up to each place, a feed-forward network on it, and a gating layer (section 3.1)."""

    def __init__(self, sizes: LayerSizes, has_feed_forward: bool, has_gate: bool) -> None:
        super().__init__()
        self.hidden_size = sizes.hidden_size
        self.has_feed_forward, self.has_gate = has_feed_forward, has_gate
        if has_feed_forward:
            self.feed_forward = FeedForward(sizes)
        if has_gate:
            self.gates = nn.Linear(2 * sizes.hidden_size, 2 * sizes.hidden_size)

    def forward(self, x: Tensor, maps: Maps = None) -> Tensor:
        """Outputs [B, T, H] of `x` [B, T, H]; running sums give what the mask matrix of section 3.2 gives. There are no
        weights to put into `maps`."""
        counts = torch.arange(x.shape[1], device=x.device).to(torch.float32) + 1.0  # [T]
        return self._join(x, torch.cumsum(x, dim=1) / counts[:, None])

    def step(self, x: Tensor, past: tuple[Tensor, ...], position: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Output [R, 1, H] of `x` [R, 1, H] at `position` [R], and the sum [R, H] of all inputs with it (equations 4
        and 5)."""
        total = past[0] + x.squeeze(1)
        counts = position.to(torch.float32) + 1.0  # [R]
        return self._join(x, (total / counts[:, None])[:, None]), (total,)

    def _join(self, x: Tensor, average: Tensor) -> Tensor:
        """g = FFN(average) (equation 1), i, f = sigma(W [x; g]) and h = i x + f g (equation 2), each [..., H]."""
        read: Tensor = self.feed_forward(average) if self.has_feed_forward else average
        if not self.has_gate:
            return read
        of_input, of_read = torch.sigmoid(self.gates(torch.cat([x, read], dim=-1))).chunk(2, dim=-1)
        return of_input * x + of_read * read

    def past_specs(self, layer: int) -> list[StateSpec]:
        """The sum of decoder layer number `layer`, from 1."""
        axes = (self.hidden_size,)
        return [StateSpec(name=f"total_{layer}", lifetime=Lifetime.CARRIED, dtype="float32", axes=axes)]
