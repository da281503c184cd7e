"""Sizes and variants of a Transformer: what each choice builds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from model_store.architectures.configuration import ArchitectureConfig, Count, Size, require_divisible
from model_store.layers.average import AverageAttention
from model_store.layers.feed_forward import LayerSizes
from model_store.layers.self_attention import AttentionSizes, HalfConvolution, SelfAttention, self_attention
from model_store.layers.ssru import SSRU
from model_store.layers.transformer import DecoderLayer, EncoderLayer, MultiHeadCrossAttention, Own


@dataclass(frozen=True)
class TransformerConfig(ArchitectureConfig):
    """Sizes and variants of a Transformer."""

    num_heads: Size
    """N: attention heads of each sub-layer; divides hidden_size."""
    feed_forward_size: Count
    """Inner width of the position-wise feed-forward networks (equation 2); 0 leaves them out."""
    num_encoder_layers: Size
    num_decoder_layers: Size
    max_positions: Size = 512
    """Longest source or target, in tokens, that positions exist for."""
    norm: Literal["pre", "post"] = "pre"
    """Layer normalisation before each sub-layer, or after its residual connection as in the paper."""
    activation: Literal["relu", "gelu", "swish"] = "relu"
    """Of the feed-forward networks: ReLU; GELU (Hendrycks and Gimpel 2016); swish (Ramachandran et al. 2017)."""
    positions: Literal["sinusoidal", "learned", "rotary", "relative"] = "sinusoidal"
    """Added to embeddings: sinusoids, or learnt vectors. Known to scores of self-attention: rotary (Su et al. 2021), or
    relative (Shaw et al. 2018)."""
    num_key_value_heads: Size | None = None
    """Of self-attention in encoder and decoder: N is multi-head, 1 multi-query (Shazeer 2019), between them
    grouped-query attention (Ainslie et al. 2023, who leave the encoder alone and share in attention over the source,
    too); None is N."""
    window: Size | None = None
    """Places on either side that self-attention sees; None is all (Child et al. 2019)."""
    stride: Size | None = None
    """Strided sparse self-attention: this many neighbours, and every place that is a multiple of it away (Child et al.
    2019, section 4.3)."""
    num_persistent: Count = 0
    """Learnt keys and values of each self-attention that every place sees (Sukhbaatar et al. 2019, section 3)."""
    decoder: Literal["attention", "ssru", "average"] = "attention"
    """Of decoder layers, beside attention over the source: self-attention, the SSRU (Kim et al. 2019), or average
    attention (Zhang et al. 2018)."""
    average_feed_forward: bool = True
    """Whether a feed-forward network reads the average (equation 1 there)."""
    average_gate: bool = True
    """Whether gates weigh the input and what was read (equation 2 there); without them the latter alone goes on."""
    convolution_size: Count = 0
    """k: half of the features of self-attention go through a lightweight convolution (Wu et al. 2019) over k places
    instead: long-short range attention (Wu et al. 2020, arXiv:2004.11886, section 4); 0 is none. The convolution has
    no projection W^O of its own behind it."""
    encoder_heads: tuple[Size, ...] = ()
    """Heads that pruning left in the self-attention of each encoder layer (Michel et al. 2019); () is N in each."""
    decoder_heads: tuple[Size, ...] = ()
    """The same of decoder layers."""
    cross_heads: tuple[Size, ...] = ()
    """The same of attention over the source."""

    def __post_init__(self) -> None:
        """Raises ValueError for sizes that do not fit each other."""
        require_divisible("hidden_size", self.hidden_size, "num_heads", self.num_heads)
        if self.positions == "rotary":
            require_divisible("the width of a head, hidden_size / num_heads,", self.head_size, "rotary positions", 2)
        if self.num_key_value_heads is not None:
            require_divisible("num_heads", self.num_heads, "num_key_value_heads", self.num_key_value_heads)
        if self.convolution_size and self.num_key_value_heads is not None:
            raise ValueError("num_key_value_heads and convolution_size exclude each other; leave one of them out")
        if self.window is not None and self.stride is not None:
            raise ValueError("window and stride exclude each other: a stride has its own neighbours; leave one out")
        if self.num_key_value_heads not in (None, self.num_heads):
            shared = self.num_key_value_heads or 1
            for name in ("encoder_heads", "decoder_heads"):
                for left in getattr(self, name):
                    require_divisible(f"each of {name}", left, "num_key_value_heads", shared)
        if self.convolution_size:
            require_divisible("hidden_size", self.hidden_size, "the two halves", 2)
        for name, layers in (("encoder", self.num_encoder_layers), ("decoder", self.num_decoder_layers)):
            self._require_heads(f"{name}_heads", getattr(self, f"{name}_heads"), layers)
        self._require_heads("cross_heads", self.cross_heads, self.num_decoder_layers)

    def _require_heads(self, name: str, left: tuple[int, ...], num_layers: int) -> None:
        if left and len(left) != num_layers:
            raise ValueError(f"{name} has {len(left)} numbers for {num_layers} layers; give one for each")
        if max(left, default=0) > self.num_heads:
            raise ValueError(f"{name} has {max(left)}, more than num_heads, {self.num_heads}")

    @property
    def head_size(self) -> int:
        """D: width of a head, pruned or not."""
        return self.hidden_size // self.num_heads

    def self_attention(self, left: tuple[int, ...], layer: int) -> SelfAttention | HalfConvolution:
        """How the places of layer number `layer`, from 0, learn of each other, with the heads that pruning `left`."""
        num_heads, shared = self.heads(left, layer), self.num_key_value_heads
        sizes = AttentionSizes(
            self.hidden_size,
            self.head_size,
            num_heads,
            num_heads if shared is None else shared,
            self.positions if self.positions == "rotary" or self.positions == "relative" else "none",
            self.window,
            self.stride,
            self.num_persistent,
        )
        if not self.convolution_size:
            return self_attention(sizes)
        half = replace(sizes, hidden_size=self.hidden_size // 2, num_heads=max(1, num_heads // 2))
        return HalfConvolution(replace(half, num_key_value_heads=half.num_heads), self.convolution_size)

    def heads(self, left: tuple[int, ...], layer: int) -> int:
        """Heads of layer number `layer`, from 0, of those that pruning `left`."""
        return left[layer] if left else self.num_heads

    @property
    def layer_sizes(self) -> LayerSizes:
        """What all layers have in common."""
        is_post = self.norm == "post"
        return LayerSizes(self.hidden_size, self.feed_forward_size, self.activation, is_post, self.dropout)

    def encoder_layer(self, number: int) -> EncoderLayer:
        """Encoder layer `number`, from 0."""
        return EncoderLayer(self.layer_sizes, self.self_attention(self.encoder_heads, number))

    def decoder_layer(self, number: int) -> DecoderLayer:
        """Decoder layer `number`, from 0."""
        cross = MultiHeadCrossAttention(self.hidden_size, self.head_size, self.heads(self.cross_heads, number))
        return DecoderLayer(self.layer_sizes, self._own(number), cross)

    def _own(self, number: int) -> Own:
        """How the places of the target learn of each other in decoder layer `number`, from 0."""
        if self.decoder == "ssru":
            return SSRU(self.hidden_size)
        if self.decoder == "average":
            return AverageAttention(self.layer_sizes, self.average_feed_forward, self.average_gate)
        return self.self_attention(self.decoder_heads, number)
