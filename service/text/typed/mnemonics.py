"""Mnemonics of menus and buttons: *&File*, *E&xit*, *Save _As*. The sign stands before the letter of the key that opens
the entry. A model takes it for *and*, and the word for another one.

The word is read without the sign, and the word that translates it gets the sign before its first letter.
"""

from __future__ import annotations

import re
from collections.abc import Container

from service.text.formats.markup import Mark
from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced

SIGNS = "&_"
"""Of Windows, Qt and Java; of GTK."""
MNEMONIC = re.compile(
    r"(?<![\w&;/@])(?P<before>[^\W\d_]*)(?P<sign>&(?:amp;)?|_)"
    r"(?P<behind>[^\W\d_]+)(?P<rest>(?:['\u2019][^\W\d_]+)?)(?![\w&;/@=])"
)
"""A word with a sign in it or before it, but no space beside the sign."""
MOST_WORDS, LONGEST = 12, 100
"""Of the name of an entry or a box to tick."""
LEAST_INSIDE = 3
"""Letters of a word that has the sign inside: two are an abbreviation, as *R&d*."""
OK = "OK"
LEAST_PART = 3
"""Letters of a word that stands before an underscore as the first part of a name: *Week_end*."""
FULL_STOP = re.compile(r"(?<!\.)\.\Z")
"""The end of a sentence."""


def without_mnemonic(
    normalised: NormalisedText, original: str, known: Container[str] | None
) -> tuple[NormalisedText, tuple[Mark, ...]]:
    """`normalised`, the normal form of `original`, without the sign of a mnemonic, and a mark round its word.

    `known` has the words that the model was trained on; None where a bundle does not say, and nothing is a mnemonic.
    """
    text = normalised.text
    sign = "&" if "&" in text else "_"
    if sign not in text or known is None or len(text) > LONGEST or text.count(sign) > 1:
        return normalised, ()  # as most texts
    match = MNEMONIC.search(text)
    if match is None or not _is_mnemonic(match, known) or not all(free(text, [match.span("behind")])):
        return normalised, ()
    read = replaced(normalised, [match.span("sign")], [""])
    if not _is_label(read.text):
        return normalised, ()
    at, start = normalised.original_span(*match.span("sign"))
    first, behind = normalised.original_span(*match.span())
    return read, (Mark(original[at:start], "", first, behind, first, behind),)


def without_any_mnemonic(normalised: NormalisedText, original: str) -> NormalisedText:
    """A translation without the sign of a mnemonic, whatever its word is."""
    return without_mnemonic(normalised, original, _EveryWord())[0]


class _EveryWord:
    def __contains__(self, word: object) -> bool:
        return True


def _is_label(text: str) -> bool:
    """Whether a text may be the name of an entry of a menu, and no sentence."""
    first = next(filter(str.isalpha, text), "")
    if '"' in text[1:-1]:
        return False  # of a program: MENUITEM "&Open"
    return first.isupper() and text.count(" ") < MOST_WORDS and FULL_STOP.search(text) is None


def _is_mnemonic(match: re.Match[str], known: Container[str]) -> bool:
    before, behind = match["before"], match["behind"]
    word = before + behind
    if word == OK:
        return True
    if not word[1:].islower() or (before and len(word) < LEAST_INSIDE):
        return False
    if match["sign"] == "_" and len(before) >= LEAST_PART and len(behind) >= LEAST_PART:
        return before not in known or behind not in known
    return word in known or word + match["rest"] in known
