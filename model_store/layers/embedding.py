"""Word embeddings of recurrent networks, whose table is the output projection as well."""

from __future__ import annotations

import math

from torch import Tensor, nn


class ScaledEmbedding(nn.Embedding):
    """Embeddings times the square root of their width E (Vaswani et al. 2017, section 3.4).

    The table [V, E] is drawn with a deviation of 1 / sqrt(E), as fits an output projection. The inputs of a layer want
    values about 1: with smaller ones the gates of an LSTM hardly move, and attention over its states stays uniform.
    Without `is_scaled` embeddings are the table's rows.
    """

    def __init__(self, vocabulary_size: int, width: int, is_scaled: bool = True) -> None:
        super().__init__(vocabulary_size, width)
        self.factor = math.sqrt(width) if is_scaled else 1.0
        nn.init.normal_(self.weight, std=width**-0.5)

    def forward(self, ids: Tensor) -> Tensor:
        """[..., E] of `ids` [...]."""
        return super().forward(ids) * self.factor
