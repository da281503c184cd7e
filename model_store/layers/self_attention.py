"""How the places of a sequence learn of each other: self-attention, plain as the kernels know it or with any of its
variants, and halves of it and of a convolution.

All have `forward` for a decoder (each place sees those before it), `read` for an encoder, `step` for one place of each
row, and `past_specs`, the arrays that they keep from step to step. The first two put their weights into `maps`, each
row with what it gives to places, and not to learnt vectors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor, nn

from model_store.contract.state import Lifetime, StateSpec
from model_store.layers.attention import Maps, attend, attend_itself, keep, merge_heads, scaled, score_bias, split_heads
from model_store.layers.convolution import LightConvolution
from model_store.layers.growing import attend_growing
from model_store.layers.position import rotated

RELATIVE_DISTANCE = 16
"""k of Shaw et al. 2018: places further away are alike."""


Past = tuple[Tensor, ...]
"""What is kept from step to step."""


def kv_cache_specs(layer: int, num_heads: int, head_size: int) -> list[StateSpec]:
    """The KV cache of a decoder layer."""
    return [
        StateSpec(
            name=f"self_{part}_{layer}", lifetime=Lifetime.GROWING, dtype="float32", axes=(num_heads, "T", head_size)
        )
        for part in ("key", "value")
    ]


@dataclass(frozen=True)
class AttentionSizes:
    """What a self-attention is made of."""

    hidden_size: int
    head_size: int
    num_heads: int
    num_key_value_heads: int
    """G: several heads share the keys and values of one of them (Ainslie et al. 2023); 1 is multi-query attention
    (Shazeer 2019)."""
    positions: Literal["none", "rotary", "relative"] = "none"
    """Positions that are known to scores: rotary (Su et al. 2021), or relative (Shaw et al. 2018, of keys: their
    ablation finds that of values without effect)."""
    window: int | None = None
    """Places on either side that are seen (Child et al. 2019, local attention); None is all."""
    stride: int | None = None
    """Beside `stride` neighbours, every `stride`-th place is seen (Child et al. 2019, strided attention)."""
    num_persistent: int = 0
    """Learnt keys and values that are always seen (Sukhbaatar et al. 2019)."""

    @property
    def is_plain(self) -> bool:
        """Whether there is no variant in it."""
        has_variant = self.positions != "none" or self.window or self.stride or self.num_persistent
        return not has_variant and self.num_key_value_heads == self.num_heads


class PlainSelfAttention(nn.Module):
    """Multi-head self-attention (Vaswani et al. 2017, section 3.2.2); one product gives Q, K and V."""

    def __init__(self, sizes: AttentionSizes) -> None:
        super().__init__()
        self.num_heads, width = sizes.num_heads, sizes.num_heads * sizes.head_size
        self.qkv = nn.Linear(sizes.hidden_size, 3 * width)
        self.output = nn.Linear(width, sizes.hidden_size)

    def forward(self, x: Tensor, maps: Maps = None) -> Tensor:
        """Every position of `x` [B, T, H] attends to itself and those before it."""
        query, key, value = (split_heads(part, self.num_heads) for part in self.qkv(x).chunk(3, dim=-1))
        length = x.shape[1]
        causal = score_bias(torch.ones(length, length, dtype=torch.bool, device=x.device).tril())
        context, weights = attend(scaled(query), key, value, causal)
        keep(maps, weights)
        return self.output(merge_heads(context))

    def read(self, x: Tensor, mask: Tensor, maps: Maps = None) -> Tensor:
        """Every position of `x` [B, S, H] attends to all real ones under `mask` [B, S], as in an encoder."""
        query, key, value = self.qkv(x).chunk(3, dim=-1)
        return self.output(attend_itself(query, key, value, mask, self.num_heads, maps))

    def step(self, x: Tensor, past: Past, position: Tensor) -> tuple[Tensor, Past]:
        """One position of each row, `x` [R, 1, H], attends to its KV cache: [R, 1, H], and the cache with it."""
        context, keys, values = attend_growing(self.qkv(x), *past, position)
        return self.output(context), (keys, values)

    def past_specs(self, layer: int) -> list[StateSpec]:
        """Keys and values of decoder layer number `layer`, from 1."""
        return kv_cache_specs(layer, self.num_heads, self.qkv.out_features // 3 // self.num_heads)


class VariedSelfAttention(nn.Module):
    """The same with the variants of `AttentionSizes`, in operators that every runtime has."""

    def __init__(self, sizes: AttentionSizes) -> None:
        super().__init__()
        self.sizes = sizes
        width, shared = sizes.num_heads * sizes.head_size, sizes.num_key_value_heads * sizes.head_size
        self.query = nn.Linear(sizes.hidden_size, width)
        self.key = nn.Linear(sizes.hidden_size, shared)
        self.value = nn.Linear(sizes.hidden_size, shared)
        self.output = nn.Linear(width, sizes.hidden_size)
        if sizes.positions == "relative":
            self.distances = nn.Linear(sizes.head_size, 2 * RELATIVE_DISTANCE + 1, bias=False)
        if sizes.num_persistent:
            persistent = sizes.num_key_value_heads, sizes.num_persistent, sizes.head_size
            self.persistent_keys = nn.Parameter(torch.randn(persistent) * sizes.head_size**-0.5)
            self.persistent_values = nn.Parameter(torch.randn(persistent) * sizes.num_persistent**-0.5)

    def forward(self, x: Tensor, maps: Maps = None) -> Tensor:
        """Every position of `x` [B, T, H] attends to itself and those before it that it sees."""
        places = torch.arange(x.shape[1], device=x.device)
        visible = (places[None, :] <= places[:, None]) & self._is_seen(places[:, None] - places[None, :])
        return self._attend_all(x, visible[None], places, maps)

    def read(self, x: Tensor, mask: Tensor, maps: Maps = None) -> Tensor:
        """Every position of `x` [B, S, H] attends to the real ones under `mask` [B, S] that it sees."""
        places = torch.arange(x.shape[1], device=x.device)
        visible = mask[:, None, :] & self._is_seen(places[:, None] - places[None, :])[None]
        own = (places[:, None] == places[None, :])[None]
        return self._attend_all(x, visible | own, places, maps)  # itself, so that padding sees something

    def past_specs(self, layer: int) -> list[StateSpec]:
        """Keys and values of decoder layer number `layer`, from 1: all of them, or those that a window reaches."""
        sizes = self.sizes
        if sizes.window is None:
            return kv_cache_specs(layer, sizes.num_key_value_heads, sizes.head_size)
        axes = sizes.num_key_value_heads, sizes.window, sizes.head_size
        names = f"self_key_{layer}", f"self_value_{layer}"
        return [StateSpec(name=name, lifetime=Lifetime.CARRIED, dtype="float32", axes=axes) for name in names]

    def step(self, x: Tensor, past: Past, position: Tensor) -> tuple[Tensor, Past]:
        """One position of each row, `x` [R, 1, H], attends to its KV cache: [R, 1, H], and the cache with it."""
        sizes = self.sizes
        query = split_heads(self.query(x), sizes.num_heads)
        key, value = (split_heads(part(x), sizes.num_key_value_heads) for part in (self.key, self.value))
        if sizes.positions == "rotary":
            query, key = (rotated(part, position[:, None, None]) for part in (query, key))
        attended = self._attend_cache if sizes.window is None else self._attend_window
        context, after = attended(query, key, value, past, position)
        return self.output(merge_heads(context)), after

    def _attend_window(
        self, query: Tensor, key: Tensor, value: Tensor, past: Past, position: Tensor
    ) -> tuple[Tensor, Past]:
        """Over the last W entries [R, G, W, D] and the new one; those before the first token are hidden."""
        keys, values = (torch.cat(pair, dim=2) for pair in zip(past, (key, value), strict=True))
        distance = torch.arange(1 - keys.shape[2], 1, device=query.device)[None]
        visible = position[:, None] + distance >= 0
        context = self._attend(query, keys, values, visible[:, None, :], distance[:, None, :])
        return context, (keys[:, :, 1:], values[:, :, 1:])

    def _attend_cache(
        self, query: Tensor, key: Tensor, value: Tensor, past: Past, position: Tensor
    ) -> tuple[Tensor, Past]:
        keys, values = past
        index = position.view(-1, 1, 1, 1).expand_as(key)
        keys, values = keys.scatter(2, index, key), values.scatter(2, index, value)
        places = torch.arange(keys.shape[2], device=query.device)
        is_past = places[None, :] <= position[:, None]
        visible = is_past & self._is_seen(position[:, None] - places[None, :])
        hidden = ~is_past[:, None, :, None]
        seen_keys, seen_values = keys.masked_fill(hidden, 0.0), values.masked_fill(hidden, 0.0)
        distance = (places[None, :] - position[:, None])[:, None, :]
        return self._attend(query, seen_keys, seen_values, visible[:, None, :], distance), (keys, values)

    def _is_seen(self, distance: Tensor) -> Tensor:
        """Whether places so far apart see each other."""
        far = distance.abs()
        if self.sizes.stride is not None:
            return (far <= self.sizes.stride) | (far % self.sizes.stride == 0)
        return far <= self.sizes.window if self.sizes.window is not None else far >= 0

    def _attend_all(self, x: Tensor, visible: Tensor, places: Tensor, maps: Maps) -> Tensor:
        sizes = self.sizes
        query = split_heads(self.query(x), sizes.num_heads)
        key, value = (split_heads(part(x), sizes.num_key_value_heads) for part in (self.key, self.value))
        if sizes.positions == "rotary":
            query, key = (rotated(part, places) for part in (query, key))
        distance = (places[None, :] - places[:, None])[None]
        return self.output(merge_heads(self._attend(query, key, value, visible, distance, maps)))

    def _attend(
        self, query: Tensor, key: Tensor, value: Tensor, visible: Tensor, distance: Tensor, maps: Maps = None
    ) -> Tensor:
        """Context [B, N, T, D] of `query` [B, N, T, D], `key` and `value` [B, G, S, D]; `visible` and `distance`, from
        query to key, are [B or 1, T, S]."""
        sizes, (batch, heads, length, size) = self.sizes, query.shape
        grouped = scaled(query).view(batch, sizes.num_key_value_heads, -1, length, size)  # [B, G, N / G, T, D]
        scores = torch.matmul(grouped, key[:, :, None].transpose(-1, -2))
        if sizes.positions == "relative":
            near = distance.clamp(-RELATIVE_DISTANCE, RELATIVE_DISTANCE) + RELATIVE_DISTANCE
            of_distance = self.distances(grouped)  # [B, G, N / G, T, 2 k + 1]
            scores = scores + of_distance.gather(4, near[:, None, None].expand_as(scores))
        scores = scores + score_bias(visible)[:, None, None]
        if sizes.num_persistent:
            scores = torch.cat([torch.matmul(grouped, self.persistent_keys[:, None].transpose(-1, -2)), scores], dim=-1)
        weights = torch.softmax(scores, dim=-1)
        if sizes.num_persistent:
            learnt, weights = weights[..., : sizes.num_persistent], weights[..., sizes.num_persistent :]
            found = torch.matmul(learnt, self.persistent_values[:, None]) + torch.matmul(weights, value[:, :, None])
        else:
            found = torch.matmul(weights, value[:, :, None])
        keep(maps, weights.flatten(1, 2))
        return found.reshape(batch, heads, length, size)


SelfAttention = PlainSelfAttention | VariedSelfAttention


class HalfConvolution(nn.Module):
    """Long-short range attention (Wu et al. 2020, arXiv:2004.11886, section 4): attention on half of the features, for
    what is far, and a lightweight convolution (Wu et al. 2019) on the others, for what is near."""

    def __init__(self, sizes: AttentionSizes, kernel_size: int) -> None:
        """`sizes` are those of the attention; as many features more are convolved."""
        super().__init__()
        self.far_size, self.kernel_size = sizes.hidden_size, kernel_size
        self.attention = self_attention(sizes)
        self.near = LightConvolution(sizes.hidden_size, kernel_size, sizes.num_heads)

    def forward(self, x: Tensor, maps: Maps = None) -> Tensor:
        """Every position of `x` [B, T, H] learns of itself and those before it."""
        far, near = x.chunk(2, dim=-1)
        return torch.cat([self.attention(far, maps), self.near(near, 0)], dim=-1)

    def read(self, x: Tensor, mask: Tensor, maps: Maps = None) -> Tensor:
        """Every position of `x` [B, S, H] learns of all real ones under `mask` [B, S]."""
        far, near = x.chunk(2, dim=-1)
        convolved = self.near(near, self.kernel_size // 2, mask)
        return torch.cat([self.attention.read(far, mask, maps), convolved], dim=-1)

    def step(self, x: Tensor, past: Past, position: Tensor) -> tuple[Tensor, Past]:
        """One position `x` [R, 1, H] of each row, and the next past."""
        far, near = x.chunk(2, dim=-1)
        found, cache = self.attention.step(far, past[:2], position)
        convolved, window = self.near.step(near, past[2])
        return torch.cat([found, convolved], dim=-1), (*cache, window)

    def past_specs(self, layer: int) -> list[StateSpec]:
        """The KV cache and the last inputs of the convolution of decoder layer number `layer`, from 1."""
        axes = self.kernel_size - 1, self.far_size
        window = StateSpec(name=f"window_{layer}", lifetime=Lifetime.CARRIED, dtype="float32", axes=axes)
        return [*self.attention.past_specs(layer), window]


def self_attention(sizes: AttentionSizes) -> SelfAttention:
    """The plain one where nothing else is asked for: the kernels know it."""
    return PlainSelfAttention(sizes) if sizes.is_plain else VariedSelfAttention(sizes)
