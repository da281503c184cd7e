"""Training pairs as people write: the same pairs in other forms, drawn anew for each epoch.

Corpora of sentences are clean: capital letter, full stop, one sentence, few names. People type labels, lists and
headings, forget punctuation and capitals, and put in numbers and names of their own. Every variation is made on words
with their links, so that guided alignment goes on with each of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random

from model_store.contract.calendar import CALENDAR
from model_store.contract.placeholders import PLACEHOLDERS, take_placeholder
from model_store.data import entities
from model_store.data.changes import (
    capitalised,
    cut,
    dressed,
    instead,
    is_content,
    keeps_digits,
    mistyped,
    one_to_one,
    protected,
    shouted,
    titled,
    unpunctuated,
    with_end,
    without_end,
    wrapped,
)
from model_store.data.dictionary import Dictionary
from model_store.data.frames import hole_of
from model_store.data.lengths import is_long, is_short, is_term
from model_store.data.linked import SURE, LinkedPair, WordLink, join
from model_store.data.phrases import Phrases
from model_store.data.shares import VariationPart
from model_store.data.signs import Signs
from model_store.data.written import Written

AND = {"en": "and", "fr": "et", "de": "und"}
SEMICOLON = {"fr": " ;"}
"""Where a language sets a space before it."""
MAX_JOINED_WORDS = 80
RUN_ON, MOST_RUN_ON = 0.25, 3
"""Share of joined pairs, of so many at most, that have neither capitals nor punctuation between them."""
ALWAYS_PROTECTED = (entities.code, entities.amount, entities.time, entities.address, entities.telephone)
PROTECTED = 0.8
"""Share of those that are placeholders: a server puts one in their place, see `service/text`."""
NUM_FREQUENT = 120
"""Words of both sides, the most frequent ones, that end no phrase."""


class Variation:
    """The variations of one corpus. The same seed and epoch give the same pairs."""

    def __init__(
        self,
        pairs: Sequence[LinkedPair],
        languages: tuple[str, str],
        part: VariationPart,
        sentences: Sequence[LinkedPair] = (),
    ) -> None:
        """Count what decides about case, names and one-word translations; pairs that change a number are left out.

        An epoch has each of the `sentences` as often as `part.sentences`, `part.terms` and `part.newest` say, and each
        of the `pairs` before them once.
        """
        self.part = part
        frames = [pair for pair in sentences if hole_of(pair)]
        sentences = [pair for pair in sentences if not hole_of(pair)]
        old = max(len(sentences) - part.newest, 0)
        times = [self._num_times(pair) * (part.newest_factor if i >= old else 1) for i, pair in enumerate(sentences)]
        kept = [(pair, often) for pair, often in zip(sentences, times, strict=True) if keeps_digits(pair)]
        pairs = [pair for pair in pairs if keeps_digits(pair)] + [pair for pair, _ in kept]
        self.pairs = pairs
        self._drawn = [*pairs, *(pair for pair, often in kept for _ in range(often - 1))]
        self.conjunctions = AND.get(languages[0], ","), AND.get(languages[1], ",")
        self._semicolons = SEMICOLON.get(languages[0], ";"), SEMICOLON.get(languages[1], ";")
        self._words: Counter[str] = Counter()
        same: Counter[str] = Counter()
        for pair in pairs:
            for side in (pair.source, pair.target):
                self._words.update(word.strip() for word in side[1:])
            for s, t, strength in pair.links:
                if strength == SURE:
                    source, target = pair.source[s].strip(), pair.target[t].strip()
                    if s and source == target and source[:1].isupper():
                        same[source] += 1
        self.names = frozenset(word for word in same if self._is_name(word))
        self._short = [pair for pair in pairs if is_short(pair)]
        self._frequent = {word for word, _ in self._words.most_common(NUM_FREQUENT)}
        self._dictionary = Dictionary(pairs, self._frequent)
        terms = [pair for pair in self._short if is_term(pair)]
        self._signs = Signs(pairs, terms, frames, languages)
        phrases = Phrases.of(languages)
        self._written = Written(phrases, pairs, lower=self._lower, inner=self._inner) if phrases else None

    def _num_times(self, sentence: LinkedPair) -> int:
        """How often an epoch has a sentence or term."""
        own = self.part.terms if is_short(sentence) else self.part.long_sentences if is_long(sentence) else 0
        return own or self.part.sentences

    def _is_name(self, word: str) -> bool:
        """Whether `word` is written with a capital wherever it stands."""
        return self._words[word] > self._words[word.lower()]

    def _may_go(self, word: str) -> bool:
        """Whether `word` is a name that another may stand for: no month and no day of the week."""
        return word in self.names and word.lower() not in CALENDAR

    def epoch(self, seed: int, epoch: int, num_parts: int = 1) -> list[LinkedPair]:
        """The pairs of one epoch, in no particular order; `num_parts` epochs on end draw each pair once."""
        chance, (number, part) = Random(f"{seed}/{epoch}"), divmod(epoch, num_parts)
        order = Random(f"{seed}/{number}").sample(range(len(self._drawn)), len(self._drawn))[part::num_parts]
        varied = [self._vary(self._drawn[i], chance) for i in order]
        terms = [pair for pair in varied if is_term(pair)]
        others = [pair for pair in varied if not is_term(pair)]
        num_joined = int(self.part.joined * len(others))
        groups = self._groups(others[:num_joined], chance)
        phrases = self._phrases(round(self.part.phrases * len(order)), chance)
        lists = [self._list(chance) for _ in range(round(self.part.lists * len(order)))]
        signs = [self._signs.draw(chance) for _ in range(round(self.part.signs * len(order)))]
        written = self._written_by_hand(len(order), chance)
        found = [pair for pair in (*lists, *signs) if pair]
        return [*groups, *others[num_joined:], *terms, *phrases, *found, *written]

    def _written_by_hand(self, num_pairs: int, chance: Random) -> list[LinkedPair]:
        """Dates, letters, labels, messages, things and places; none for languages that have no phrases."""
        if self._written is None:
            return []
        kinds = (
            (self.part.dates, self._written.date),
            (self.part.letters, self._written.letter),
            (self.part.labels, self._written.label),
            (self.part.messages, self._written.message),
            (self.part.things, self._written.thing),
            (self.part.places, self._written.place),
        )
        drawn = []
        for share, make in kinds:
            for _ in range(round(share * num_pairs)):
                unused = chance.sample(PLACEHOLDERS, len(PLACEHOLDERS))
                drawn.append(make(chance, partial(self._thing, chance, unused=unused)))
        return drawn

    # ---- one pair -----------------------------------------------------------------------------------------------

    def _vary(self, pair: LinkedPair, chance: Random) -> LinkedPair:
        part = self.part
        steps: tuple[tuple[float, Callable[[LinkedPair, Random], LinkedPair]], ...] = (
            (part.mistyped, mistyped),
            (PROTECTED * (part.exchanged > 0), protected),
            (part.exchanged, self._exchanged),
            (part.unpunctuated, lambda pair, _: unpunctuated(pair)),
            (part.capitalised, lambda pair, _: capitalised(pair)),
            (part.lower, lambda pair, _: self._lower(pair)),
            (part.title, lambda pair, _: titled(pair)),
            (part.shouted, shouted),
            (part.wrapped, partial(wrapped, marks=self._signs.marks)),
        )
        for share, step in steps:
            if chance.random() < share:
                pair = step(pair, chance)
        return pair

    def _plain_start(self, words: Sequence[str]) -> tuple[str, ...]:
        """`words` without the capital that only their place at the beginning gave."""
        first = words[0].strip()
        is_plain = first[:1].isupper() and not self._is_name(first) and self._words[first.lower()]
        return (words[0].lower() if is_plain else words[0], *words[1:])

    def _lower(self, pair: LinkedPair) -> LinkedPair:
        return replace(pair, source=tuple(map(str.lower, pair.source)), target=self._plain_start(pair.target))

    def _inner(self, pair: LinkedPair) -> LinkedPair:
        """`pair` as it stands within a sentence."""
        return replace(pair, source=self._plain_start(pair.source), target=self._plain_start(pair.target))

    def _exchanged(self, pair: LinkedPair, chance: Random) -> LinkedPair:
        """Something that both sides have alike gives way to something else; where nothing is, something is put in."""
        unused = chance.sample(PLACEHOLDERS, len(PLACEHOLDERS))
        alike = [link for link in one_to_one(pair) if self._is_alike(pair, link)]
        if alike and chance.random() < 0.8:
            chosen = alike
        else:
            words = [link for link in one_to_one(pair) if is_content(pair, link)]
            if not words or is_term(pair) or chance.random() < 0.35:  # a term is known by its words
                return self._put_in(pair, self._thing(chance, entities.anything, unused), chance)
            chosen = chance.sample(words, min(len(words), chance.choice((1, 1, 1, 2))))
        source, target = list(pair.source), list(pair.target)
        for s, t, _ in chosen[: len(unused)]:
            number = any(map(str.isdigit, source[s]))
            kind = entities.number if number else chance.choice((entities.called, entities.called, entities.anything))
            thing = self._thing(chance, kind, unused)
            source[s], target[t] = instead(source[s], thing), instead(target[t], thing)
        return LinkedPair(tuple(source), tuple(target), pair.links)

    def _thing(self, chance: Random, kind: entities.Kind, unused: list[str]) -> str:
        """Something of that kind, or a placeholder for it; of kinds that a server protects, mostly a placeholder."""
        thing = kind(chance)
        share = max(self.part.placeholder, PROTECTED * (kind in ALWAYS_PROTECTED))
        return take_placeholder(thing, unused) if unused and chance.random() < share else thing

    def _is_alike(self, pair: LinkedPair, link: WordLink) -> bool:
        word = pair.source[link[0]].strip()
        return word == pair.target[link[1]].strip() and (self._may_go(word) or any(map(str.isdigit, word)))

    def _put_in(self, pair: LinkedPair, thing: str, chance: Random) -> LinkedPair:
        """`thing` before or behind the pair, on both sides."""
        word = LinkedPair((thing,), (thing,), ((0, 0, SURE),))
        place = chance.random()
        if place < 0.25:
            return join([word, pair], chance.choice(((":", ":"), (",", ","), (".", "."), ("", ""))))
        if place < 0.6:
            return join([pair, word])
        bare, source_end, target_end = without_end(pair)
        before = chance.choice((("", ""), (":", ":"), (",", ","), (" -", " -")))
        joined = join([bare, word], before) if bare.source and bare.target else word
        return with_end(joined, source_end, target_end)

    # ---- several pairs ------------------------------------------------------------------------------------------

    def _groups(self, pairs: Sequence[LinkedPair], chance: Random) -> list[LinkedPair]:
        groups: list[LinkedPair] = []
        rest = list(pairs)
        while rest:
            size, chosen = chance.randint(2, 8), [rest.pop()]
            words = len(chosen[0].source)
            while rest and len(chosen) < size and words + len(rest[-1].source) <= MAX_JOINED_WORDS:
                chosen.append(rest.pop())
                words = sum(len(pair.source) for pair in chosen)
            groups.append(self._joined(chosen, chance))
        return groups

    def _joined(self, pairs: list[LinkedPair], chance: Random) -> LinkedPair:
        """`pairs` one after the other, half of them as one sentence with a sign or a word between its parts; a few as
        chats have them, in lower case with nothing between."""
        if 1 < len(pairs) <= MOST_RUN_ON and chance.random() < RUN_ON:
            return join([self._lower(unpunctuated(pair)) for pair in pairs])
        if len(pairs) < 2 or chance.random() < 0.5:
            return join(pairs)
        source, target = self.conjunctions
        sign = chance.choice(((",", ","), (",", ","), self._semicolons, (" -", " -"), (f" {source}", f" {target}")))
        bare = [without_end(pair)[0] for pair in pairs[:-1]]
        inner = [pair for pair in (*bare, pairs[-1]) if pair.source and pair.target]
        if chance.random() < 0.5:
            return join(inner, sign)
        return join([*inner[:1], *map(self._inner, inner[1:])], sign)

    # ---- phrases ------------------------------------------------------------------------------------------------

    def _phrases(self, count: int, chance: Random) -> list[LinkedPair]:
        found: list[LinkedPair] = []
        for _ in range(3 * count):  # not every pair has one
            if len(found) == count:
                break
            phrase = self._phrase(chance)
            if phrase is not None:
                found.append(dressed(phrase, chance))
        return found

    def _phrase(self, chance: Random) -> LinkedPair | None:
        """A whole short pair without its full stop, a word of the dictionary, or two to four words cut out of a pair
        where links allow; None where not."""
        size = chance.choice((0, 0, 0, 1, 1, 1, 2, 2, 3, 4))
        if size == 0 and self._short:
            return unpunctuated(chance.choice(self._short))
        if size <= 1 and self._dictionary.entries:
            source, target = self._dictionary.draw(chance)
            first, *more = target.split(" ")
            words = (self._as_named(first), *(f" {word}" for word in more))
            return LinkedPair((self._as_named(source),), words, tuple((0, t, SURE) for t in range(len(words))))
        pair = self.pairs[chance.randrange(len(self.pairs))]
        if size < 2 or len(pair.source) <= size:
            return None
        start = chance.randrange(len(pair.source) - size)
        phrase = cut(pair, start, start + size)
        if phrase is None or {phrase.source[-1].strip(), phrase.target[-1].strip()} & self._frequent:
            return None  # `thank you` out of `thank you for` is no phrase
        return self._inner(phrase)

    def _as_named(self, word: str) -> str:
        capital = word[:1].upper() + word[1:]
        return capital if self._is_name(capital) else word

    def _list(self, chance: Random) -> LinkedPair | None:
        phrases = [self._phrase(chance) for _ in range(chance.randint(3, 9))]
        found = [phrase for phrase in phrases if phrase is not None]
        return join(found, chance.choice(((",", ","), (",", ","), (" /", " /"), self._semicolons))) if found else None
