"""The simpler simple recurrent unit (Kim et al. 2019, D19-5632, section 2): in place of a decoder's self-attention, it
costs the same at every step and keeps one vector."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model_store.contract.state import Lifetime, StateSpec
from model_store.layers.attention import Maps


class SSRU(nn.Module):
    """f = sigma(W_f x + b), c' = f c + (1 - f) W x, h = ReLU(c')."""

    def __init__(self, hidden_size: int) -> None:
        super().__init__()
        self.forget = nn.Linear(hidden_size, hidden_size)
        self.candidate = nn.Linear(hidden_size, hidden_size, bias=False)

    def forward(self, x: Tensor, maps: Maps = None) -> Tensor:
        """Outputs [B, T, H] of `x` [B, T, H]; there are no weights to put into `maps`."""
        keep = torch.sigmoid(self.forget(x))
        new, cell, cells = (1.0 - keep) * self.candidate(x), x.new_zeros(x.shape[0], x.shape[2]), []
        for t in range(x.shape[1]):
            cell = keep[:, t] * cell + new[:, t]
            cells.append(cell)
        return torch.relu(torch.stack(cells, dim=1))

    def step(self, x: Tensor, past: tuple[Tensor, ...], position: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        """Output [R, 1, H] of `x` [R, 1, H], and the next cell [R, H]."""
        keep = torch.sigmoid(self.forget(x))
        cell = keep.squeeze(1) * past[0] + ((1.0 - keep) * self.candidate(x)).squeeze(1)
        return torch.relu(cell)[:, None], (cell,)

    def past_specs(self, layer: int) -> list[StateSpec]:
        """The cell of decoder layer number `layer`, from 1."""
        axes = (self.forget.out_features,)
        return [StateSpec(name=f"cell_{layer}", lifetime=Lifetime.CARRIED, dtype="float32", axes=axes)]
