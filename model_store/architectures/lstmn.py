"""Cheng, Dong and Lapata 2016, "Long Short-Term Memory-Networks for Machine Reading" (arXiv:1601.06733): LSTMs that
attend to all of their own past, in encoder and decoder, joined by attention in a shallow or a deep way (section 4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, cast

import torch
from torch import Tensor, nn

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.embedding import ScaledEmbedding
from model_store.layers.scores import SourceAttention
from model_store.layers.sharing import row_maps, ungroup_rows
from model_store.layers.tapes import TapeCell, TapeRead, Tapes, only_past, write_entry


@dataclass(frozen=True)
class LSTMNConfig(ArchitectureConfig):
    """Sizes and choices; `hidden_size` is that of both LSTMs."""

    embedding_size: Size
    """Width of embeddings and of the output layer."""
    alignment_size: Size
    """Width of the hidden layer of every score."""
    fusion: Literal["shallow", "deep"] = "deep"
    """`shallow`: the source is seen by the output layer alone; `deep`: its cells enter the decoder's cells, too."""
    output_projection: bool = False
    """Whether the output projection is E W_o with the embeddings E, not E alone: tied, they cannot score far what
    a tanh bounds."""


class LSTMN(Architecture):
    """Static state: the encoder's tapes; growing state: the decoder's tapes; carried: what was read last from each."""

    name = "lstmn"
    paper = "Cheng et al. 2016, Long Short-Term Memory-Networks for Machine Reading"
    config_type = LSTMNConfig

    def __init__(self, config: LSTMNConfig) -> None:
        super().__init__(config)
        size, width, alignment = config.hidden_size, config.embedding_size, config.alignment_size
        self.embedding = ScaledEmbedding(config.vocabulary_size, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.encoder = TapeCell(width, size, alignment)
        self.decoder = TapeCell(width, size, alignment)
        self.attention = SourceAttention("additive", width + size, size, alignment, 0)
        if config.fusion == "deep":
            self.source_gate = nn.Linear(width + size, size)
        self.readout = nn.Linear(2 * size + width, width)
        self.output = nn.Linear(width, width, bias=False) if config.output_projection else nn.Identity()
        self.dropout = SequenceDropout(config.dropout)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(LSTMNConfig(vocabulary_size, hidden_size=48, dropout=0.0, embedding_size=32, alignment_size=32))

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        return {"shallow": {"fusion": "shallow"}, "output-projection": {"output_projection": True}}

    def state_specs(self) -> list[StateSpec]:
        size, alignment = self.config.hidden_size, self.config.alignment_size
        static = {"memory": size, "memory_keys": alignment}
        static |= {"memory_cells": size} if self.config.fusion == "deep" else {}
        growing = {"hidden_tape": size, "cell_tape": size, "key_tape": alignment}
        return [
            *(
                StateSpec(name=name, lifetime=lifetime, dtype="float32", axes=(axis, width))
                for lifetime, axis, arrays in ((Lifetime.STATIC, "S", static), (Lifetime.GROWING, "T", growing))
                for name, width in arrays.items()
            ),
            *(
                StateSpec(name=name, lifetime=Lifetime.CARRIED, dtype="float32", axes=(size,))
                for name in ("attended", "source_read")
            ),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=1, head=1)]

    def encoder_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(kind="encoder", layer=1, head=1)]

    def decoder_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(kind="decoder", layer=1, head=1)]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        return self.encode_with_maps(source_ids, source_mask)[0]

    def encode_with_maps(self, source_ids: Tensor, source_mask: Tensor) -> tuple[dict[str, Tensor], Tensor | None]:
        tapes, maps = self.encoder.sequence(self.dropout(self.embedding(source_ids)), source_mask)
        memory = self.dropout(tapes.hidden)
        state = {"memory": memory, "memory_keys": self.attention.keys(memory)}
        if self.config.fusion == "deep":
            state["memory_cells"] = tapes.cell
        state |= {name: torch.zeros_like(memory[:, 0]) for name in ("attended", "source_read")}
        return state, maps.tril(-1)[:, None]

    def _update(
        self, embedded: Tensor, own: TapeRead, source: Tensor, source_cell: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """The decoder's new hidden state and cell [R, H]; `source` is what was read from the encoder's tapes."""
        if source_cell is None:
            return self.decoder.update(self.decoder.input_gates(embedded), own)
        gate = torch.sigmoid(self.source_gate(torch.cat([embedded, source], dim=-1)))  # equation 13
        gates = self.decoder.input_gates(embedded) + self.decoder.hidden_gates(own.hidden)
        enter, forget, candidate, leave = gates.chunk(4, dim=-1)
        cell = gate * source_cell + torch.sigmoid(forget) * own.cell + torch.sigmoid(enter) * torch.tanh(candidate)
        return torch.sigmoid(leave) * torch.tanh(cell), cell  # equations 14 and 15

    def _read_out(self, hidden: Tensor, source: Tensor, embedded: Tensor) -> Tensor:
        read = torch.tanh(self.readout(torch.cat([hidden, source, embedded], dim=-1)))
        return cast("Tensor", self.output(self.dropout(read)))

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        return self.all_maps(source_ids, source_mask, target_ids)

    def all_maps(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, encoder_maps = self.encode_with_maps(source_ids, source_mask)
        embedded = self.dropout(self.embedding(target_ids))
        bias, length = score_bias(source_mask)[:, None], target_ids.shape[1]
        tapes, places = self.decoder.empty(embedded, length), torch.arange(length, device=target_ids.device)
        queries = self.decoder.input_query(embedded)
        attended, source = state["attended"], state["source_read"]
        hiddens, sources, maps, own_maps = [], [], [], []
        for t in range(length):
            own = self.decoder.read(queries[:, t], attended, tapes, places < t)
            query = torch.cat([embedded[:, t], source], dim=-1)[:, None]
            context, weights = self.attention(query, state["memory_keys"], state["memory"], bias)
            source = context.squeeze(1)
            cells = torch.matmul(weights, state["memory_cells"]).squeeze(1) if "memory_cells" in state else None
            hidden, cell = self._update(embedded[:, t], own, source, cells)
            here = (places == t)[None, :, None]
            written = (hidden, cell, self.decoder.key(hidden))
            tapes = Tapes(*(torch.where(here, w[:, None], tape) for w, tape in zip(written, tapes, strict=True)))
            attended = own.hidden
            hiddens.append(hidden)
            sources.append(source)
            maps.append(weights)
            own_maps.append(own.weights)
        read = self._read_out(torch.stack(hiddens, dim=1), torch.stack(sources, dim=1), embedded)
        own_map = torch.stack(own_maps, dim=1).tril(-1)[:, None]
        return TeacherForced(read, torch.cat(maps, dim=1)[:, None], None, encoder_maps, own_map)

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        embedded, names = self.embedding(token_ids), ("hidden_tape", "cell_tape", "key_tape")
        past = [only_past(state[name], position) for name in names]
        query = self.decoder.input_query(embedded)
        own = self.decoder.read(query, state["attended"], Tapes(*(tape for tape, _ in past)), past[0][1])
        query = torch.cat([embedded, state["source_read"]], dim=-1)
        source, weights = self.attention.step(query, state["memory_keys"], state["memory"], source_mask)
        cells = None
        if self.config.fusion == "deep":
            cells = ungroup_rows(torch.matmul(weights, state["memory_cells"]), embedded)
        hidden, cell = self._update(embedded, own, source, cells)
        written = zip(names, (hidden, cell, self.decoder.key(hidden)), strict=True)
        after = {name: write_entry(state[name], entry, position) for name, entry in written}
        logits = self.logits(self._read_out(hidden, source, embedded))
        after |= {"attended": own.hidden, "source_read": source}
        return StepTensors(logits, row_maps(weights[:, None], token_ids), after, (own.weights * past[0][1])[:, None])
