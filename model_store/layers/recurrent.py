"""Recurrent layers over padded batches: GRU (Cho et al. 2014, arXiv:1406.1078) and LSTM (Hochreiter and Schmidhuber
1997, with the forget gate of Gers et al. 2000).

The reset gate of a GRU is applied after the recurrent product, as in cuDNN and in ONNX's `linear_before_reset=1`.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence


class RecurrentOutput(NamedTuple):
    """The states of a layer: of every token, and the last of each direction. Those of a direction lie side by side."""

    states: Tensor
    """[B, S, D * H], zero on padding: D directions."""
    last: Tensor
    """[B, D * H]: after the last token that was read."""
    cell: Tensor
    """[B, D * H]: the LSTM's cell there; for a GRU the same as `last`."""


def _run(layer: nn.GRU | nn.LSTM, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    packed = pack_padded_sequence(x, lengths.cpu(), batch_first=True, enforce_sorted=False)
    output, last = layer(packed)
    states = pad_packed_sequence(output, batch_first=True, total_length=x.shape[1])[0]
    hidden, cell = last if isinstance(last, tuple) else (last, last)  # [D, B, H]
    return states, *(part.transpose(0, 1).reshape(len(x), -1) for part in (hidden, cell))


def _run_backward(layer: nn.GRU | nn.LSTM, x: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Read each row from its last real token to its first; states stay where their tokens are."""
    places = torch.arange(x.shape[1], device=x.device)[None, :]
    turned = torch.where(places < lengths[:, None], lengths[:, None] - 1 - places, places)[:, :, None]
    states, hidden, cell = _run(layer, x.gather(1, turned.expand_as(x)), lengths)
    return states.gather(1, turned.expand_as(states)), hidden, cell


@torch.library.custom_op("attendant::recurrent", mutates_args=())
def recurrent_op(
    x: Tensor, lengths: Tensor, weights: list[Tensor], kind: str, is_backward: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """What the exporter sees in place of a layer: `x` [B, S, E], `lengths` [B], the layer's weights in order, four of
    each direction, and `GRU` or `LSTM`."""
    layer = (nn.GRU if kind == "GRU" else nn.LSTM)(
        x.shape[2], weights[1].shape[1], batch_first=True, bidirectional=len(weights) == 8
    ).to(x.device)
    for parameter, weight in zip(layer.parameters(), weights, strict=True):
        parameter.data = weight
    with torch.no_grad():
        return (_run_backward if is_backward else _run)(layer, x, lengths)


@recurrent_op.register_fake
def _(x: Tensor, lengths: Tensor, weights: list[Tensor], kind: str, is_backward: bool) -> tuple[Tensor, Tensor, Tensor]:
    size = weights[1].shape[1] * len(weights) // 4
    return x.new_empty(*x.shape[:2], size), x.new_empty(x.shape[0], size), x.new_empty(x.shape[0], size)


def recurrent(layer: nn.GRU | nn.LSTM, x: Tensor, mask: Tensor, is_backward: bool = False) -> RecurrentOutput:
    """Run a `layer` of one level and one or two directions over `x` [B, S, E], each row to its own length under `mask`
    [B, S]; `is_backward` has a layer of one direction read from the last token to the first."""
    lengths = mask.sum(dim=1)
    if torch.compiler.is_exporting():
        return RecurrentOutput(*recurrent_op(x, lengths, list(layer.parameters()), layer.mode, is_backward))
    return RecurrentOutput(*(_run_backward if is_backward else _run)(layer, x, lengths))


def gru_update(input_gates: Tensor, hidden_gates: Tensor, hidden: Tensor) -> Tensor:
    """New hidden state [R, H] from the gate products of input and hidden, each [R, 3*H] (reset, update, candidate)."""
    input_reset, input_update, input_new = input_gates.chunk(3, dim=-1)
    hidden_reset, hidden_update, hidden_new = hidden_gates.chunk(3, dim=-1)
    reset = torch.sigmoid(input_reset + hidden_reset)
    update = torch.sigmoid(input_update + hidden_update)
    candidate = torch.tanh(input_new + reset * hidden_new)
    return candidate + update * (hidden - candidate)


def lstm_update(gates: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
    """New hidden state and cell [R, H] from gate sums [R, 4*H] (input, forget, candidate, output, as nn.LSTM has them)
    and the last cell."""
    enter, forget, candidate, leave = gates.chunk(4, dim=-1)
    cell = torch.sigmoid(forget) * cell + torch.sigmoid(enter) * torch.tanh(candidate)
    return torch.sigmoid(leave) * torch.tanh(cell), cell


def lstm(input_size: int, hidden_size: int, both_ways: bool = False) -> nn.LSTM:
    """A batch-first LSTM of one level, whose forget gates begin open: their biases sum to 1 (Jozefowicz et al.
    2015)."""
    layer = nn.LSTM(input_size, hidden_size, batch_first=True, bidirectional=both_ways)
    for name, bias in layer.named_parameters():
        if name.startswith("bias"):
            nn.init.constant_(bias[hidden_size : 2 * hidden_size], 1.0 if name.startswith("bias_ih") else 0.0)
    return layer


class LSTMCell(nn.Module):
    """One LSTM layer of a decoder: a step, or a whole sequence whose input is known."""

    def __init__(self, input_size: int, hidden_size: int) -> None:
        super().__init__()
        self.lstm = lstm(input_size, hidden_size)

    def forward(self, x: Tensor, hidden: Tensor, cell: Tensor) -> tuple[Tensor, Tensor]:
        """Hidden state and cell [R, H] after the input `x` [R, E]."""
        of_input, of_hidden, input_bias, hidden_bias = self.lstm.parameters()
        gates = nn.functional.linear(x, of_input, input_bias) + nn.functional.linear(hidden, of_hidden, hidden_bias)
        return lstm_update(gates, cell)

    def sequence(self, x: Tensor, hidden: Tensor, cell: Tensor) -> Tensor:
        """Hidden states [B, T, H] of the inputs `x` [B, T, E]."""
        states: Tensor = self.lstm(x, (hidden[None], cell[None]))[0]
        return states
