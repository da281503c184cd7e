"""Translations of single words that an aligner found often enough to be taken for phrases of their own."""

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
*revoir* of *au revoir*, *soir* of *ce soir* for *tonight*. Both words are the translation then. Articles stand beside
many nouns, but less often."""
MIN_COUNT_OF_TWO = 8
"""Two words are a translation when they were found this often: a seldom word may have met one article only."""
Entry = tuple[str, str]
"""A source word and its translation, in lower case."""


class Dictionary:
    """Words of the source language with one or two words of the target language, in lower case."""

    def __init__(self, pairs: Sequence[LinkedPair], without: Set[str]) -> None:
        """Count the sure links of `pairs`. Words of `without` have no entry and end none (*no* is seldom *pas*)."""
        found: Counter[Entry] = Counter()
        linked: Counter[str] = Counter()
        beside: Counter[tuple[Entry, int, str]] = Counter()
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
                        first = min(t, t + side)
                        both = "".join(pair.target[first : first + 2]).strip().lower()
                        beside[entry, side, both] += 1
        parts = _parts(found, beside)
        counts: Counter[Entry] = Counter()
        for entry, count in found.items():
            chosen = entry[0], *parts.get(entry, entry[1]).split(" ")
            is_found = count >= max(MIN_COUNT, MIN_SHARE * linked[entry[0]])
            is_frequent = entry[0] in without or chosen[-1] in without  # `mot de` is a part of `mot de passe`
            if is_found and all(map(str.isalpha, chosen)) and not is_frequent:
                counts[entry[0], " ".join(chosen[1:])] += count
        self.entries = list(counts)
        self._weights = list(accumulate(count**0.5 for count in counts.values()))

    def draw(self, chance: Random) -> Entry:
        """A word and its translation, frequent ones more often (by the root of their count). Needs an entry."""
        return chance.choices(self.entries, cum_weights=self._weights)[0]


def _parts(found: Counter[Entry], beside: Counter[tuple[Entry, int, str]]) -> dict[Entry, str]:
    """The entries that are a part of a longer translation, with that; with nothing where it is seldom or has three
    words."""
    parts: dict[Entry, str] = {}
    for (entry, _, both), count in beside.items():
        if count > MAX_SHARE_OF_A_NEIGHBOUR * found[entry]:
            has_two = found[entry] >= MIN_COUNT_OF_TWO and entry not in parts
            parts[entry] = both if has_two else ""
    return parts
