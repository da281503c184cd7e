"""Greedy and beam search over a fixed batch of sentences."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model_store.contract.tokenizer import BEGIN_ID, END_ID
from model_store.data.batching import source_arrays
from model_store.decoding.stepper import StepModel, take_rows


@dataclass(frozen=True)
class Decoded:
    """One hypothesis: `ids` without the end token, `log_probs` of each token (end token included), `attention`
    [tokens, A, S] (end token included)."""

    ids: list[int]
    log_probs: list[float]
    attention: np.ndarray


@dataclass(frozen=True)
class Alive:
    """A hypothesis that is still growing."""

    ids: list[int]
    log_probs: list[float]
    attention: list[np.ndarray]

    @property
    def total(self) -> float:
        """Sum of log-probabilities."""
        return sum(self.log_probs)

    def extended(self, token: int, log_prob: float, attention: np.ndarray) -> Alive:
        """This hypothesis with one more token."""
        return Alive([*self.ids, token], [*self.log_probs, log_prob], [*self.attention, attention])

    def decoded(self) -> Decoded:
        """The finished hypothesis, its end token cut off."""
        ids = self.ids[:-1] if self.ids and self.ids[-1] == END_ID else self.ids
        return Decoded(ids, self.log_probs, np.stack(self.attention))


def output_limit(num_source_tokens: int) -> int:
    """Target tokens after which a hypothesis is cut, end token included."""
    return 2 * num_source_tokens + 10


def length_normalised(total: float, length: int, alpha: float) -> float:
    """Wu et al. 2016 (arXiv:1609.08144), equation 14, without coverage: total / ((5 + length) / 6) ** alpha."""
    return float(total / ((5.0 + length) / 6.0) ** alpha)


def greedy(stepper: StepModel, sources: Sequence[Sequence[int]], max_length: int | None = None) -> list[Decoded]:
    """The most likely token at each step, for sentences of source ids without the end token."""
    return beam(stepper, sources, beam_size=1, max_length=max_length)


def beam(
    stepper: StepModel,
    sources: Sequence[Sequence[int]],
    beam_size: int = 4,
    length_penalty: float = 1.0,
    max_length: int | None = None,
) -> list[Decoded]:
    """Beam search that stops a sentence once `beam_size` hypotheses have ended; the best of them for each sentence.

    No hypothesis has more than `max_length` tokens, end token included: see `Architecture.max_length`.
    """
    source_ids, source_mask = source_arrays(sources)
    limits = [min(output_limit(len(ids) + 1), max_length or sys.maxsize) for ids in sources]
    state = stepper.encode(source_ids, source_mask, max(limits))
    alive: dict[int, list[Alive]] = {i: [Alive([], [], [])] for i in range(len(sources))}
    ended: dict[int, list[Alive]] = {i: [] for i in alive}
    for t in range(max(limits)):
        owners = [i for i, hypotheses in alive.items() for _ in hypotheses]
        rows = [h for hypotheses in alive.values() for h in hypotheses]
        tokens = np.array([h.ids[-1] if h.ids else BEGIN_ID for h in rows], dtype=np.int64)
        position = np.full(len(rows), t, dtype=np.int64)
        result = stepper.step(tokens, position, source_mask[owners], state)
        kept: list[int] = []
        first = 0
        for i in list(alive):
            hypotheses = alive[i]
            mine = slice(first, first + len(hypotheses))
            grown = _expand(hypotheses, result.log_probs[mine], result.attention[mine], beam_size)
            ended[i] += [h for _, h in grown[:beam_size] if h.ids[-1] == END_ID]
            going = [(row, h) for row, h in grown if h.ids[-1] != END_ID][:beam_size]
            if t + 1 >= limits[i]:
                ended[i] += [h for _, h in going]
            if t + 1 >= limits[i] or len(ended[i]) >= beam_size:
                del alive[i]
            else:
                alive[i] = [h for _, h in going]
                kept += [first + row for row, _ in going]
            first = mine.stop
        if not alive:
            break
        state = take_rows(result.state, np.array(kept))
    return [_best(ended[i], length_penalty).decoded() for i in range(len(sources))]


def _expand(
    hypotheses: list[Alive], log_probs: np.ndarray, attention: np.ndarray, beam_size: int
) -> list[tuple[int, Alive]]:
    """The 2K best continuations of one sentence's hypotheses, best first, each with the row that it comes from."""
    totals = np.array([h.total for h in hypotheses])[:, None] + log_probs
    count = min(2 * beam_size, totals.size)
    best = np.argpartition(totals, -count, axis=None)[-count:]
    best = best[np.argsort(-totals.ravel()[best], kind="stable")]
    rows, tokens = np.unravel_index(best, totals.shape)
    return [
        (int(row), hypotheses[row].extended(int(token), float(log_probs[row, token]), attention[row]))
        for row, token in zip(rows, tokens, strict=True)
    ]


def _best(hypotheses: list[Alive], length_penalty: float) -> Alive:
    return max(hypotheses, key=lambda h: length_normalised(h.total, len(h.ids), length_penalty))


def decode_all(
    sources: Sequence[Sequence[int]],
    decode: Callable[[Sequence[Sequence[int]]], list[Decoded]],
    batch_size: int,
    progress: Callable[[Iterable[list[int]]], Iterator[list[int]] | Iterable[list[int]]] = iter,
) -> list[Decoded]:
    """Decode sentences in batches of like length; results in the order of `sources`."""
    order = sorted(range(len(sources)), key=lambda i: len(sources[i]))
    results: dict[int, Decoded] = {}
    for chosen in progress([order[i : i + batch_size] for i in range(0, len(order), batch_size)]):
        results.update(zip(chosen, decode([sources[i] for i in chosen]), strict=True))
    return [results[i] for i in range(len(sources))]
