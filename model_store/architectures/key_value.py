"""Daniluk et al. 2017, "Frustratingly Short Attention Spans in Neural Language Modeling" (arXiv:1702.04521): a decoder
that looks back at a window of its own outputs, in which keys, values and predictions are kept apart.

The paper models language; here the decoder attends to the source as well, as in Bahdanau et al. 2015.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.recurrent import LSTMCell, lstm, recurrent
from model_store.layers.scores import SourceAttention
from model_store.layers.sharing import row_maps


@dataclass(frozen=True)
class KeyValueConfig(ArchitectureConfig):
    """Sizes and choices; `hidden_size` is that of each part of the decoder's output."""

    embedding_size: Size
    """Width of embeddings and of the output layer."""
    encoder_size: Size
    """Width of the encoder in each direction."""
    alignment_size: Size
    """Width of the hidden layer of the scores of source words."""
    memory: Literal["key-value", "key-value-predict", "n-gram"] = "key-value-predict"
    """The parts of an output: key and value (section 3.2); key, value and prediction (section 3.3); or parts that later
    steps read one after the other, without attention (section 3.4)."""
    window: Size = 5
    """L: outputs that a step looks back at; for `n-gram` N - 2: an output has one part more, N - 1 of them, for as many
    steps."""


class KeyValue(Architecture):
    """Static state: source states and their keys; carried state: the decoder's LSTM and its last L outputs."""

    name = "key_value"
    paper = "Daniluk et al. 2017, Frustratingly Short Attention Spans in Neural Language Modeling"
    config_type = KeyValueConfig

    def __init__(self, config: KeyValueConfig) -> None:
        super().__init__(config)
        part, width, memory_size = config.hidden_size, config.embedding_size, 2 * config.encoder_size
        self.num_parts = {"key-value": 2, "key-value-predict": 3, "n-gram": config.window + 1}[config.memory]
        self.output_size = self.num_parts * part
        self.embedding = ScaledEmbedding(config.vocabulary_size, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = lstm(width, config.encoder_size, both_ways=True)
        self.initial = nn.Linear(memory_size, self.output_size)
        self.decoder = LSTMCell(width + memory_size, self.output_size)
        self.attention = SourceAttention("additive", self.output_size, memory_size, config.alignment_size, 0)
        if config.memory != "n-gram":
            self.past_key = nn.Linear(part, part, bias=False)
            self.present_key = nn.Linear(part, part, bias=False)
            self.past_energy = nn.Linear(part, 1, bias=False)
        self.combine = nn.Linear((2 if config.memory != "n-gram" else self.num_parts) * part, part, bias=False)
        self.readout = nn.Linear(part + width + memory_size, width)
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        sizes = {"embedding_size": 32, "encoder_size": 32, "alignment_size": 32, "window": 3}
        return cls.from_config({"vocabulary_size": vocabulary_size, "hidden_size": 32, "dropout": 0.0, **sizes})

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        return {memory: {"memory": memory} for memory in ("key-value", "n-gram")}

    def state_specs(self) -> list[StateSpec]:
        static = {"memory": 2 * self.config.encoder_size, "memory_keys": self.config.alignment_size}
        carried: dict[str, tuple[int, ...]] = {"hidden": (self.output_size,), "cell": (self.output_size,)}
        carried["past"] = (self.config.window, self.output_size)
        return [
            *(
                StateSpec(name=name, lifetime=Lifetime.STATIC, dtype="float32", axes=("S", width))
                for name, width in static.items()
            ),
            *(
                StateSpec(name=name, lifetime=Lifetime.CARRIED, dtype="float32", axes=axes)
                for name, axes in carried.items()
            ),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=1, head=1)]

    def decoder_slices(self) -> list[AttentionSlice]:
        return [] if self.config.memory == "n-gram" else [AttentionSlice(kind="decoder", layer=1, head=1)]

    @property
    def decoder_window(self) -> int:
        return self.config.window

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        read = recurrent(self.encoder, self.dropout(self.embedding(source_ids)), source_mask)
        memory, hidden = self.dropout(read.states), torch.tanh(self.initial(read.last))
        past = memory.new_zeros(memory.shape[0], self.config.window, self.output_size)
        keys = self.attention.keys(memory)
        return {
            "memory": memory, "memory_keys": keys, "hidden": hidden, "cell": torch.zeros_like(hidden), "past": past,
        }  # fmt: skip

    def _look_back(self, output: Tensor, past: Tensor, position: Tensor) -> tuple[Tensor, Tensor | None]:
        """h* [R, H], and the weights [R, L] of the past if there are any, from an output [R, P H] and the `past` ones
        [R, L, P H], oldest first, of which the last min(L, `position`) were written; `position` is [R] or one
        number."""
        parts = output.chunk(self.num_parts, dim=-1)
        if self.config.memory == "n-gram":  # equation 13: part i + 1 of the output i steps ago
            earlier = [past[:, -i].chunk(self.num_parts, dim=-1)[i] for i in range(1, self.num_parts)]
            return torch.tanh(self.combine(torch.cat([parts[0], *earlier], dim=-1))), None
        past_keys, past_values, *_ = past.chunk(self.num_parts, dim=-1)
        hidden = torch.tanh(self.past_key(past_keys) + self.present_key(parts[0])[:, None])  # equation 6
        places = torch.arange(self.config.window, 0, -1, device=output.device)  # steps ago
        visible = places[None, :] <= position.view(-1, 1)
        weights = torch.softmax(self.past_energy(hidden).squeeze(2) + score_bias(visible), dim=-1)  # equation 7
        read = torch.matmul(weights[:, None], past_values).squeeze(1)
        looked = torch.tanh(self.combine(torch.cat([read, parts[-1]], dim=-1)))  # equations 9 and 12
        return looked, weights * visible

    def _advance(
        self, embedded: Tensor, context: Tensor, position: Tensor, state: dict[str, Tensor]
    ) -> tuple[Tensor, Tensor | None, dict[str, Tensor]]:
        """What the output layer reads [R, H], the weights [R, L] of the past, and the next carried state."""
        fed = torch.cat([embedded, context], dim=-1)
        hidden, cell = self.decoder(fed, state["hidden"], state["cell"])
        looked, weights = self._look_back(hidden, state["past"], position)
        past = torch.cat([state["past"][:, 1:], hidden[:, None]], dim=1)
        return looked, weights, {"hidden": hidden, "cell": cell, "past": past}

    def _read_out(self, looked: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        return self.dropout(torch.tanh(self.readout(torch.cat([looked, embedded, context], dim=-1))))

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        return self.all_maps(source_ids, source_mask, target_ids)

    def all_maps(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, embedded = self.encode(source_ids, source_mask), self.dropout(self.embedding(target_ids))
        keys, memory, bias = state["memory_keys"], state["memory"], score_bias(source_mask)[:, None]
        positions = torch.arange(target_ids.shape[1], device=target_ids.device)
        outputs, contexts, maps, own_maps = [], [], [], list[Tensor]()
        for t in range(target_ids.shape[1]):
            grouped, weights = self.attention(state["hidden"][:, None], keys, memory, bias)
            context = grouped.squeeze(1)
            looked, own, state = self._advance(embedded[:, t], context, positions[t], state)
            outputs.append(looked)
            contexts.append(context)
            maps.append(weights)
            own_maps += [] if own is None else [own]
        read = self._read_out(torch.stack(outputs, dim=1), embedded, torch.stack(contexts, dim=1))
        looked_back = skewed(torch.stack(own_maps, dim=1))[:, None] if own_maps else None
        return TeacherForced(read, torch.cat(maps, dim=1)[:, None], decoder_attention=looked_back)

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        embedded = self.embedding(token_ids)
        query = state["hidden"]
        context, weights = self.attention.step(query, state["memory_keys"], state["memory"], source_mask)
        looked, own, after = self._advance(embedded, context, position, state)
        logits = self.logits(self._read_out(looked, embedded, context))
        own_map = None if own is None else own[:, None]
        return StepTensors(logits, row_maps(weights[:, None], token_ids), after, own_map)


def skewed(weights: Tensor) -> Tensor:
    """Weights [B, T, L] of the last L steps, oldest first, as a map [B, T, T] of all steps."""
    length, window = weights.shape[1:]
    places = torch.arange(length, device=weights.device)
    index = places[None, :] - places[:, None] + window  # of column j in row t
    seen = weights.gather(2, index.clamp(0, window - 1).expand(len(weights), -1, -1))
    return torch.where((index >= 0) & (index < window), seen, 0.0)
