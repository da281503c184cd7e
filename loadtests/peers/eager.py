"""PyTorch eager: the architecture's own `encode` and `step` with a KV cache, static batches, one thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import torch
from torch import Tensor

from loadtests.peers.alternate import Row
from loadtests.peers.attendant_side import AttendantSide
from loadtests.peers.library import Comparison, offline_row, tokenised
from loadtests.peers.options import Options
from loadtests.peers.side import LENGTH_PENALTY, Batch, Run, output_limit
from model_store.architectures.base import Architecture
from model_store.contract.bundle import Bundle
from model_store.contract.state import Lifetime
from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID
from model_store.export.weights import reopen

State = dict[str, Tensor]


class EagerSide:
    """The bundle's network in torch."""

    batches = tuple(Batch(size, "sentences") for size in (16, 32, 64))

    def __init__(self, bundle: Bundle, sources: Sequence[Sequence[int]]) -> None:
        """`sources` are subword ids without the end token."""
        torch.set_num_threads(1)
        self._model, self._sources = reopen(bundle), sources

    def offline(self, beam_size: int, batch: Batch) -> Run:
        """See `Side.offline`."""
        started = time.perf_counter()
        order = sorted(range(len(self._sources)), key=lambda i: len(self._sources[i]))
        outputs: list[list[int]] = [[]] * len(order)
        for start in range(0, len(order), batch.size):
            chosen = order[start : start + batch.size]
            for i, ids in zip(chosen, self._translate([self._sources[i] for i in chosen], beam_size), strict=True):
                outputs[i] = ids
        return Run(outputs, time.perf_counter() - started)

    def one_by_one(self, beam_size: int) -> Run:
        """See `Side.one_by_one`."""
        started = time.perf_counter()
        outputs = [self._translate([source], beam_size)[0] for source in self._sources]
        return Run(outputs, time.perf_counter() - started)

    @torch.inference_mode()
    def _translate(self, sources: Sequence[Sequence[int]], beam_size: int) -> list[list[int]]:
        rows = [torch.tensor([*ids, END_ID]) for ids in sources]
        source_ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=PAD_ID)
        limits = torch.tensor([output_limit(len(ids)) for ids in sources])
        search = beam if beam_size > 1 else greedy
        return search(self._model, source_ids, source_ids != PAD_ID, limits, beam_size)


def greedy(model: Architecture, source_ids: Tensor, source_mask: Tensor, limits: Tensor, _: int) -> list[list[int]]:
    """The most likely token at each step, for `source_ids` [B, S]; the batch goes on until its last row has ended."""
    state = _start(model, source_ids, source_mask, int(limits.max()))
    tokens = torch.full((len(source_ids),), BEGIN_ID)
    over = torch.zeros(len(source_ids), dtype=torch.bool)
    written: list[Tensor] = []
    while not over.all():
        position = torch.full_like(tokens, len(written))
        output = model.step(tokens, position, source_mask, state)
        state |= output.state
        tokens = output.logits.argmax(dim=1)  # [B]
        written.append(torch.where(over, END_ID, tokens))
        over |= (tokens == END_ID) | (len(written) >= limits)
    return [_until_end(ids) for ids in torch.stack(written, dim=1).tolist()]


