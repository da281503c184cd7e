"""Sentences alone, in batches of 64 and with ragged arrivals, beam sizes and filters mixed: is anything different?"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial

from tqdm import tqdm

from loadtests.measure.setting import in_float32, setting, show
from model_store.contract.bundle import Bundle
from service.engine.engine import Engine
from service.engine.job import Outcome
from service.engine.limits import EngineLimits
from service.messages import Hypothesis, SearchOptions, Segment, SegmentResult
from service.runtime.bundled import BundleRuntime
from service.runtime.opening import open_runtime

NUM_SENTENCES = 500
TOLERANCE = 1e-3
SEARCHES = (
    SearchOptions(beam_size=1),
    SearchOptions(beam_size=4),
    SearchOptions(beam_size=8),
    SearchOptions(beam_size=8, forbidden=tuple(range(100, 200))),
    SearchOptions(beam_size=4, min_output_tokens=12, no_repeat_ngram=3),
)
"""In turn."""


def run(
    runtime: BundleRuntime, segments: Sequence[Segment], limits: EngineLimits, arrivals: Sequence[int]
) -> list[Hypothesis]:
    """Best hypotheses when `segments[i]` is submitted before tick `arrivals[i]`."""
    engine = Engine(runtime, limits)
    results: dict[int, Hypothesis] = {}
    due: dict[int, list[int]] = {}
    for i, tick in enumerate(arrivals):
        due.setdefault(tick, []).append(i)

    def keep(i: int, _: int, outcome: Outcome) -> None:
        assert isinstance(outcome, SegmentResult), outcome
        results[i] = outcome.hypotheses[0]

    tick = 0
    while len(results) < len(segments):
        for i in due.get(tick, []):
            engine.submit([segments[i]], partial(keep, i))
        engine.tick()
        tick += 1
    return [results[i] for i in range(len(segments))]


def compare(bundle: Bundle, sentences: Sequence[str]) -> list[tuple[str, int, float]]:
    """For each kind of company: how many sentences differ from those alone, and the largest difference of a score."""
    runtime = open_runtime(bundle)
    segments = [
        Segment(tuple(bundle.tokenizer.encode(text)), SEARCHES[i % len(SEARCHES)]) for i, text in enumerate(sentences)
    ]
    bar = tqdm(segments, desc=f"{bundle.manifest.name} alone", unit="sentence")
    alone = [run(runtime, [segment], EngineLimits(), [0])[0] for segment in bar]
    chance = random.Random(1)
    ragged = [chance.randrange(len(segments)) for _ in segments]
    found = []
    for name, limits, arrivals in (
        (
            "one batch of 64 rows",
            EngineLimits(max_batch_rows=64),
            [0] * len(segments),
        ),
        ("ragged arrivals", EngineLimits(max_batch_rows=128), ragged),
    ):
        together = run(runtime, segments, limits, arrivals)
        worst = max(abs(a.score - b.score) for a, b in zip(alone, together, strict=True))
        pairs = zip(alone, together, strict=True)
        unlike = sum(a.token_ids != b.token_ids or abs(a.score - b.score) > TOLERANCE for a, b in pairs)
        found.append((name, unlike, worst))
    return found


def main() -> None:
    """Print the table; exit code 1 when any sentence differs."""
    measured = setting(__doc__ or "")
    sentences = measured.sentences(NUM_SENTENCES)
    rows = []
    for bundle in measured.bundles():
        with in_float32(bundle) as full:
            rows += [
                (full.manifest.name, name, len(sentences), unlike, f"{worst:.1e}")
                for name, unlike, worst in compare(full, sentences)
            ]
    show(
        "Company, float32, beams of 1, 4 and 8 mixed, with and without logit filters",
        ["model", "against alone", "sentences", "different", "score gap"],
        rows,
    )
    raise SystemExit(any(row[3] for row in rows))


if __name__ == "__main__":
    main()
