"""Amounts for a unit of something, as each language writes them: *€20/night*, *20 €/nuit*, *20 €/Nacht*.

A model has not read words behind a slash that stands beside a number.
"""

from __future__ import annotations

import re

from service.text.spans.stretches import Translated

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
    ("jar", "pot", "Glas"),
    ("bottle", "bouteille", "Flasche"),
    ("kilo", "kilo", "Kilo"),
    ("room", "chambre", "Zimmer"),
    ("child", "enfant", "Kind"),
)
SHORT = {
    "en": {"mo": "month", "yr": "year", "hr": "hour", "wk": "week", "pers": "person", "pc": "piece"},
    "fr": {
        "sem": "semaine",
        "pers": "personne",
        "j": "jour",
        "hre": "heure",
        "pce": "pi\u00e8ce",
        "util": "utilisateur",
    },
    "de": {"std": "Stunde", "wo": "Woche", "mon": "Monat", "pers": "Person", "stk": "St\u00fcck"},
}
"""What each language writes shorter, maybe with a full stop."""
HOURS = {"en": "hrs", "fr": "h", "de": "Std."}
"""Hours of work as an amount."""
_BY_LANGUAGE = {language: [unit[at] for unit in UNITS] for at, language in enumerate(LANGUAGES)}
_ANY = {
    language: "|".join(sorted([*units, *SHORT[language]], key=len, reverse=True))
    for language, units in _BY_LANGUAGE.items()
}
_HOURS = r"(?P<hours>\s?(?:hrs?|hours?|heures?|h|Std\.?|Stunden?\.?))"
RATE = {
    language: re.compile(
        rf"(?P<amount>\d[\d.,]*(?:\s?(?:[%\u20ac$\u00a3\u00a5x\u00d7]|min|k?m|m?g|m?l|{_HOURS}))?|[%\u20ac$\u00a3\u00a5])\s?/\s?"
        rf"(?P<unit>(?i:{units}))\b(?P<stop>\.(?=\s+[a-z\d(\u00df-\u00ff]|[,;:)]|\Z))?(?![/\w])"
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
        is_short = unit in SHORT[source]
        unit = SHORT[source].get(unit, unit).lower()
        ends_text = match.end() == len(text) and text[0].isalpha()
        is_whole = match["stop"] is None or (is_short and not ends_text)
        end = match.end() if is_whole else match.start("stop")
        written = f"{_amount(match, target)}/{_BY_LANGUAGE[target][names.index(unit)]}"
        found.append(Translated(match.start(), end, written))
    return found


def _amount(match: re.Match[str], target: str) -> str:
    if match["hours"] is None:
        return match["amount"]
    return f"{match['amount'].removesuffix(match['hours']).rstrip()} {HOURS[target]}"
