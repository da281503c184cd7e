"""Letters in disguise: full-width ones, those that mathematics has in bold or script, and words with unseen signs
inside them, as people write in social media or paste. No model knows them; it would copy the word, or read half of it.
"""

from __future__ import annotations

import re
import unicodedata

from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.patterns import CIRCLED_WORD

LOOK = re.compile(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\u24b6-\u24e9\ufeff\uff01-\uff5e\U0001d400-\U0001d7ff\U0001f130-\U0001f189]"
)
"""A text without any of these has none."""
_OTHER_SCRIPT = "[^\x00-\u024f\u1e00-\u1eff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf]"
UNSEEN = re.compile(
    rf"(?<!{_OTHER_SCRIPT})[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]+(?!{_OTHER_SCRIPT})"
    r"|(?<=[A-Za-z\u00c0-\u024f])[\u200c\u200d]+(?=[A-Za-z\u00c0-\u024f])"
)
"""What breaks no word, joins, or turns the direction of writing, in Latin text; other scripts and emoji need it."""
WIDE = re.compile("[\uff01-\uff5e]+")
"""Full-width characters."""
WIDE_WORD = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
"""A run without such a letter or digit is punctuation of other scripts."""
_ONES_OF_LETTERS = "\u210a-\u2113\u211b-\u211d\u2124\u2128\u212c-\u2134"
"""Letters that Unicode had before the rest of their alphabets."""
MATHEMATICAL = re.compile(f"[\U0001d400-\U0001d7ff{_ONES_OF_LETTERS}]{{2,}}|[\U0001d400-\U0001d7ff]")
"""One of the others by itself is a sign, as that of the real numbers is."""
MATHEMATICAL_WORD = re.compile("[\U0001d400-\U0001d6a5]{2}")
"""Two letters side by side; a single one is a variable."""
MATHEMATICAL_DIGIT = re.compile("[\U0001d7ce-\U0001d7ff]+")

SELECTOR = "\ufe0f"
"""Makes an emoji of a sign."""
DARK = (0x1F150, 0x1F170)
"""The first letters of white alphabets in dark circles and squares, for which Unicode names no plain ones."""


def with_plain_letters(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with ASCII letters and digits for those in disguise, one for one, and without unseen signs in Latin
    text."""
    text = normalised.text
    if LOOK.search(text) is None:
        return normalised  # as most texts
    text = WIDE.sub(lambda match: _plain(match) if WIDE_WORD.search(match.group()) else match.group(), text)
    if MATHEMATICAL_WORD.search(text) is not None:
        text = MATHEMATICAL.sub(_plain, text)
    text = MATHEMATICAL_DIGIT.sub(_plain, text)
    plain = NormalisedText(text, normalised.starts, normalised.ends)
    known = {match.span(): "" for match in UNSEEN.finditer(text)}
    for word in CIRCLED_WORD.finditer(text):
        places = range(word.start(), word.end())
        known |= {(at, at + 1): _without_circle(text[at]) for at in places}
    found = sorted(known)
    return replaced(plain, found, [known[span] for span in found]) if found else plain


def _plain(match: re.Match[str]) -> str:
    """The characters that those of a match stand for, where each is one that is ASCII."""
    forms = [(character, unicodedata.normalize("NFKC", character)) for character in match.group()]
    return "".join(form if len(form) == 1 and form.isascii() else character for character, form in forms)


def _without_circle(character: str) -> str:
    if character == SELECTOR:
        return ""
    first = next((first for first in DARK if first <= ord(character) < first + 26), None)
    return chr(ord(character) - first + ord("A")) if first else unicodedata.normalize("NFKC", character)
