"""Luong, Pham and Manning 2015, "Effective Approaches to Attention-based Neural Machine Translation"
(arXiv:1508.04025): stacked LSTMs, any score function, global or local attention, input feeding.

The weights of local-p are normalised again after the Gaussian of equation 10, so that maps stay distributions; its
centre is S - 1 times the sigmoid, since places count from 0 (equation 9 has S). W_s of
equation 6 is the table of embeddings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, cast

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import MASKED_SCORE, score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.recurrent import LSTMCell, lstm, recurrent
from model_store.layers.scores import SCORE_NAMES, ScoreName, SourceAttention, gaussian
from model_store.layers.sharing import group_rows, row_maps, ungroup_rows

Window = Literal["global", "local-m", "local-p"]


@dataclass(frozen=True)
class LuongConfig(ArchitectureConfig):
    """Sizes and choices; `hidden_size` is that of embeddings and of every layer."""

    num_layers: Size = 2
    """Layers of encoder and decoder; the paper has 4."""
    score: ScoreName = "general"
    """Score function (section 3.1)."""
    window: Window = "global"
    """`global` sees all of the source; `local-m` a window about the target's own place; `local-p` one about a predicted
    place (section 3.2)."""
    window_size: Size = 10
    """D: source words on either side that a window sees."""
    input_feeding: bool = True
    """Whether a step is fed the attentional vector of the one before (section 3.3)."""
    max_positions: Size = 512
    """Longest source that the score `location` knows."""
    output_projection: bool = False
    """Whether the output projection is E W_o with the embeddings E, not E alone: tied, they cannot score far what
    the tanh of equation 5 bounds."""


class Luong(Architecture):
    """Static state: source states and their keys; carried state: the decoder's layers and the attentional vector."""

    name = "luong"
    paper = "Luong et al. 2015, Effective Approaches to Attention-based Neural Machine Translation"
    config_type = LuongConfig

    def __init__(self, config: LuongConfig) -> None:
        super().__init__(config)
        size = config.hidden_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = nn.ModuleList(lstm(size, size) for _ in range(config.num_layers))
        fed = 2 * size if config.input_feeding else size
        self.decoder = nn.ModuleList(LSTMCell(size if i else fed, size) for i in range(config.num_layers))
        self.attention = SourceAttention(config.score, size, size, size, config.max_positions)
        self.combine = nn.Linear(2 * size, size, bias=False)
        self.output = nn.Linear(size, size, bias=False) if config.output_projection else nn.Identity()
        if config.window == "local-p":
            self.place_hidden = nn.Linear(size, size, bias=False)
            self.place = nn.Linear(size, 1, bias=False)
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(LuongConfig(vocabulary_size, hidden_size=48, dropout=0.0, score="dot"))

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        scores = {f"score-{score}": {"score": score} for score in SCORE_NAMES if score != "dot"}
        windows = {window: {"window": window, "window_size": 3} for window in ("local-m", "local-p")}
        return {
            **scores,
            **windows,
            "no-input-feeding": {"input_feeding": False},
            "output-projection": {"output_projection": True},
        }

    def _cells(self) -> list[LSTMCell]:
        return cast("list[LSTMCell]", list(self.decoder))

    def state_specs(self) -> list[StateSpec]:
        size, names = self.config.hidden_size, []
        for layer in range(1, self.config.num_layers + 1):
            names += [f"hidden_{layer}", f"cell_{layer}"]
        names += ["attentional"] if self.config.input_feeding else []
        static = {"memory": size} if self._keys_are_memory() else {"memory": size, "keys": self.attention.key_size}
        return [
            *(
                StateSpec(name=name, lifetime=Lifetime.STATIC, dtype="float32", axes=("S", width))
                for name, width in static.items()
            ),
            *(StateSpec(name=name, lifetime=Lifetime.CARRIED, dtype="float32", axes=(size,)) for name in names),
        ]

    def _keys_are_memory(self) -> bool:
        return self.config.score in ("dot", "scaled_dot", "cosine", "location")

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=1, head=1)]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """The top layer's states h_s, and the last states of each layer, with which the decoder begins."""
        x, state = self.dropout(self.embedding(source_ids)), {}
        for number, layer in enumerate(self.encoder, start=1):
            read = recurrent(cast("nn.LSTM", layer), x, source_mask)
            state[f"hidden_{number}"], state[f"cell_{number}"] = read.last, read.cell
            x = self.dropout(read.states)
        state["memory"] = x
        if not self._keys_are_memory():
            state["keys"] = self.attention.keys(x)
        if self.config.input_feeding:
            state["attentional"] = torch.zeros_like(read.last)
        return state

    def _bias(self, query: Tensor, position: Tensor, mask: Tensor) -> Tensor:
        """What is added to scores [B, K, S] of queries [B, K, H] at target places `position` [B, K]: of padding, of
        what is outside the window, and the Gaussian."""
        bias = score_bias(mask)[:, None]
        if self.config.window == "global":
            return bias
        places = torch.arange(mask.shape[1], device=mask.device)
        lengths = mask.sum(dim=1, keepdim=True)  # [B, 1]
        if self.config.window == "local-m":
            centre = torch.minimum(position, lengths - 1)
            return bias + score_bias((places - centre[:, :, None]).abs() <= self.config.window_size)
        hidden = torch.tanh(self.place_hidden(query))
        predicted = (lengths - 1) * torch.sigmoid(self.place(hidden)).squeeze(2)  # equation 9
        near = (places - predicted[:, :, None]).abs() <= self.config.window_size
        return bias + torch.where(near, gaussian(places, predicted, self.config.window_size / 2), MASKED_SCORE)

    def _keys(self, state: dict[str, Tensor]) -> Tensor:
        return state["memory"] if self._keys_are_memory() else state["keys"]

    def _attentional(self, context: Tensor, hidden: Tensor) -> Tensor:
        """h~ = tanh(W [c; h]) (equation 5)."""
        return torch.tanh(self.combine(torch.cat([context, hidden], dim=-1)))

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, embedded = self.encode(source_ids, source_mask), self.dropout(self.embedding(target_ids))
        positions = torch.arange(target_ids.shape[1], device=target_ids.device).expand_as(target_ids)
        if not self.config.input_feeding:
            x = embedded
            for number, cell in enumerate(self._cells(), start=1):
                x = self.dropout(cell.sequence(x, state[f"hidden_{number}"], state[f"cell_{number}"]))
            context, weights = self._attend(x, positions, source_mask, state)
            return TeacherForced(self.output(self.dropout(self._attentional(context, x))), weights[:, None])
        outputs, maps = [], []
        for t in range(target_ids.shape[1]):
            hidden, after = self._layers(torch.cat([embedded[:, t], state["attentional"]], dim=-1), state)
            context, weights = self._attend(hidden[:, None], positions[:, t : t + 1], source_mask, state)
            state = {**state, **after, "attentional": self._attentional(context.squeeze(1), hidden)}
            outputs.append(state["attentional"])
            maps.append(weights)
        return TeacherForced(self.output(self.dropout(torch.stack(outputs, dim=1))), torch.cat(maps, dim=1)[:, None])

    def _layers(self, x: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        """The top layer's state [R, H] after the input `x`, and the states of all layers."""
        after = {}
        for number, layer in enumerate(self._cells(), start=1):
            hidden, cell = layer(x, state[f"hidden_{number}"], state[f"cell_{number}"])
            after[f"hidden_{number}"], after[f"cell_{number}"] = hidden, cell
            x = self.dropout(hidden)
        return x, after

    def _attend(self, query: Tensor, position: Tensor, mask: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        return cast(
            "tuple[Tensor, Tensor]",
            self.attention(query, self._keys(state), state["memory"], self._bias(query, position, mask)),
        )

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        embedded = self.embedding(token_ids)
        fed = torch.cat([embedded, state["attentional"]], dim=-1) if self.config.input_feeding else embedded
        hidden, after = self._layers(fed, state)
        places = group_rows(position[:, None].to(hidden.dtype), source_mask).squeeze(2)
        grouped, weights = self._attend(group_rows(hidden, source_mask), places, source_mask, state)
        attentional = self._attentional(ungroup_rows(grouped, hidden), hidden)
        if self.config.input_feeding:
            after["attentional"] = attentional
        return StepTensors(self.logits(self.output(attentional)), row_maps(weights[:, None], token_ids), after)
