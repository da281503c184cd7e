"""Shares in digits, *les 3/4 des \u00e9l\u00e8ves*, *1/3 der Leute*, with the words that models have read: of digits
they make *3/4 the class*. English ones come out right."""

from __future__ import annotations

import re

from service.text.spans.normalise import NormalisedText, replaced

SHARE = {
    "fr": re.compile(
        r"(?<!\d )(?<!\b[Ll]e )(?<!\b[Dd]u )(?<!\b[Aa]u )(?<![\w,./-])(?:[Ll]es )?(?P<share>[1-3]/[34])"
        r"(?=\s(?:de la|de l'|des|du)\b)"
    ),
    "de": re.compile(r"(?<!\d )(?<![\w,./-])(?P<share>[1-3]/[34])(?=\s(?:aller|der|des|dieser|dieses)\s)"),
}
"""Of something, behind no number and no article of a date: *le 3/4 du mois*."""
WORDS = {
    "fr": {"1/3": "un tiers", "2/3": "deux tiers", "1/4": "un quart", "3/4": "trois quarts"},
    "de": {"1/3": "ein Drittel", "2/3": "zwei Drittel", "1/4": "ein Viertel", "3/4": "drei Viertel"},
}


def with_shares(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text of a `language` with its shares in words."""
    text = normalised.text
    if language not in SHARE or not ("/3 " in text or "/4 " in text):
        return normalised  # as most texts
    spans, written = [], []
    for match in SHARE[language].finditer(text):
        words = WORDS[language].get(match["share"])
        if words is not None:
            spans.append(match.span())
            written.append(words[0].upper() + words[1:] if match.start() == 0 else words)
    return replaced(normalised, spans, written) if spans else normalised
