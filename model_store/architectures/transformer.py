"""Vaswani et al. 2017, "Attention Is All You Need" (arXiv:1706.03762), with layer normalisation before each
sub-layer (Xiong et al. 2020, arXiv:2002.04745), which trains without a long warm-up.

Source, target and output embeddings are one matrix (section 3.4). Every cross-attention weight is exported.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from model_store.architectures.base import Architecture, ArchitectureConfig, StepOutput, TeacherForced
from model_store.contract.state import AttentionSlice, Lifetime, StateSpec
from model_store.layers.attention import attend, attend_itself, merge_heads, scaled, score_bias, split_heads
from model_store.layers.dropout import SequenceDropout
from model_store.layers.growing import attend_growing
from model_store.layers.position import sinusoids
from model_store.layers.sharing import attend_shared, row_maps


@dataclass(frozen=True)
class TransformerConfig(ArchitectureConfig):
    """Sizes of a Transformer."""

    num_heads: int
    """N: attention heads of each sub-layer; divides hidden_size."""
    feed_forward_size: int
    """Inner width of the position-wise feed-forward networks (equation 2)."""
    num_encoder_layers: int
    num_decoder_layers: int
    max_positions: int = 512
    """Longest source or target, in tokens, that positions exist for."""


class FeedForward(nn.Module):
    """Equation 2: max(0, x W1 + b1) W2 + b2."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.expand = nn.Linear(config.hidden_size, config.feed_forward_size)
        self.contract = nn.Linear(config.feed_forward_size, config.hidden_size)

    def forward(self, x: Tensor) -> Tensor:
        return self.contract(torch.relu(self.expand(x)))


