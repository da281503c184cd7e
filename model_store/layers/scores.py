"""How well a query fits each key: the score functions of attention, one function each.

Queries are [B, K, Q], the K queries of each of B segments; keys [B, S, D] come from the S source states; scores are
[B, K, S]. `SourceAttention` puts any of them to use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Literal, get_args

import torch
from torch import Tensor, nn

from model_store.layers.attention import score_bias
from model_store.layers.sharing import group_rows, ungroup_rows

ScoreName = Literal["dot", "general", "concat", "location", "cosine", "additive", "scaled_dot"]
SCORE_NAMES: Final = get_args(ScoreName)
EPSILON = 1e-6
"""Least squared norm that a cosine divides by."""


def dot(query: Tensor, keys: Tensor) -> Tensor:
    """q . k (Luong et al. 2015, section 3.1)."""
    return torch.matmul(query, keys.transpose(1, 2))


def scaled_dot(query: Tensor, keys: Tensor) -> Tensor:
    """q . k / sqrt(D) (Vaswani et al. 2017, equation 1)."""
    return dot(query * query.shape[-1] ** -0.5, keys)


def general(query: Tensor, keys: Tensor) -> Tensor:
    """q . W h, with the keys k = W h (Luong et al. 2015, section 3.1)."""
    return dot(query, keys)


def cosine(query: Tensor, keys: Tensor, sharpness: Tensor) -> Tensor:
    """beta q . k / (|q| |k|), with a learnt `sharpness` beta (Graves et al. 2014, arXiv:1410.5401, equations 5 and
    6)."""
    norms = torch.rsqrt((query * query).sum(dim=-1, keepdim=True) + EPSILON)
    key_norms = torch.rsqrt((keys * keys).sum(dim=-1) + EPSILON)
    return dot(query * norms * sharpness, keys) * key_norms[:, None]


def additive(query: Tensor, keys: Tensor, energy: Callable[[Tensor], Tensor]) -> Tensor:
    """v . tanh(W q + U h), with queries W q and keys U h (Bahdanau et al. 2015, section A.1.2); `energy` is v."""
    return energy(torch.tanh(query[:, :, None] + keys[:, None])).squeeze(3)


def concat(query: Tensor, keys: Tensor, energy: Callable[[Tensor], Tensor]) -> Tensor:
    """v . tanh(W [q; h]) (Luong et al. 2015, section 3.1): W is cut into the two products of `additive`, whose sum is
    the same."""
    return additive(query, keys, energy)


def location(query: Tensor, keys: Tensor, places: Callable[[Tensor], Tensor]) -> Tensor:
    """W q, a score for each place, whatever stands there (Luong et al. 2015, equation 8)."""
    return places(query)[:, :, : keys.shape[1]]


class SourceAttention(nn.Module):
    """Attention of decoder states over source states, with any score function."""

    def __init__(
        self, score: ScoreName, query_size: int, memory_size: int, alignment_size: int, max_positions: int
    ) -> None:
        """`alignment_size` is the width of the hidden layer of `additive` and `concat`, `max_positions` the longest
        source that `location` knows. Raises ValueError when the sizes do not fit the score."""
        super().__init__()
        if score not in SCORE_NAMES:
            raise ValueError(f"score is {score!r}; known: {', '.join(SCORE_NAMES)}")
        if score in ("dot", "scaled_dot", "cosine") and query_size != memory_size:
            raise ValueError(f"score {score} wants queries and source states of one width: {query_size}, {memory_size}")
        self.score, self.memory_size = score, memory_size
        self.key_size = memory_size
        if score in ("additive", "concat"):
            self.key_size = alignment_size
            self.query = nn.Linear(query_size, alignment_size, bias=False)
            self.key = nn.Linear(memory_size, alignment_size)
            self.energy = nn.Linear(alignment_size, 1, bias=False)
        elif score == "general":
            self.key_size = query_size
            self.key = nn.Linear(memory_size, query_size, bias=False)
        elif score == "location":
            self.places = nn.Linear(query_size, max_positions)
        elif score == "cosine":
            self.sharpness = nn.Parameter(torch.full((1,), 8.0))

    def keys(self, memory: Tensor) -> Tensor:
        """Keys [B, S, D] of the source states `memory` [B, S, M], which no step changes."""
        return self.key(memory) if self.score in ("additive", "concat", "general") else memory

    def scores(self, query: Tensor, keys: Tensor) -> Tensor:
        """[B, K, S] from queries [B, K, Q]."""
        if self.score in ("additive", "concat"):
            return additive(self.query(query), keys, self.energy)
        if self.score == "location":
            return location(query, keys, self.places)
        if self.score == "cosine":
            return cosine(query, keys, self.sharpness)
        return scaled_dot(query, keys) if self.score == "scaled_dot" else dot(query, keys)

    def forward(self, query: Tensor, keys: Tensor, memory: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """Context [B, K, M] and weights [B, K, S] of queries [B, K, Q]; `bias`, broadcast to [B, K, S], masks."""
        weights = torch.softmax(self.scores(query, keys) + bias, dim=-1)
        return torch.matmul(weights, memory), weights

    def step(self, query: Tensor, keys: Tensor, memory: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Context [R, M] and weights [B, K, S] of the queries [R, Q] of one step, under `source_mask` [B, S]."""
        grouped, weights = self(group_rows(query, source_mask), keys, memory, score_bias(source_mask)[:, None])
        return ungroup_rows(grouped, query), weights


def gaussian(places: Tensor, centre: Tensor, deviation: float) -> Tensor:
    """log exp(-(s - p)^2 / (2 sigma^2)) of `places` s [S] about each `centre` p [B, K]: [B, K, S] (Luong et al. 2015,
    equation 10)."""
    return -((places - centre[:, :, None]) ** 2) / (2.0 * deviation**2)
