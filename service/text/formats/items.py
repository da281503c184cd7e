"""Letters and Roman numbers of items: *a. west*, *(iv) the goods*, *II. Methods*. They stay, and the item is translated
by itself; a model takes *a.* for an article and *I.* for a person.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS
from service.text.names.common_names import everyday_names
from service.text.spans.stretches import Stretch

_ROMAN = r"x{0,3}(?:ix|iv|vi{0,3}|i{1,3})|x{1,3}"
_WORD = r"(?=[\"'(\[*_\u201c\u201e\u00ab]{0,3}[^\W\d_]{2}|[LlDd]['\u2019]\w|[Aa\u00c0\u00e0] \w{2})"
ITEM = re.compile(
    rf"(?:\((?:{_ROMAN}|{_ROMAN.upper()})\)|(?:{_ROMAN}|{_ROMAN.upper()})\))\s+"
    rf"|(?P<sign>(?P<sure>[a-h]|(?=[ivx]{{2}})(?:{_ROMAN}))|[a-z]|[A-Z]|{_ROMAN.upper()})\.\s+{_WORD}"
    r"(?!(?:and|or|et|ou|und|oder|Chr)\b)"
)
"""A sign before a word; one in brackets or before one needs none."""
CIRCA = re.compile(rf"c\.\s+(?:{'|'.join(MONTHS['en'])})\b")
"""About, before a date."""
SHORT = re.compile(r"[A-Z][a-z]+\.(?=\s[a-z\u00df-\u00ff])")
"""A second word that is shortened, too: *d. Verf. sagt*."""
DETERMINED = re.compile(r"(?P<alone>The|D(?:ie|er|as))\b|(?:An?|Les?|La|Une?|Eine?)\b")
"""What is no name behind a number; behind a letter, `alone` is none: *A. La Fontaine*."""
NUMBERS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv")
INDENT = " \t>*-+\u2022"
MOST_INDENT = 20
"""Code points before an item on its line that are looked at."""
MISTER = "M"
"""Stands before a name in French."""
NEAR = 300
"""Code points before and behind an item that have the ones beside it."""


def without_item_sign(text: str, start: int, end: int) -> Stretch:
    """`text[start:end]`, a sentence or a part of one, without the sign of an item that it begins with; nothing of it
    where it is the sign."""
    second = text[start + 1 : start + 2]
    if second.isalpha() and second not in "ivxIVX":
        return start, end  # a word begins it, as most texts
    match = ITEM.match(text, start)
    if match is None or not _begins_line(text, start):
        return start, end
    sign = match["sign"]
    if sign is None or (match["sure"] and not CIRCA.match(text, start) and not SHORT.match(text, match.end())):
        return min(match.end(), end), end
    word = DETERMINED.match(text, match.end())
    inner = min(match.end(), end)
    if word is not None and (word["alone"] or len(sign) > 1):
        return inner, end
    beside = _beside(text, start, sign) if sign != MISTER else []
    if beside and all(_is_surname(rest) for rest in (*beside, text[inner:end])):
        return end, end  # initials of a list of people
    return (inner, end) if beside else (start, end)


def _begins_line(text: str, start: int) -> bool:
    """Whether nothing but indents and signs of lists stands before `start` on its line."""
    first = max(0, start - MOST_INDENT)
    at = text.rfind("\n", first, start) + 1
    return (at > 0 or first == 0) and not text[at or first : start].strip(INDENT)


def _beside(text: str, start: int, sign: str) -> list[str]:
    """What follows the items before and behind that with the `sign` at `start`, which begin lines nearby."""
    signs = [chr(ord(sign) - 1), chr(ord(sign) + 1)] if len(sign) == 1 else []
    if sign.lower() in NUMBERS:
        at = NUMBERS.index(sign.lower())
        signs += [n.upper() if sign.isupper() else n for n in NUMBERS[max(0, at - 1) : at + 2] if n != sign.lower()]
    lines = [line.lstrip(INDENT) for line in text[max(0, start - NEAR) : start + NEAR].split("\n")]
    return [line.partition(" ")[2].strip() for line in lines if line.startswith(tuple(f"{other}. " for other in signs))]


def _is_surname(words: str) -> bool:
    names = everyday_names("en", "de")
    return words in names.surnames or words in names.families
