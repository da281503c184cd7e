"""Training pairs as people write: the same pairs in other forms, drawn anew for each epoch.

Corpora of sentences are clean: capital letter, full stop, one sentence, few names. People type labels, lists and
headings, forget punctuation and capitals, and put in numbers and names of their own. Every variation is made on words
with their links, so that guided alignment goes on with each of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from random import Random

from pydantic import BaseModel, ConfigDict, Field

from model_store.contract.placeholders import PLACEHOLDERS
from model_store.data import entities
from model_store.data.linked import SURE, LinkedPair, WordLink, join

FINAL = re.compile(r"\s*[.!?\u2026]+")
DIGITS = re.compile(r"\d+")
MARKS = re.compile(r"[^\w\s]+")
AND = {"en": "and", "fr": "et", "de": "und"}
WRAPPERS = (
    ('"', '"'),
    ("\u201c", "\u201d"),
    ("'", "'"),
    ("(", ")"),
    ("[", "]"),
    ("*", "*"),
    ("\u00ab ", " \u00bb"),
    ("- ", ""),
    ("\u2022 ", ""),
    ("* ", ""),
    ("> ", ""),
    ("1. ", ""),
    ("", ":"),
    ("", "..."),
    ("", "!!!"),
)
"""Put round both sides alike."""
MAX_JOINED_WORDS = 80
MAX_SHORT_WORDS = 4
"""Longest pair, in source words with punctuation, that is a phrase by itself."""
NUM_FREQUENT = 120
"""Words of both sides, the most frequent ones, that end no phrase."""
MIN_COUNT, MIN_SHARE = 2, 0.2
"""A word's translations are those that the aligner found this often, and in this share of the word's links."""


class VariationPart(BaseModel):
    """How often training pairs take another form; each is a share of the pairs of an epoch, 0 to 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    joined: float = Field(default=0.25, ge=0, le=1)
    """Pairs joined, 2 to 8 at a time, up to 80 words."""
    exchanged: float = Field(default=0.25, ge=0, le=1)
    """Pairs in which names, numbers or words give way to names, numbers, codes or placeholders drawn by chance."""
    placeholder: float = Field(default=0.35, ge=0, le=1)
    """Of what is put in, the share that is placeholders."""
    unpunctuated: float = Field(default=0.2, ge=0, le=1)
    """Pairs without their final punctuation."""
    lower: float = Field(default=0.12, ge=0, le=1)
    """Pairs whose source is in lower case; the target loses its first capital only."""
    title: float = Field(default=0.03, ge=0, le=1)
    """Pairs whose source words all begin with a capital."""
    wrapped: float = Field(default=0.05, ge=0, le=1)
    """Pairs in quotes, brackets, or behind a bullet."""
    mistyped: float = Field(default=0.04, ge=0, le=1)
    """Pairs with a typing mistake or a lost apostrophe in the source."""
    shouted: float = Field(default=0.02, ge=0, le=1)
    """Pairs with a word in capitals on both sides."""
    phrases: float = Field(default=0.3, ge=0, le=1)
    """Single words and short phrases beside the pairs, as many as this share of them."""
    lists: float = Field(default=0.03, ge=0, le=1)
    """Lists of such phrases beside the pairs."""


