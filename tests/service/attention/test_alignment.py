"""Links of copies: what was put in without the model is linked to where it came from."""

from __future__ import annotations

import numpy as np

from service.attention.alignment import Anchored, links, with_copies
from service.text.words import words


def anchored(text: str, language: str, start: int = 0) -> Anchored:
    return Anchored(text, start, tuple(words(text, language, start)))


def linked(source: str, target: str, links_: list[int], copies: list[str]) -> list[tuple[int, int]]:
    sides = anchored(source, "fr", 7), anchored(target, "en", 90)
    return links(with_copies(np.array(links_), *sides, copies))


def test_a_copy_without_a_link_gets_that_to_itself_and_other_links_stay() -> None:
    found = linked("Je suis heureux \u2764 ici", "I am happy \u2764 here", [0, 1, 2, -1, 4], ["\u2764"])
    assert found == [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4)]
    assert linked("a \u2764 b", "a \u2764 b", [0, 2, 2], ["\u2764"]) == [(0, 0), (2, 1), (2, 2)], "the model said so"


def test_copies_of_several_words_and_repeated_ones_are_linked_in_order() -> None:
    source, target = "#a, \u2764\u2600, #a", "\u2764\u2600: #a #a"
    found = linked(source, target, [-1] * len(anchored(target, "en").tokens), ["#a", "\u2764\u2600", "#a"])
    texts = (
        [token.text for token in anchored(source, "fr").tokens],
        [token.text for token in anchored(target, "en").tokens],
    )
    assert [(texts[0][s], texts[1][t]) for s, t in found if texts[0][s] not in "#,"] == [
        ("\u2764", "\u2764"), ("\u2600", "\u2600"), ("a", "a"), ("a", "a"),
    ]  # fmt: skip
    firsts = [s for s, t in found if texts[1][t] == "a"]
    assert firsts == sorted(set(firsts))


def test_a_copy_that_is_a_part_of_another_is_found_behind_it() -> None:
    text, copies = "info@example.org on example.org", ["info@example.org", "example.org"]
    tokens = anchored(text, "fr").tokens
    expected = [(n, n) for n, token in enumerate(tokens) if token.text != "on"]
    assert linked(text, text, [-1] * len(tokens), copies) == expected


def test_a_copy_that_is_not_there_has_no_link() -> None:
    assert linked("1,5 a", "1.5 a", [-1, 1], ["1,5"]) == [(1, 1)]
    assert linked("a", "a", [0], []) == [(0, 0)]
