"""What protection, the look for loops and lost copies, and signals cost where nobody asks for anything.

The model translates the test set, greedy and with beam 4, on one thread and in batches. Then each part is timed by
itself over the segments and results that came up, and set beside the time that the whole road took, from text to
translation: where the machine is busy all the time the share is what throughput loses. With `--server` it is set beside
the processor time of a server's request, too: replica, proxy and Ray.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from unittest import mock

from loadtests.measure.metrics_cost import NUM_REQUESTS, in_server
from loadtests.measure.served import answers, pairs
from loadtests.measure.setting import parser, show
from loadtests.server import running_server
from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.messages import Segment, SegmentResult
from service.text.protection import Protector
from service.text.segments import Segmenter
from service.text.sentences.splitting import sentence_spans
from service.text.spans.normalise import normalise
from service.text.words import words
from service.translation.repair import Repairer, Work
from service.translation.signals import SignalReader, source_words

NUM_ROUNDS = 15
BEAM_SIZES = (1, 4)
OTHERS = "other reasons to search again"
"""Lost names, numbers, words and negations."""
BARRED = "protection", "signals", "look for loops"
"""What the bar is about."""
BESIDES = "besides: what people type"
"""Shorthand, abbreviations, quotation marks, spaces: rules that no bar counts."""


def quickest(works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Seconds of the quickest of several rounds of each of `works`, in turn: neighbours of the machine only add."""
    found = {name: float("inf") for name in works}
    for _ in range(NUM_ROUNDS):
        for name, work in works.items():
            started = time.perf_counter()
            work()
            found[name] = min(found[name], time.perf_counter() - started)
    return found


async def _nobody(_: Sequence[Segment]) -> list[SegmentResult]:
    raise AssertionError("nothing is searched again here")


def works_of(store: Path, model: str, texts: Sequence[str], beam_size: int) -> tuple[list[Work], float]:
    """The segments of `texts` with the results of their first search, and the seconds of the whole road."""
    found: list[Work] = []
    repair = Repairer.repair

    async def noting(self: Repairer, works: Sequence[Work]) -> None:
        found.extend(map(replace, works))
        await repair(self, works)

    with mock.patch.object(Repairer, "repair", noting):
        started = time.perf_counter()
        answers(store, model, texts, beam_size=beam_size)
        return found, time.perf_counter() - started


def costs(bundle: Bundle, texts: Sequence[str], works: Sequence[Work]) -> dict[str, float]:
    """Seconds of each part for all of `texts`."""
    tokenizer, manifest = bundle.tokenizer, bundle.manifest
    longest = manifest.limits.max_source_tokens - 1
    plain = Segmenter(manifest.source, tokenizer.encode, longest, tokenizer.encode_with_spans)
    languages = manifest.source, manifest.target
    protector = Protector(tokenizer.placeholders, tokenizer.knows, languages, bundle.known_words)
    full = Segmenter(
        manifest.source, tokenizer.encode, longest, tokenizer.encode_with_spans, tokenizer.placeholders, protector,
        manifest.limits.most_words, bundle.known_words,
    )  # fmt: skip
    repairer = Repairer(_nobody, full, tokenizer, manifest.target, bundle.known_words)
    reader = SignalReader(manifest.confidence, bundle.known_words)

    def bare(text: str) -> None:
        for start, end in sentence_spans(text, manifest.source):
            tokenizer.encode(normalise(text[start:end]).text)

    tokens = [words(work.text.text, manifest.source) for work in works]  # every answer has them
    written = [tokenizer.decode(work.best.token_ids) for work in works]
    read = [segment for text in texts for segment in full.segment(text).segments]
    found = quickest(
        {
            "bare": lambda: list(map(bare, texts)),
            "without protection": lambda: [plain.segment(text) for text in texts],
            "protection": lambda: [full.segment(text) for text in texts],
            "readings of labels": lambda: [full.readings(segment) for segment in read],
            "written": lambda: [tokenizer.decode(work.best.token_ids) for work in works],
            "look for loops": lambda: [repairer.is_degenerate(work, work.text, work.best) for work in works],
            OTHERS: lambda: [(tokenizer.decode(work.best.token_ids), repairer.second_search(work)) for work in works],
            "warnings": lambda: [repairer.warnings(work, work.best) for work in works],
            "signals": lambda: [
                reader.read(len(w.segment.source_ids), w.best, source_words(w.text, manifest.source, found), text)
                for w, found, text in zip(works, tokens, written, strict=True)
            ],
        }
    )
    plain_s = found.pop("without protection")
    found["protection"] -= plain_s
    found[OTHERS] -= found.pop("written") + found["look for loops"]  # the answer needs the text, too, and it is kept
    found[BESIDES] = plain_s - found.pop("bare")
    return found


def of_server(store: Path, model: str, texts: Sequence[str]) -> dict[int, float]:
    """Seconds of processor time of a server's request for one of `texts`, by beam size."""
    with running_server(ATTENDANT_STORE=str(store.resolve())) as server:
        return {beam_size: in_server(server, model, beam_size, list(texts[:NUM_REQUESTS])) for beam_size in BEAM_SIZES}


def main() -> None:
    """Print the table."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--server", action="store_true", help="the share of a server's request, too")
    options.add_argument("--test", default="tatoeba-en-fr/test.tsv.gz")
    chosen = options.parse_args()
    bundle = Store(chosen.store).open(chosen.model)
    texts = [source for source, _ in pairs(chosen.data / chosen.test)]
    served = of_server(chosen.store, chosen.model, texts) if chosen.server else {}
    rows: list[tuple[object, ...]] = []
    for name, beam_size in zip(("greedy", "beam 4"), BEAM_SIZES, strict=True):
        works, whole = works_of(chosen.store, chosen.model, texts, beam_size)
        parts = costs(bundle, texts, works)
        rest = sum(parts.values()) - parts[BESIDES]
        parts |= {", ".join(BARRED): sum(map(parts.__getitem__, BARRED)), "all but what people type": rest}
        for part, seconds in parts.items():
            each = seconds / len(texts)
            of_request = f"{each / served[beam_size]:.2%}" if served else ""
            rows.append((name, part, f"{each * 1e6:.1f}", f"{seconds / whole:.2%}", of_request))
    columns = ["search", "part", "us a text", "share of the whole road", "of a server's request"]
    show(f"{chosen.model}, {len(texts)} texts", columns, rows)
    for name, seconds in zip(("greedy", "beam 4"), served.values(), strict=False):
        print(f"{name}: a server's request takes {seconds * 1e6:,.0f} us")


if __name__ == "__main__":
    main()
