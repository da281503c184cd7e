"""Pairs with quotation marks, brackets and slashes inside: a corpus of short sentences has hardly any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from model_store.contract.quotation import MARKS
from model_store.data.changes import MARKS as SIGN
from model_store.data.changes import SignPairs, begun, capitalised, counterpart, enclosed, with_end, without_end
from model_store.data.frames import BARE, TERM, filled, hole_of
from model_store.data.linked import SURE, LinkedPair, join

FRAMES, ENCLOSED, ASIDE = 0.45, 0.3, 0.2
"""Shares of frames, of phrases between signs, and of things in brackets behind a pair; the rest are slashes."""
QUOTED = 0.6
"""Of phrases between signs, the share in quotation marks; others are in brackets."""
MOST_WORDS = 14
"""Longest sentence in a frame."""
BRACKETS = ("(", ")")
SQUARE = ("[", "]")
ENDS = (".", "!", "?")


class Signs:
    """Makes pairs with signs inside, of a corpus's `pairs`, its `terms` and the `frames`."""

    def __init__(
        self,
        pairs: Sequence[LinkedPair],
        terms: Sequence[LinkedPair],
        frames: Sequence[LinkedPair],
        languages: tuple[str, str],
    ) -> None:
        self._pairs, self._terms, self._frames = pairs, terms, frames
        source, target = (MARKS.get(language, MARKS["en"]) for language in languages)
        self.marks: SignPairs = source, target
        """The quotation marks of both languages."""
        self._makers: tuple[tuple[float, Callable[[Random], LinkedPair | None]], ...] = (
            (FRAMES, self._framed),
            (ENCLOSED, self._enclosed),
            (ASIDE, self._with_aside),
            (1.0, self._slashed),
        )

    def draw(self, chance: Random) -> LinkedPair | None:
        """A pair with signs; None where what was drawn does not allow it."""
        share = chance.random()
        for most, make in self._makers:
            if share < most:
                return make(chance)
            share -= most
        return None

    def _framed(self, chance: Random) -> LinkedPair | None:
        if not self._frames:
            return None
        frame = chance.choice(self._frames)
        hole = hole_of(frame)
        content = self._term(chance) if hole == TERM else self._said(chance, bare=hole == BARE)
        return filled(frame, content) if content is not None else None

    def _term(self, chance: Random) -> LinkedPair | None:
        if not self._terms:
            return None
        term = chance.choice(self._terms)
        return capitalised(term) if chance.random() < 0.4 else term

    def _said(self, chance: Random, bare: bool) -> LinkedPair | None:
        """A sentence as somebody says it."""
        pair = chance.choice(self._pairs)
        inside, *ends = without_end(pair)
        if ends[0] not in ENDS or ends[0] != ends[1] or len(pair.source) > MOST_WORDS or _has_signs(pair):
            return None
        if not inside.source or not inside.target or (bare and ends[0] != "."):
            return None
        return inside if bare else pair

    def _enclosed(self, chance: Random) -> LinkedPair | None:
        """A pair with a phrase of it between quotation marks or brackets."""
        pair = chance.choice(self._pairs)
        size = chance.choice((1, 1, 2, 2, 3, 4))
        if len(pair.source) < size + 2 or _has_signs(pair):
            return None
        start = chance.randrange(len(pair.source) - size)
        found = counterpart(pair, start, start + size)
        if found is None:
            return None
        brackets = SQUARE if chance.random() < 0.15 else BRACKETS
        signs = self.marks if chance.random() < QUOTED else (brackets, brackets)
        return enclosed(pair, (start, start + size), found, signs)

    def _with_aside(self, chance: Random) -> LinkedPair | None:
        """A term, or a sentence, in brackets behind a pair or a term; or in front of it."""
        aside = self._said(chance, bare=False) if chance.random() < 0.3 else self._term(chance)
        if aside is None:
            return None
        is_sentence = without_end(aside)[1] != ""
        brackets = SQUARE if chance.random() < 0.15 else BRACKETS
        inside = enclosed(aside, (0, len(aside.source)), (0, len(aside.target)), (brackets, brackets))
        pair = self._term(chance) if chance.random() < 0.3 else chance.choice(self._pairs)
        if pair is None or _has_signs(pair):
            return None
        if is_sentence or chance.random() < 0.1:
            return join([pair, inside] if chance.random() < 0.8 else [inside, pair])
        bare, *ends = without_end(pair)
        return with_end(join([bare, inside]), *ends) if bare.source and bare.target else None

    def _slashed(self, chance: Random) -> LinkedPair | None:
        """Two terms with a slash between them, alone or behind a pair."""
        one, other = self._term(chance), self._term(chance)
        if one is None or other is None:
            return None
        links = [*one.links, (len(one.source), len(one.target), SURE)]
        links += [(s + len(one.source) + 1, t + len(one.target) + 1, strength) for s, t, strength in other.links]
        return LinkedPair(
            (*one.source, "/", *begun(other.source)), (*one.target, "/", *begun(other.target)), tuple(links)
        )


def _has_signs(pair: LinkedPair) -> bool:
    """Whether there are signs inside a pair, other than commas and apostrophes."""
    inner = [*pair.source[:-1], *pair.target[:-1]]
    return any(SIGN.fullmatch(word.strip()) and word.strip() not in {",", "'"} for word in inner)
