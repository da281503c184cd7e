"""Bahdanau, Cho and Bengio 2015, "Neural Machine Translation by Jointly Learning to Align and Translate"
(arXiv:1409.0473): bidirectional GRU encoder, additive attention, GRU decoder, maxout output.

Source, target and output embeddings are one matrix, which the paper keeps apart. The paper's attention has not read
the word that was written last when it chooses where to look; `word_in_query` lets it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.readout import maxout
from model_store.layers.recurrent import gru_update, recurrent
from model_store.layers.scores import SCORE_NAMES, ScoreName, SourceAttention, additive
from model_store.layers.sharing import group_rows, row_maps, ungroup_rows


@dataclass(frozen=True)
class BahdanauConfig(ArchitectureConfig):
    """Sizes of a Bahdanau network; `hidden_size` is the decoder's n."""

    embedding_size: Size
    """m: width of embeddings and of the maxout layer."""
    encoder_size: Size
    """Width of the encoder GRU in each direction."""
    alignment_size: Size
    """n': width of the alignment network's hidden layer."""
    scales_embeddings: bool = True
    """Whether inputs are embeddings of size about 1; see `ScaledEmbedding`."""
    word_in_query: bool = False
    """Whether attention is asked with W_a s_{i-1} + E_a y_{i-1} instead of W_a s_{i-1}: it has then read the word that
    was written last, as in Nematus (Sennrich et al. 2017, arXiv:1703.04357, section 2.1), here without a second GRU.
    For the score of the paper alone."""
    score: ScoreName = "additive"
    """How well s_{i-1} fits each annotation; `additive` is the paper's (section A.1.2). `dot`, `scaled_dot`, `cosine`
    want a decoder as wide as both directions of the encoder together."""
    max_positions: Size | None = None
    """Longest source, in tokens, that the score `location` knows; None for all other scores, which know no places."""

    def __post_init__(self) -> None:
        """Raises ValueError for choices that do not fit each other."""
        if self.word_in_query and self.score != "additive":
            raise ValueError(f"word_in_query is for the score additive alone, not for {self.score}; leave one out")
        if (self.score == "location") != (self.max_positions is not None):
            raise ValueError("max_positions belongs to the score location, and to no other")


