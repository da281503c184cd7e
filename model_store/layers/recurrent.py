"""Gated recurrent units over padded batches (Cho et al. 2014, arXiv:1406.1078).

The reset gate is applied after the recurrent product, as in cuDNN and in ONNX's `linear_before_reset=1`.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


def _packed(gru: nn.GRU, x: Tensor, lengths: Tensor) -> Tensor:
    packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
    output, _ = gru(packed)
    return pad_packed_sequence(output, batch_first=True, total_length=x.shape[1])[0]


@torch.library.custom_op("attendant::bidirectional_gru", mutates_args=())
def bidirectional_gru_op(x: Tensor, lengths: Tensor, weights: list[Tensor]) -> Tensor:
    """What the exporter sees in place of `nn.GRU`: `x` [B, S, E], `lengths` [B], nn.GRU's eight weights in order."""
    gru = nn.GRU(x.shape[2], weights[1].shape[1], batch_first=True, bidirectional=True).to(x.device)
    for parameter, weight in zip(gru.parameters(), weights, strict=True):
        parameter.data = weight
    with torch.no_grad():
        return _packed(gru, x, lengths)


@bidirectional_gru_op.register_fake
def _(x: Tensor, lengths: Tensor, weights: list[Tensor]) -> Tensor:
    return x.new_empty(x.shape[0], x.shape[1], 2 * weights[1].shape[1])


def bidirectional_gru(gru: nn.GRU, x: Tensor, mask: Tensor) -> Tensor:
    """Run a one-layer bidirectional `gru` over `x` [B, S, E], each row to its own length under `mask` [B, S].

    Returns [B, S, 2*H], zero on padding: forward states first, then backward ones.
    """
    lengths = mask.sum(dim=1)
    if torch.compiler.is_exporting():
        return bidirectional_gru_op(x, lengths, list(gru.parameters()))
    return _packed(gru, x, lengths)


def gru_update(input_gates: Tensor, hidden_gates: Tensor, hidden: Tensor) -> Tensor:
    """New hidden state [R, H] from the gate products of input and hidden, each [R, 3*H] (reset, update, candidate)."""
    input_reset, input_update, input_new = input_gates.chunk(3, dim=-1)
    hidden_reset, hidden_update, hidden_new = hidden_gates.chunk(3, dim=-1)
    reset = torch.sigmoid(input_reset + hidden_reset)
    update = torch.sigmoid(input_update + hidden_update)
    candidate = torch.tanh(input_new + reset * hidden_new)
    return candidate + update * (hidden - candidate)
