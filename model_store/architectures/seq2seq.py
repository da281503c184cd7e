"""Sutskever, Vinyals and Le 2014, "Sequence to Sequence Learning with Neural Networks" (arXiv:1409.3215): a deep LSTM
reads the source backwards, and its last states begin a deep LSTM that writes the target. No attention."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self, cast

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced, no_attention
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.recurrent import LSTMCell, lstm, recurrent


@dataclass(frozen=True)
class Seq2SeqConfig(ArchitectureConfig):
    """Sizes of the network; `hidden_size` is that of embeddings and of every layer."""

    num_layers: Size
    """Layers of encoder and decoder; the paper has 4."""


class Seq2Seq(Architecture):
    """Carried state: hidden state and cell of each decoder layer."""

    name = "seq2seq"
    paper = "Sutskever et al. 2014, Sequence to Sequence Learning with Neural Networks"
    config_type = Seq2SeqConfig

    def __init__(self, config: Seq2SeqConfig) -> None:
        super().__init__(config)
        size = config.hidden_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = nn.ModuleList(lstm(size, size) for _ in range(config.num_layers))
        self.decoder = nn.ModuleList(LSTMCell(size, size) for _ in range(config.num_layers))
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(Seq2SeqConfig(vocabulary_size, hidden_size=64, dropout=0.0, num_layers=2))

    def _cells(self) -> list[LSTMCell]:
        return cast("list[LSTMCell]", list(self.decoder))

    def state_specs(self) -> list[StateSpec]:
        size = self.config.hidden_size
        return [
            StateSpec(name=f"{part}_{layer}", lifetime=Lifetime.CARRIED, dtype="float32", axes=(size,))
            for layer in range(1, self.config.num_layers + 1)
            for part in ("hidden", "cell")
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return []

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """The states of each layer after the first source word, which is read last (section 3.3)."""
        x, state = self.dropout(self.embedding(source_ids)), {}
        for number, layer in enumerate(self.encoder, start=1):
            read = recurrent(cast("nn.LSTM", layer), x, source_mask, is_backward=True)
            state[f"hidden_{number}"], state[f"cell_{number}"] = read.last, read.cell
            x = self.dropout(read.states)
        return state

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state = self.encode(source_ids, source_mask)
        x = self.dropout(self.embedding(target_ids))
        for number, cell in enumerate(self._cells(), start=1):
            x = self.dropout(cell.sequence(x, state[f"hidden_{number}"], state[f"cell_{number}"]))
        return TeacherForced(x, no_attention(target_ids, source_ids))

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        x, after = self.embedding(token_ids), {}
        for number, layer in enumerate(self._cells(), start=1):
            hidden, cell = layer(x, state[f"hidden_{number}"], state[f"cell_{number}"])
            after[f"hidden_{number}"], after[f"cell_{number}"] = hidden, cell
            x = hidden
        return StepTensors(self.logits(x), None, after)
