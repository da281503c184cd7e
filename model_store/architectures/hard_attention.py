"""Xu et al. 2015, "Show, Attend and Tell" (arXiv:1502.03044), section 4.1: stochastic hard attention. A step sees one
source word, drawn by chance in training and the likeliest one in translation, so that its map is one-hot.

The network is that of Bahdanau et al. 2015, source words standing for the parts of an image. Training follows equation
12: the gradient of the likelihood, REINFORCE with a baseline, and the entropy of the choice. The baseline is the mean
of the other sentences of the batch, where the paper has a moving average; a run can then be resumed exactly.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from model_store.architectures.bahdanau import Bahdanau, BahdanauConfig
from model_store.architectures.base import TeacherForced
from model_store.architectures.configuration import Probability, Weight
from model_store.layers.attention import score_bias
from model_store.layers.recurrent import gru_update


@dataclass(frozen=True)
class HardAttentionConfig(BahdanauConfig):
    """Sizes as for Bahdanau's network, and what training weighs."""

    reinforce_weight: Weight = 1.0
    """lambda_r: of the REINFORCE term."""
    entropy_weight: Weight = 0.01
    """lambda_e: of the entropy of the choice."""
    soft_share: Probability = 0.5
    """Share of the sentences that are trained with expected contexts instead of drawn ones (section 4.1)."""


class HardAttention(Bahdanau):
    """The state is that of `Bahdanau`."""

    name = "hard_attention"
    paper = "Xu et al. 2015, Show, Attend and Tell"
    config_type = HardAttentionConfig

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        of_bahdanau = super().variants()
        return {name: of_bahdanau[name] for name in ("word-in-query", "score-general")}

    def _choose(self, weights: Tensor) -> Tensor:
        """One-hot [B, K, S] of the likeliest words."""
        places = torch.arange(weights.shape[2], device=weights.device)
        return (weights.argmax(dim=2, keepdim=True) == places).to(weights.dtype)

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        if not self.training:
            return super().teacher_forced(source_ids, source_mask, target_ids)
        state, bias = self.encode(source_ids, source_mask), score_bias(source_mask)
        embedded = self.dropout(self.embedding(target_ids))
        token_gates, words, hidden = self.token_gates(embedded), self._word_queries(embedded), state["hidden"]
        is_soft = torch.rand(len(source_ids), 1, device=hidden.device) < self.config.soft_share
        hiddens, contexts, maps, chances = [], [], [], []
        for t in range(target_ids.shape[1]):
            query = self._query(hidden, None if words is None else words[:, t])
            weights = self._weights(query[:, None], bias, state).squeeze(1)  # [B, S]
            drawn = torch.multinomial(weights.detach().float(), 1)  # [B, 1]
            seen = torch.where(is_soft, weights, torch.zeros_like(weights).scatter(1, drawn, 1.0))
            context = torch.matmul(seen[:, None], state["memory"]).squeeze(1)
            gates = token_gates[:, t] + self.context_gates(context)
            hidden = gru_update(gates, self.hidden_gates(hidden), hidden)
            hiddens.append(hidden)
            contexts.append(context)
            maps.append(weights)
            chances.append(weights.gather(1, drawn).squeeze(1))
        read = self._read_out(torch.stack(hiddens, dim=1), embedded, torch.stack(contexts, dim=1))
        attention = torch.stack(maps, dim=1)
        penalty = self._penalty(read, target_ids, attention, torch.stack(chances, dim=1), is_soft.squeeze(1))
        return TeacherForced(read, attention[:, None], penalty)

    def _penalty(self, read: Tensor, target_ids: Tensor, weights: Tensor, chances: Tensor, is_soft: Tensor) -> Tensor:
        """Minus the second and third term of equation 12, summed: those tokens are rewarded whose next one is known,
        by the mean log-probability that the sentence has from there on."""
        real = (target_ids[:, 1:] != 0).to(weights.dtype)  # of the tokens that steps 0 to T - 2 should write
        with torch.no_grad():
            log_probs = torch.log_softmax(self.logits(read[:, :-1]).float(), dim=-1)
            rewards = log_probs.gather(2, target_ids[:, 1:, None]).squeeze(2) * real
            left = real.flip(1).cumsum(1).flip(1).clamp(min=1.0)
            future = rewards.flip(1).cumsum(1).flip(1) / left  # [B, T - 1]
            others = (real.sum(dim=0) - real).clamp(min=1.0)  # sentences that have such a token, too
            advantage = future - (future.sum(dim=0) - future) / others
            advantage = advantage * real * (~is_soft)[:, None]
        drawn = (torch.log(chances[:, :-1].clamp(min=1e-9)) * advantage).sum()
        entropy = -(weights[:, :-1] * torch.log(weights[:, :-1].clamp(min=1e-9))).sum(dim=2)
        return -self.config.reinforce_weight * drawn - self.config.entropy_weight * (entropy * real).sum()
