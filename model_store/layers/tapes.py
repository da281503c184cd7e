"""Tapes: hidden states and cells of all tokens so far, which an LSTM attends to in place of its last ones
(Cheng, Dong and Lapata 2016, arXiv:1601.06733, section 3.1)."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn

from model_store.layers.attention import score_bias
from model_store.layers.recurrent import lstm_update


class Tapes(NamedTuple):
    """What was written so far, zero beyond."""

    hidden: Tensor
    """[R, T, H]"""
    cell: Tensor
    """[R, T, H]"""
    keys: Tensor
    """[R, T, A]: W_h h of each hidden state."""


class TapeRead(NamedTuple):
    """What a step reads from tapes."""

    hidden: Tensor
    """h~ [R, H] (equation 6)."""
    cell: Tensor
    """c~ [R, H] (equation 6)."""
    weights: Tensor
    """s [R, T] (equation 5)."""


class TapeCell(nn.Module):
    """An LSTM that attends to its own past (equations 4 to 9)."""

    def __init__(self, input_size: int, hidden_size: int, alignment_size: int) -> None:
        super().__init__()
        self.hidden_size, self.alignment_size = hidden_size, alignment_size
        self.input_gates = nn.Linear(input_size, 4 * hidden_size)
        self.hidden_gates = nn.Linear(hidden_size, 4 * hidden_size, bias=False)
        self.input_query = nn.Linear(input_size, alignment_size)
        self.hidden_query = nn.Linear(hidden_size, alignment_size, bias=False)
        self.key = nn.Linear(hidden_size, alignment_size, bias=False)
        self.energy = nn.Linear(alignment_size, 1, bias=False)

    def empty(self, x: Tensor, length: int) -> Tapes:
        """Tapes of `length` entries for as many rows as `x` [R, ...] has."""
        sizes = (self.hidden_size, self.hidden_size, self.alignment_size)
        return Tapes(*(x.new_zeros(x.shape[0], length, size) for size in sizes))

    def read(self, input_query: Tensor, attended: Tensor, tapes: Tapes, visible: Tensor) -> TapeRead:
        """Attend to what is `visible` [T] or [R, T] of the tapes; `input_query` [R, A] is that of the input, `attended`
        [R, H] is h~ of the step before. Where nothing is visible all weights are alike, over zeros."""
        query = input_query + self.hidden_query(attended)
        energy = self.energy(torch.tanh(tapes.keys + query[:, None])).squeeze(2)
        weights = torch.softmax(energy + score_bias(visible), dim=-1)
        hidden, cell = (torch.matmul(weights[:, None], tape).squeeze(1) for tape in (tapes.hidden, tapes.cell))
        return TapeRead(hidden, cell, weights)

    def update(self, input_gates: Tensor, read: TapeRead) -> tuple[Tensor, Tensor]:
        """Hidden state and cell [R, H] (equations 7 to 9)."""
        return lstm_update(input_gates + self.hidden_gates(read.hidden), read.cell)

    def sequence(self, x: Tensor, mask: Tensor) -> tuple[Tapes, Tensor]:
        """Read all of `x` [B, S, E] under `mask` [B, S]: the tapes, and the weights [B, S, S] of every token."""
        gates, queries = self.input_gates(x), self.input_query(x)
        if torch.compiler.is_exporting():
            fixed = (self.hidden_gates.weight, self.hidden_query.weight, self.key.weight, self.energy.weight)
            *tapes, weights = read_tapes_op(gates, queries, mask, *fixed)
            return Tapes(*tapes), weights
        return self._sequence(gates, queries, mask)

    def _sequence(self, gates: Tensor, queries: Tensor, mask: Tensor) -> tuple[Tapes, Tensor]:
        length = gates.shape[1]
        tapes, attended = self.empty(gates, length), gates.new_zeros(gates.shape[0], self.hidden_size)
        places, maps = torch.arange(length, device=gates.device), []
        for t in range(length):
            found = self.read(queries[:, t], attended, tapes, places < t)
            hidden, cell = (part * mask[:, t, None] for part in self.update(gates[:, t], found))
            here = (places == t)[None, :, None]
            written = (hidden, cell, self.key(hidden))
            tapes = Tapes(*(torch.where(here, w[:, None], tape) for w, tape in zip(written, tapes, strict=True)))
            attended = found.hidden
            maps.append(found.weights)
        return tapes, torch.stack(maps, dim=1)


@torch.library.custom_op("attendant::read_tapes", mutates_args=())
def read_tapes_op(
    gates: Tensor,
    queries: Tensor,
    mask: Tensor,
    hidden_gates: Tensor,
    hidden_query: Tensor,
    key: Tensor,
    energy: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What the exporter sees in place of `TapeCell.sequence`: a loop over tokens. The last four are weights."""
    cell = TapeCell(1, hidden_gates.shape[1], key.shape[0]).to(gates.device)
    layers = (cell.hidden_gates, cell.hidden_query, cell.key, cell.energy)
    for layer, weight in zip(layers, (hidden_gates, hidden_query, key, energy), strict=True):
        layer.weight.data = weight
    with torch.no_grad():
        tapes, maps = cell._sequence(gates, queries, mask)
    return tapes.hidden, tapes.cell, tapes.keys, maps


@read_tapes_op.register_fake
def _(
    gates: Tensor,
    queries: Tensor,
    mask: Tensor,
    hidden_gates: Tensor,
    hidden_query: Tensor,
    key: Tensor,
    energy: Tensor,
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    batch, length, size = *gates.shape[:2], hidden_gates.shape[1]
    tape = gates.new_empty(batch, length, size)
    return tape, torch.empty_like(tape), torch.empty_like(queries), gates.new_empty(batch, length, length)


def write_entry(tape: Tensor, entry: Tensor, position: Tensor) -> Tensor:
    """`tape` [R, T, H] with `entry` [R, H] at each row's `position` [R]."""
    index = position.view(-1, 1, 1).expand(-1, 1, entry.shape[1])
    return tape.scatter(1, index, entry[:, None])


def only_past(tape: Tensor, position: Tensor) -> tuple[Tensor, Tensor]:
    """`tape` [R, T, H] with zeros from each row's `position` on, and what is before it [R, T]."""
    visible = torch.arange(tape.shape[1], device=tape.device)[None, :] < position[:, None]
    return tape.masked_fill(~visible[:, :, None], 0.0), visible
