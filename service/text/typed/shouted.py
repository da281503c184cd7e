"""Words in capitals inside a sentence: *Do NOT open*, *I LOVE it*. No model learns them well, and a lost NOT is a wrong
answer: they are read in lower case, and the words that attend to them are written in capitals.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

from service.text.formats.markup import Mark
from service.text.names.acronyms import TRANSLATED
from service.text.names.addressed import TITLE
from service.text.names.common_names import everyday_names
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.word_sets import word_set

Encode = Callable[[str], Sequence[int]]
WORD = re.compile(r"(?<![\w.'\u2019&@#/-])(?=[^\W\d_a-z]{2})[^\W\d_]+(?:['\u2019][^\W\d_]+)?(?![\w&@/]|[.'\u2019-]\w)")
"""A word that may be in capitals."""
SIDE_BY_SIDE = re.compile("[A-Z\u00c0-\u00d6\u00d8-\u00de]{2}")
"""A text without two such capitals side by side has none."""
SHORT = {
    "en": (
        "ALL AND ANY ARE ASK BAD BIG BUT CAN DAY DID DO FOR GET GO HAD HAS HE HER HIM HIS HOW IF IS MY NEW NO "
        "NOT NOW OFF OLD ONE OR OUR OUT OWN PAY PUT SEE SHE SO THE TOO TOP TRY TWO USE WAS WAY WE WHY YES YET "
        "YOU"
    ),
    "fr": (
        "CE DES DU EST ET IL JE LA LE LES MES MOI MON NE NON NOS ON OU OUI PAS QUE QUI SA SES SI SON SUR TES "
        "TOI TU UN UNE VOS"
    ),
    "de": (
        "AN AUF AUS BIS DAS DER DIE DU EIN ER ES GUT ICH IHR IM IST JA MIR MIT NEU NIE NUN NUR OB SIE SO UND "
        "VOM VON VOR WAS WER WIE WIR WO ZU ZUM"
    ),
}
"""Words of up to LONGEST_SHORT letters that are no acronyms, by language."""
LONGEST_SHORT = 3
MOST_PIECES = 2
MOST_BEFORE = 40
"""Code points before a word that are looked at."""
NO_WORDS = TRANSLATED | word_set(
    "ASAP ASCII BASIC BILD COVID FREE GIGN INSEE LASER MIDI NASA NULL OPEC ORANGE RADAR RAID README RUST SARS",
    "SELECT SPIEGEL SWIFT TIME TODO UNESCO UNICEF UNIX VISA WELT ZEIT",
)
"""Acronyms and names that may be words, too."""
WORDS = {"en": frozenset(("FREE",))}
"""Those of them that are words in a language; the company is French."""
BESIDE = frozenset(("IT", "US", "WHO", "IN", "ON", "TO", "UP", "AT", "BY", "OF", "BE", "AM", "ES", "LA", "LE", "ZU"))
"""Short words that may be acronyms, but not beside a shouted word."""
TITLES = re.compile(rf"\b(?:{TITLE.pattern}|MM?)\.? \Z")
NEGATION = re.compile(r"n(?:e\s|'(?=\w)).{1,40}?\b(?P<second>pas|jamais|plus|rien|aucune?)\b", re.IGNORECASE)
FIRST = re.compile(r"\W*")


def quieted(
    normalised: NormalisedText, language: str, encode: Encode, known: Container[str] | None = None
) -> tuple[NormalisedText, tuple[Mark, ...]]:
    """The text with its shouted words in lower case, and a mark without signs for each run of them; `normalised` has
    placeholders for what must not change.

    A word is shouted if it has half as many subwords in lower case, or with one capital, or fewer, and is one of the
    `known` words, on which the model was trained: *THEFACESHOP* is none.
    The first word of a text keeps a capital.
    """
    text = normalised.text
    if text[1:].islower() or SIDE_BY_SIDE.search(text) is None or text.isupper():
        return normalised, ()  # as most texts
    matches = [match for match in WORD.finditer(text) if match.group().isupper()]
    plain = [
        None if _is_name(match, language) else _as_plain(match.group(), language, encode, known) for match in matches
    ]
    for at, match in enumerate(matches):  # IT IS
        if plain[at] is None and match.group() in BESIDE and _stands_beside(at, matches, plain):
            plain[at] = match.group().lower()
    found = [(match.span(), word) for match, word in zip(matches, plain, strict=True) if word is not None]
    if not found:
        return normalised, ()
    first = FIRST.match(text).end()  # type: ignore[union-attr]
    words = [word[0].upper() + word[1:] if span[0] == first else word for span, word in found]
    runs: list[tuple[int, int]] = []
    for (start, end), _ in found:
        if runs and text[runs[-1][1] : start] == " ":
            runs[-1] = runs[-1][0], end
        else:
            runs.append((start, end))
    places = [normalised.original_span(*run) for run in runs]
    marks = tuple(Mark("", "", *place, *place) for place in places)
    return _replaced_alike(normalised, [span for span, _ in found], words), marks


def _replaced_alike(
    normalised: NormalisedText, spans: Sequence[tuple[int, int]], words: Sequence[str]
) -> NormalisedText:
    """`normalised` with `words` of the same lengths in place of its `spans`: each code point stays where it was."""
    changed = replaced(normalised, spans, words)
    return NormalisedText(changed.text, normalised.starts, normalised.ends)


def _stands_beside(at: int, matches: Sequence[re.Match[str]], plain: Sequence[str | None]) -> bool:
    """Whether the word before or behind number `at` is a shouted one, with nothing but a space between."""
    start, end = matches[at].span()
    before = at > 0 and plain[at - 1] is not None and matches[at - 1].end() == start - 1
    return before or (at + 1 < len(plain) and plain[at + 1] is not None and matches[at + 1].start() == end + 1)


def _is_name(match: re.Match[str], language: str) -> bool:
    """Whether a word in capitals is a name: PARIS, Jean DUPONT, Mme PETIT."""
    names, text, start = everyday_names(language, language), match.string, match.start()
    if match.group().capitalize() in names.alike - names.words:
        return True
    before = text[max(0, start - MOST_BEFORE) : start]
    return TITLES.search(before) is not None or before.rpartition(" ")[0].rpartition(" ")[2].title() in names.given


def _as_plain(word: str, language: str, encode: Encode, known: Container[str] | None) -> str | None:
    """A word in capitals as it stands in a sentence; None for an acronym or a rare word."""
    lower = word.lower()
    if len(lower) != len(word) or word in NO_WORDS - WORDS.get(language, frozenset()):
        return None
    if len(word) <= LONGEST_SHORT:
        return lower if word in _short(language) else None
    if known is not None and "'" not in word and lower not in known:
        return None
    pieces = len(encode(word))
    for plain in (lower, lower.capitalize()):
        if MOST_PIECES * len(encode(plain)) <= pieces or "'" in plain:
            return plain
    return None


def _short(language: str) -> list[str]:
    return SHORT.get(language, "").split(" ")


def shouting(text: str, stretches: Sequence[tuple[int, int]], language: str) -> str:
    """`text` of a `language` with its `stretches` in capitals; letters that would become two stay.

    Of a French negation its second word is meant: *N'ouvrez PAS*.
    """
    characters = list(text)
    for start, end in stretches:
        negation = NEGATION.match(text, start) if language == "fr" else None
        if negation is not None:
            start, end = negation.span("second")
        characters[start:end] = [c.upper() if len(c.upper()) == 1 else c for c in characters[start:end]]
    return "".join(characters)