class Variation:
    """The variations of one corpus. The same seed and epoch give the same pairs."""

    def __init__(self, pairs: Sequence[LinkedPair], languages: tuple[str, str], part: VariationPart) -> None:
        """Count what decides about case, names and one-word translations; pairs that change a number are left out."""
        pairs = [pair for pair in pairs if keeps_digits(pair)]
        self.pairs, self.part = pairs, part
        self.conjunctions = AND.get(languages[0], ","), AND.get(languages[1], ",")
        self._words: Counter[str] = Counter()
        self._translations: Counter[tuple[str, str]] = Counter()
        self._linked: Counter[str] = Counter()
        same: Counter[str] = Counter()
        for pair in pairs:
            for side in (pair.source, pair.target):
                self._words.update(word.strip() for word in side[1:])
            for s, t, strength in pair.links:
                if strength == SURE:
                    source, target = pair.source[s].strip(), pair.target[t].strip()
                    self._translations[source.lower(), target.lower()] += 1
                    self._linked[source.lower()] += 1
                    if s and source == target and source[:1].isupper():
                        same[source] += 1
        self.names = frozenset(word for word in same if self._is_name(word))
        self._dictionary = [
            (entry, count)
            for entry, count in self._translations.items()
            if count >= max(MIN_COUNT, MIN_SHARE * self._linked[entry[0]]) and "".join(entry).isalpha()
        ]
        self._short = [pair for pair in pairs if len(pair.source) <= MAX_SHORT_WORDS]
        self._frequent = {word for word, _ in self._words.most_common(NUM_FREQUENT)}
        self._weights = list(accumulate(count**0.5 for _, count in self._dictionary))

    def _is_name(self, word: str) -> bool:
        """Whether `word` is written with a capital wherever it stands."""
        return self._words[word] > self._words[word.lower()]

    def epoch(self, seed: int, epoch: int) -> list[LinkedPair]:
        """The pairs of one epoch, in no particular order."""
        chance = Random(f"{seed}/{epoch}")
        order = chance.sample(range(len(self.pairs)), len(self.pairs))
        varied = [self._vary(self.pairs[i], chance) for i in order]
        num_joined = int(self.part.joined * len(varied))
        groups = self._groups(varied[:num_joined], chance)
        phrases = self._phrases(round(self.part.phrases * len(order)), chance)
        lists = [self._list(chance) for _ in range(round(self.part.lists * len(order)))]
        return [*groups, *varied[num_joined:], *phrases, *(found for found in lists if found)]

    # ---- one pair -----------------------------------------------------------------------------------------------

    def _vary(self, pair: LinkedPair, chance: Random) -> LinkedPair:
        part = self.part
        steps: tuple[tuple[float, Callable[[LinkedPair, Random], LinkedPair]], ...] = (
            (part.mistyped, mistyped),
            (part.exchanged, self._exchanged),
            (part.unpunctuated, lambda pair, _: unpunctuated(pair)),
            (part.lower, lambda pair, _: self._lower(pair)),
            (part.title, lambda pair, _: titled(pair)),
            (part.shouted, shouted),
            (part.wrapped, wrapped),
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

    def _exchanged(self, pair: LinkedPair, chance: Random) -> LinkedPair:
        """Something that both sides have alike gives way to something else; where nothing is, something is put in."""
        unused = chance.sample(PLACEHOLDERS, len(PLACEHOLDERS))
        alike = [link for link in one_to_one(pair) if self._is_alike(pair, link)]
        if alike and chance.random() < 0.8:
            chosen = alike
        else:
            words = [link for link in one_to_one(pair) if _is_content(pair, link)]
            if not words or chance.random() < 0.35:
                return self._put_in(pair, self._thing(chance, entities.anything, unused), chance)
            chosen = chance.sample(words, min(len(words), chance.choice((1, 1, 1, 2))))
        source, target = list(pair.source), list(pair.target)
        for s, t, _ in chosen[: len(unused)]:
            number = any(map(str.isdigit, source[s]))
            kind = entities.number if number else chance.choice((entities.called, entities.called, entities.anything))
            thing = self._thing(chance, kind, unused)
            source[s], target[t] = _instead(source[s], thing), _instead(target[t], thing)
        return LinkedPair(tuple(source), tuple(target), pair.links)

    def _thing(self, chance: Random, kind: Callable[[Random], str], unused: list[str]) -> str:
        return unused.pop() if unused and chance.random() < self.part.placeholder else kind(chance)

    def _is_alike(self, pair: LinkedPair, link: WordLink) -> bool:
        word = pair.source[link[0]].strip()
        return word == pair.target[link[1]].strip() and (word in self.names or any(map(str.isdigit, word)))

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
        return _with_end(joined, source_end, target_end)

    # ---- several pairs ------------------------------------------------------------------------------------------

    def _groups(self, pairs: Sequence[LinkedPair], chance: Random) -> list[LinkedPair]:
        groups: list[LinkedPair] = []
        rest = list(pairs)
        while rest:
            size, chosen, words = chance.randint(2, 8), [rest.pop()], 0
            while rest and len(chosen) < size and words + len(rest[-1].source) <= MAX_JOINED_WORDS:
                chosen.append(rest.pop())
                words = sum(len(pair.source) for pair in chosen)
            groups.append(self._joined(chosen, chance))
        return groups

    def _joined(self, pairs: list[LinkedPair], chance: Random) -> LinkedPair:
        """`pairs` one after the other, half of them as one sentence with a sign or a word between its parts."""
        if len(pairs) < 2 or chance.random() < 0.5:
            return join(pairs)
        source, target = self.conjunctions
        sign = chance.choice(((",", ","), (",", ","), (";", " ;"), (" -", " -"), (f" {source}", f" {target}")))
        bare = [without_end(pair)[0] for pair in pairs[:-1]]
        inner = [pair for pair in (*bare, pairs[-1]) if pair.source and pair.target]
        if chance.random() < 0.5:
            return join(inner, sign)
        later = [
            replace(pair, source=self._plain_start(pair.source), target=self._plain_start(pair.target))
            for pair in inner[1:]
        ]
        return join([*inner[:1], *later], sign)

    # ---- phrases ------------------------------------------------------------------------------------------------

    def _phrases(self, count: int, chance: Random) -> list[LinkedPair]:
        found: list[LinkedPair] = []
        for _ in range(3 * count):  # not every pair has one
            if len(found) == count:
                break
            phrase = self._phrase(chance)
            if phrase is not None:
                found.append(_dressed(phrase, chance))
        return found

    def _phrase(self, chance: Random) -> LinkedPair | None:
        """A whole short pair without its full stop, a word of the dictionary, or two to four words cut out of a pair
        where links allow; None where not."""
        size = chance.choice((0, 0, 0, 1, 1, 1, 2, 2, 3, 4))
        if size == 0 and self._short:
            return unpunctuated(chance.choice(self._short))
        if size <= 1 and self._dictionary:
            source, target = chance.choices(self._dictionary, cum_weights=self._weights)[0][0]
            return LinkedPair((self._as_named(source),), (self._as_named(target),), ((0, 0, SURE),))
        pair = self.pairs[chance.randrange(len(self.pairs))]
        if size < 2 or len(pair.source) <= size:
            return None
        start = chance.randrange(len(pair.source) - size)
        phrase = cut(pair, start, start + size)
        if phrase is None or {phrase.source[-1].strip(), phrase.target[-1].strip()} & self._frequent:
            return None  # `thank you` out of `thank you for` is no phrase
        return replace(phrase, source=self._plain_start(phrase.source), target=self._plain_start(phrase.target))

    def _as_named(self, word: str) -> str:
        capital = word[:1].upper() + word[1:]
        return capital if self._is_name(capital) else word

    def _list(self, chance: Random) -> LinkedPair | None:
        phrases = [self._phrase(chance) for _ in range(chance.randint(3, 9))]
        found = [phrase for phrase in phrases if phrase is not None]
        return join(found, chance.choice(((",", ","), (",", ","), (" /", " /"), (";", " ;")))) if found else None


# ---- changes that need no counts ------------------------------------------------------------------------------------


def one_to_one(pair: LinkedPair) -> list[WordLink]:
    """The sure links whose two words have no other."""
    sources = Counter(s for s, _, _ in pair.links)
    targets = Counter(t for _, t, _ in pair.links)
    return [link for link in pair.links if link[2] == SURE and sources[link[0]] == targets[link[1]] == 1]


def _is_content(pair: LinkedPair, link: WordLink) -> bool:
    """Whether both words look like content: lower case, four letters or more."""
    return all(
        len(word) >= 4 and word.islower() and word.isalpha()
        for word in (pair.source[link[0]].strip(), pair.target[link[1]].strip())
    )


def _instead(word: str, thing: str) -> str:
    return " " + thing if word.startswith(" ") else thing


def without_end(pair: LinkedPair) -> tuple[LinkedPair, str, str]:
    """The pair without its final punctuation, and the punctuation of either side."""
    source, source_end = _ended(pair.source)
    target, target_end = _ended(pair.target)
    links = tuple(link for link in pair.links if link[0] < len(source) and link[1] < len(target))
    return LinkedPair(source, target, links), source_end, target_end


def _ended(words: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    return (words[:-1], words[-1]) if words and FINAL.fullmatch(words[-1]) else (words, "")


def keeps_digits(pair: LinkedPair) -> bool:
    """Whether both sides have the same numbers in digits, in any order; others would teach to change numbers."""
    source, target = (sorted(DIGITS.findall(text)) for text in pair.texts)
    return source == target


def _with_end(pair: LinkedPair, source_end: str, target_end: str) -> LinkedPair:
    links = pair.links
    if source_end and target_end:
        links = (*links, (len(pair.source), len(pair.target), SURE))
    source = (*pair.source, source_end) if source_end else pair.source
    target = (*pair.target, target_end) if target_end else pair.target
    return LinkedPair(source, target, links)


def unpunctuated(pair: LinkedPair) -> LinkedPair:
    """The pair without its final punctuation, unless nothing else is in it."""
    bare, _, _ = without_end(pair)
    return bare if bare.source and bare.target else pair


def titled(pair: LinkedPair) -> LinkedPair:
    """Source words with a capital each, as headings have in English, without final full stop."""
    bare = unpunctuated(pair)
    return replace(bare, source=tuple(_capital(word) for word in bare.source))


def _capital(word: str) -> str:
    inner = word.lstrip()
    return word[: len(word) - len(inner)] + inner[:1].upper() + inner[1:]


def shouted(pair: LinkedPair, chance: Random) -> LinkedPair:
    """One or two words in capitals on both sides."""
    links = one_to_one(pair)
    source, target = list(pair.source), list(pair.target)
    for s, t, _ in chance.sample(links, min(len(links), chance.randint(1, 2))):
        source[s], target[t] = source[s].upper(), target[t].upper()
    return LinkedPair(tuple(source), tuple(target), pair.links)


def wrapped(pair: LinkedPair, chance: Random) -> LinkedPair:
    """The pair between quotes or brackets, or behind a bullet, on both sides alike."""
    before, behind = chance.choice(WRAPPERS)
    if not before:
        pair = unpunctuated(pair)
    first, last = len(before) > 0, len(behind) > 0
    links = [(s + first, t + first, strength) for s, t, strength in pair.links]
    links += [(0, 0, SURE)] if first else []
    links += [(len(pair.source) + first, len(pair.target) + first, SURE)] if last else []
    opening, closing = (before,) * first, (behind,) * last
    return LinkedPair((*opening, *pair.source, *closing), (*opening, *pair.target, *closing), tuple(links))


def mistyped(pair: LinkedPair, chance: Random) -> LinkedPair:
    """A source word with two letters exchanged, one left out or one doubled; or without its apostrophe."""
    places = [i for i, word in enumerate(pair.source) if len(word.strip()) >= 4 and word.strip()[1:].islower()]
    quoted = [i for i, word in enumerate(pair.source) if "'" in word]
    source = list(pair.source)
    if quoted and chance.random() < 0.5:
        i = chance.choice(quoted)
        source[i] = source[i].replace("'", "") or source[i]
    elif places:
        i = chance.choice(places)
        source[i] = _slip(source[i], chance)
    return replace(pair, source=tuple(source))


def _slip(word: str, chance: Random) -> str:
    at = chance.randrange(len(word) - len(word.lstrip()) + 1, len(word) - 1)
    kind = chance.randrange(3)
    if kind == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at + 1 :] if kind == 1 else word[:at] + word[at] + word[at:]


def cut(pair: LinkedPair, start: int, end: int) -> LinkedPair | None:
    """Source words `start`..`end` with just the target words that they are linked to; None where that is no phrase.

    A phrase holds no punctuation, its outer words have sure links, and no link leaves it (Och and Ney 2004).
    """
    inside = [link for link in pair.links if start <= link[0] < end]
    if not inside or any(MARKS.fullmatch(word.strip()) for word in pair.source[start:end]):
        return None
    first, last = min(t for _, t, _ in inside), max(t for _, t, _ in inside) + 1
    words = pair.target[first:last]
    crossing = any(first <= t < last and not start <= s < end for s, t, _ in pair.links)
    linked = {t for _, t, _ in inside}
    sure = {s for s, _, strength in inside if strength == SURE}
    if crossing or len(linked) < last - first or not {start, end - 1} <= sure:
        return None
    if any(MARKS.fullmatch(word.strip()) or word.endswith("'") for word in words):
        return None
    links = tuple((s - start, t - first, strength) for s, t, strength in inside)
    return LinkedPair(
        (pair.source[start].lstrip(), *pair.source[start + 1 : end]), (words[0].lstrip(), *words[1:]), links
    )


def _dressed(phrase: LinkedPair, chance: Random) -> LinkedPair:
    """A phrase as labels are written: mostly with a capital, now and then with a full stop."""
    if chance.random() < 0.6:
        source, target = _capital(phrase.source[0]), _capital(phrase.target[0])
        phrase = replace(phrase, source=(source, *phrase.source[1:]), target=(target, *phrase.target[1:]))
    return _with_end(phrase, ".", ".") if chance.random() < 0.1 else phrase
