"""Marks of formality behind training pairs."""

from __future__ import annotations

from random import Random

from model_store.contract.formality import FORMALITY_MARKS
from model_store.data.formality import NEUTRAL, marked
from model_store.data.linked import SURE, LinkedPair

FORMAL = LinkedPair(("Do", " you", " know", "?"), ("Wissen", " Sie", "?"), ((1, 1, SURE), (2, 0, SURE), (3, 2, SURE)))
INFORMAL = LinkedPair(FORMAL.source, ("Weißt", " du", "?"), FORMAL.links)
NEITHER = LinkedPair(("It", " rains", "."), ("Es", " regnet", "."), ((0, 0, SURE), (1, 1, SURE), (2, 2, SURE)))


def test_a_mark_says_what_the_target_does_and_nothing_else_changes() -> None:
    for pair, name in ((FORMAL, "formal"), (INFORMAL, "informal")):
        (found,) = marked([pair], ("en", "de"), 1.0, Random(1))
        assert found.source == (*pair.source, FORMALITY_MARKS[name])  # type: ignore[index]
        assert (found.target, found.links) == (pair.target, pair.links)


def test_as_many_pairs_are_marked_as_asked_for_and_few_that_address_nobody() -> None:
    found = marked([FORMAL, NEITHER] * 5000, ("en", "de"), 0.5, Random(1))
    shares = [sum(pair.source[-1] in FORMALITY_MARKS.values() for pair in found[first::2]) / 5000 for first in (0, 1)]
    assert abs(shares[0] - 0.5) < 0.03
    assert abs(shares[1] - 0.5 * NEUTRAL) < 0.01


def test_the_same_chance_gives_the_same_pairs() -> None:
    assert marked([FORMAL] * 50, ("en", "de"), 0.5, Random(3)) == marked([FORMAL] * 50, ("en", "de"), 0.5, Random(3))
