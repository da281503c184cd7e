"""Pairs with quotation marks, brackets and slashes inside: signs on both sides alike, links that stay right."""

from __future__ import annotations

import csv
from importlib.resources import files
from itertools import permutations
from random import Random

import pytest

from model_store.contract.normalisation import normalise
from model_store.contract.quotation import with_own_quotation_marks
from model_store.data.changes import enclosed
from model_store.data.frames import HOLES, filled, hole_of, read_frames
from model_store.data.linked import SURE, LinkedPair, spaced_words
from model_store.data.signs import Signs

LANGUAGES = ("en", "fr", "de")
CAT = LinkedPair(
    ("The", " black", " cat", " sleeps", "."),
    ("Le", " chat", " noir", " dort", "."),
    ((0, 0, SURE), (1, 2, SURE), (2, 1, SURE), (3, 3, SURE), (4, 4, SURE)),
)
TERM = LinkedPair(("deadline",), ("d\u00e9lai",), ((0, 0, SURE),))


def linked(source: str, target: str) -> LinkedPair:
    """A pair whose words are linked in order."""
    words = spaced_words(source, "en"), spaced_words(target, "fr")
    return LinkedPair(*words, tuple((i, i, SURE) for i in range(min(map(len, words)))))


FRAME = linked('The word "\ue012" is long.', "Le mot \u00ab \ue012 \u00bb est long.")
SAID = linked('"\ue011," she said.', "\u00ab \ue011 \u00bb, dit-elle.")


def links_of(pair: LinkedPair) -> set[tuple[str, str]]:
    return {(pair.source[s].strip(), pair.target[t].strip()) for s, t, _ in pair.links}


@pytest.mark.parametrize("languages", list(permutations(LANGUAGES, 2)))
def test_every_frame_has_one_hole_alike_in_both_languages(languages: tuple[str, str]) -> None:
    frames = read_frames(languages)
    assert len(frames) > 400
    for text, other in zip(frames.sources, frames.targets, strict=True):
        holes = [[c for c in side if c in HOLES.values()] for side in (text, other)]
        assert holes[0] == holes[1]
        assert len(holes[0]) == 1


def test_frames_have_the_quotation_marks_of_their_languages() -> None:
    text = files("model_store.data").joinpath("frames.tsv").read_text(encoding="utf-8")
    for line in csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE):
        for language in LANGUAGES:
            assert with_own_quotation_marks(normalise(line[language]), language) == line[language]


def test_no_frames_for_languages_that_the_file_lacks() -> None:
    assert len(read_frames(("en", "it"))) == 0


def test_a_frame_takes_its_content_with_the_spaces_and_links_of_both() -> None:
    found = filled(FRAME, TERM)
    assert found.texts == ('The word "deadline" is long.', "Le mot \u00ab d\u00e9lai \u00bb est long.")
    assert links_of(found) == {
        ("The", "Le"), ("word", "mot"), ('"', "\u00ab"), ("deadline", "d\u00e9lai"), ('"', "\u00bb"), ("is", "est"),
        ("long", "long"), (".", "."),
    }  # fmt: skip
    assert hole_of(found) is None


def test_signs_stand_round_words_that_are_not_in_the_same_order() -> None:
    found = enclosed(CAT, (1, 2), (2, 3), (('"', '"'), ("\u00ab ", " \u00bb")))
    assert found.texts == ('The "black" cat sleeps.', "Le chat \u00ab noir \u00bb dort.")
    assert links_of(found) == links_of(CAT) | {('"', "\u00ab"), ('"', "\u00bb")}


def test_what_is_drawn_has_signs_on_both_sides_and_links_of_words_that_are_there() -> None:
    signs = Signs([CAT] * 5, [TERM], [FRAME, SAID], ("en", "fr"))
    chance, texts = Random(1), set()
    for _ in range(600):
        found = signs.draw(chance)
        if found is None:
            continue
        assert all(s < len(found.source) and t < len(found.target) for s, t, _ in found.links)
        source, target = found.texts
        texts.add(source)
        assert with_own_quotation_marks(source, "en") == source
        assert with_own_quotation_marks(target, "fr") == target
        assert [source.count(sign) for sign in "([/"] == [target.count(sign) for sign in "([/"]
        assert source.count('"') == target.count("\u00ab") + target.count("\u00bb")
    assert {'The word "deadline" is long.', '"The black cat sleeps," she said.', "deadline/deadline"} <= texts
    assert any("(deadline)" in text for text in texts)
    assert any('"black"' in text for text in texts)


def test_nothing_is_drawn_of_nothing() -> None:
    signs = Signs([CAT], [], [], ("en", "fr"))
    found = [signs.draw(Random(seed)) for seed in range(50)]
    assert all(pair is None or pair.source != CAT.source for pair in found)
