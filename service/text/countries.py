"""Countries that texts for training hardly name, so that models copied them or made words of them: *Malta*, *Zambia*.

Where one is also something else (*Jordan*, *Chad*, *Maurice*, *l'Équateur*), the model decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from service.text.translated import Translated

COUNTRIES = (
    # English, French, German; empty where the language has an article, or the name is a word there, too
    ("Andorra", "Andorre", ""),
    ("Barbados", "Barbade", ""),
    ("Belarus", "Bi\u00e9lorussie", ""),
    ("Bermuda", "Bermudes", ""),
    ("Bhutan", "Bhoutan", ""),
    ("Botswana", "", "Botsuana"),
    ("Cambodia", "Cambodge", ""),
    ("Cape Verde", "Cap-Vert", ""),
    ("Cyprus", "Chypre", "Zypern"),
    ("Czechia", "Tch\u00e9quie", "Tschechien"),
    ("Djibouti", "", "Dschibuti"),
    ("Equatorial Guinea", "", "\u00c4quatorialguinea"),
    ("Eritrea", "\u00c9rythr\u00e9e", ""),
    ("Fiji", "Fidji", "Fidschi"),
    ("Gabon", "", "Gabun"),
    ("Greenland", "Groenland", "Gr\u00f6nland"),
    ("Guinea-Bissau", "Guin\u00e9e-Bissau", ""),
    ("Jamaica", "", "Jamaika"),
    ("Kuwait", "Kowe\u00eft", ""),
    ("Kyrgyzstan", "Kirghizistan", "Kirgisistan"),
    ("Kyrgyzstan", "Kirghizstan", "Kirgistan"),
    ("Malaysia", "Malaisie", ""),
    ("Malta", "Malte", ""),
    ("Micronesia", "Micron\u00e9sie", "Mikronesien"),
    ("Mongolia", "Mongolie", ""),
    ("Mozambique", "", "Mosambik"),
    ("Qatar", "", "Katar"),
    ("Rwanda", "", "Ruanda"),
    ("Saint Lucia", "Sainte-Lucie", ""),
    ("San Marino", "Saint-Marin", ""),
    ("South Sudan", "", "S\u00fcdsudan"),
    ("Sudan", "Soudan", ""),
    ("Tajikistan", "Tadjikistan", "Tadschikistan"),
    ("Tanzania", "", "Tansania"),
    ("Turkmenistan", "Turkm\u00e9nistan", ""),
    ("Uzbekistan", "Ouzb\u00e9kistan", ""),
    ("Zambia", "", "Sambia"),
    ("Zimbabwe", "", "Simbabwe"),
)
KNOWN = {("de", "Tschechien")}
"""What models have learnt from that language."""
ALONE, FEMININE, MASCULINE, PLURAL = "alone", "feminine", "masculine", "plural"
FRENCH_GENDERS = {
    "Andorre": ALONE,
    "Bermudes": PLURAL,
    "Bhoutan": MASCULINE,
    "Bi\u00e9lorussie": FEMININE,
    "B\u00e9nin": MASCULINE,
    "Chypre": ALONE,
    "Comores": PLURAL,
    "Fidji": PLURAL,
    "Groenland": MASCULINE,
    "Guin\u00e9e-Bissau": FEMININE,
    "Kirghizistan": MASCULINE,
    "Malaisie": FEMININE,
    "Malte": ALONE,
    "Micron\u00e9sie": FEMININE,
    "Mongolie": FEMININE,
    "Mont\u00e9n\u00e9gro": MASCULINE,
    "Ouganda": MASCULINE,
    "Ouzb\u00e9kistan": MASCULINE,
    "Tadjikistan": MASCULINE,
    "Tch\u00e9quie": FEMININE,
    "Turkm\u00e9nistan": MASCULINE,
    "Zambie": FEMININE,
    "\u00c9quateur": MASCULINE,
    "\u00c9rythr\u00e9e": FEMININE,
}
"""Which article a name has in French; those alone are written for an English one."""
FROM_ENGLISH = {
    "Benin": "B\u00e9nin",
    "Comoros": "Comores",
    "Ecuador": "\u00c9quateur",
    "Montenegro": "Mont\u00e9n\u00e9gro",
    "Uganda": "Ouganda",
    "Zambia": "Zambie",
}
"""Those that models from French have learnt, or that are words there."""
VOWELS = "AEIOU\u00c9"
BEFORE = re.compile(
    r"(?i:\b(?:(?P<at>\u00e0 la |\u00e0 l'|\u00e0 |en |aux? |dans (?:la |les? |l')?)|(?P<of>de la |de l'|des? |du |d')"
    r"|la |les? |l'))\Z|\Z"
)
"""What a French model writes before such a name."""
_ORDER = "en", "fr", "de"
_BEFORE = {
    "fr": r"(?:\b[Ll]'|\b[Ll]a |\b[Ll]e |(?<!\bau )(?<!\bdu )(?<!\baux )(?<!\bdes )\b)",
    "en": r"\b",
    "de": r"\b",
}
"""An article, which the other language has none for. Behind *au* and *du* the model decides."""
_BEHIND = r"\b(?![-'\u2019]\w| [A-Z\u00c0-\u00de])"
"""One with a further name behind it may be part of that: *Malta Airport*."""


def _table(source: str, target: str) -> dict[str, str]:
    if (source, target) == ("en", "fr"):
        return {name: french for name, french, _ in COUNTRIES if french in FRENCH_GENDERS} | FROM_ENGLISH
    at, to = _ORDER.index(source), _ORDER.index(target)
    rows = (row for row in COUNTRIES if row[at] and row[to] and row[at] != row[to] and (source, row[at]) not in KNOWN)
    return {row[at]: row[to] for row in rows}


def _any(names: Iterable[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


TABLES = {(source, target): _table(source, target) for source in _ORDER for target in _ORDER if source != target}
PATTERNS = {
    (source, target): re.compile(rf"{_BEFORE[source]}(?P<name>{_any(names)}){_BEHIND}")
    for (source, target), names in TABLES.items()
}
HINTS = {languages: re.compile(_any(names)) for languages, names in TABLES.items()}
"""The names wherever they stand: without a condition before them they are found several times as fast."""


def may_have_countries(text: str, source: str, target: str) -> bool:
    """Whether a `source` text has one of them, found quickly."""
    hint = HINTS.get((source, target))
    return hint is not None and hint.search(text) is not None and PATTERNS[source, target].search(text) is not None


def countries(text: str, source: str, target: str) -> list[Translated]:
    """The countries of a `source` text as `target` writes them; none of languages that are not known."""
    pattern = PATTERNS.get((source, target))
    if pattern is None:
        return []
    names = TABLES[source, target]
    return [Translated(*match.span(), names[match["name"]]) for match in pattern.finditer(text)]


def before_french(text: str, at: int, name: str) -> tuple[tuple[int, int], str] | None:
    """Where the words lie that a French `text` has before the country `name` at code point `at`, and the article or
    preposition that belongs there; None for another name."""
    name = name.partition(",")[0]  # of several, which are copied together
    gender = FRENCH_GENDERS.get(name)
    match = BEFORE.search(text, 0, at) if gender else None
    if gender is None or match is None:
        return None
    has_elision = gender in (FEMININE, MASCULINE) and name[0] in VOWELS
    article = "l'" if has_elision else {FEMININE: "la ", MASCULINE: "le ", PLURAL: "les ", ALONE: ""}[gender]
    written = article
    if match["at"]:
        written = {MASCULINE: "en " if has_elision else "au ", PLURAL: "aux ", ALONE: "\u00e0 "}.get(gender, "en ")
    elif match["of"]:
        is_from = match["of"].lower() in ("de ", "d'") and gender != PLURAL
        from_it = "d'" if name[0] in VOWELS else "de "
        written = {"le ": "du ", "les ": "des "}.get(article, from_it if is_from or not article else f"de {article}")
    is_first = match.group()[:1].isupper() if match.group() else at == 0
    return match.span(), written[:1].upper() + written[1:] if is_first else written
