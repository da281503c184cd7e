"""Growing state in one decoder step: each row writes its own entry and attends to no more than its own past.

In torch these are plain functions; the exporter sees custom operators, which become ONNX `TensorScatter` and
`Attention` with `nonpad_kv_seqlen` (opset 24): ONNX Runtime runs both in place on the CPU.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model_store.layers.attention import attend, score_bias


@torch.library.custom_op("attendant::grow", mutates_args=())
def grow(buffer: Tensor, entry: Tensor, position: Tensor) -> Tensor:
    """Write `entry` [R, N, 1, D] into `buffer` [R, N, T, D] at each row's `position` [R]; returns the new buffer."""
    index = position.view(-1, 1, 1, 1).expand_as(entry)
    return buffer.scatter(2, index, entry)


@grow.register_fake
def _(buffer: Tensor, entry: Tensor, position: Tensor) -> Tensor:
    return torch.empty_like(buffer)


@torch.library.custom_op("attendant::attend_grown", mutates_args=())
def attend_grown(query: Tensor, keys: Tensor, values: Tensor, position: Tensor) -> Tensor:
    """Attend from `query` [R, N, 1, D] to entries 0..position of `keys`, `values` [R, N, T, D]: [R, N, 1, D]."""
    visible = torch.arange(keys.shape[2], device=keys.device)[None, :] <= position[:, None]  # [R, T]
    return attend(query, keys, values, score_bias(visible)[:, None, None, :])[0].contiguous()


@attend_grown.register_fake
def _(query: Tensor, keys: Tensor, values: Tensor, position: Tensor) -> Tensor:
    return torch.empty_like(query, memory_format=torch.contiguous_format)
