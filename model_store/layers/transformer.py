"""Layers of a Transformer (Vaswani et al. 2017, arXiv:1706.03762, section 3.1), from sub-layers made elsewhere."""

from __future__ import annotations

from torch import Tensor, nn

from model_store.layers.attention import Maps, attend, merge_heads, split_heads
from model_store.layers.average import AverageAttention
from model_store.layers.dropout import SequenceDropout
from model_store.layers.feed_forward import FeedForward, LayerSizes
from model_store.layers.self_attention import HalfConvolution, Past, SelfAttention
from model_store.layers.sharing import attend_shared
from model_store.layers.ssru import SSRU

Own = SelfAttention | HalfConvolution | SSRU | AverageAttention
"""How the places of a target learn of each other."""


class MultiHeadCrossAttention(nn.Module):
    """Multi-head attention of the target over the encoder's output (section 3.2.3)."""

    def __init__(self, hidden_size: int, head_size: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads, width = num_heads, num_heads * head_size
        self.query = nn.Linear(hidden_size, width)
        self.key_value = nn.Linear(hidden_size, 2 * width)
        self.output = nn.Linear(width, hidden_size)

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


class ResidualLayer(nn.Module):
    """What encoder and decoder layers share: sub-layers with residual connections (section 3.1)."""

    def __init__(self, sizes: LayerSizes) -> None:
        super().__init__()
        self.is_post = sizes.is_post
        self.dropout = SequenceDropout(sizes.dropout)

    def add_feed_forward(self, sizes: LayerSizes) -> None:
        """Make the last sub-layer, after the others."""
        self.has_feed_forward = sizes.feed_forward_size > 0
        if self.has_feed_forward:
            self.feed_forward_norm = nn.LayerNorm(sizes.hidden_size)
            self.feed_forward = FeedForward(sizes)

    def before(self, x: Tensor, norm: nn.Module) -> Tensor:
        """What a sub-layer takes."""
        return x if self.is_post else norm(x)

    def joined(self, x: Tensor, found: Tensor, norm: nn.Module) -> Tensor:
        """The residual connection about a sub-layer that `found` something."""
        joined = x + self.dropout(found)
        return norm(joined) if self.is_post else joined

    def feed(self, x: Tensor) -> Tensor:
        """The feed-forward sub-layer."""
        if not self.has_feed_forward:
            return x
        norm = self.feed_forward_norm
        return self.joined(x, self.feed_forward(self.before(x, norm)), norm)


class EncoderLayer(ResidualLayer):
    """Self-attention, then feed-forward."""

    def __init__(self, sizes: LayerSizes, attention: SelfAttention | HalfConvolution) -> None:
        super().__init__(sizes)
        self.attention_norm = nn.LayerNorm(sizes.hidden_size)
        self.attention = attention
        self.add_feed_forward(sizes)

    def forward(self, x: Tensor, mask: Tensor, maps: Maps) -> Tensor:
        norm = self.attention_norm
        return self.feed(self.joined(x, self.attention.read(self.before(x, norm), mask, maps), norm))


class DecoderLayer(ResidualLayer):
    """Masked self-attention or what stands for it, attention over the source, feed-forward."""

    def __init__(self, sizes: LayerSizes, self_attention: Own, cross_attention: MultiHeadCrossAttention) -> None:
        super().__init__(sizes)
        self.self_norm = nn.LayerNorm(sizes.hidden_size)
        self.self_attention = self_attention
        self.cross_norm = nn.LayerNorm(sizes.hidden_size)
        self.cross_attention = cross_attention
        self.add_feed_forward(sizes)

    def forward(self, x: Tensor, memory: tuple[Tensor, Tensor], bias: Tensor, maps: Maps) -> tuple[Tensor, Tensor]:
        """All positions at once: [B, T, H] -> [B, T, H], weights [B, N, T, S]."""
        x = self.joined(x, self.self_attention(self.before(x, self.self_norm), maps), self.self_norm)
        context, weights = self.cross_attention(self.before(x, self.cross_norm), *memory, bias)
        return self.feed(self.joined(x, context, self.cross_norm)), weights

    def step(
        self, x: Tensor, past: Past, position: Tensor, memory: tuple[Tensor, Tensor], bias: Tensor
    ) -> tuple[Tensor, Tensor, Past]:
        """One position: [R, 1, H] -> [R, 1, H], weights [B, N, K, S] and the past with this entry."""
        found, past = self.self_attention.step(self.before(x, self.self_norm), past, position)
        x = self.joined(x, found, self.self_norm)
        context, weights = self.cross_attention.step(self.before(x, self.cross_norm), *memory, bias)
        return self.feed(self.joined(x, context, self.cross_norm)), weights, past