class Bahdanau(Architecture):
    """RNNsearch. Static state: encoder memory and its projection; carried state: the decoder's hidden layer."""

    name = "bahdanau"
    paper = "Bahdanau et al. 2015, Neural Machine Translation by Jointly Learning to Align and Translate"
    config_type: ClassVar[type[ArchitectureConfig]] = BahdanauConfig
    extensions = frozenset({"word_in_query"})

    def __init__(self, config: BahdanauConfig) -> None:
        super().__init__(config)
        memory_size = 2 * config.encoder_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, config.embedding_size, config.scales_embeddings)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = nn.GRU(config.embedding_size, config.encoder_size, batch_first=True, bidirectional=True)
        self.initial = nn.Linear(config.encoder_size, config.hidden_size)
        self.attention = self.word_query = None
        if config.score == "additive":
            self.memory_key = nn.Linear(memory_size, config.alignment_size)
            self.query = nn.Linear(config.hidden_size, config.alignment_size, bias=False)
        else:
            sizes = config.hidden_size, memory_size, config.alignment_size, config.max_positions or 0
            self.attention = SourceAttention(config.score, *sizes)
        if config.word_in_query:
            self.word_query = nn.Linear(config.embedding_size, config.alignment_size, bias=False)
            nn.init.zeros_(self.word_query.weight)
        if self.attention is None:
            self.energy = nn.Linear(config.alignment_size, 1, bias=False)
        self.token_gates = nn.Linear(config.embedding_size, 3 * config.hidden_size)
        self.context_gates = nn.Linear(memory_size, 3 * config.hidden_size, bias=False)
        self.hidden_gates = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.readout = nn.Linear(config.hidden_size + config.embedding_size + memory_size, 2 * config.embedding_size)
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        sizes = {"hidden_size": 48, "embedding_size": 32, "encoder_size": 32, "alignment_size": 32}
        return cls.from_config({"vocabulary_size": vocabulary_size, "dropout": 0.0, **sizes})

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        scores = {f"score-{score}": {"score": score} for score in SCORE_NAMES if score != "additive"}
        square = {"hidden_size": 64}  # as wide as both directions of the tiny encoder
        scores |= {f"score-{score}": {"score": score, **square} for score in ("dot", "scaled_dot", "cosine")}
        return {
            "word-in-query": {"word_in_query": True},
            **scores,
            "score-location": {"score": "location", "max_positions": 512},
        }

    def state_specs(self) -> list[StateSpec]:
        config = self.config
        key_size = config.alignment_size if self.attention is None else self.attention.key_size
        return [
            StateSpec(name="memory", lifetime=Lifetime.STATIC, dtype="float32", axes=("S", 2 * config.encoder_size)),
            StateSpec(name="memory_key", lifetime=Lifetime.STATIC, dtype="float32", axes=("S", key_size)),
            StateSpec(name="hidden", lifetime=Lifetime.CARRIED, dtype="float32", axes=(config.hidden_size,)),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=1, head=1)]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """Annotations h_j (section 3.2) and s_0 = tanh(W_s h_1 backward) (appendix A.2.2)."""
        embedded = self.dropout(self.embedding(source_ids))
        memory = self.dropout(recurrent(self.encoder, embedded, source_mask).states)  # [B, S, 2E]
        backward = memory[:, 0, self.config.encoder_size :]
        return {
            "memory": memory,
            "memory_key": self.memory_key(memory) if self.attention is None else self.attention.keys(memory),
            "hidden": torch.tanh(self.initial(backward)),
        }

    def _word_queries(self, embedded: Tensor) -> Tensor | None:
        """E_a y of the words `embedded` [..., M], where attention reads them: [..., A]."""
        return None if self.word_query is None else self.word_query(embedded)

    def _query(self, hidden: Tensor, word: Tensor | None) -> Tensor:
        """What attention is asked with, from s_{i-1} [R, H] and E_a y_{i-1} [R, A]: [R, A], for other scores than
        `additive` s_{i-1}."""
        if self.attention is not None:
            return hidden
        return self.query(hidden) if word is None else self.query(hidden) + word

    def _attend(self, query: Tensor, bias: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """Equations 5 and 6: context [B, K, 2E] and weights [B, K, S] from the projected s_{i-1} [B, K, A] of the K
        rows of each segment; `bias` [B, S] masks padding."""
        weights = self._choose(self._weights(query, bias, state))
        return torch.matmul(weights, state["memory"]), weights

    def _weights(self, query: Tensor, bias: Tensor, state: dict[str, Tensor]) -> Tensor:
        """[B, K, S]"""
        keys = state["memory_key"]
        scores = additive(query, keys, self.energy) if self.attention is None else self.attention.scores(query, keys)
        return torch.softmax(scores + bias[:, None], dim=-1)

    def _choose(self, weights: Tensor) -> Tensor:
        """What a context is summed with, of the softmax's weights: all of them."""
        return weights

    def _read_out(self, hidden: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        """Maxout over pairs of units (appendix A.2.2, with s_i as in equation 4): [..., M]."""
        return self.dropout(maxout(self.readout(torch.cat([hidden, embedded, context], dim=-1))))

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state = self.encode(source_ids, source_mask)
        bias = score_bias(source_mask)
        embedded = self.dropout(self.embedding(target_ids))  # [B, T, M]
        token_gates, words = self.token_gates(embedded), self._word_queries(embedded)
        hidden = state["hidden"]
        hiddens, contexts, maps = [], [], []
        for t in range(target_ids.shape[1]):
            query = self._query(hidden, None if words is None else words[:, t])
            grouped, weights = self._attend(query[:, None], bias, state)
            context = grouped.squeeze(1)
            gates = token_gates[:, t] + self.context_gates(context)
            hidden = gru_update(gates, self.hidden_gates(hidden), hidden)
            hiddens.append(hidden)
            contexts.append(context)
            maps.append(weights)
        read_out = self._read_out(torch.stack(hiddens, dim=1), embedded, torch.stack(contexts, dim=1))
        return TeacherForced(read_out, torch.cat(maps, dim=1)[:, None])

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        hidden = state["hidden"]
        embedded = self.embedding(token_ids)
        query = group_rows(self._query(hidden, self._word_queries(embedded)), source_mask)
        grouped, weights = self._attend(query, score_bias(source_mask), state)
        context = ungroup_rows(grouped, token_ids)  # [R, 2E]
        gates = self.token_gates(embedded) + self.context_gates(context)
        hidden = gru_update(gates, self.hidden_gates(hidden), hidden)
        logits = self.logits(self._read_out(hidden, embedded, context))
        return StepTensors(logits, row_maps(weights[:, None], token_ids), {"hidden": hidden})
