"""Gehring et al. 2017, "Convolutional Sequence to Sequence Learning" (arXiv:1705.03122): gated convolutions in encoder
and decoder, position embeddings, and an attention of its own in every decoder layer.

Weight normalisation is left out: AdamW and gradient clipping train networks of this size without it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_store.architectures.base import Architecture, StepTensors, TeacherForced
from model_store.architectures.configuration import ArchitectureConfig, Size
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import score_bias
from model_store.layers.convolution import last_window, windows
from model_store.layers.dropout import SequenceDropout
from model_store.layers.scores import dot
from model_store.layers.sharing import group_rows, row_maps, ungroup_rows

HALF = math.sqrt(0.5)
"""Keeps the variance of a sum of two (section 3.4)."""


@dataclass(frozen=True)
class ConvS2SConfig(ArchitectureConfig):
    """Sizes of the network; `hidden_size` is that of the convolutions."""

    embedding_size: Size
    """Width of embeddings, of the encoder's output and of the output layer."""
    num_encoder_layers: Size
    num_decoder_layers: Size
    kernel_size: Size = 3
    """k: places that a convolution sees; odd."""
    max_positions: Size = 512
    """Longest source or target, in tokens, that positions exist for."""

    def __post_init__(self) -> None:
        """Raises ValueError for an even kernel, which has no middle."""
        if self.kernel_size % 2 == 0:
            raise ValueError(f"kernel_size is {self.kernel_size}; it must be odd")


class DecoderBlock(nn.Module):
    """A gated convolution and its attention (sections 3.2 and 3.3)."""

    def __init__(self, config: ConvS2SConfig) -> None:
        super().__init__()
        size, width = config.hidden_size, config.embedding_size
        self.convolution = nn.Linear(config.kernel_size * size, 2 * size)
        self.query = nn.Linear(size, width)
        self.context = nn.Linear(width, size)

    def convolve(self, x: Tensor) -> Tensor:
        """Gated linear units over windows [..., k H]: [..., H]."""
        return functional.glu(self.convolution(x), dim=-1)

    def summary(self, hidden: Tensor, embedded: Tensor) -> Tensor:
        """d = W h + b + g (equation 1 of section 3.3)."""
        return (self.query(hidden) + embedded) * HALF

    def join(self, x: Tensor, hidden: Tensor, context: Tensor) -> Tensor:
        """The block's output: convolution, what attention found, and the residual."""
        return (x + (hidden + self.context(context)) * HALF) * HALF


def found(weights: Tensor, values: Tensor, mask: Tensor) -> Tensor:
    """Context [B, K, E] of `weights` [B, K, S], times m sqrt(1/m) for m source words (section 3.4)."""
    lengths = mask.sum(dim=1)[:, None, None].to(values.dtype)
    return torch.matmul(weights, values) * torch.sqrt(lengths)


class ConvS2S(Architecture):
    """Static state: the encoder's output, and its sum with embeddings; carried: the last k - 1 inputs of each layer."""

    name = "convs2s"
    paper = "Gehring et al. 2017, Convolutional Sequence to Sequence Learning"
    config_type = ConvS2SConfig

    def __init__(self, config: ConvS2SConfig) -> None:
        super().__init__(config)
        size, width = config.hidden_size, config.embedding_size
        self.embedding = nn.Embedding(config.vocabulary_size, width)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.source_positions = nn.Embedding(config.max_positions, width)
        self.target_positions = nn.Embedding(config.max_positions, width)
        self.source_in, self.source_out = nn.Linear(width, size), nn.Linear(size, width)
        self.target_in, self.target_out = nn.Linear(width, size), nn.Linear(size, width)
        kernel = config.kernel_size * size
        self.encoder = nn.ModuleList(nn.Linear(kernel, 2 * size) for _ in range(config.num_encoder_layers))
        self.decoder = nn.ModuleList(DecoderBlock(config) for _ in range(config.num_decoder_layers))
        self.dropout = SequenceDropout(config.dropout)
        for table in (self.embedding, self.source_positions, self.target_positions):
            nn.init.normal_(table.weight, std=0.1)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(
            ConvS2SConfig(
                vocabulary_size,
                hidden_size=64,
                dropout=0.0,
                embedding_size=48,
                num_encoder_layers=3,
                num_decoder_layers=3,
                max_positions=64,
            )
        )

    def _blocks(self) -> list[DecoderBlock]:
        return cast("list[DecoderBlock]", list(self.decoder))

    def state_specs(self) -> list[StateSpec]:
        width, past = self.config.embedding_size, (self.config.kernel_size - 1, self.config.hidden_size)
        return [
            *(
                StateSpec(name=name, lifetime=Lifetime.STATIC, dtype="float32", axes=("S", width))
                for name in ("memory", "values")
            ),
            *(
                StateSpec(name=f"past_{layer}", lifetime=Lifetime.CARRIED, dtype="float32", axes=past)
                for layer in range(1, self.config.num_decoder_layers + 1)
            ),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return [AttentionSlice(layer=layer, head=1) for layer in range(1, self.config.num_decoder_layers + 1)]

    def _embed(self, ids: Tensor, positions: Tensor) -> Tensor:
        return self.dropout(self.embedding(ids) + positions)

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        """z, and z + e, which attention sums (section 3.3)."""
        embedded = self._embed(source_ids, self.source_positions.weight[: source_ids.shape[1]])
        real, around = source_mask[:, :, None], self.config.kernel_size // 2
        x = self.source_in(embedded) * real
        for layer in self.encoder:
            gated = functional.glu(layer(windows(self.dropout(x), around, around)), dim=-1)
            x = (x + gated) * HALF * real
        memory = self.source_out(x)
        past = memory.new_zeros(memory.shape[0], self.config.kernel_size - 1, self.config.hidden_size)
        carried = {f"past_{layer}": past.clone() for layer in range(1, self.config.num_decoder_layers + 1)}
        return {"memory": memory, "values": (memory + embedded) * HALF, **carried}

    @property
    def is_parallel(self) -> bool:
        return True

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        state, bias = self.encode(source_ids, source_mask), score_bias(source_mask)[:, None]
        embedded = self._embed(target_ids, self.target_positions.weight[: target_ids.shape[1]])
        x, maps = self.target_in(embedded), []
        for block in self._blocks():
            hidden = block.convolve(windows(self.dropout(x), self.config.kernel_size - 1, 0))
            scores = dot(block.summary(hidden, embedded), state["memory"])
            weights = torch.softmax(scores + bias, dim=-1)
            x = block.join(x, hidden, found(weights, state["values"], source_mask))
            maps.append(weights)
        return TeacherForced(self.dropout(self.target_out(x)), torch.stack(maps, dim=1))

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepTensors:
        embedded = self.embedding(token_ids) + self.target_positions(position)
        x, bias, maps, after = self.target_in(embedded), score_bias(source_mask)[:, None], [], {}
        for number, block in enumerate(self._blocks(), start=1):
            window, after[f"past_{number}"] = last_window(state[f"past_{number}"], x)
            hidden = block.convolve(window)
            query = group_rows(block.summary(hidden, embedded), source_mask)
            weights = torch.softmax(dot(query, state["memory"]) + bias, dim=-1)
            context = ungroup_rows(found(weights, state["values"], source_mask), hidden)
            x = block.join(x, hidden, context)
            maps.append(weights)
        logits = self.logits(self.target_out(x))
        return StepTensors(logits, row_maps(torch.stack(maps, dim=1), token_ids), after)
