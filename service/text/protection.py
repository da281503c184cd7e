"""Stretches of a source that must come out as they are, and the placeholders that a model sees in their place.

Addresses, code, emoji, numbers with separators and letters that the vocabulary lacks are never left to chance: each
becomes one placeholder of the vocabulary, which the model has learnt to carry over, and is put back where the model
wrote it (`service/text/restoring.py`). A bundle without placeholders reads such text as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.text.normalise import NormalisedText, normalise

Stretch = tuple[int, int]
"""The code points `start`..`end` of a text."""
Finder = Callable[[str], Sequence[Stretch]]
"""Finds stretches of a text."""

SUSPECT = re.compile(
    r"[\d@`#_\\<{%]|[^\x00-\x7f\xa0\xab\xbb\xc0-\u024f\u2018\u2019\u201c\u201d\u2026]"
    r"|://|/\w|www\.|[a-z][A-Z]|\w\.\w\w|[A-Z][&.][A-Z]"
)
"""A text without any of these has nothing to protect, unless it has a run that is too long for a word."""
LONG = r"(?<![!-~\u00c0-\u024f])[!-~\u00c0-\u024f]{101,}"
"""A run of Latin letters, digits and marks that is no word: a key, a dump, an address. Translated letter by letter,
5,000 of them took 13 s."""
LONG_RUN = re.compile(LONG)
"""Apart from SUSPECT: in a text that is shorter it costs nothing, as a part of that a third more."""

EMOJI = (
    r"(?:[\U0001f1e6-\U0001f1ff]{2}|[0-9#*]\ufe0f?\u20e3|"
    r"[\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u2460-\u24ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    r"\u3030\u303d\u3297\u3299\U0001f000-\U0001faff][\ufe0e\ufe0f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*"
    r"(?:\u200d[\u2190-\u2bff\U0001f000-\U0001faff][\ufe0f\U0001f3fb-\U0001f3ff]*)*)"
)
ENDINGS = "com|org|net|edu|gov|io|ai|app|dev|info|eu|fr|de|uk|us|ca|ch|be|es|it|nl|pl|se|at|jp|cn|ru|br|in"
FILES = "pdf|docx?|xlsx?|pptx?|odt|txt|csv|tsv|png|jpe?g|gif|svg|zip|gz|tar|exe|py|js|json|html?|xml|ya?ml|md|mp[34]"
PATTERN = re.compile(
    rf"{LONG}"
    r"|`[^`\n]+`"  # code
    r"|(?:https?|ftp|file)://[^\s<>\"\u00ab\u00bb]+[^\s<>\"\u00ab\u00bb.,;:!?)\]'\u2019]"
    r"|www\.[^\s<>\"]+[^\s<>\".,;:!?)\]'\u2019]"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"  # e-mail
    rf"|\b[\w-]+(?:\.[\w-]+)*\.(?:{ENDINGS})\b(?:/[^\s<>\",;]*[^\s<>\".,;:!?)])?"
    rf"|\b[\w-]+(?:\.[\w-]+)*\.(?:{FILES})\b"
    r"|(?<![\w/])(?:~|\.{1,2})?(?:/[\w.-]+){1,}(?:/[\w-]+|\.\w+\b|(?<=\w))/?|\b[A-Za-z]:\\[^\s\"<>|]+"  # paths
    r"|</?[A-Za-z][^<>\n]*>|\{\{?[\w.]*\}?\}|\$\{\w+\}|%\(?\w*\)?[sd]\b"  # markup, holes of templates
    r"|\b[A-Z](?:[&/][A-Z])+\b|\b(?!(?:U\.[KNS]|U\.S\.A|D\.C|P\.S|S\.V\.P|R\.S\.V\.P)\.)(?:[A-Z]\.){2,}"  # Q&A, N.Y.
    r"|(?<!\w)[@#]\w+(?:-\w+)*"
    r"|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b"  # names of programs
    rf"|{EMOJI}"
    r"|[\u2012-\u2015\u2020-\u2022\u2030\u201a\u201e\u2039\u203a\xa1\xa7\xb1\xb7\xbf\xd7]"  # rare marks
    r"|[$\u20ac\u00a3\u00a5]\s?\d+(?:[.,'\u2019\u00a0\u202f ]\d+)*(?:[kKMB]\b|(?!\w))"
    r"|\b\d+(?:[.,]\d+)*\s?[\u20ac\u00a3\u00a5$]"
    r"|\+\d[\d ().-]{6,}\d|\(\d{2,4}\)[ -]?\d[\d -]{4,}\d|\b\d{2,4}(?:[ .-]\d{2,4}){3,}\b"  # telephone
    r"|\b\d{1,3}(?:[ \u00a0\u202f]\d{3})+\b"
    r"|\b\d+(?:[.,:/'\u2019-]\d+)+\b(?![-\u2019'](?=\w))"
    r"|\b\d{5,}\b"
    r"|\bv\d+(?:\.\d+)*\b|\b(?:[A-Z]+-?\d|\d+[A-Z])[\w-]*\b"  # versions and codes
    r"|\b[0-9a-f]{8}(?:-[0-9a-f]{4,12})+\b"
)
NUMBER = re.compile(r"\d+(?:[.,:/'\u2019-]\d+)*")
WORD = re.compile(r"[^\s\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\xa1\xa7\xb1\xb7\xbf\xd7\u2000-\u206f]+")
BETWEEN = re.compile(r"[\s,;/|+&-]{1,3}")
"""What may lie between two stretches that are then protected as one."""


@dataclass(frozen=True, slots=True)
class ProtectedText:
    """What a model reads of a segment."""

    normalised: NormalisedText
    """The text with placeholders in it."""
    copies: tuple[tuple[str, str], ...] = ()
    """Each placeholder and the text that it stands for, in the order of the source."""


class Protector:
    """Finds what must not change, for one vocabulary."""

    def __init__(self, placeholders: str, knows: Callable[[str], bool]) -> None:
        """`placeholders` are those of the vocabulary, maybe none; `knows` says whether it has a character."""
        self._placeholders = placeholders
        self._knows = knows
        self._known: dict[str, bool] = {}

    def protect(self, normalised: NormalisedText, original: str, further: Finder | None = None) -> ProtectedText:
        """`normalised`, the normal form of `original`, with placeholders, also for stretches that `further` finds."""
        text = normalised.text
        if not self._placeholders or not (further or SUSPECT.search(text) or LONG_RUN.search(text)):
            return ProtectedText(normalised)
        found = self._stretches(text, further)
        if not found:
            return ProtectedText(normalised)
        signs = [self._placeholders[i % len(self._placeholders)] for i in range(len(found))]
        places = [normalised.original_span(*stretch) for stretch in found]
        copies = tuple((sign, original[start:end]) for sign, (start, end) in zip(signs, places, strict=True))
        return ProtectedText(_replaced(normalised, found, signs), copies)

    def _stretches(self, text: str, further: Finder | None) -> list[Stretch]:
        found = [match.span() for match in PATTERN.finditer(text)]
        found += further(text) if further else []
        if not text.isascii():
            found += [m.span() for m in WORD.finditer(text) if not all(map(self._is_known, m.group()))]
        return _united(text, found)

    def _is_known(self, character: str) -> bool:
        if character.isascii():
            return True
        known = self._known.get(character)
        if known is None:
            known = self._known[character] = character not in self._placeholders and self._knows(character)
        return known


def protect_alike(normalised: NormalisedText, copies: Sequence[tuple[str, str]]) -> ProtectedText:
    """`normalised`, the normal form of a translation, with the placeholders of its source for the same `copies`."""
    found: list[tuple[Stretch, tuple[str, str]]] = []
    for sign, copy in copies:
        plain = normalise(copy).text
        at = normalised.text.find(plain) if plain else -1
        while any(start < at + len(plain) and at < end for (start, end), _ in found):
            at = normalised.text.find(plain, at + 1)
        if at >= 0:
            found.append(((at, at + len(plain)), (sign, copy)))
    if not found:
        return ProtectedText(normalised)
    found.sort()
    stretches, alike = zip(*found, strict=True)
    return ProtectedText(_replaced(normalised, stretches, [sign for sign, _ in alike]), alike)


def _united(text: str, stretches: Sequence[Stretch]) -> list[Stretch]:
    """In order, those that overlap or have next to nothing between them as one."""
    united: list[Stretch] = []
    for start, end in sorted(stretches):
        between = text[united[-1][1] : start] if united else None
        if between is not None and (start <= united[-1][1] or BETWEEN.fullmatch(between)):
            united[-1] = united[-1][0], max(united[-1][1], end)
        else:
            united.append((start, end))
    return united


def _replaced(normalised: NormalisedText, stretches: Sequence[Stretch], signs: Sequence[str]) -> NormalisedText:
    """One sign in place of each stretch; it stands for all of its code points."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for (start, end), sign in zip(stretches, signs, strict=True):
        pieces += [normalised.text[at:start], sign]
        starts += [*normalised.starts[at:start], normalised.starts[start]]
        ends += [*normalised.ends[at:start], normalised.ends[end - 1]]
        at = end
    pieces.append(normalised.text[at:])
    starts += normalised.starts[at:]
    ends += normalised.ends[at:]
    return NormalisedText("".join(pieces), starts, ends)


