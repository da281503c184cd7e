"""Small letters behind a placeholder or an earlier part of the sentence: *am 3. Mai, ich*.

A model begins what it writes with a capital, as a sentence begins.
"""

from __future__ import annotations

import re

PRONOUN = re.compile(r"I\b")
BEGUN = {"fr": re.compile(r"J(?=['e\u2019]|\Z)"), "de": re.compile(r"I(?=ch\b|c?\Z)|M(?=i(?:r|ch)\b|i?c?\Z)")}
"""How the translation of a part of a sentence begins whose source begins with *I*."""
SMALL = re.compile(r"(?:Ich|Wir|Es|Er|Man|Du|Die|Der|Das|Den|Dem|Ein|Eine|Mein|Meine|Unser|Unsere|Ihr)\b")
"""German words that have no capital within a sentence."""
SALUTATION = re.compile(r"(?:Dear|Hello|Hi|Hey)\b[^.!?:\n]{0,40}, I\b")
"""How a letter on one line begins, whose *I* makes models begin a line."""
WITHIN = {"fr": re.compile(r"(?<=[^\W\d_], )J(?=e\b|['\u2019])"), "de": re.compile(r"(?<=[^\W\d_], )I(?=ch\b)")}
"""A capital that it does not have."""


def with_small_pronoun(text: str, language: str, source: str) -> str:
    """The translation of a text without a capital, with a small pronoun where what the model read, `source`, begins
    with *I*: that has a capital everywhere."""
    pattern = BEGUN.get(language)
    if pattern is None or PRONOUN.match(source) is None:
        return text
    return text[0].lower() + text[1:] if pattern.match(text) else text


def with_small_clause(text: str, language: str, read: str, placeholders: str) -> str:
    """A translation of a text that began with a placeholder and a comma, as a date does, with a small letter behind it
    where the text `read` has one, or *I*."""
    is_such = text[:1] and text[0] in placeholders and read[:1] in placeholders and text[1:3] == read[1:3] == ", "
    if not is_such or not (read[3:4].islower() or PRONOUN.match(read, 3)):
        return text
    if (language == "de" and not SMALL.match(text, 3)) or (language == "en" and PRONOUN.match(text, 3)):
        return text
    return text[:3] + text[3:4].lower() + text[4:]


def with_small_salutation(text: str, language: str, read: str) -> str:
    """A translation with a small pronoun behind its salutation, where the text that was `read` has *I* there: *Liebe
    Anna, ich hoffe*."""
    if language not in WITHIN or SALUTATION.match(read) is None:
        return text
    return WITHIN[language].sub(lambda match: match.group().lower(), text, count=1)