def beam(
    model: Architecture, source_ids: Tensor, source_mask: Tensor, limits: Tensor, beam_size: int
) -> list[list[int]]:
    """Beam search by the server's rules, for `source_ids` [B, S]: a sentence is over once K hypotheses have ended."""
    num_sentences, width = len(source_ids), beam_size
    first_row = torch.arange(num_sentences)[:, None] * width  # [B, 1]
    state = _take(_start(model, source_ids, source_mask, int(limits.max())), _repeated(num_sentences, width))
    mask = source_mask.repeat_interleave(width, dim=0)
    totals = torch.full((num_sentences, width), -torch.inf)
    totals[:, 0] = 0.0
    history = torch.full((num_sentences, width, int(limits.max())), END_ID)
    best = torch.full((num_sentences,), -torch.inf)
    best_ids = history[:, 0].clone()
    num_ended = torch.zeros(num_sentences, dtype=torch.int64)
    over = torch.zeros(num_sentences, dtype=torch.bool)
    tokens = torch.full((num_sentences * width,), BEGIN_ID)
    for t in range(int(limits.max())):
        output = model.step(tokens, torch.full_like(tokens, t), mask, state)
        log_probs = output.logits.log_softmax(dim=1).view(num_sentences, width, -1)  # [B, K, V]
        scores, flat = (totals[:, :, None] + log_probs).flatten(1).topk(2 * width)  # [B, 2K]
        parents, written = flat // log_probs.shape[2], flat % log_probs.shape[2]
        grown = history.gather(1, parents[:, :, None].expand(-1, -1, history.shape[2]))  # [B, 2K, T]
        grown[:, :, t] = written
        ends = written == END_ID
        going = ends.int().argsort(dim=1, stable=True)[:, :width]  # [B, K]: the K best that do not end
        ended = ends.clone()
        ended[:, width:] = False
        num_ended += ended.sum(dim=1)
        cut = (t + 1 >= limits) & (num_ended < width)
        ended |= cut[:, None] & torch.zeros_like(ends).scatter(1, going, torch.ones_like(going, dtype=torch.bool))
        normalised = torch.where(ended, scores / ((6.0 + t) / 6.0) ** LENGTH_PENALTY, -torch.inf)
        highest, which = normalised.max(dim=1)
        better = (highest > best) & ~over
        best = torch.where(better, highest, best)
        best_ids[better] = grown[torch.arange(num_sentences), which][better]
        over |= (num_ended >= width) | (t + 1 >= limits)
        if over.all():
            break
        totals, tokens, history = scores.gather(1, going), written.gather(1, going).flatten(), _select(grown, going)
        state = _take(state | output.state, (first_row + parents.gather(1, going)).flatten())
    return [_until_end(ids) for ids in best_ids.tolist()]


def _start(model: Architecture, source_ids: Tensor, source_mask: Tensor, capacity: int) -> State:
    """The state before the first step; growing arrays with `capacity` entries."""
    state = model.encode(source_ids, source_mask)
    for spec in model.state_specs():
        if spec.lifetime is Lifetime.GROWING:
            sizes = [capacity if axis == "T" else int(axis) for axis in spec.axes]
            state[spec.name] = torch.zeros(len(source_ids), *sizes)
    return state


def _repeated(count: int, times: int) -> Tensor:
    return torch.arange(count).repeat_interleave(times)


def _take(state: State, rows: Tensor) -> State:
    return {name: array.index_select(0, rows) for name, array in state.items()}


def _select(grown: Tensor, chosen: Tensor) -> Tensor:
    """Hypotheses `chosen` [B, K] of `grown` [B, 2K, T]."""
    return grown.gather(1, chosen[:, :, None].expand(-1, -1, grown.shape[2]))


def _until_end(ids: list[int]) -> list[int]:
    return ids[: ids.index(END_ID)] if END_ID in ids else ids


def _row(name: str, beam_size: int, options: Options) -> Row:
    """Both sides in float32: eager torch has no int8 of its own."""
    from loadtests.peers.ctranslate2_model import float32_bundle

    bundle = options.bundle()
    pairs, sources = tokenised(options, bundle)
    ours = AttendantSide(float32_bundle(bundle, options.cache), sources)
    comparison = Comparison(ours, EagerSide(bundle, sources), pairs, bundle)
    return offline_row(name, comparison, options, beam_size, bar="", exact=beam_size == 1)


ROWS: dict[str, Callable[[Options], Row]] = {
    "eager-greedy": partial(_row, "offline, float32, greedy, over PyTorch eager", 1),
    "eager-beam": partial(_row, "offline, float32, beam 4, over PyTorch eager", 4),
}
"""Against PyTorch eager. On a static batch every row is computed until the last one of its batch has ended."""
