"""Phrases written by hand: lines fit their columns, links stay inside, dates and names are alike on both sides."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from importlib.resources import files
from itertools import permutations
from random import Random

import pytest

from model_store.contract.calendar import MONTHS, WEEKDAYS
from model_store.data import entities
from model_store.data.changes import keeps_digits
from model_store.data.linked import SURE, LinkedPair
from model_store.data.nouns import forms, read_nouns
from model_store.data.phrases import Phrases
from model_store.data.places import place_forms
from model_store.data.shares import VariationPart
from model_store.data.variation import Variation
from model_store.data.written import Written
from tests.model_store.data.unvaried import UNVARIED

LANGUAGES = ("en", "fr", "de")
KINDS = ("opening", "closing", "date", "when", "label", "message", "thing", "where", "place", "inplace")
CAT = LinkedPair(("The", " cat", " sleeps", "."), ("Le", " chat", " dort", "."), ((0, 0, SURE), (1, 1, SURE)))


def lines() -> list[dict[str, str]]:
    text = files("model_store.data").joinpath("phrases.tsv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))


def numbers_of(text: str) -> set[int]:
    """Of its chunks."""
    found = (re.match(r"\s*(?:(\d+)=)?", chunk) for chunk in text.split("|"))
    return {int((match and match[1]) or place) for place, match in enumerate(found, 1)}


def zorbel(kind: Callable[[Random], str]) -> str:
    return "Zorbel" if kind is entities.called else kind(Random(7))


def phrases(*languages: str) -> Phrases:
    found = Phrases.of((languages[0], languages[1]))
    assert found is not None
    return found


def test_every_line_has_every_language_the_same_slots_and_chunks_that_the_others_have() -> None:
    for line in lines():
        assert line["kind"] in KINDS
        slots = [sorted(re.findall(r"\{(\w+)\}", line[language].replace("dayth", "day"))) for language in LANGUAGES]
        assert slots[0] == slots[1] == slots[2], line
        count = line["en"].count("|") + 1
        for language in LANGUAGES:
            numbers = [int(number) for number in re.findall(r"(\d+)=", line[language])]
            assert numbers_of(line[language]) & numbers_of(line["fr"]), f"{line} has nothing in common"
            assert all(1 <= number <= count for number in numbers), line
            chunks = line[language].split("|")
            assert all(
                slot in line["en"].split("|")[number - 1].replace("dayth", "day")
                for place, chunk in enumerate(chunks, 1)
                for number in [int((re.match(r"\s*(\d+)=", chunk) or [0, place])[1])]
                for slot in re.findall(r"\{(\w+)\}", chunk.replace("dayth", "day"))
            ), line
            assert line[language].count("=") == len(re.findall(r"(?:^|\|)\s*\d+=", line[language])), line


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("country/Turkey/Turquie f/Türkei f", ("en Turquie", "pour la Turquie", "de Turquie", "in die", "aus der")),
        ("country/Italy/Italie f/Italien", ("en Italie", "pour l'Italie", "d'Italie", "nach", "aus")),
        ("country/Canada/Canada m/Kanada", ("au Canada", "pour le Canada", "du Canada", "nach", "aus")),
        ("country/Iran/Iran v/Iran m", ("en Iran", "pour l'Iran", "d'Iran", "in den", "aus dem")),
        ("country/the Netherlands/Pays-Bas p/Niederlande p",
         ("aux Pays-Bas", "pour les Pays-Bas", "des Pays-Bas", "in die", "aus den")),
        ("country/Cuba/Cuba -/Kuba", ("à Cuba", "pour Cuba", "de Cuba", "nach", "aus")),
        ("city/Athens/Athènes/Athen", ("à Athènes", "pour Athènes", "d'Athènes", "nach", "aus")),
    ],
)  # fmt: skip
def test_places_are_said_with_the_words_that_their_language_has(line: str, said: tuple[str, ...]) -> None:
    found = place_forms(dict(zip(("kind", *LANGUAGES), line.split("/"), strict=True)))
    name = found["place"]
    french = (f"{found['to']['fr']} {name['fr']}", found["for"]["fr"] + name["fr"], found["from"]["fr"] + name["fr"])
    assert (*french, found["to"]["de"], found["from"]["de"].strip()) == said
    article = "the " if " the " in found["for"]["en"] else ""
    assert found["in"]["en"] == f"in {article}".strip()
    assert not {"the", "f", "m", "p", "v", "-"} & {word for text in name.values() for word in text.split(" ")}


@pytest.mark.parametrize("languages", list(permutations(LANGUAGES, 2)))
def test_a_drawn_phrase_has_words_on_both_sides_with_links_and_the_same_digits(languages: tuple[str, str]) -> None:
    chance, drawn = Random(1), phrases(*languages)
    for kind in KINDS:
        for _ in range(200):
            pair = drawn.draw(kind, chance, zorbel)
            assert all(word.strip() for word in (*pair.source, *pair.target))
            assert pair.links
            assert all(s < len(pair.source) and t < len(pair.target) for s, t, _ in pair.links)
            assert "{" not in "".join(pair.texts)
            assert keeps_digits(pair)


def test_months_and_days_are_translated_and_linked() -> None:
    chance, drawn = Random(2), phrases("en", "fr")
    for _ in range(300):
        pair = drawn.draw(chance.choice(("date", "when")), chance, zorbel)
        links = {(pair.source[s].strip(), pair.target[t].strip()) for s, t, _ in pair.links}
        for words in (MONTHS, WEEKDAYS):
            for english, french in zip(words["en"], words["fr"], strict=True):
                if english in {word.strip() for word in pair.source}:
                    assert any(french in target for source, target in links if source == english), pair
                    assert english not in pair.texts[1]


def test_the_first_of_a_month_is_premier_in_french_and_an_ordinal_in_english() -> None:
    chance, drawn = Random(3), phrases("en", "fr")
    found = [drawn.draw("when", chance, zorbel).texts for _ in range(3000)]
    firsts = [target for source, target in found if re.search(r"(?<!:)\b(1|1st)\b(?!:)", source)]
    assert firsts
    assert all("1er" in target for target in firsts)
    assert any("22nd" in source for source, _ in found)
    assert not any(re.search(r"\d(th|st|nd|rd)\b", target) for _, target in found)


def test_languages_without_phrases_have_none_and_train_without_them() -> None:
    assert Phrases.of(("en", "it")) is None
    assert Variation([CAT] * 50, ("en", "it"), VariationPart(labels=1, dates=1, letters=1)).epoch(1, 0)


def test_letters_dates_and_labels_join_an_epoch_by_their_shares() -> None:
    plain = Variation([CAT] * 100, ("en", "fr"), VariationPart(**UNVARIED)).epoch(1, 0)
    assert len(plain) == 100
    varied = Variation(
        [CAT] * 100, ("en", "fr"), VariationPart(**UNVARIED | {"dates": 0.5, "letters": 0.3, "labels": 0.2})
    )
    assert len(varied.epoch(1, 0)) == 200
    assert varied.epoch(1, 0) == varied.epoch(1, 0)


def test_what_is_made_of_phrases_keeps_the_cat() -> None:
    chance = Random(4)
    written = Written(phrases("en", "fr"), [CAT], lower=lambda pair: pair, inner=lambda pair: pair)
    made = [make(chance, zorbel) for make in (written.date, written.letter, written.label) for _ in range(200)]
    with_cat = [pair.texts for pair in made if "sleeps" in pair.texts[0].lower()]
    assert len(with_cat) > 50
    assert all("chat" in target.lower() for _, target in with_cat)
    assert any(re.match(r"Dear .*, The cat sleeps\.$", source) for source, _ in with_cat)
    assert all(s < len(pair.source) and t < len(pair.target) for pair in made for s, t, _ in pair.links)


def test_nouns_have_the_articles_of_their_gender() -> None:
    nouns = {noun["en"]: forms(noun) for noun in read_nouns()}
    assert len(nouns) > 200
    app, router, loudspeaker = nouns["app"], nouns["router"], nouns["loudspeaker"]
    assert [app[slot]["fr"] for slot in ("the", "a", "this", "my")] == ["l'", "une ", "cette ", "mon "]
    assert [router[slot]["fr"] for slot in ("the", "a", "this", "my")] == ["le ", "un ", "ce ", "mon "]
    assert loudspeaker["the"]["fr"] == "le "
    assert nouns["delivery"]["my"]["fr"] == "ma "
    assert [router[f"{case}the"]["de"] for case in ("", "accusative_")] == ["der ", "den "]
    assert [app[f"{case}the"]["de"] for case in ("", "accusative_")] == ["die ", "die "]
    assert [app["a"]["en"], router["a"]["en"], nouns["user"]["a"]["en"]] == ["an ", "a ", "a "]
    assert all(found["thing"][language].strip() for found in nouns.values() for language in LANGUAGES)


def test_months_are_no_names_that_another_may_stand_for() -> None:
    april = LinkedPair(("In", " April", "."), ("Im", " April", "."), ((0, 0, SURE), (1, 1, SURE), (2, 2, SURE)))
    tom = LinkedPair(("With", " Tom", "."), ("Mit", " Tom", "."), ((0, 0, SURE), (1, 1, SURE), (2, 2, SURE)))
    variation = Variation([april, tom] * 100, ("en", "de"), VariationPart(**UNVARIED | {"exchanged": 1.0}))
    found = [pair.texts[0] for pair in variation.epoch(1, 0)]
    assert sum("April" in text for text in found) == 100
    assert sum("Tom" in text for text in found) < 50
