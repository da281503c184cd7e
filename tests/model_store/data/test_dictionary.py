"""Translations of single words: whole ones, found often enough, of words that mean something by themselves."""

from __future__ import annotations

from collections import Counter
from random import Random

from model_store.data.dictionary import Dictionary
from model_store.data.linked import HALF, SURE, LinkedPair


def pair(source: str, target: str, sure: str, half: str = "") -> LinkedPair:
    """Words between spaces; links are `0-0 1-2`."""
    links = [
        (int(s), int(t), strength)
        for text, strength in ((sure, SURE), (half, HALF))
        for s, t in (link.split("-") for link in text.split())
    ]
    first, *more = target.split()
    return LinkedPair(tuple(source.split()), (first, *(f" {word}" for word in more)), tuple(links))


PAIRS = [
    pair("Goodbye Tom", "Au revoir Tom", "0-1 1-2", "0-0"),
    pair("Goodbye friend", "Au revoir ami", "0-1 1-2"),
    pair("The cat sleeps", "Le chat dort", "0-0 1-1 2-2"),
    pair("A cat sleeps", "Un chat dort", "0-0 1-1 2-2"),
    pair("No cat sleeps", "Aucun chat dort", "0-0 1-1 2-2"),
    pair("No cat sleeps", "Aucun chat dort", "0-0 1-1 2-2"),
    pair("3 friend", "3 ami", "0-0 1-1"),
    pair("3 friend", "3 ami", "0-0 1-1"),
]


def test_a_translation_is_found_twice_and_is_all_letters() -> None:
    assert set(Dictionary(PAIRS, frozenset()).entries) == {
        ("cat", "chat"), ("sleeps", "dort"), ("no", "aucun"), ("friend", "ami"),
    }  # fmt: skip


def test_words_of_without_are_in_no_entry_on_either_side() -> None:
    assert set(Dictionary(PAIRS, {"no", "dort"}).entries) == {("cat", "chat"), ("friend", "ami")}


def test_a_part_of_a_longer_translation_is_none_and_a_word_beside_another_word_s_is_one() -> None:
    entries = Dictionary(PAIRS, frozenset()).entries
    assert ("goodbye", "revoir") not in entries
    assert ("sleeps", "dort") in entries  # `chat` stands before it each time, and means `cat`


def test_two_words_that_stand_together_often_enough_are_one_translation() -> None:
    found = [pair("Goodbye Tom", "Au revoir Tom", "0-1 1-2"), pair("Goodbye", "Au revoir", "0-1")]
    assert ("goodbye", "au revoir") in Dictionary(found * 4, {"au"}).entries
    assert not {entry for entry in Dictionary(found * 3, {"au"}).entries if entry[0] == "goodbye"}


def test_a_part_of_three_words_is_in_no_entry() -> None:
    found = [pair("Now", "Tout de suite", "0-1"), pair("Now", "Tout de suite", "0-1")]
    assert Dictionary(found * 9, frozenset()).entries == []


def test_a_translation_that_is_rare_among_a_word_s_links_is_left_out() -> None:
    often, seldom = pair("cat", "chat", "0-0"), pair("cat", "bête", "0-0")
    assert Dictionary([often] * 9 + [seldom] * 2, frozenset()).entries == [("cat", "chat")]
    assert set(Dictionary([often] * 8 + [seldom] * 2, frozenset()).entries) == {("cat", "chat"), ("cat", "bête")}


def test_a_frequent_entry_is_drawn_more_often_by_the_root_of_its_count() -> None:
    dictionary = Dictionary([pair("cat", "chat", "0-0")] * 36 + [pair("dog", "chien", "0-0")] * 4, frozenset())
    chance = Random(1)
    drawn = Counter(dictionary.draw(chance) for _ in range(4000))
    assert abs(drawn["cat", "chat"] / 4000 - 0.75) < 0.03
