"""Which source words of a training text a bundle knows."""

from __future__ import annotations

from model_store.contract.known_words import KnownWords
from model_store.data.corpus import ParallelText
from model_store.export.known_words import FREQUENT_NAME, rare_names

PAIRS = [
    ("Lindholm waits.", "Lindholm attend."),
    ("I saw Lindholm.", "J'ai vu Lindholm."),
    ("She is Maltese.", "Elle est maltaise."),
    ("The Maltese sing.", "Les Maltais chantent."),
    ("Frost is cold.", "Le gel est froid."),
    ("I read Frost.", "Je lis Frost."),
]


def text(pairs: list[tuple[str, str]]) -> ParallelText:
    sources, targets = zip(*pairs, strict=True)
    return ParallelText(list(sources), list(targets))


def test_rare_names_are_copied_words_that_never_stand_otherwise() -> None:
    found = rare_names(text(PAIRS), "en")
    assert "lindholm" in found
    assert not found & {"maltese", "frost", "she", "waits"}  # translated somewhere


def test_a_frequent_name_is_a_known_word() -> None:
    pairs = [("Mary is here.", "Mary est ici.")] * FREQUENT_NAME
    assert rare_names(text(pairs), "en") == set()
    assert rare_names(text(pairs[1:]), "en") == {"mary"}


def test_names_are_left_out_of_the_known_words() -> None:
    sources = [source for source, _ in PAIRS]
    known = KnownWords.of(sources, "en", rare_names(text(PAIRS), "en"))
    assert "Maltese" in known
    assert "Lindholm" not in known
    assert "Lindholm" in KnownWords.of(sources, "en")
