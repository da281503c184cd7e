"""German compounds with hyphens that no training text had are read as one word where it had that, else with spaces:
*Kinder-Betreuung*, *3-Zimmer-Wohnung*.

A model copies such a word, as it copies names, while it knows the closed word or the parts.
"""

from __future__ import annotations

import re

from model_store.contract.known_words import Words
from service.text.expressions.notices import GERMAN_UNITS
from service.text.names.common_names import everyday_names
from service.text.spans.normalise import NormalisedText, replaced

_CAPITAL, _SMALL = r"A-Z\u00c4\u00d6\u00dc", r"a-z\u00e4\u00f6\u00fc\u00df"
COMPOUND = re.compile(
    rf"(?<![\w@/.=#&_-])(?<!Herr )(?<!Herrn )(?<!Frau )(?<!Familie )(?<!Dr\. )(?<!Prof\. )"
    rf"(?:\d{{1,3}}|[{_CAPITAL}][\w]*)(?:-(?:[{_CAPITAL}]\w*|\d{{1,3}}))*"
    rf"-(?P<last>[{_CAPITAL}][{_SMALL}]{{2,}})(?![\w@/=_-]|\.\w)"
)
"""Nouns and numbers of few digits, joined by hyphens to a last noun."""
ADJECTIVE = re.compile(rf"\d+-(?:{'|'.join(GERMAN_UNITS)})-")
"""What `service/text/expressions/notices.py` translates: *5-Sterne-Hotel*."""
HYPHEN = re.compile(r"(?<=\w\w)-(?!(?<=[A-Z]{2}-)[A-Z]-)|(?<=\d)-|(?<=\w\w-[A-Z])-")
"""One that joins whole words, not a letter to its word as in *S-Bahn* and *USB-C-Kabel*."""
HINT = re.compile(rf"\w-[{_CAPITAL}]")
"""What every one of them has."""
SHARED = re.compile(rf"(?<=[{_SMALL}]{{2}}-)\s?/\s?(?=[{_CAPITAL}][{_SMALL}]{{3}})")
"""Between two compounds of which the second has the word that both end with: *Ober-/Unterhitze*."""


def with_parts(normalised: NormalisedText, known: Words) -> NormalisedText:
    """The text with compounds closed, or with spaces for hyphens, where the model does not know them with hyphens, but
    so. Names stay: *Anna-Lena*, *M\u00fcller-Schmidt*. Two that share their end are read with *und* between them."""
    if "-/" in normalised.text or "- /" in normalised.text:
        shared = [match.span() for match in SHARED.finditer(normalised.text)]
        normalised = replaced(normalised, shared, [" und "] * len(shared))
    if "-" not in normalised.text or HINT.search(normalised.text) is None:
        return normalised
    found = {match.span(): _read(match.group(), known) for match in COMPOUND.finditer(normalised.text)}
    changed = [(span, word) for span, word in found.items() if normalised.text[slice(*span)] != word]
    text = normalised.text
    for (start, end), word in changed:
        if len(word) == end - start:  # each code point stands for the same original as before
            text = text[:start] + word + text[end:]
    normalised = NormalisedText(text, normalised.starts, normalised.ends)
    closed = [(span, word) for span, word in changed if len(word) < span[1] - span[0]]
    return replaced(normalised, [span for span, _ in closed], [word for _, word in closed]) if closed else normalised


def _read(word: str, known: Words) -> str:
    """A compound as it is read."""
    parts = word.split("-")
    names = everyday_names("de", "de")
    is_name = parts[-1] in names.alike or any(part in names.given or part in names.surnames for part in parts)
    nouns = [part for part in parts if not part.isdigit() and not part.isupper()]
    is_code = sum(part.isupper() for part in parts if len(part) > 1) > 1  # DIN-A4-Blatt
    if word in known or is_name or is_code or ADJECTIVE.match(word):
        return word
    closed = parts[0] + "".join(parts[1:]).lower()
    if closed in known and len(nouns) == len(parts):
        return closed
    return HYPHEN.sub(" ", word) if known.issuperset(nouns) else word
