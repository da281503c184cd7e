"""Position-wise feed-forward networks (Vaswani et al. 2017, arXiv:1706.03762, section 3.3), and the sizes of layers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import torch
from torch import Tensor, nn
from torch.nn import functional

ACTIVATIONS: Final = {"relu": torch.relu, "gelu": functional.gelu, "swish": functional.silu}


@dataclass(frozen=True)
class LayerSizes:
    """What all layers of a network have in common."""

    hidden_size: int
    feed_forward_size: int
    """0 leaves the feed-forward sub-layer out."""
    activation: Literal["relu", "gelu", "swish"]
    is_post: bool
    """Whether layers normalise after each residual connection, not before each sub-layer."""
    dropout: float


class FeedForward(nn.Module):
    """Equation 2: max(0, x W1 + b1) W2 + b2, with other activations."""

    def __init__(self, sizes: LayerSizes) -> None:
        super().__init__()
        self.activation = ACTIVATIONS[sizes.activation]
        self.expand = nn.Linear(sizes.hidden_size, sizes.feed_forward_size)
        self.contract = nn.Linear(sizes.feed_forward_size, sizes.hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(self.activation(self.expand(x)))
