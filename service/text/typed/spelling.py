"""Misspelt words: those that a model never read, but for a slip of one letter, an accent or an umlaut left out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Sequence
from itertools import combinations, islice
from typing import NamedTuple

from model_store.contract.known_words import Words
from service.text.spans.normalise import NormalisedText, replaced
from service.text.typed.capitals import with_accented_a

WORD = re.compile(r"(?<![\w'\u2019.@/#-])[^\W\d_]{4,30}(?![\w@/-]|['\u2019]\w|\.\w)")
VOWELS = {
    "en": "aeiouy",
    "fr": "aeiouyàâéèêîïôùû",
    "de": "aeiouyäöü",
}
PLAIN = {
    "fr": {
        "a": "\u00e0\u00e2",
        "c": "\u00e7",
        "e": "\u00e9\u00e8\u00ea\u00eb",
        "i": "\u00ee\u00ef",
        "o": "\u00f4",
        "oe": "\u0153",
        "u": "\u00f9\u00fb",
    },
    "de": {"a": "\u00e4", "ae": "\u00e4", "o": "\u00f6", "oe": "\u00f6", "u": "\u00fc", "ue": "\u00fc", "ss": "\u00df"},
}
"""Letters as they are typed on other keyboards, and the letters that may be meant."""
WITH_UMLAUT = re.compile(r"\b[^\W\d_]{0,20}[aouAOU]e[^\W\d_]{0,20}\b")
THOU = re.compile(r"\b[Tt]u\b")
"""Its verbs end with *es*, as participles do without their accent: *Tu les terrifies.*"""
CAPITAL_BEFORE = re.compile(r" [A-Z][^\W\d_]* \Z")
"""A word with a capital inside of a sentence, and the space behind it."""
SIGNS = ".,!?;:\u2026"
MOST_ACCENTS = 3
MOST_PLACES = 6
"""Places in a word that may lack an accent, of which MOST_ACCENTS are tried together."""
OTHER_WORDS = frozenset(("expose", "exposes", "lame", "mate", "pique", "pere", "uber"))
"""English words that are others with an accent."""
MOST_WORDS = 20
"""Unknown words of a text that are looked at."""


class Correction(NamedTuple):
    """A misspelt word in a text and what may be meant."""

    start: int
    end: int
    word: str


def corrections(text: str, language: str, known: Words, encode: Callable[[str], Sequence[int]]) -> list[Correction]:
    """The words of `text` in lower case that are not `known`, the words that a model read, but for a slip.

    A slip is an accent or an umlaut left out, two letters exchanged, a letter doubled or no longer double, or a vowel
    for another. Other letters are not touched: models lack many right words, most of them one letter from another. Of
    several words that may be meant, one that needs a lesser slip counts, then one of fewer subwords, then one of an
    earlier subword: vocabularies begin with what is frequent.
    """
    if language not in VOWELS or known.issuperset(text.replace(", ", " ").rstrip(SIGNS).split(" ")):
        return []  # as for most texts
    unknown = (match for match in WORD.finditer(text) if match.group().islower() and match.group() not in known)
    meant = ((match, _meant(match.group(), language, known, encode)) for match in islice(unknown, MOST_WORDS))
    return [Correction(*match.span(), word) for match, word in meant if word is not None]


def with_accents(
    normalised: NormalisedText,
    language: str,
    known: Container[str],
    encode: Callable[[str], Sequence[int]],
    was_in_capitals: bool = False,
) -> NormalisedText:
    """The text with the accents or umlauts that another keyboard lacks, in words that are `known` only with them: a
    French text without any accent, and German words with ae, oe or ue. English ones lose theirs: *na\u00efve*.

    In a French one that `was_in_capitals`, *a* is *\u00e0* where that is meant.
    """
    text = normalised.text
    if language == "en":
        return _with_plain(normalised, known)
    if language == "fr":
        matches = list(WORD.finditer(text)) if text.isascii() else []
    else:
        matches = list(WITH_UMLAUT.finditer(text)) if language == "de" else []
    spans, words = [], []
    unknown = (each for each in matches if each.group() not in known and not _stays(each, language))
    for match in islice(unknown, MOST_WORDS):
        word = match.group()
        meant = None if word.isupper() else most_frequent(_accents(word.lower(), language), known, encode)
        if meant is not None:
            spans.append(match.span())
            words.append(meant.capitalize() if word[0].isupper() else meant)
    found = replaced(normalised, spans, words) if spans else normalised
    return with_accented_a(found, not text.isascii()) if was_in_capitals and language == "fr" else found


def _stays(match: re.Match[str], language: str) -> bool:
    """Whether a French word has no accent by right: a verb in *es* beside *tu*, part of a name (*Golden Gate*)."""
    text, word = match.string, match.group()
    if language != "fr":
        return False
    return (word.endswith("es") and THOU.search(text) is not None) or (
        word[0].isupper() and CAPITAL_BEFORE.search(text, 0, match.start()) is not None
    )


def _with_plain(normalised: NormalisedText, known: Container[str]) -> NormalisedText:
    """An English text with the words in lower case that are `known` only without their accents as such."""
    text = normalised.text
    if text.isascii():
        return normalised  # as most texts
    words = [match for match in WORD.finditer(text) if match.group().islower() and not match.group().isascii()]
    plain = [(match.span(), _without_accents(match.group())) for match in words if match.group() not in known]
    found = [(span, word) for span, word in plain if word in known and word not in OTHER_WORDS]
    return replaced(normalised, [span for span, _ in found], [word for _, word in found]) if found else normalised


def _without_accents(word: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign))


def _meant(word: str, language: str, known: Container[str], encode: Callable[[str], Sequence[int]]) -> str | None:
    num_pieces = len(encode(word))
    slips_of_kinds = (_accents(word, language), _slips_of_a_hand(word), _other_vowels(word, VOWELS[language]))
    for slips, most_pieces in zip(slips_of_kinds, (num_pieces, num_pieces, num_pieces - 1), strict=True):
        meant = most_frequent(slips, known, encode)
        if meant is not None and len(encode(meant)) <= most_pieces:  # right words have few subwords
            return meant
    return None


def most_frequent(words: Iterable[str], known: Container[str], encode: Callable[[str], Sequence[int]]) -> str | None:
    """That of the `known` ones of `words` with the fewest and then the earliest subwords; None where none is known."""
    spelt = {word: encode(word) for word in words if word in known}
    return min(spelt, key=lambda word: (len(spelt[word]), *spelt[word]), default=None)


def _accents(word: str, language: str) -> Iterable[str]:
    """The word with up to MOST_ACCENTS accents or umlauts; a final e may be one without."""
    places = [
        (at, plain, letter)
        for plain, letters in PLAIN.get(language, {}).items()
        for at in range(len(word))
        if word.startswith(plain, at) and (plain != "e" or at < len(word) - 1)
        for letter in letters
    ]
    if len({at for at, _, _ in places}) > MOST_PLACES:
        return
    for count in range(1, MOST_ACCENTS + 1):
        for chosen in combinations(sorted(places), count):
            written, end = word, len(word) + 1
            for at, plain, letter in reversed(chosen):
                if at + len(plain) > end:
                    break  # two in one place
                written, end = written[:at] + letter + written[at + len(plain) :], at
            else:
                yield written


def _slips_of_a_hand(word: str) -> Iterable[str]:
    """The word with two letters side by side exchanged, and with a letter doubled or no longer double, but for the
    first."""
    for at in range(1, len(word)):
        if at + 1 < len(word):
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]
            if word[at] == word[at + 1]:
                yield word[:at] + word[at + 1 :]
        yield word[:at] + word[at] + word[at:]


def _other_vowels(word: str, vowels: str) -> Iterable[str]:
    """The word with another vowel for one within it."""
    for at in range(1, len(word) - 1):
        if word[at] in vowels:
            yield from (word[:at] + vowel + word[at + 1 :] for vowel in vowels if vowel != word[at])
