"""Zhang, Xiong and Su 2018, "Accelerating Neural Transformer via an Average Attention Network" (arXiv:1805.00631): a
Transformer whose decoder layers average what they have read instead of attending to it. A step carries one sum for each
layer, where self-attention has a KV cache that grows.

Encoder and attention over the source are those of Vaswani et al. 2017, and so are the maps of both. By default layers
normalise before each sub-layer, as in `transformer.py`. The average gives the same weight to all that was read: there
is nothing to show of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_store.architectures.base import Architecture, ArchitectureConfig, StepOutput, TeacherForced
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import Maps, score_bias
from model_store.layers.dropout import SequenceDropout
from model_store.layers.position import sinusoids
from model_store.layers.self_attention import AttentionSizes, self_attention
from model_store.layers.sharing import row_maps
from model_store.layers.transformer import CrossAttention, EncoderLayer, FeedForward, LayerSizes, ResidualLayer


@dataclass(frozen=True)
class TransformerAverageConfig(ArchitectureConfig):
    """Sizes and choices of the network."""

    num_heads: int
    """N: heads of the encoder's self-attention and of attention over the source; divides hidden_size."""
    feed_forward_size: int
    """Inner width of the position-wise feed-forward networks, those on averages among them."""
    num_encoder_layers: int
    num_decoder_layers: int
    max_positions: int = 512
    """Longest source or target, in tokens, that positions exist for."""
    norm: Literal["pre", "post"] = "pre"
    """Layer normalisation before each sub-layer, or after its residual connection as in the paper (equation 3)."""
    average_feed_forward: bool = True
    """Whether a feed-forward network reads the average (equation 1); without it, g is the average itself."""
    gate: bool = True
    """Whether gates weigh the input and g (equation 2); without them, g alone goes on."""

    @property
    def head_size(self) -> int:
        """D: width of a head."""
        return self.hidden_size // self.num_heads

    @property
    def layer_sizes(self) -> LayerSizes:
        """What all layers have in common."""
        return LayerSizes(self.hidden_size, self.feed_forward_size, "relu", self.norm == "post", self.dropout)

    def encoder_layer(self) -> EncoderLayer:
        """An encoder layer of the plain Transformer."""
        sizes = AttentionSizes(self.hidden_size, self.head_size, self.num_heads, self.num_heads)
        return EncoderLayer(self.layer_sizes, self_attention(sizes))

    def decoder_layer(self) -> AverageLayer:
        """A decoder layer."""
        average = AverageAttention(self.layer_sizes, self.average_feed_forward, self.gate)
        return AverageLayer(self.layer_sizes, average, CrossAttention(self.hidden_size, self.head_size, self.num_heads))

    def output_norm(self) -> nn.Module:
        """What normalises the output of a top layer, unless the layer has done so."""
        return nn.Identity() if self.norm == "post" else nn.LayerNorm(self.hidden_size)


