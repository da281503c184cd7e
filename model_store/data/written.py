"""Pairs made of the phrases of `phrases.tsv`: dates, letters, labels, messages, things, places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from model_store.data import entities
from model_store.data.changes import capitalised, ended_without, titled, with_end, without_end
from model_store.data.linked import SURE, LinkedPair, join
from model_store.data.phrases import Phrases, Put

Change = Callable[[LinkedPair], LinkedPair]
WHERE = 0.4
"""Of what is put behind a pair, the share that says where, not when."""
BEHIND = 0.6
"""Of pairs about places, the share whose place stands behind a pair of the corpus."""
LOWER, TITLE = 0.12, 0.05
"""Shares of dates, beginnings and labels whose source is in lower case, and in capitals at each word."""


class Written:
    """Makes pairs of phrases and of the corpus's `pairs`."""

    def __init__(self, phrases: Phrases, pairs: Sequence[LinkedPair], *, lower: Change, inner: Change) -> None:
        """`lower` brings a source to lower case; `inner` takes the capital away that a pair has as a beginning."""
        self._phrases, self._pairs = phrases, pairs
        self._lower, self._inner = lower, inner

    def date(self, chance: Random, put: Put) -> LinkedPair:
        """A date alone, or a pair with one or with a place (an address, a room), mostly behind it."""
        if chance.random() < 0.4:
            return self._cased(self._phrases.draw("date", chance, put), chance)
        pair, when = self._any(chance), self._phrases.draw("where" if chance.random() < WHERE else "when", chance, put)
        if chance.random() < 0.25:
            return join([capitalised(when), self._inner(pair)], (",", ","))
        return self._behind(pair, when, chance)

    def _behind(self, pair: LinkedPair, where: LinkedPair, chance: Random) -> LinkedPair:
        """`pair` with something before its final sign; alone where it has but that."""
        bare, *ends = without_end(pair)
        if not bare.source or not bare.target:
            return pair
        return self._cased(with_end(join([bare, where]), *ends), chance)

    def letter(self, chance: Random, put: Put) -> LinkedPair:
        """A beginning or an end alone, a beginning before a pair, an end behind one or before a name."""
        place = chance.random()
        if place < 0.6:
            opening = self._phrases.draw("opening", chance, put)
            if place < 0.3:
                return self._cased(opening, chance)
            pair = self._any(chance)
            return join([opening, self._inner(pair) if chance.random() < 0.6 else pair])
        closing = self._phrases.draw("closing", chance, put)
        if place < 0.7:
            return join([self._any(chance), closing])
        if place < 0.85:
            name = entities.called(chance)
            return join([closing, LinkedPair((name,), (name,), ((0, 0, SURE),))])
        return closing if place < 0.93 else ended_without(closing, ",")

    def label(self, chance: Random, put: Put) -> LinkedPair:
        """A label as it stands, in lower case, or with more capitals."""
        return self._cased(self._phrases.draw("label", chance, put), chance)

    def message(self, chance: Random, put: Put) -> LinkedPair:
        """A sentence of a program, a shop or an e-mail, also without its end or behind the beginning of a letter."""
        kind, message = chance.random(), self._phrases.draw("message", chance, put)
        if kind < 0.25:
            return self._cased(without_end(message)[0], chance)
        if kind < 0.4:
            return join([self._phrases.draw("opening", chance, put), message])
        if kind < 0.5:
            return join([message, self._any(chance)])
        return self._cased(message, chance)

    def thing(self, chance: Random, put: Put) -> LinkedPair:
        """A thing that corpora hardly speak of, by itself or in a sentence, also without its end."""
        thing = capitalised(self._phrases.draw("thing", chance, put))
        return self._cased(without_end(thing)[0] if chance.random() < 0.15 else thing, chance)

    def place(self, chance: Random, put: Put) -> LinkedPair:
        """A country, a city or a language, by itself, in a sentence of its own or behind a pair; or a sentence without
        its end."""
        if chance.random() < BEHIND:
            return self._behind(self._any(chance), self._phrases.draw("inplace", chance, put), chance)
        place = capitalised(self._phrases.draw("place", chance, put))
        return self._cased(without_end(place)[0] if chance.random() < 0.15 else place, chance)

    def _any(self, chance: Random) -> LinkedPair:
        return self._pairs[chance.randrange(len(self._pairs))]

    def _cased(self, pair: LinkedPair, chance: Random) -> LinkedPair:
        kind = chance.random()
        if kind < LOWER:
            return self._lower(pair)
        return titled(pair) if kind > 1 - TITLE else pair
