"""The KV cache in one decoder step: each row appends its own entry and attends to its own entries only.

In torch this is a plain function; the exporter sees one custom operator, which becomes `GroupQueryAttention` of ONNX
Runtime: it takes queries, keys and values as one product gives them, and writes in place.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model_store.layers.attention import attend, merge_heads, scaled, score_bias, split_heads


@torch.library.custom_op("attendant::attend_growing", mutates_args=())
def attend_growing(qkv: Tensor, keys: Tensor, values: Tensor, position: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Write each row's key and value at its `position` [R], then attend from its query to entries 0..position.

    `qkv` [R, 1, 3*H] holds query, key and value side by side; `keys` and `values` [R, N, T, D] are the KV cache, with
    a capacity of T; entries beyond `position` are ignored. Returns context [R, 1, H] and the new keys and values.
    """
    query, key, value = (split_heads(part, keys.shape[1]) for part in qkv.chunk(3, dim=-1))  # [R, N, 1, D]
    index = position.view(-1, 1, 1, 1).expand_as(key)
    keys, values = keys.scatter(2, index, key), values.scatter(2, index, value)
    visible = torch.arange(keys.shape[2], device=keys.device)[None, :] <= position[:, None]  # [R, T]
    hidden = ~visible[:, None, :, None]
    seen_keys, seen_values = keys.masked_fill(hidden, 0.0), values.masked_fill(hidden, 0.0)
    context, _ = attend(scaled(query), seen_keys, seen_values, score_bias(visible)[:, None, None, :])
    return merge_heads(context).contiguous(), keys, values


@attend_growing.register_fake
def _(qkv: Tensor, keys: Tensor, values: Tensor, position: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    context = qkv.new_empty(qkv.shape[0], 1, keys.shape[1] * keys.shape[3])
    return context, torch.empty_like(keys), torch.empty_like(values)