class AverageAttention(nn.Module):
    """The average of all inputs up to each place, a feed-forward network on it, and a gating layer (section 3.1)."""

    def __init__(self, sizes: LayerSizes, has_feed_forward: bool, has_gate: bool) -> None:
        super().__init__()
        self.has_feed_forward, self.has_gate = has_feed_forward, has_gate
        if has_feed_forward:
            self.feed_forward = FeedForward(sizes)
        if has_gate:
            self.gates = nn.Linear(2 * sizes.hidden_size, 2 * sizes.hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        """Outputs [B, T, H] of `x` [B, T, H]; running sums give what the mask matrix of section 3.2 gives."""
        counts = torch.arange(x.shape[1], device=x.device).to(torch.float32) + 1.0  # [T]
        return self._join(x, torch.cumsum(x, dim=1) / counts[:, None])

    def step(self, x: Tensor, total: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
        """Output [R, 1, H] of `x` [R, 1, H], where `total` [R, H] sums up all inputs before; and the next total
        (equations 4 and 5)."""
        total = total + x.squeeze(1)
        counts = position.to(torch.float32) + 1.0  # [R]
        return self._join(x, (total / counts[:, None])[:, None]), total

    def _join(self, x: Tensor, average: Tensor) -> Tensor:
        """g = FFN(average) (equation 1), i, f = sigma(W [x; g]) and h = i x + f g (equation 2), each [..., H]."""
        read: Tensor = self.feed_forward(average) if self.has_feed_forward else average
        if not self.has_gate:
            return read
        of_input, of_read = torch.sigmoid(self.gates(torch.cat([x, read], dim=-1))).chunk(2, dim=-1)
        return of_input * x + of_read * read


class AverageLayer(ResidualLayer):
    """Average attention (equation 3 is its residual connection), attention over the source, feed-forward."""

    def __init__(self, sizes: LayerSizes, average: AverageAttention, cross_attention: CrossAttention) -> None:
        super().__init__(sizes)
        self.average_norm = nn.LayerNorm(sizes.hidden_size)
        self.average = average
        self.cross_norm = nn.LayerNorm(sizes.hidden_size)
        self.cross_attention = cross_attention
        self.add_feed_forward(sizes)

    def forward(self, x: Tensor, memory: tuple[Tensor, Tensor], bias: Tensor) -> tuple[Tensor, Tensor]:
        """All positions at once: [B, T, H] -> [B, T, H], weights [B, N, T, S]."""
        x = self.joined(x, self.average(self.before(x, self.average_norm)), self.average_norm)
        context, weights = self.cross_attention(self.before(x, self.cross_norm), *memory, bias)
        return self.feed(self.joined(x, context, self.cross_norm)), weights

    def step(
        self, x: Tensor, total: Tensor, position: Tensor, memory: tuple[Tensor, Tensor], bias: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """One position: [R, 1, H] -> [R, 1, H], weights [B, N, K, S] and the next total [R, H]."""
        found, total = self.average.step(self.before(x, self.average_norm), total, position)
        x = self.joined(x, found, self.average_norm)
        context, weights = self.cross_attention.step(self.before(x, self.cross_norm), *memory, bias)
        return self.feed(self.joined(x, context, self.cross_norm)), weights, total


class TransformerAverage(Architecture):
    """Static state: keys and values of the source, for each decoder layer; carried: the sum of what each has read."""

    name = "transformer_average"
    paper = "Zhang et al. 2018, Accelerating Neural Transformer via an Average Attention Network"
    config_type = TransformerAverageConfig
    positions: Tensor

    def __init__(self, config: TransformerAverageConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocabulary_size, config.hidden_size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.register_buffer("positions", sinusoids(config.max_positions, config.hidden_size), persistent=False)
        self.encoder_layers = nn.ModuleList(config.encoder_layer() for _ in range(config.num_encoder_layers))
        self.encoder_norm = config.output_norm()
        self.decoder_layers = nn.ModuleList(config.decoder_layer() for _ in range(config.num_decoder_layers))
        self.decoder_norm = config.output_norm()
        self.dropout = SequenceDropout(config.dropout)
        for parameter in self.parameters():
            if parameter.dim() == 2:
                nn.init.xavier_uniform_(parameter)
        nn.init.normal_(self.embedding.weight, std=config.hidden_size**-0.5)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(
            TransformerAverageConfig(
                vocabulary_size=vocabulary_size,
                hidden_size=32,
                dropout=0.0,
                num_heads=2,
                feed_forward_size=64,
                num_encoder_layers=2,
                num_decoder_layers=2,
                max_positions=64,
            )
        )

    @classmethod
    def variants(cls) -> Mapping[str, Mapping[str, Any]]:
        return {
            "post-norm": {"norm": "post"},
            "without-feed-forward": {"average_feed_forward": False},
            "without-gate": {"gate": False},
        }

    def _embed(self, token_ids: Tensor, positions: Tensor) -> Tensor:
        """Embeddings times sqrt(H), plus positions; [..., H]."""
        return self.dropout(self.embedding(token_ids) * math.sqrt(self.config.hidden_size) + positions)

    def _decoder(self) -> list[AverageLayer]:
        return cast("list[AverageLayer]", list(self.decoder_layers))

    def _encode(self, source_ids: Tensor, source_mask: Tensor, maps: Maps = None) -> Tensor:
        """Encoder output [B, S, H]."""
        x = self._embed(source_ids, self.positions[: source_ids.shape[1]])
        for layer in self.encoder_layers:
            x = layer(x, source_mask, maps)
        return self.encoder_norm(x)

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        return self._read(source_ids, source_mask, target_ids, None)

    def all_maps(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        maps = list[Tensor]()
        found = self._read(source_ids, source_mask, target_ids, maps)
        return found._replace(encoder_attention=torch.cat(maps, dim=1))

    def _read(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor, encoder_maps: Maps) -> TeacherForced:
        encoded, bias = self._encode(source_ids, source_mask, encoder_maps), score_bias(source_mask)[:, None, None, :]
        x = self._embed(target_ids, self.positions[: target_ids.shape[1]])
        maps = list[Tensor]()
        for layer in self._decoder():
            x, weights = layer(x, layer.cross_attention.memory(encoded), bias)
            maps.append(weights)
        return TeacherForced(self.decoder_norm(x), torch.cat(maps, dim=1))

    @property
    def is_parallel(self) -> bool:
        return True

    # ---- one step -----------------------------------------------------------------------------------------------

    def state_specs(self) -> list[StateSpec]:
        config, layers = self.config, range(1, self.config.num_decoder_layers + 1)
        memory = (config.num_heads, "S", config.head_size)
        return [
            *(
                StateSpec(name=f"cross_{part}_{layer}", lifetime=Lifetime.STATIC, dtype="float32", axes=memory)
                for layer in layers
                for part in ("key", "value")
            ),
            *(
                StateSpec(name=f"total_{layer}", lifetime=Lifetime.CARRIED, dtype="float32", axes=(config.hidden_size,))
                for layer in layers
            ),
        ]

    def attention_slices(self) -> list[AttentionSlice]:
        return self._slices("cross", self.config.num_decoder_layers)

    def encoder_slices(self) -> list[AttentionSlice]:
        return self._slices("encoder", self.config.num_encoder_layers)

    def _slices(self, kind: Literal["cross", "encoder"], num_layers: int) -> list[AttentionSlice]:
        """Every head of so many layers."""
        return [
            AttentionSlice(kind=kind, layer=layer, head=head)
            for layer in range(1, num_layers + 1)
            for head in range(1, self.config.num_heads + 1)
        ]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        return self._state(self._encode(source_ids, source_mask))

    def encode_with_maps(self, source_ids: Tensor, source_mask: Tensor) -> tuple[dict[str, Tensor], Tensor | None]:
        maps = list[Tensor]()
        encoded = self._encode(source_ids, source_mask, maps)
        return self._state(encoded), torch.cat(maps, dim=1)

    def _state(self, encoded: Tensor) -> dict[str, Tensor]:
        """The state that decoding begins with, of the encoder's output [B, S, H]."""
        state = dict[str, Tensor]()
        for number, layer in enumerate(self._decoder(), start=1):
            state[f"cross_key_{number}"], state[f"cross_value_{number}"] = layer.cross_attention.memory(encoded)
            state[f"total_{number}"] = encoded.new_zeros(encoded.shape[0], self.config.hidden_size)
        return state

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepOutput:
        x = self._embed(token_ids, functional.embedding(position, self.positions))[:, None, :]  # [R, 1, H]
        bias, maps, after = score_bias(source_mask), list[Tensor](), dict[str, Tensor]()
        for number, layer in enumerate(self._decoder(), start=1):
            memory = (state[f"cross_key_{number}"], state[f"cross_value_{number}"])
            x, weights, after[f"total_{number}"] = layer.step(x, state[f"total_{number}"], position, memory, bias)
            maps.append(weights)
        logits = self.logits(self.decoder_norm(x).squeeze(1))
        return StepOutput(logits, row_maps(torch.cat(maps, dim=1), token_ids), after)
