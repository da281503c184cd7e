"""Lin et al. 2017, "A Structured Self-attentive Sentence Embedding" (arXiv:1703.03130): r hops over a bidirectional
LSTM, each a weighted sum of all words, kept apart by a penalty. The decoder attends to the hops.

The paper classifies sentences; here a GRU decoder (Bahdanau et al. 2015) writes from the hops. The map over source
words is the hops' weights composed with the decoder's weights of hops.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size, Weight
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.readout import maxout
from model_store.layers.recurrent import gru_update, lstm, recurrent
from model_store.layers.scores import SourceAttention
from model_store.layers.sharing import group_rows, row_maps, ungroup_rows


@dataclass(frozen=True)
class SelfAttentiveConfig(ArchitectureConfig):
    """Sizes of the network; `hidden_size` is that of the decoder."""

    embedding_size: Size
    """Width of embeddings and of the maxout layer."""
    encoder_size: Size
    """u: width of the encoder in each direction."""
    alignment_size: Size
    """d_a: width of the hidden layer of every score."""
    num_hops: Size
    """r: rows of the sentence matrix."""
    penalty: Weight = 0.1
    """Weight of |A A^T - I|^2, of each sentence, beside its summed loss."""


class SelfAttentive(Architecture):
    """Static state: the hops, their keys, and their weights of source words; carried: the decoder's hidden layer."""

    name = "self_attentive"
    paper = "Lin et al. 2017, A Structured Self-attentive Sentence Embedding"
    config_type = SelfAttentiveConfig

    def __init__(self, config: SelfAttentiveConfig) -> None:
        super().__init__(config)
        size, width, memory_size = config.hidden_size, config.embedding_size, 2 * config.encoder_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = lstm(width, config.encoder_size, both_ways=True)
        self.hop_hidden = nn.Linear(memory_size, config.alignment_size, bias=False)
        self.hop_score = nn.Linear(config.alignment_size, config.num_hops, bias=False)
        self.initial = nn.Linear(memory_size, size)
        self.attention = SourceAttention("additive", size, memory_size, config.alignment_size, 0)
        self.token_gates = nn.Linear(width, 3 * size)
        self.context_gates = nn.Linear(memory_size, 3 * size, bias=False)
        self.hidden_gates = nn.Linear(size, 3 * size)
        self.readout = nn.Linear(size + width + memory_size, 2 * width)
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        sizes = {"embedding_size": 32, "encoder_size": 32, "alignment_size": 32, "num_hops": 12, "penalty": 0.01}
        return cls.from_config({"vocabulary_size": vocabulary_size, "hidden_size": 64, "dropout": 0.0, **sizes})

    def state_specs(self) -> list[StateSpec]:
        config = self.config
        static = {
            "hops": (config.num_hops, 2 * config.encoder_size),
            "hop_keys": (config.num_hops, config.alignment_size),
            "hop_weights": ("S", config.num_hops),
        }
        return [
            *(
                StateSpec(name=name, lifetime=Lifetime.STATIC, dtype="float32", axes=axes)
                for name, axes in static.items()
            ),
            StateSpec(name="hidden", lifetime=Lifetime.CARRIED, dtype="float32", axes=(config.hidden_size,)),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=1, head=1)]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """A = softmax(W_s2 tanh(W_s1 H^T)) and M = A H (equations 6 and 7); the decoder begins with the mean hop."""
        memory = self.dropout(recurrent(self.encoder, self.dropout(self.embedding(source_ids)), source_mask).states)
        scores = self.hop_score(torch.tanh(self.hop_hidden(memory)))  # [B, S, r]
        weights = torch.softmax(scores + score_bias(source_mask)[:, :, None], dim=1)
        hops = torch.matmul(weights.transpose(1, 2), memory)
        return {
            "hops": hops,
            "hop_keys": self.attention.keys(hops),
            "hop_weights": weights,
            "hidden": torch.tanh(self.initial(hops.mean(dim=1))),
        }

    def _penalty(self, weights: Tensor) -> Tensor:
        """|A A^T - I|^2 of each sentence (equation 8), summed over the batch."""
        overlap = torch.matmul(weights.transpose(1, 2), weights)
        own = torch.eye(self.config.num_hops, device=weights.device)
        return self.config.penalty * ((overlap - own) ** 2).sum()

    def _read_out(self, hidden: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        return self.dropout(maxout(self.readout(torch.cat([hidden, embedded, context], dim=-1))))

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, embedded = self.encode(source_ids, source_mask), self.dropout(self.embedding(target_ids))
        token_gates, hidden = self.token_gates(embedded), state["hidden"]
        unmasked = hidden.new_zeros(1, 1, 1)
        hiddens, contexts, maps = [], [], []
        for t in range(target_ids.shape[1]):
            grouped, weights = self.attention(hidden[:, None], state["hop_keys"], state["hops"], unmasked)
            context = grouped.squeeze(1)
            gates = token_gates[:, t] + self.context_gates(context)
            hidden = gru_update(gates, self.hidden_gates(hidden), hidden)
            hiddens.append(hidden)
            contexts.append(context)
            maps.append(weights)
        read = self._read_out(torch.stack(hiddens, dim=1), embedded, torch.stack(contexts, dim=1))
        composed = torch.matmul(torch.cat(maps, dim=1), state["hop_weights"].transpose(1, 2))
        return TeacherForced(read, composed[:, None], self._penalty(state["hop_weights"]))

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        hidden, embedded = state["hidden"], self.embedding(token_ids)
        query, unmasked = group_rows(hidden, source_mask), hidden.new_zeros(1, 1, 1)
        grouped, weights = self.attention(query, state["hop_keys"], state["hops"], unmasked)
        context = ungroup_rows(grouped, hidden)
        gates = self.token_gates(embedded) + self.context_gates(context)
        hidden = gru_update(gates, self.hidden_gates(hidden), hidden)
        logits = self.logits(self._read_out(hidden, embedded, context))
        composed = torch.matmul(weights, state["hop_weights"].transpose(1, 2))
        return StepTensors(logits, row_maps(composed[:, None], token_ids), {"hidden": hidden})
