"""Which of many hints a text has, strings without which a rule finds nothing: most texts have none of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Gram = tuple[str, str, str]
"""Three code points in a row."""
GRAM = 3
RANKS = {letter: rank for rank, letter in enumerate(" etainosrluhdcmpg")}
"""Frequent letters, the most frequent first."""
MOST_TEXTS = 16
"""Texts whose grams are kept: many tables look at one text, one after the other."""


class Hints:
    """Hints by the rarest gram of each: looking up a text takes no longer with a thousand of them than with ten."""

    def __init__(self, hints: Sequence[str]) -> None:
        """The number of a hint is its place in `hints`."""
        self.all = tuple(hints)
        self._of_grams: dict[Gram, list[int]] = {}
        for number, hint in enumerate(self.all):
            if len(hint) >= GRAM:
                self._of_grams.setdefault(max(_grams(hint), key=_rarity), []).append(number)
        self._grams = frozenset(self._of_grams)
        self._short = [number for number, hint in enumerate(self.all) if len(hint) < GRAM]
        self._short_hints = [self.all[number] for number in self._short]

    def found_in(self, text: str) -> list[int]:
        """The numbers of the hints that `text` has, in order."""
        found = list(self._short)
        for gram in self._grams & _grams(text):
            found += self._of_grams[gram]
        return [number for number in sorted(found) if self.all[number] in text]

    def are_in(self, text: str) -> bool:
        """Whether `text` has one of them."""
        if any(map(text.__contains__, self._short_hints)):
            return True
        return not self._grams.isdisjoint(_grams(text)) and bool(self.found_in(text))


@lru_cache(MOST_TEXTS)
def _grams(text: str) -> frozenset[Gram]:
    return frozenset(zip(text, text[1:], text[2:], strict=False))  # a third quicker than slices


def _rarity(gram: Gram) -> tuple[int, Gram]:
    return sum(RANKS.get(letter, len(RANKS)) for letter in gram), gram
