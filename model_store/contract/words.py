"""Words of a text, at white space and punctuation: what training aligns and what the server's maps have rows for."""

from __future__ import annotations

import re
import unicodedata

NO_SPACES = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
"""Han and kana, which are written without spaces: each character is a word."""

LETTERS = rf"[^\W{NO_SPACES}]+"
WORD = rf"[{NO_SPACES}]|{LETTERS}(?:['\u2019\u2010\u2011-]{LETTERS}|(?<=\d)[.,:](?=\d){LETTERS})*"
MARK = r"([^\w\s])\1*"
"""A run of one sign: `...` is one word, `?"` are two."""

ELISIONS = {
    "fr": r"(?:[cdjlmnst]|\w{0,6}qu)['\u2019](?=\w)",
    "it": r"\w{1,10}['\u2019](?=\w)",
}
"""Where an apostrophe, and only that, ends a word: l'|homme, jusqu'|ici, but aujourd'hui, and don't in English."""

PATTERNS = {language: re.compile(f"{elision}|{WORD}|{MARK}", re.IGNORECASE) for language, elision in ELISIONS.items()}
GENERAL = re.compile(f"{WORD}|{MARK}")

MAY_ATTACH = re.compile("[^\0-\u02ff\u2010-\u2027\u2030-\u205e\u20a0-\u20c0]")
"""What may continue the word before it; a text without any (most European ones) has just the words of its pattern."""

JOINER = "\u200d"
SKIN_TONES = ("\U0001f3fb", "\U0001f3ff")
FLAG_LETTERS = ("\U0001f1e6", "\U0001f1ff")

WordSpan = tuple[int, int]
"""The code points `start`..`end` of a word."""


def word_spans(text: str, language: str) -> list[WordSpan]:
    """Where the words and punctuation of `text` lie, in order: all of it but white space.

    Contractions, hyphenated words and numbers such as 3.50 stay whole; combining marks and joined emoji stay with what
    they modify.
    """
    has_apostrophe = "'" in text or "\u2019" in text
    pattern = PATTERNS.get(language, GENERAL) if has_apostrophe else GENERAL
    found = [match.span() for match in pattern.finditer(text)]
    return _attached(text, found) if MAY_ATTACH.search(text) else found


def _attached(text: str, found: list[WordSpan]) -> list[WordSpan]:
    """The words `found`, those that belong together joined."""
    spans: list[WordSpan] = []
    for start, end in found:
        if spans and spans[-1][1] == start and _belongs(text, spans[-1][0], start):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
    return spans


def _belongs(text: str, word_start: int, start: int) -> bool:
    """Whether the character at `start` continues the word that ends there."""
    before, character = text[start - 1], text[start]
    if character.isascii() and before.isascii():
        return False
    if unicodedata.category(character)[0] == "M" or JOINER in (before, character):
        return True
    if unicodedata.category(before)[0] == "M":  # the letters after a vowel sign
        return character.isalnum() and text[word_start].isalnum()
    if FLAG_LETTERS[0] <= character <= FLAG_LETTERS[1]:
        return FLAG_LETTERS[0] <= before <= FLAG_LETTERS[1]
    return SKIN_TONES[0] <= character <= SKIN_TONES[1]
