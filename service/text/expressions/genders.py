"""Letters for the sexes in advertisements of jobs, which each language has in its own: *(m/w/d)*, *H/F*, *(m/f/d)*."""

from __future__ import annotations

import re

from service.text.spans.stretches import Translated

WRITTEN = {
    ("de", "en"): {"w": "f"},
    ("de", "fr"): {"m": "h", "w": "f"},
    ("fr", "en"): {"h": "m"},
    ("fr", "de"): {"h": "m", "f": "w"},
    ("en", "de"): {"f": "w"},
    ("en", "fr"): {"m": "h"},
}
"""By source and target: the letters that differ."""
_FORMS = {
    "de": r"m/w(?:/[dx])?|w/m(?:/[dx])?|m/f/[dx]|d/m/w|d/w/m|M/W(?:/[DX])?|W/M(?:/[DX])?",
    "fr": r"h/f(?:/[dx])?|f/h(?:/[dx])?|H/F(?:/[DX])?|F/H(?:/[DX])?",
    "en": r"m/f(?:/[dx])?|f/m(?:/[dx])?|M/F(?:/[DX])?|F/M(?:/[DX])?",
}
GENDERS = {language: re.compile(rf"(?<![\w/])(?:{forms})(?![\w/])") for language, forms in _FORMS.items()}


def genders(text: str, source: str, target: str) -> list[Translated]:
    """The letters for the sexes in a `source` text as `target` writes them; none of languages that are not known."""
    letters = WRITTEN.get((source, target))
    if letters is None or "/" not in text:
        return []
    table = str.maketrans({**letters, **{a.upper(): b.upper() for a, b in letters.items()}})
    return [Translated(*match.span(), match.group().translate(table)) for match in GENDERS[source].finditer(text)]