LEADING = re.compile(rf"(?:(?:[-*+\u2022\u2013\u2014>]|#{{1,6}}|\d{{1,3}}[.)]|{EMOJI})\s+)+|(?:{EMOJI}\s*)+")
TRAILING = re.compile(rf"(?:\s*{EMOJI})+\s*\Z")

EMPHASISED = re.compile(r"(?P<mark>\*{1,3}|_{1,3}|~~)(?P<inner>[^*_~\s](?:[^*_~]*[^*_~\s])?)(?P=mark)")
"""Markdown's emphasis of a whole line."""
CELL_END = re.compile(r"\t|(?<!\S)\|+(?!\S)")
"""A tab, or a bar with white space on both sides."""


def inner_stretch(text: str) -> Stretch:
    """The part of `text` between emoji and signs of lists before it and emoji behind it."""
    before = LEADING.match(text)
    start = before.end() if before else 0
    behind = None if text.isascii() else TRAILING.search(text, start)
    end = behind.start() if behind else len(text)
    emphasised = EMPHASISED.fullmatch(text, start, end)
    return emphasised.span("inner") if emphasised else (start, end)


def cells(text: str, start: int, end: int) -> list[Stretch]:
    """The stretches of `text[start:end]` between tabs and the bars of a table; all of it where there are none."""
    if "\t" not in text and "|" not in text:
        return [(start, end)]
    bars = [match.span() for match in CELL_END.finditer(text, start, end)]
    found = []
    for first, last in zip([start, *(last for _, last in bars)], [*(first for first, _ in bars), end], strict=True):
        cell = text[first:last]
        if inner := cell.strip():
            first += len(cell) - len(cell.lstrip())
            found.append((first, first + len(inner)))
    return found


def inner_stretches(text: str, start: int, end: int) -> list[Stretch]:
    """What `inner_stretch` leaves of each of the `cells` of `text[start:end]`; maybe nothing."""
    found = []
    for first, last in cells(text, start, end):
        inner_start, inner_end = inner_stretch(text[first:last])
        found.append((first + inner_start, first + inner_end))
    return found


def number_stretches(text: str) -> list[Stretch]:
    """Where the numbers of `text` stand."""
    return [match.span() for match in NUMBER.finditer(text)]


def translatable(text: str, placeholders: str) -> bool:
    """Whether `text` has a letter that is no placeholder."""
    return any(character.isalpha() and character not in placeholders for character in text)


def lost_numbers(source: str, target: str) -> bool:
    """Whether a number in digits of `source` is missing in `target`, or one is there that the source has not."""
    return sorted(DIGITS.findall(source)) != sorted(DIGITS.findall(target))


DIGITS = re.compile(r"\d+")
