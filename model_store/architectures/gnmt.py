"""Wu et al. 2016, "Google's Neural Machine Translation System" (arXiv:1609.08144): deep LSTMs with residual
connections, a first encoder layer of both directions, and additive attention from the lowest decoder layer to all.

Its coverage penalty (equation 14) is an option of the search, for every model with attention.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size, require_divisible
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.recurrent import LSTMCell, lstm, recurrent
from model_store.layers.scores import SourceAttention
from model_store.layers.sharing import row_maps


@dataclass(frozen=True)
class GNMTConfig(ArchitectureConfig):
    """Sizes of the network; `hidden_size` is that of embeddings and of every layer, and must be even."""

    num_layers: Size = 8
    """Layers of encoder and decoder."""
    output_projection: bool = False
    """Whether the output projection is E W_o with the embeddings E, not E alone: tied, they cannot score far what
    an LSTM bounds."""

    def __post_init__(self) -> None:
        """Raises ValueError for a width that two directions cannot share."""
        require_divisible("hidden_size", self.hidden_size, "the two directions", 2)


class GNMT(Architecture):
    """Static state: source states and their keys; carried state: hidden state and cell of each decoder layer."""

    name = "gnmt"
    paper = "Wu et al. 2016, Google's Neural Machine Translation System"
    config_type = GNMTConfig

    def __init__(self, config: GNMTConfig) -> None:
        super().__init__(config)
        size = config.hidden_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.both_ways = lstm(size, size // 2, both_ways=True)
        self.encoder = nn.ModuleList(lstm(size, size) for _ in range(config.num_layers - 1))
        self.decoder = nn.ModuleList(LSTMCell(2 * size, size) for _ in range(config.num_layers))
        self.attention = SourceAttention("additive", size, size, size, 0)
        self.output = nn.Linear(size, size, bias=False) if config.output_projection else nn.Identity()
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(GNMTConfig(vocabulary_size, hidden_size=80, dropout=0.0, num_layers=2))

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        return {"deep": {"num_layers": 4}, "output-projection": {"output_projection": True}}

    def _cells(self) -> list[LSTMCell]:
        return cast("list[LSTMCell]", list(self.decoder))

    def _carried(self) -> list[str]:
        return [f"{part}_{layer}" for layer in range(1, self.config.num_layers + 1) for part in ("hidden", "cell")]

    def state_specs(self) -> list[StateSpec]:
        size = self.config.hidden_size
        return [
            StateSpec(name="memory", lifetime=Lifetime.STATIC, dtype="float32", axes=("S", size)),
            StateSpec(name="keys", lifetime=Lifetime.STATIC, dtype="float32", axes=("S", self.attention.key_size)),
            *(StateSpec(name=n, lifetime=Lifetime.CARRIED, dtype="float32", axes=(size,)) for n in self._carried()),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=1, head=1)]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """Section 3.1 and 3.2: residual connections from the third layer on; the decoder begins with zeros."""
        embedded = self.dropout(self.embedding(source_ids))
        x = self.dropout(recurrent(self.both_ways, embedded, source_mask).states)
        for number, layer in enumerate(self.encoder, start=2):
            read = self.dropout(recurrent(cast("nn.LSTM", layer), x, source_mask).states)
            x = x + read if number > 2 else read
        begun = {name: torch.zeros_like(x[:, 0]) for name in self._carried()}
        return {"memory": x, "keys": self.attention.keys(x), **begun}

    def _layers(self, x: Tensor, context: Tensor, state: dict[str, Tensor]) -> tuple[Tensor, dict[str, Tensor]]:
        """All layers, each fed the `context` [R, H] beside the layer below (section 3, figure 1)."""
        after = {}
        for number, layer in enumerate(self._cells(), start=1):
            fed = torch.cat([x, context], dim=-1)
            hidden, cell = layer(fed, state[f"hidden_{number}"], state[f"cell_{number}"])
            after[f"hidden_{number}"], after[f"cell_{number}"] = hidden, cell
            x = x + self.dropout(hidden) if number > 2 else self.dropout(hidden)
        return x, after

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        """Only the lowest layer waits for the attention; the others then read all of its outputs and contexts."""
        state, embedded = self.encode(source_ids, source_mask), self.dropout(self.embedding(target_ids))
        keys, memory, bias = state["keys"], state["memory"], score_bias(source_mask)[:, None]
        lowest, *higher = self._cells()
        hidden, cell = state["hidden_1"], state["cell_1"]
        hiddens, contexts, maps = [], [], []
        for t in range(target_ids.shape[1]):
            context, weights = self.attention(hidden[:, None], keys, memory, bias)  # equation 4
            hidden, cell = lowest(torch.cat([embedded[:, t], context.squeeze(1)], dim=-1), hidden, cell)
            hiddens.append(hidden)
            contexts.append(context)
            maps.append(weights)
        x, context = self.dropout(torch.stack(hiddens, dim=1)), torch.cat(contexts, dim=1)
        for number, layer in enumerate(higher, start=2):
            begin = state[f"hidden_{number}"], state[f"cell_{number}"]
            read = self.dropout(layer.sequence(torch.cat([x, context], dim=-1), *begin))
            x = x + read if number > 2 else read
        return TeacherForced(self.output(x), torch.cat(maps, dim=1)[:, None])

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        context, weights = self.attention.step(state["hidden_1"], state["keys"], state["memory"], source_mask)
        x, after = self._layers(self.embedding(token_ids), context, state)
        return StepTensors(self.logits(self.output(x)), row_maps(weights[:, None], token_ids), after)
