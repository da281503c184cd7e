"""Changes of one linked pair that need no counts of the corpus."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from model_store.contract.placeholders import PLACEHOLDERS, take_placeholder
from model_store.data.linked import SURE, LinkedPair, WordLink

FINAL = re.compile(r"\s*[.!?\u2026]+")
DIGITS = re.compile(r"\d+")
MARKS = re.compile(r"[^\w\s]+")
IS_PROTECTED = re.compile(r"\d+(?:[.,:/-]\d+)+|\d{5,}|[A-Z]+-?\d+")
"""Words in whose place a server writes placeholders: times, numbers with separators, codes."""
SEPARATORS = re.compile(r"[.,:/-]")
WRAPPERS = (
    None,
    None,
    None,
    ("(", ")"),
    ("[", "]"),
    ("*", "*"),
    ("- ", ""),
    ("\u2022 ", ""),
    ("* ", ""),
    ("> ", ""),
    ("1. ", ""),
    ("", ":"),
    ("", "..."),
    ("", "!!!"),
)
"""Put round both sides alike; None: the quotation marks of each language."""


SignPairs = tuple[tuple[str, str], tuple[str, str]]
"""The opening and the closing sign of a source, and those of its target."""
Stretch = tuple[int, int]


def one_to_one(pair: LinkedPair) -> list[WordLink]:
    """The sure links whose two words have no other."""
    sources = Counter(s for s, _, _ in pair.links)
    targets = Counter(t for _, t, _ in pair.links)
    return [link for link in pair.links if link[2] == SURE and sources[link[0]] == targets[link[1]] == 1]


def is_content(pair: LinkedPair, link: WordLink) -> bool:
    """Whether both words look like content: lower case, four letters or more."""
    return all(
        len(word) >= 4 and word.islower() and word.isalpha()
        for word in (pair.source[link[0]].strip(), pair.target[link[1]].strip())
    )


def instead(word: str, thing: str) -> str:
    return " " + thing if word.startswith(" ") else thing


def protected(pair: LinkedPair, chance: Random) -> LinkedPair:
    """Placeholders for what a server would protect, where it has the same digits and letters on both sides."""
    unused = chance.sample(PLACEHOLDERS, len(PLACEHOLDERS))
    source, target = list(pair.source), list(pair.target)
    for s, t, _ in one_to_one(pair):
        word, other = source[s].strip(), target[t].strip()
        is_protected = IS_PROTECTED.fullmatch(word) and IS_PROTECTED.fullmatch(other)
        if unused and is_protected and SEPARATORS.sub("", word) == SEPARATORS.sub("", other):
            sign = take_placeholder(word, unused)
            source[s], target[t] = instead(source[s], sign), instead(target[t], sign)
    return LinkedPair(tuple(source), tuple(target), pair.links)


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


def with_end(pair: LinkedPair, source_end: str, target_end: str) -> LinkedPair:
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


def capitalised(pair: LinkedPair) -> LinkedPair:
    """The pair as it begins a sentence: a capital on either side."""
    source, target = _capital(pair.source[0]), _capital(pair.target[0])
    return replace(pair, source=(source, *pair.source[1:]), target=(target, *pair.target[1:]))


def ended_without(pair: LinkedPair, sign: str) -> LinkedPair:
    """The pair without a last word that is `sign` on both sides."""
    if not pair.source[-1] == pair.target[-1] == sign:
        return pair
    last = len(pair.source) - 1, len(pair.target) - 1
    links = tuple(link for link in pair.links if link[0] < last[0] and link[1] < last[1])
    return LinkedPair(pair.source[:-1], pair.target[:-1], links)


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


def wrapped(pair: LinkedPair, chance: Random, marks: SignPairs) -> LinkedPair:
    """The pair between quotation marks, `marks`, or brackets, or behind a bullet."""
    wrapper = chance.choice(WRAPPERS)
    if wrapper is None:
        return enclosed(pair, (0, len(pair.source)), (0, len(pair.target)), marks)
    before, behind = wrapper
    if not before:
        pair = unpunctuated(pair)
    first, last = len(before) > 0, len(behind) > 0
    links = [(s + first, t + first, strength) for s, t, strength in pair.links]
    links += [(0, 0, SURE)] if first else []
    links += [(len(pair.source) + first, len(pair.target) + first, SURE)] if last else []
    opening, closing = (before,) * first, (behind,) * last
    return LinkedPair((*opening, *pair.source, *closing), (*opening, *pair.target, *closing), tuple(links))


def enclosed(pair: LinkedPair, source: Stretch, target: Stretch, signs: SignPairs) -> LinkedPair:
    """`pair` with `signs` round its words `source` and `target`, each from a start to an end."""
    (opening, closing), (other_opening, other_closing) = signs
    links = [(_shifted(s, source), _shifted(t, target), strength) for s, t, strength in pair.links]
    links += [(source[0], target[0], SURE), (source[1] + 1, target[1] + 1, SURE)]
    return LinkedPair(
        _between(pair.source, source, opening, closing),
        _between(pair.target, target, other_opening, other_closing),
        tuple(sorted(links)),
    )


def _between(words: tuple[str, ...], stretch: Stretch, opening: str, closing: str) -> tuple[str, ...]:
    start, end = stretch
    return (*words[:start], instead(words[start], opening), *begun(words[start:end]), closing, *words[end:])


def begun(words: Sequence[str], like: str = "") -> tuple[str, ...]:
    """`words`, with a space before the first where there is one before `like`, and only there."""
    return instead(like, words[0].lstrip()), *words[1:]


def _shifted(place: int, stretch: Stretch) -> int:
    """Where a word is once signs stand round the words of `stretch`."""
    return place + (place >= stretch[0]) + (place >= stretch[1])


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
    """Source words `start`..`end` with just the target words that they are linked to; None where that is no phrase."""
    found = counterpart(pair, start, end)
    if found is None:
        return None
    first, last = found
    links = tuple((s - start, t - first, strength) for s, t, strength in pair.links if start <= s < end)
    return LinkedPair(begun(pair.source[start:end]), begun(pair.target[first:last]), links)


def counterpart(pair: LinkedPair, start: int, end: int) -> Stretch | None:
    """The target words that just the source words `start`..`end` are linked to; None where these are no phrase.

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
    return first, last


def dressed(phrase: LinkedPair, chance: Random) -> LinkedPair:
    """A phrase as labels are written: mostly with a capital, now and then with a full stop."""
    if chance.random() < 0.6:
        phrase = capitalised(phrase)
    return with_end(phrase, ".", ".") if chance.random() < 0.1 else phrase
