"""People, companies and streets as one stretch: *Sarah Young*, *Doe & Co. Ltd.*, *12 High Street*.

Each of their words may be a word of the language, which a model would translate: *Sarah jeune*. Together they leave no
doubt.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import CALENDAR
from service.text.common_names import RULERS, Names, everyday_names

Stretch = tuple[int, int]
_CAPITAL = "A-Z\u00c0-\u00de"
_NAME = rf"[{_CAPITAL}][^\W\d_]*(?:['\u2019-](?!s\b)[^\W\d_]+)*"
_FORMS = r"(?:Ltd|Inc|LLC|PLC|plc|Corp|GmbH|AG|KG|OHG|UG|mbH|SARL|SAS|SA|S\.A\.|e\.V\.)"
_STREETS = {
    "en": (
        rf"\b\d{{1,5}}[A-Za-z]?(?:-\d{{1,5}}[A-Za-z]?)? (?:[{_CAPITAL}][\w'\u2019]*\.? ){{1,3}}"
        r"(?:Street|Road|Avenue|Lane|Drive|Square|Boulevard|Court|Place|Terrace|Crescent|Close|Way|Gardens|Mews|Quay"
        r"|(?:St|Rd|Ave|Ln|Dr|Sq|Blvd|Ct|Pl)\b\.?)(?!\w)"
    ),
    "fr": (
        r"\b\d{1,4}(?: ?(?:bis|ter))?,? "
        r"(?:rue|avenue|av\.|boulevard|bd|place|impasse|chemin|quai|all\u00e9e|cours|square)"
        rf"(?: (?:du|des|de la|de l['\u2019]|de|d['\u2019]|la|le|les|l['\u2019]))?[ -]?{_NAME}"
        rf"(?:[ -](?:(?:de la|de|du|des|la|le) )?{_NAME})*"
    ),
    "de": (
        rf"\b[{_CAPITAL}][^\W\d_]*(?:-[{_CAPITAL}][^\W\d_]*)*-?"
        r"(?:[Ss]tra(?:\u00dfe|sse)|[Ss]tr\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Dd]amm|[Uu]fer|[Cc]haussee)"
        r" \d{1,4}(?: ?[a-z]\b)?"
    ),
}
STREET = {language: re.compile(pattern) for language, pattern in _STREETS.items()}
"""A street with a number, by language."""
COMPANY = re.compile(
    rf"{_NAME}(?:(?: & | \+ |-| ){_NAME})*"
    r"(?: (?:&|und|et|and) (?:Sons|S\u00f6hne|Sohn|Fils|Cie|Co|Partners?)\b\.?"
    rf"(?: {_FORMS}\b\.?)?| {_FORMS}(?!\w)\.?)"
)
PARTICLE = r"(?:de la|de|du|von|van|van der|zu|la|le)"
PERSON = re.compile(rf"(?P<given>{_NAME})(?: {_NAME})?(?: {PARTICLE})? (?P<last>{_NAME})")
MAY_BE = re.compile(
    rf"[{_CAPITAL}][^\W\d_]*\.? (?:&|[+{_CAPITAL}\d]|(?:und|et|and|de|du|von|van|zu|la|le) )"
    r"|\d ?(?:bis|ter)?,? (?:rue|av|bd|boulevard|place|impasse|chemin|quai|all|cours|square)"
)
"""A text without any of this has none of them."""
BEFORE_COMPANY = frozenset(
    word
    for words in (
        "The A An Our This My Company Firm",
        "Le La Les Un Une Chez Notre Société",
        "Der Die Das Ein Eine Unsere Bei Firma",
    )
    for word in words.split(" ")
)
"""What may stand before a company and is none of its name."""
ENDS = re.compile(r"\s*(?:[,.;:!?)|]|\Z)")


def proper_stretches(text: str, source: str, target: str) -> list[Stretch]:
    """Where people, companies and streets stand in a `text` of the language `source`."""
    if MAY_BE.search(text) is None:
        return []  # as most texts
    found = [match.span() for match in STREET[source].finditer(text)] if source in STREET else []
    found += [_company(match) for match in COMPANY.finditer(text)]
    names = everyday_names(source, target)
    at = 0
    while (match := PERSON.search(text, at)) is not None:
        is_person = _is_person(match, names, source)
        found += [match.span()] if is_person else []
        at = match.end() if is_person else match.end("given")
    return found


def _company(match: re.Match[str]) -> Stretch:
    start, end = match.span()
    while match.string[start:end].partition(" ")[0] in BEFORE_COMPANY:
        start = match.string.index(" ", start) + 1
    is_last = match.string[end - 1] == "." and not match.string[end:].strip()
    return start, end - is_last


def _is_person(match: re.Match[str], names: Names, source: str) -> bool:
    """Whether a first name and what follows it are a person; behind a word there must be a known surname."""
    given, last, text = match["given"], match["last"], match.string
    if given not in names.given or last.lower() in CALENDAR or last == "I":
        return False
    before = text[: match.start()].rsplit(None, 1)[-1:]
    if before and before[0].rstrip(".").lower() in RULERS:
        return False
    is_surname = last in names.families
    if given in names.words and source != "fr":  # French headings have no capitals within
        return is_surname
    return is_surname or source != "de" or ENDS.match(text, match.end()) is not None  # nouns have capitals there
