"""The short road of plain sentences comes to what the long road does, for every text and every word that rules know."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import pytest

from loadtests.measure.sentences import LISTS
from loadtests.measure.served import listed
from model_store.contract.store import Store
from service.text.protection import Protector
from service.text.segmented import TextSegment
from service.text.segments import Segmenter
from service.text.spans.patterns import PLAIN_SENTENCE, SENTENCE_WITH_CAPITALS

ROOT = Path(__file__).parents[3]
FRAMES = {
    "en": (
        "{}.",
        "He has it, {}?",
        "The old house {} here.",
        "I know what {} is!",
        "Tom from Paris and Uncle {} left.",
    ),
    "fr": ("{}.", "Il le sait, {} ?", "La vieille maison {} ici.", "Je sais ce que {} est !", "Tom de Lyon et {} ?"),
    "de": ("{}.", "Er hat es, {}?", "Das gibt es {} hier.", "Das will {} nicht!", "Das Haus von Tom in {} ist alt."),
}
TABLES = (
    "expressions/phrases.toml", "typed/shorthand.toml", "typed/elided.toml", "names/countries.toml",
    "names/famous.toml", "names/common_names.toml",
)  # fmt: skip
FRAMES_EACH = 2
EACH = 10
"""Of so many plain sentences one is read behind another."""
PLAIN = PLAIN_SENTENCE, SENTENCE_WITH_CAPITALS


class LongRoad(Segmenter):
    """Takes no sentence for a plain one."""

    def _plain(self, text: str, want_spans: bool, before: str = "") -> TextSegment | None:
        return None


def words_of(value: object) -> Iterator[str]:
    """All keys and strings of a table."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from words_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from words_of(inner)
    elif isinstance(value, str):
        yield from value.split(" | ") if "\n" not in value else value.splitlines()


def known_to_rules(language: str) -> Iterator[str]:
    """Words and phrases of the rules' tables."""
    for name in TABLES:
        table = tomllib.loads((ROOT / "service/text" / name).read_text("utf-8"))
        yield from words_of(table.get(language, {} if name.startswith("typed") else table))


def sentences(language: str) -> Iterator[str]:
    for name in LISTS:
        header, *rows = listed(f"{name}.tsv")
        for row in rows:
            yield row[header.index(language)]
    frames = cycle(FRAMES[language])
    for words in dict.fromkeys(known_to_rules(language)):
        for frame in islice(frames, FRAMES_EACH):
            text = frame.format(words.strip())
            yield text[:1].upper() + text[1:]


@pytest.mark.parametrize("model", ["en-fr-transformer", "en-de-transformer", "fr-en-transformer", "de-en-transformer"])
def test_the_short_road_comes_to_what_the_long_one_does(model: str) -> None:
    bundle = Store(ROOT / "model_store/bundles").open(model)
    source, target = bundle.manifest.source, bundle.manifest.target
    tokenizer, longest = bundle.tokenizer, bundle.manifest.limits.max_source_tokens - 1
    signs = tokenizer.placeholders
    protector = Protector(signs, tokenizer.knows, (source, target), bundle.known_words)
    made = (
        kind(
            source, tokenizer.encode, longest, tokenizer.encode_with_spans, signs, protector,
            bundle.manifest.limits.most_words, bundle.known_words,
        )
        for kind in (Segmenter, LongRoad)
    )  # fmt: skip
    short, long = made
    before = ""
    num_short = dict.fromkeys(PLAIN, 0)
    for text in sentences(source):
        plain = short._plain(text, want_spans=True)
        if plain is not None:
            num_short[PLAIN[PLAIN_SENTENCE.fullmatch(text) is None]] += 1
            (segment,) = long.segment(text, want_spans=True).segments
            assert plain.normalised.text == segment.normalised.text, text
            assert list(plain.normalised.starts) == list(segment.normalised.starts), text
            assert replace(plain, normalised=segment.normalised) == segment, text
            if sum(num_short.values()) % EACH == 0:
                pair = f"{before} {text}"
                assert short.segment(pair).segments == long.segment(pair).segments, pair
            before = text
    assert min(num_short.values()) > 100
