"""French titles that models leave as they are or take for a pronoun: *Mlle Petit*, *Me Fontaine* (a lawyer), *MM. Petit
et Durand*."""

from __future__ import annotations

import re

from model_store.contract.calendar import CALENDAR
from service.text.names.addressed import OFFICES

_NAME = r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+(?:['\u2019-][^\W\d_]+)*"
TITLE = re.compile(
    r"\b(?<!Il )(?<!Elle )(?<!On )(?<!Tu )(?<!Ne )"
    r"(?P<title>Me(?!\.? (?:Too|Pla\u00eet|Voici|Faire|Dire)\b)(?:lle)?|Mlle)\.? "
    rf"(?P<name>(?:[A-Z]\. |{_NAME} )?(?:(?:de la|de|du|Le|La) )?{_NAME})(?!\w)"
)
"""One with the name behind it."""
_PERSON = rf"(?:[A-Z]\. ?|{_NAME} )?(?:(?:de la|de|du|Le|La) )?{_NAME}"
GENTLEMEN = re.compile(
    rf"\bMM\. (?P<names>{_PERSON}(?:, {_PERSON}){{0,4}}) et (?!(?:Associ\u00e9s|Cie|Fils)\b)(?P<last>{_PERSON})(?!\w)"
)
"""Several men."""
GENTLEMAN, AND = {"en": "Mr.", "de": "Herr"}, {"en": "and", "de": "und"}
LAWYER = "Ma\u00eetre"
LADY = {"en": "Ms.", "de": "Frau"}


def may_have_titles(text: str) -> bool:
    """Whether a French `text` may have such a title, found quickly."""
    return "Me " in text or "Mlle" in text or "Melle" in text or "MM. " in text


def french_titles(text: str, target: str) -> list[tuple[int, int, str]]:
    """Titles of a French `text` with the name behind them, and how `target` writes them."""
    if target not in LADY:
        return []
    found = []
    for match in TITLE.finditer(text):
        title, name = match["title"], match["name"]
        if name.lower() not in CALENDAR | OFFICES:
            found.append((*match.span(), f"{LAWYER if title == 'Me' else LADY[target]} {name}"))
    for match in GENTLEMEN.finditer(text):
        *names, last = (f"{GENTLEMAN[target]} {name}" for name in (*match["names"].split(", "), match["last"]))
        found.append((*match.span(), f"{', '.join(names)} {AND[target]} {last}"))
    return found
