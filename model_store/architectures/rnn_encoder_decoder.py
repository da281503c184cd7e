"""Cho et al. 2014, "Learning Phrase Representations using RNN Encoder-Decoder for Statistical Machine Translation"
(arXiv:1406.1078): a GRU reads the source into one vector, a GRU writes the target from it, maxout output.

No attention: the summary c is all that the decoder knows of the source, and every step is fed it. In the candidate of a
step, C c stands outside of the reset gate, where appendix A.1.2 has r'[U' h + C c].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced, no_attention
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.readout import maxout
from model_store.layers.recurrent import gru_update, recurrent


@dataclass(frozen=True)
class RNNEncoderDecoderConfig(ArchitectureConfig):
    """Sizes of the network; `hidden_size` is that of both GRUs and of the summary."""

    embedding_size: Size
    """Width of embeddings and of the maxout layer."""


class RNNEncoderDecoder(Architecture):
    """Carried state: the summary c, which no step changes, and the decoder's hidden layer."""

    name = "rnn_encoder_decoder"
    paper = "Cho et al. 2014, Learning Phrase Representations using RNN Encoder-Decoder"
    config_type = RNNEncoderDecoderConfig

    def __init__(self, config: RNNEncoderDecoderConfig) -> None:
        super().__init__(config)
        size, width = config.hidden_size, config.embedding_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = nn.GRU(width, size, batch_first=True)
        self.summary = nn.Linear(size, size)
        self.initial = nn.Linear(size, size)
        self.token_gates = nn.Linear(width, 3 * size)
        self.summary_gates = nn.Linear(size, 3 * size, bias=False)
        self.hidden_gates = nn.Linear(size, 3 * size)
        self.readout = nn.Linear(2 * size + width, 2 * width)
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(RNNEncoderDecoderConfig(vocabulary_size, hidden_size=96, dropout=0.0, embedding_size=32))

    def state_specs(self) -> list[StateSpec]:
        size = self.config.hidden_size
        return [
            StateSpec(name="summary", lifetime=Lifetime.CARRIED, dtype="float32", axes=(size,)),
            StateSpec(name="hidden", lifetime=Lifetime.CARRIED, dtype="float32", axes=(size,)),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return []

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """c = tanh(V h_N) and h'_0 = tanh(V' c) (appendix A.1)."""
        read = recurrent(self.encoder, self.dropout(self.embedding(source_ids)), source_mask).last
        summary = torch.tanh(self.summary(read))
        return {"summary": summary, "hidden": torch.tanh(self.initial(summary))}

    def _read_out(self, hidden: Tensor, embedded: Tensor, summary: Tensor) -> Tensor:
        """s' = O_h h + O_y y + O_c c, and the larger of each pair (appendix A.1.2)."""
        return self.dropout(maxout(self.readout(torch.cat([hidden, embedded, summary], dim=-1))))

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state = self.encode(source_ids, source_mask)
        summary, hidden = state["summary"], state["hidden"]
        embedded = self.dropout(self.embedding(target_ids))
        gates = self.token_gates(embedded) + self.summary_gates(summary)[:, None]
        hiddens = []
        for t in range(target_ids.shape[1]):
            hidden = gru_update(gates[:, t], self.hidden_gates(hidden), hidden)
            hiddens.append(hidden)
        read = self._read_out(torch.stack(hiddens, dim=1), embedded, summary[:, None].expand(-1, embedded.shape[1], -1))
        return TeacherForced(read, no_attention(target_ids, source_ids))

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        summary, embedded = state["summary"], self.embedding(token_ids)
        gates = self.token_gates(embedded) + self.summary_gates(summary)
        hidden = gru_update(gates, self.hidden_gates(state["hidden"]), state["hidden"])
        logits = self.logits(self._read_out(hidden, embedded, summary))
        return StepTensors(logits, None, {"summary": summary, "hidden": hidden})
