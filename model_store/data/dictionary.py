"""One-word translations that an aligner found often enough to be taken for phrases of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from itertools import accumulate
from random import Random

from model_store.data.linked import SURE, LinkedPair

MIN_COUNT, MIN_SHARE = 2, 0.2
"""A word's translations are those that the aligner found this often, and in this share of the word's links."""
MAX_SHARE_OF_A_NEIGHBOUR = 0.75
"""A translation that more often has one and the same neighbour, linked to no other word, is a part of a longer one:
*revoir* of *au revoir*, *soir* of *ce soir* for *tonight*. Articles stand beside many nouns, but less often."""


class Dictionary:
    """Words of the source language with words of the target language, in lower case."""

    def __init__(self, pairs: Sequence[LinkedPair], without: Set[str]) -> None:
        """Count the sure links of `pairs`; words of `without` are in no entry (*no* is seldom *pas*)."""
        found: Counter[tuple[str, str]] = Counter()
        linked: Counter[str] = Counter()
        beside: Counter[tuple[str, str, int, str]] = Counter()
        for pair in pairs:
            words = [word.strip().lower() for word in pair.target]
            owners: dict[int, set[int]] = {}
            for s, t, _ in pair.links:
                owners.setdefault(t, set()).add(s)
            for s, t, strength in pair.links:
                if strength != SURE:
                    continue
                entry = pair.source[s].strip().lower(), words[t]
                found[entry] += 1
                linked[entry[0]] += 1
                for side in (-1, 1):
                    if 0 <= t + side < len(words) and owners.get(t + side, set()) <= {s}:
                        beside[(*entry, side, words[t + side])] += 1
        parts = {key[:2] for key, count in beside.items() if count > MAX_SHARE_OF_A_NEIGHBOUR * found[key[:2]]}
        self.entries = [
            entry
            for entry, count in found.items()
            if count >= max(MIN_COUNT, MIN_SHARE * linked[entry[0]])
            and "".join(entry).isalpha()
            and entry not in parts
            and not without & {*entry}
        ]
        self._weights = list(accumulate(found[entry] ** 0.5 for entry in self.entries))

    def draw(self, chance: Random) -> tuple[str, str]:
        """A word and its translation, frequent ones more often (by the root of their count). Needs an entry."""
        return chance.choices(self.entries, cum_weights=self._weights)[0]