class SelfAttention(nn.Module):
    """Multi-head attention of a sequence over itself (section 3.2.2); one product gives Q, K and V."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.num_heads = config.num_heads
        self.qkv = nn.Linear(config.hidden_size, 3 * config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.hidden_size)

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        """Every position of `x` [B, T, H] attends to those that `bias`, broadcast to [B, N, T, T], leaves visible."""
        query, key, value = (split_heads(part, self.num_heads) for part in self.qkv(x).chunk(3, dim=-1))
        context, _ = attend(scaled(query), key, value, bias)
        return self.output(merge_heads(context))

    def read(self, x: Tensor, mask: Tensor) -> Tensor:
        """Every position of `x` [B, S, H] attends to all real ones under `mask` [B, S], as in an encoder."""
        query, key, value = self.qkv(x).chunk(3, dim=-1)
        return self.output(attend_itself(query, key, value, mask, self.num_heads))

    def step(self, x: Tensor, keys: Tensor, values: Tensor, position: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """One position of each row, `x` [R, 1, H], attends to its KV cache: [R, 1, H], and the cache with it."""
        context, keys, values = attend_growing(self.qkv(x), keys, values, position)
        return self.output(context), keys, values


class CrossAttention(nn.Module):
    """Multi-head attention of the target over the encoder's output (section 3.2.3)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.num_heads = config.num_heads
        self.query = nn.Linear(config.hidden_size, config.hidden_size)
        self.key_value = nn.Linear(config.hidden_size, 2 * config.hidden_size)
        self.output = nn.Linear(config.hidden_size, config.hidden_size)

    def memory(self, encoded: Tensor) -> tuple[Tensor, Tensor]:
        """Keys, scaled already, and values of `encoded` [B, S, H], each [B, N, S, D]: computed once per sentence."""
        key, value = self.key_value(encoded).chunk(2, dim=-1)
        scale = (key.shape[-1] // self.num_heads) ** -0.5
        return split_heads(key * scale, self.num_heads), split_heads(value, self.num_heads)

    def forward(self, x: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        context, weights = attend(split_heads(self.query(x), self.num_heads), key, value, bias)
        return self.output(merge_heads(context)), weights

    def step(self, x: Tensor, key: Tensor, value: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
        """One position of each row, `x` [R, 1, H], attends to keys and values [B, N, S, D] under `bias` [B, S]."""
        context, weights = attend_shared(self.query(x), key, value, bias)
        return self.output(context), weights


class EncoderLayer(nn.Module):
    """Self-attention, then feed-forward, each with a residual connection (section 3.1)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.attention_norm = nn.LayerNorm(config.hidden_size)
        self.attention = SelfAttention(config)
        self.feed_forward_norm = nn.LayerNorm(config.hidden_size)
        self.feed_forward = FeedForward(config)
        self.dropout = SequenceDropout(config.dropout)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        x = x + self.dropout(self.attention.read(self.attention_norm(x), mask))
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))


class DecoderLayer(nn.Module):
    """Masked self-attention, attention over the source, feed-forward (section 3.1)."""

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__()
        self.self_norm = nn.LayerNorm(config.hidden_size)
        self.self_attention = SelfAttention(config)
        self.cross_norm = nn.LayerNorm(config.hidden_size)
        self.cross_attention = CrossAttention(config)
        self.feed_forward_norm = nn.LayerNorm(config.hidden_size)
        self.feed_forward = FeedForward(config)
        self.dropout = SequenceDropout(config.dropout)

    def forward(
        self, x: Tensor, self_bias: Tensor, memory: tuple[Tensor, Tensor], bias: Tensor
    ) -> tuple[Tensor, Tensor]:
        """All positions at once: [B, T, H] -> [B, T, H], weights [B, N, T, S]."""
        x = x + self.dropout(self.self_attention(self.self_norm(x), self_bias))
        context, weights = self.cross_attention(self.cross_norm(x), *memory, bias)
        x = x + self.dropout(context)
        return x + self.dropout(self.feed_forward(self.feed_forward_norm(x))), weights

    def step(
        self, x: Tensor, past: tuple[Tensor, Tensor], position: Tensor, memory: tuple[Tensor, Tensor], bias: Tensor
    ) -> tuple[Tensor, Tensor, tuple[Tensor, Tensor]]:
        """One position: [R, 1, H] -> [R, 1, H], weights [B, N, K, S] and the past with this entry."""
        context, keys, values = self.self_attention.step(self.self_norm(x), *past, position)
        x = x + context
        context, weights = self.cross_attention.step(self.cross_norm(x), *memory, bias)
        x = x + context
        return x + self.feed_forward(self.feed_forward_norm(x)), weights, (keys, values)


class Transformer(Architecture):
    """Encoder-decoder with attention only. Growing state: each decoder layer's self-attention keys and values."""

    name = "transformer"
    paper = "Vaswani et al. 2017, Attention Is All You Need"
    config_type = TransformerConfig
    positions: Tensor

    def __init__(self, config: TransformerConfig) -> None:
        super().__init__(config)
        self.embedding = nn.Embedding(config.vocabulary_size, config.hidden_size)
        self.bias = nn.Parameter(torch.zeros(config.vocabulary_size))
        self.register_buffer("positions", sinusoids(config.max_positions, config.hidden_size), persistent=False)
        self.encoder_layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.num_encoder_layers))
        self.encoder_norm = nn.LayerNorm(config.hidden_size)
        self.decoder_layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.num_decoder_layers))
        self.decoder_norm = nn.LayerNorm(config.hidden_size)
        self.dropout = SequenceDropout(config.dropout)
        self._initialise()

    def _initialise(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.xavier_uniform_(parameter)
        nn.init.normal_(self.embedding.weight, std=self.config.hidden_size**-0.5)

    @classmethod
    def tiny(cls, vocabulary_size: int = 32) -> Self:
        return cls(
            TransformerConfig(
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

    def output_weight(self) -> Tensor:
        return self.embedding.weight

    def output_bias(self) -> Tensor:
        return self.bias

    def _embed(self, token_ids: Tensor, positions: Tensor) -> Tensor:
        """Section 3.4: embeddings times sqrt(H), plus positions; [..., H]."""
        scaled: Tensor = self.embedding(token_ids) * math.sqrt(self.config.hidden_size)
        return self.dropout(scaled + positions)

    def _decoder(self) -> list[DecoderLayer]:
        return cast("list[DecoderLayer]", list(self.decoder_layers))

    def _encode(self, source_ids: Tensor, source_mask: Tensor) -> Tensor:
        """Encoder output [B, S, H]."""
        x = self._embed(source_ids, self.positions[: source_ids.shape[1]])
        for layer in self.encoder_layers:
            x = layer(x, source_mask)
        encoded: Tensor = self.encoder_norm(x)
        return encoded

    def teacher_forced(self, source_ids: Tensor, source_mask: Tensor, target_ids: Tensor) -> TeacherForced:
        encoded, bias = self._encode(source_ids, source_mask), score_bias(source_mask)[:, None, None, :]
        length = target_ids.shape[1]
        causal = score_bias(torch.ones(length, length, dtype=torch.bool, device=target_ids.device).tril())
        x = self._embed(target_ids, self.positions[:length])
        maps = []
        for layer in self._decoder():
            x, weights = layer(x, causal, layer.cross_attention.memory(encoded), bias)
            maps.append(weights)
        return TeacherForced(self.decoder_norm(x), torch.cat(maps, dim=1))

    # ---- one step -----------------------------------------------------------------------------------------------

    def state_specs(self) -> list[StateSpec]:
        heads = self.config.num_heads
        size = self.config.hidden_size // heads
        specs = []
        for lifetime, axis, prefix in ((Lifetime.STATIC, "S", "cross"), (Lifetime.GROWING, "T", "self")):
            for layer in range(1, self.config.num_decoder_layers + 1):
                for part in ("key", "value"):
                    name = f"{prefix}_{part}_{layer}"
                    specs.append(StateSpec(name=name, lifetime=lifetime, dtype="float32", axes=(heads, axis, size)))
        return specs

    def attention_slices(self) -> list[AttentionSlice]:
        layers = range(1, self.config.num_decoder_layers + 1)
        return [
            AttentionSlice(layer=layer, head=head) for layer in layers for head in range(1, self.config.num_heads + 1)
        ]

    def encode(self, source_ids: Tensor, source_mask: Tensor) -> dict[str, Tensor]:
        encoded = self._encode(source_ids, source_mask)
        state = {}
        for number, layer in enumerate(self._decoder(), start=1):
            state[f"cross_key_{number}"], state[f"cross_value_{number}"] = layer.cross_attention.memory(encoded)
        return state

    def step(self, token_ids: Tensor, position: Tensor, source_mask: Tensor, state: dict[str, Tensor]) -> StepOutput:
        x = self._embed(token_ids, functional.embedding(position, self.positions))[:, None, :]  # [R, 1, H]
        bias = score_bias(source_mask)
        maps, grown = [], {}
        for number, layer in enumerate(self._decoder(), start=1):
            past = (state[f"self_key_{number}"], state[f"self_value_{number}"])
            memory = (state[f"cross_key_{number}"], state[f"cross_value_{number}"])
            x, weights, (keys, values) = layer.step(x, past, position, memory, bias)
            maps.append(weights)
            grown[f"self_key_{number}"], grown[f"self_value_{number}"] = keys, values
        logits = self.logits(self.decoder_norm(x).squeeze(1))
        return StepOutput(logits, row_maps(torch.cat(maps, dim=1), token_ids), grown)
