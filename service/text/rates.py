"""Amounts for a unit of something, as each language writes them: *€20/night*, *20 €/nuit*, *20 €/Nacht*.

A model has not read words behind a slash that stands beside a number.
"""

from __future__ import annotations

import re

from service.text.translated import Translated

LANGUAGES = ("en", "fr", "de")
UNITS = (
    ("night", "nuit", "Nacht"),
    ("day", "jour", "Tag"),
    ("week", "semaine", "Woche"),
    ("month", "mois", "Monat"),
    ("year", "an", "Jahr"),
    ("hour", "heure", "Stunde"),
    ("minute", "minute", "Minute"),
    ("person", "personne", "Person"),
    ("piece", "pi\u00e8ce", "St\u00fcck"),
    ("user", "utilisateur", "Nutzer"),
)
SHORT = {"mo": "month", "yr": "year", "hr": "hour", "wk": "week"}
"""What English writes shorter."""
_BY_LANGUAGE = {language: [unit[at] for unit in UNITS] for at, language in enumerate(LANGUAGES)}
_ANY = {
    language: "|".join(sorted([*units, *(SHORT if language == "en" else ())], key=len, reverse=True))
    for language, units in _BY_LANGUAGE.items()
}
RATE = {
    language: re.compile(
        r"(?P<amount>\d[\d.,]*(?:\s?[%\u20ac$\u00a3\u00a5])?|[%\u20ac$\u00a3\u00a5])\s?/\s?"
        rf"(?P<unit>(?i:{units}))\b(?!/)"
    )
    for language, units in _ANY.items()
}


def rates(text: str, source: str, target: str) -> list[Translated]:
    """The rates of a `source` text as `target` writes them; none of languages that are not known."""
    if "/" not in text or source == target or not {source, target} <= RATE.keys():
        return []
    names = [name.lower() for name in _BY_LANGUAGE[source]]
    found = []
    for match in RATE[source].finditer(text):
        unit = match["unit"].lower()
        unit = SHORT.get(unit, unit) if source == "en" else unit
        found.append(Translated(*match.span(), f"{match['amount']}/{_BY_LANGUAGE[target][names.index(unit)]}"))
    return found
