"""Sentences that were written for training: whole lines, alike where languages are, drawn as often as a recipe says."""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import permutations
from pathlib import Path

import pytest

from model_store.contract.normalisation import normalise
from model_store.data.linked import SURE, LinkedPair
from model_store.data.sentences import read_sentences
from model_store.data.shares import VariationPart
from model_store.data.variation import Variation
from tests.model_store.data.unvaried import UNVARIED

LANGUAGES = ("en", "fr", "de")
CAT = LinkedPair(("The", " cat", "."), ("Le", " chat", "."), ((0, 0, SURE), (1, 1, SURE), (2, 2, SURE)))
DOG = LinkedPair(("The", " dog", "."), ("Le", " chien", "."), ((0, 0, SURE), (1, 1, SURE), (2, 2, SURE)))


@cache
def lines() -> list[dict[str, str]]:
    """All of them; read once, as there are many."""
    text = files("model_store.data").joinpath("sentences.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def test_every_line_has_a_text_in_each_language_as_training_reads_it() -> None:
    for line in lines():
        assert set(line) == set(LANGUAGES)
        assert all(line[language] == normalise(line[language]) != "" for language in LANGUAGES), line


@pytest.mark.parametrize("page", ["README.md", "docs/training.md"])
def test_pages_say_how_many_lines_there_are(page: str) -> None:
    assert f"{len(lines()):,}" in (Path(__file__).parents[3] / page).read_text(encoding="utf-8")


def test_no_line_stands_twice() -> None:
    twice = [text for text, count in Counter(tuple(line.values()) for line in lines()).items() if count > 1]
    assert not twice


def test_numbers_in_digits_are_alike_in_all_languages() -> None:
    for line in lines():
        assert len({tuple(sorted(re.findall(r"\d+", line[language]))) for language in LANGUAGES}) == 1, line


def test_a_text_that_asks_asks_in_all_languages() -> None:
    for line in lines():
        assert len({line[language].endswith("?") for language in LANGUAGES}) == 1, line


@pytest.mark.parametrize("languages", list(permutations(LANGUAGES, 2)))
def test_a_source_text_is_read_once_with_the_translation_of_its_first_line(languages: tuple[str, str]) -> None:
    source, target = languages
    backwards = {
        line[source].lower() if " " in line[source] else line[source]: (line[source], line[target])
        for line in reversed(lines())
    }
    found = read_sentences(languages)
    assert set(zip(found.sources, found.targets, strict=True)) == set(backwards.values())
    assert len(found) == len(backwards)
    assert (found.sources[3], found.targets[3]) == (lines()[3][source], lines()[3][target])
    assert source != "en" or {"Open", "open"} <= set(found.sources)


def test_other_languages_have_none() -> None:
    assert len(read_sentences(("en", "it"))) == 0


@pytest.mark.parametrize("times", [1, 3])
def test_an_epoch_has_each_sentence_as_often_as_asked_for_and_each_other_pair_once(times: int) -> None:
    variation = Variation([CAT], ("en", "fr"), VariationPart(**UNVARIED, sentences=times), [DOG])
    assert Counter(variation.epoch(1, 0)) == {CAT: 1, DOG: times}


def test_terms_are_drawn_as_often_as_asked_for() -> None:
    long = LinkedPair((*DOG.source, *DOG.source), (*DOG.target, *DOG.target), DOG.links)
    variation = Variation([CAT], ("en", "fr"), VariationPart(**UNVARIED, sentences=2, terms=5), [DOG, long])
    assert Counter(variation.epoch(1, 0)) == {CAT: 1, DOG: 5, long: 2}


def test_long_sentences_are_drawn_as_often_as_asked_for() -> None:
    long = LinkedPair((*DOG.source[:2] * 12, "."), (*DOG.target[:2] * 12, "."), ((0, 0, SURE),))
    variation = Variation([CAT], ("en", "fr"), VariationPart(**UNVARIED, sentences=2, long_sentences=5), [DOG, long])
    assert Counter(variation.epoch(1, 0)) == {CAT: 1, DOG: 2, long: 5}


def test_words_are_counted_once_however_often_a_sentence_is_drawn() -> None:
    wrong = LinkedPair(("odd",), ("bizarre",), ((0, 0, SURE),))
    often = Variation([CAT], ("en", "fr"), VariationPart(**UNVARIED, sentences=9), [wrong])
    assert ("odd", "bizarre") not in often._dictionary.entries


def test_a_term_gets_a_capital_as_often_as_asked_for_and_a_sentence_keeps_the_one_that_it_has() -> None:
    term = LinkedPair(("washing", " machine"), ("machine", " à", " laver"), ((0, 2, SURE), (1, 0, SURE)))
    drawn = Variation([CAT, term], ("en", "fr"), VariationPart(**UNVARIED | {"capitalised": 1.0})).epoch(1, 0)
    assert {pair.texts for pair in drawn} == {CAT.texts, ("Washing machine", "Machine à laver")}


def test_lower_case_comes_after_the_capital() -> None:
    term = LinkedPair(("washing", " machine"), ("machine", " à", " laver"), ((0, 2, SURE), (1, 0, SURE)))
    drawn = Variation([term], ("en", "fr"), VariationPart(**UNVARIED | {"capitalised": 1.0, "lower": 1.0})).epoch(1, 0)
    assert [pair.texts[0] for pair in drawn] == ["washing machine"]
