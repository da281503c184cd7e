"""Words as people say them: stammered (*wh-where*), letter by letter (*F R E E*), drawn out (*goooood*). Models have
read the words, and take these for names or codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, pairwise, product

from model_store.contract.known_words import Words
from service.text.spans.normalise import NormalisedText, replaced
from service.text.typed.shouted import NO_WORDS
from service.text.typed.spelling import most_frequent

Encode = Callable[[str], Sequence[int]]
STAMMERED = re.compile(
    r"(?<![\w'\u2019.@/&-])(?P<beginning>(?:[^\W\d_]|(?i:[b-df-hj-np-tv-xz]){2,3})-)"
    r"(?:(?i:(?P=beginning)))*(?P<word>[^\W\d_]++)(?![\w@/-]|\.\w)"
)
"""A letter, or consonants, before a word that may begin with them."""
NO_STAMMER = frozenset(("shaped", "test", "tests", "tested", "testing", "bend", "bends", "trade", "mail", "mails"))
"""Words behind a letter that names them: *an S-shaped bend*, *t-tests*."""
OF_E = frozenset(("er", "es", "ein", "eine", "est", "et", "elle", "en", "every", "everybody", "everything", "even"))
"""Words that a single e before them is a stammer of: it may stand for *electronic*."""
BEFORE_NAME = re.compile(r"\b(?i:an?|the|une?|la|le|les|der|die|das|eine?[mnrs]?)\s\Z")
"""An article, behind which a letter names what follows it: *a t-shirt*."""
MOST_BEFORE = 6
"""Code points before a stammer that are looked at."""
MAY_BE_SPELT = re.compile(r" [^\W\d_] [^\W\d_]\b")
"""What is in every text with a word letter by letter."""
SPELT = re.compile(r"(?<!\S)[^\W\d_](?: [^\W\d_])+(?![\w'\u2019-])")
SHORT_SPELT = frozenset(("NOT", "NEW", "YES", "OFF", "FUN", "NON", "PAS", "OUI", "NIE", "NUR", "NEU"))
"""Words of three letters that people write letter by letter; other three letters are codes or answers."""
LEAST_SPELT = 4
DRAWN_OUT = re.compile(r"(?P<letter>[^\W\d_])(?P=letter){2,}")
DRAWN_OUT_WORD = re.compile(r"(?<![\w.@/#&-])[^\W\d_]{3,60}(?![\w@/-]|['\u2019]\w|\.\w)")
ROMAN = re.compile(r"[IVXLCDM]+(?:er|re|i?\u00e8me|e)?s?")
"""A Roman number, also one of a French century: *IIIe*."""
AND = re.compile(r"(?<=\w)(?<!\b[Rr]ock) (?P<and>['\u2019]n['\u2019]) (?=\w)")
"""*fish 'n' chips*; *rock 'n' roll* is a name."""
MOST_WORDS = 20
"""Words of a text that are looked at, of each kind."""
MOST_RUNS = 4
"""Runs of one letter in a word."""


def as_written(normalised: NormalisedText, language: str, known: Words | None, encode: Encode) -> NormalisedText:
    """A text of a `language` with the words that stammered, spelt and drawn-out ones mean.

    `known` has the words that the model was trained on; None where a bundle does not say. `encode` gives
    subword ids."""
    text = normalised.text
    found: dict[tuple[int, int], str] = {}
    if "-" in text:
        found |= _without_stammers(text, known)
    if known is not None and MAY_BE_SPELT.search(text) is not None:
        found |= _together(normalised, known)
    if known is not None and may_be_drawn_out(text) and DRAWN_OUT.search(text) is not None:
        found |= _shortened(text, language, known, encode)
    if language == "en" and ("'n'" in text or "\u2019n\u2019" in text):
        found |= {match.span("and"): "and" for match in AND.finditer(text)}
    if not found:
        return normalised  # as most texts
    spans = sorted(found)
    return replaced(normalised, spans, [found[span] for span in spans])


def _without_stammers(text: str, known: Words | None) -> Iterator[tuple[tuple[int, int], str]]:
    """Where stammers and the letter behind each stand, and that letter."""
    for match in STAMMERED.finditer(text):
        beginning, word = match["beginning"][:-1], match["word"]
        lower, start = word.lower(), match.start("word")
        if not lower.startswith(beginning.lower()) or lower in NO_STAMMER or (known is not None and word not in known):
            continue
        is_name = word[0].isupper() and word != "I"  # T-Team
        is_prefix = beginning.lower() == "e" and lower not in OF_E
        is_repeated = lower == beginning.lower() and word != "I"  # ch-ch
        before = text[max(0, match.start() - MOST_BEFORE) : match.start()]
        if not (is_name or is_prefix or is_repeated or BEFORE_NAME.search(before)):
            yield (match.start(), start + 1), word[0].upper() if beginning[0].isupper() else word[0]


def _together(normalised: NormalisedText, known: Words) -> Iterator[tuple[tuple[int, int], str]]:
    """Where words stand letter by letter, and the words. More than one space stands between two of them."""
    for match in SPELT.finditer(normalised.text):
        first, last = match.span()
        ends = [at for at in range(first + 1, last, 2) if normalised.ends[at] - normalised.starts[at] > 1]
        for start, end in zip([first, *(at + 1 for at in ends)], [*ends, last], strict=True):
            word = normalised.text[start:end:2]
            is_word = (word in SHORT_SPELT or len(word) >= LEAST_SPELT) and word in known
            if is_word and (word.isupper() or word.islower()) and not _is_alphabet(word):
                if word in NO_WORDS:  # FREE is no name here
                    word = word.lower() if start > 0 else word.capitalize()
                yield (start, end), word


def _is_alphabet(word: str) -> bool:
    return all(ord(after) - ord(before) == 1 for before, after in pairwise(word))


def may_be_drawn_out(text: str) -> bool:
    """Whether `text` may have a letter three times in a row, found quickly: between bytes that are the same two
    differences are 0."""
    number = int.from_bytes(text.encode("latin-1", "replace"), "big")
    return b"\0\0" in (number ^ number >> 8).to_bytes(len(text), "big")


def _shortened(text: str, language: str, known: Words, encode: Encode) -> Iterator[tuple[tuple[int, int], str]]:
    """Where drawn-out words stand, and the words with each of their long letters once or twice."""
    matches = (match for match in DRAWN_OUT_WORD.finditer(text) if DRAWN_OUT.search(match.group()) is not None)
    for match in islice(matches, MOST_WORDS):
        word = match.group()
        runs = list(DRAWN_OUT.finditer(word))
        is_compound = language == "de" and word in known and all(len(run.group()) == 3 for run in runs)
        if is_compound or len(runs) > MOST_RUNS or len(set(word.lower())) == 1 or ROMAN.fullmatch(word):
            continue
        forms = {form.lower(): form for form in _forms(word, runs)}
        meant = most_frequent(forms, known, encode)
        if meant is not None:
            yield match.span(), forms[meant]


def _forms(word: str, runs: Sequence[re.Match[str]]) -> Iterator[str]:
    """The word with each of its `runs` of a letter as that letter once or twice."""
    for counts in product((1, 2), repeat=len(runs)):
        form = word
        for run, count in reversed(list(zip(runs, counts, strict=True))):
            form = form[: run.start()] + run["letter"] * count + form[run.end() :]
        yield form
