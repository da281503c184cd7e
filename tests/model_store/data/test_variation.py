"""Pairs in other forms: links stay right, numbers too, and the same epoch is the same."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest

from model_store.contract.placeholders import PLACEHOLDERS, TIME
from model_store.data import entities
from model_store.data.changes import cut, keeps_digits, mistyped, protected, shouted, titled, unpunctuated, wrapped
from model_store.data.linked import SURE, LinkedPair
from model_store.data.shares import VariationPart
from model_store.data.variation import Variation
from tests.model_store.data.unvaried import UNVARIED

EVERYTHING = VariationPart(
    joined=0.5, exchanged=0.6, unpunctuated=0.5, lower=0.4, title=0.3, wrapped=0.4, mistyped=0.3, shouted=0.3,
    phrases=1.0, lists=0.3,
)  # fmt: skip


def pair(source: str, target: str, links: str) -> LinkedPair:
    """Words after a space carry it; links are `0-0 1-2`, all sure."""
    found = tuple((int(a), int(b), SURE) for a, b in (link.split("-") for link in links.split()))
    return LinkedPair(
        tuple(re.findall(r" ?[\w']+| ?[^\w\s]", source)), tuple(re.findall(r" ?[\w']+| ?[^\w\s]", target)), found
    )


MARKS = (('"', '"'), ("\u00ab ", " \u00bb"))
CAT = pair("The black cat sleeps.", "Le chat noir dort.", "0-0 1-2 2-1 3-3 4-4")
PAIRS = [
    CAT,
    pair("I saw Tom in Boston.", "J' ai vu Tom à Boston.", "0-0 1-2 2-3 3-4 4-5 5-6"),
    pair("He has 35 books.", "Il a 35 livres.", "0-0 1-1 2-2 3-3 4-4"),
    pair("We like small dogs.", "Nous aimons les petits chiens.", "0-0 1-1 2-3 3-4 4-5"),
] * 30


@pytest.fixture(scope="module")
def variation() -> Variation:
    return Variation(PAIRS, ("en", "fr"), EVERYTHING)


def test_links_of_every_variation_name_words_that_are_there(variation: Variation) -> None:
    for epoch in range(5):
        for found in variation.epoch(1, epoch):
            assert found.source
            assert found.target
            assert all(s < len(found.source) and t < len(found.target) for s, t, _ in found.links)
            assert all(word.strip() for word in (*found.source, *found.target))


def test_placeholders_and_numbers_stand_on_both_sides_alike(variation: Variation) -> None:
    seen = 0
    for found in variation.epoch(1, 0):
        source, target = found.texts
        kept = [[c for c in text if c in PLACEHOLDERS] for text in (source, target)]
        assert sorted(kept[0]) == sorted(kept[1])
        assert keeps_digits(found)
        seen += bool(kept[0])
    assert seen > 10


def test_times_of_a_corpus_become_placeholders_of_their_kind_on_both_sides() -> None:
    at = LinkedPair(("By", " 2:30", "."), ("Bis", " 2.30", " Uhr", "."), ((0, 0, SURE), (1, 1, SURE), (2, 3, SURE)))
    found = protected(at, Random(1))
    sign = found.source[1].strip()
    assert sign in TIME
    assert found.target == ("Bis", f" {sign}", " Uhr", ".")
    other = LinkedPair(at.source, ("Bis", " 3.30", " Uhr", "."), at.links)
    assert protected(other, Random(1)) == other


def test_the_same_epoch_is_the_same_and_another_is_another(variation: Variation) -> None:
    assert variation.epoch(1, 3) == variation.epoch(1, 3)
    assert variation.epoch(1, 3) != variation.epoch(1, 4)
    assert variation.epoch(2, 3) != variation.epoch(1, 3)


def test_names_are_words_with_a_capital_wherever_they_stand(variation: Variation) -> None:
    assert variation.names == {"Tom", "Boston"}


def test_pairs_that_change_a_number_are_left_out() -> None:
    wrong = pair("At 6 pm.", "À 18 h.", "0-0 1-1 2-2 3-3")
    assert Variation([CAT, wrong], ("en", "fr"), VariationPart()).pairs == [CAT]


def test_single_forms_of_a_pair() -> None:
    chance = Random(1)
    assert unpunctuated(CAT).texts == ("The black cat sleeps", "Le chat noir dort")
    assert unpunctuated(pair("!", "!", "0-0")).texts == ("!", "!")
    assert titled(CAT).texts == ("The Black Cat Sleeps", "Le chat noir dort")
    assert any(word.isupper() for i in range(9) for word in shouted(CAT, Random(i)).target)
    assert all(wrapped(CAT, Random(i), MARKS).links for i in range(20))
    assert any(mistyped(CAT, Random(i)).source != CAT.source for i in range(20))
    assert mistyped(CAT, chance).target == CAT.target


def test_a_phrase_is_cut_only_where_no_link_leaves_it() -> None:
    found = cut(CAT, 1, 3)
    assert found is not None
    assert found.texts == ("black cat", "chat noir")
    assert found.links == ((0, 1, SURE), (1, 0, SURE))
    assert cut(pair("a b c", "x y z", "0-0 2-0 1-1 2-2"), 0, 2) is None
    assert cut(CAT, 3, 5) is None  # punctuation is in no phrase


def test_newest_sentences_are_drawn_more_often() -> None:
    old, term, new = (pair(text, text, "0-0") for text in ("An old one .", "a term", "A new and longer one ."))
    part = VariationPart(**UNVARIED, sentences=2, terms=4, newest=2, newest_factor=3)
    drawn = Variation([CAT], ("en", "fr"), part, [old, term, new]).epoch(1, 0)
    counts = Counter(found.texts[0] for found in drawn)
    assert counts == {"The black cat sleeps.": 1, "An old one .": 4, "a term": 12, "A new and longer one .": 6}


def test_a_term_keeps_its_words_and_stands_by_itself() -> None:
    umbrella = pair("broken umbrella", "parapluie cassé", "0-1 1-0")
    part = VariationPart(**{**UNVARIED, "joined": 0.5, "exchanged": 0.6})
    drawn = Variation([CAT, umbrella] * 50, ("en", "fr"), part).epoch(1, 0)
    terms = [found for found in drawn if "umbrella" in found.texts[0]]
    assert len(terms) == 50
    assert all(
        "broken umbrella" in source and "parapluie cassé" in target for source, target in (t.texts for t in terms)
    )
    assert {found.texts for found in terms} > {umbrella.texts}  # something stands beside others
    sentences = [found for found in drawn if "umbrella" not in found.texts[0]]
    assert any("black" not in found.texts[0] for found in sentences)
    assert any(len(found.source) > 2 * len(CAT.source) for found in sentences)


@pytest.mark.parametrize(
    ("languages", "spaced"), [(("en", "fr"), (0, 1)), (("fr", "de"), (1, 0)), (("de", "en"), (0, 0))]
)
def test_parts_are_joined_by_a_semicolon_as_each_language_spaces_it(
    languages: tuple[str, str], spaced: tuple[int, int]
) -> None:
    variation = Variation(PAIRS, languages, VariationPart(joined=1.0))
    drawn = [pair for epoch in range(5) for pair in variation.epoch(1, epoch)]
    for side in (0, 1):
        semicolons = [found.texts[side] for found in drawn if ";" in found.texts[side]]
        assert semicolons
        assert {" ;" in text for text in semicolons} == {bool(spaced[side])}


def test_entities_are_what_their_names_say() -> None:
    chance = Random(7)
    for _ in range(300):
        assert re.search(r"\d", entities.number(chance))
        assert entities.called(chance).strip()
        assert re.fullmatch(r"\d{1,2}:\d\d", entities.time(chance))
        assert re.fullmatch(r"\d+", entities.integer(chance))


def test_chats_run_on_without_capitals_or_punctuation() -> None:
    plain = dict.fromkeys(("exchanged", "mistyped", "shouted", "wrapped", "unpunctuated", "title"), 0.0)
    variation = Variation(PAIRS, ("en", "fr"), VariationPart(joined=1.0, **plain))
    found = {pair.texts[0] for epoch in range(30) for pair in variation.epoch(1, epoch)}
    assert found & {"he has 35 books we like small dogs", "we like small dogs he has 35 books"}
