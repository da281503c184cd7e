"""Ours and CTranslate2 as libraries: the same weights and sentences, one thread, tokenised before the clock runs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import click

from loadtests.peers import instructions
from loadtests.peers.alternate import Row, alternate
from loadtests.peers.answers import Answers, compare
from loadtests.peers.attendant_side import AttendantSide
from loadtests.peers.options import Options
from loadtests.peers.sentences import Pair, first
from loadtests.peers.side import Batch, Run, Side
from model_store.contract.bundle import Bundle

Precision = Literal["float32", "int8"]

NUM_FINALISTS = 2
"""Batch sizes that are tried once more when all have been tried."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sides with the same sentences."""

    ours: Side
    peer: Side
    pairs: list[Pair]
    bundle: Bundle

    def answers(self, ours: Run, peer: Run) -> Answers:
        """How far two runs agree, by token ids."""
        references = [pair.target for pair in self.pairs]
        return compare(ours.outputs, peer.outputs, references, self.bundle.tokenizer.decode)


def against_ctranslate2(options: Options, precision: Precision) -> Comparison:
    """Ours and CTranslate2 with the published weights in `precision`."""
    from loadtests.peers.ctranslate2_model import ctranslate2_model, float32_bundle, pieces
    from loadtests.peers.ctranslate2_side import CTranslate2Side

    os.environ.update(instructions.environment())
    bundle = options.bundle()
    pairs, sources = tokenised(options, bundle)
    folder = ctranslate2_model(bundle, precision, options.cache)
    ours = bundle if bundle.manifest.precision == precision else float32_bundle(bundle, options.cache)
    peer = CTranslate2Side(folder, precision, pieces(bundle), sources)
    return Comparison(AttendantSide(ours, sources), peer, pairs, bundle)


def tokenised(options: Options, bundle: Bundle) -> tuple[list[Pair], list[list[int]]]:
    """The sentences and their subword ids, as many as the model takes."""
    pairs = first(options.data, options.num_sentences)
    longest = bundle.manifest.limits.max_source_tokens - 1
    return pairs, [ids[:longest] for ids in bundle.tokenizer.encode_batch([pair.source for pair in pairs])]


def best_batch(name: str, side: Side, beam_size: int) -> Batch:
    """The batch size with which a side is fastest: each is tried once, and the fastest ones once more."""
    side.offline(beam_size, side.batches[0])  # warm
    speeds: dict[Batch, float] = {}

    def try_all(batches: Sequence[Batch], label: str) -> list[Batch]:
        with click.progressbar(batches, label=f"{name}: {label}", file=sys.stderr) as shown:
            for batch in shown:
                speeds[batch] = max(speeds.get(batch, 0.0), side.offline(beam_size, batch).tokens_per_second)
        return sorted(speeds, key=lambda batch: -speeds[batch])

    finalists = try_all(side.batches, "batch sizes")[:NUM_FINALISTS]
    return try_all(finalists, "the fastest once more")[0]


def offline_row(name: str, comparison: Comparison, options: Options, beam_size: int, bar: str, exact: bool) -> Row:
    """All sentences at once, each side at its best batch size: target tokens per second.

    `exact` asks for identical token sequences rather than for the same BLEU.
    """
    ours = best_batch(f"{name}, ours", comparison.ours, beam_size)
    peer = best_batch(f"{name}, peer", comparison.peer, beam_size)
    runs: dict[str, Run] = {}

    def run(side: str, translate: Callable[[], Run]) -> float:
        runs[side] = translate()
        return runs[side].tokens_per_second

    row = alternate(
        name,
        "target tokens/s",
        lambda: run("ours", partial(comparison.ours.offline, beam_size, ours)),
        lambda: run("peer", partial(comparison.peer.offline, beam_size, peer)),
        options.rounds,
        bar=bar,
        details={"batch of ours": str(ours), "batch of the peer": str(peer)},
        warm=False,  # the sweep was warm enough
    )
    return with_answers(row, comparison.answers(runs["ours"], runs["peer"]), exact)


def one_by_one_row(name: str, comparison: Comparison, options: Options, beam_size: int, bar: str) -> Row:
    """Each sentence alone: mean milliseconds of a sentence."""
    runs: dict[str, Run] = {}

    def run(name: str, side: Side) -> float:
        runs[name] = side.one_by_one(beam_size)
        return runs[name].ms_per_sentence

    row = alternate(
        name,
        "ms per sentence",
        lambda: run("ours", comparison.ours),
        lambda: run("peer", comparison.peer),
        options.rounds,
        better="lower",
        bar=bar,
    )
    return with_answers(row, comparison.answers(runs["ours"], runs["peer"]), exact=False)


def with_answers(row: Row, answers: Answers, exact: bool) -> Row:
    """The row, with how far both sides agreed."""
    same = answers.are_identical if exact else answers.bleu_agrees
    details = {**row.details, "answers": str(answers), "sacreBLEU": answers.signature}
    return replace(row, same_answers=same, details=details)


def _offline(name: str, precision: Precision, beam_size: int, bar: str, exact: bool, options: Options) -> Row:
    comparison = against_ctranslate2(options, precision)
    return _with_instructions(offline_row(name, comparison, options, beam_size, bar, exact))


def _one_by_one(name: str, beam_size: int, bar: str, options: Options) -> Row:
    return _with_instructions(one_by_one_row(name, against_ctranslate2(options, "int8"), options, beam_size, bar))


def _with_instructions(row: Row) -> Row:
    """The row, with the instruction set that CTranslate2 was told to use."""
    return replace(row, details={**row.details, "instruction set of the peer": instructions.described()})


ROWS: dict[str, Callable[[Options], Row]] = {
    "offline-greedy": partial(_offline, "offline, int8, greedy", "int8", 1, ">= 1.4x", False),
    "offline-beam": partial(_offline, "offline, int8, beam 4", "int8", 4, ">= 1.6x", False),
    "offline-greedy-float32": partial(_offline, "offline, float32, greedy", "float32", 1, ">= 1.2x", True),
    "single-greedy": partial(_one_by_one, "one sentence at a time, int8, greedy", 1, "<= 1.0x"),
    "single-beam": partial(_one_by_one, "one sentence at a time, int8, beam 4", 4, "<= 0.9x"),
}
"""Against CTranslate2."""
