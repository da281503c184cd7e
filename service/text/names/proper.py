"""People, companies and streets as one stretch: *Sarah Young*, *Doe & Co. Ltd.*, *12 High Street*.

Each of their words may be a word of the language, which a model would translate: *Sarah jeune*. Together they leave no
doubt.
"""

from __future__ import annotations

import re
from collections.abc import Container

from model_store.contract.calendar import CALENDAR
from service.text.names.common_names import RULERS, Names, everyday_names
from service.text.names.common_words import is_compound
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

SHORTEST = 2
"""Letters of a surname."""
_CAPITAL = "A-Z\u00c0-\u00de"
_NAME = rf"[{_CAPITAL}][^\W\d_]*(?:['\u2019-](?!s\b)[^\W\d_]+)*"
_FORMS = r"(?:Ltd|Inc|LLC|PLC|plc|Corp|GmbH|AG|KG|OHG|UG|mbH|SARL|SAS|SA|S\.A\.|e\.V\.)"
_NO_STREETS = (
    r"(?:Sitz|Steh|Stell|Park|Spiel|Arbeits|Tabellen|Start|Listen|Camping|Lande|Bau|Studien|Ausbildungs|Fu\u00df|Heim"
    r"|R\u00fcck|Schul|Um|Aus|Rad|Rettungs|Lehr|Land|Bundes|Kreis)(?:platz|weg|stra\u00dfe|strasse)\b"
)
"""German compounds of the same words: *Tabellenplatz 3*."""
_STREETS = {
    "en": (
        rf"\b(?!(?:19|20)\d\d\b)\d{{1,5}}[A-Za-z]?(?:-\d{{1,5}}[A-Za-z]?)? (?:[{_CAPITAL}][\w'\u2019]*\.? ){{1,3}}"
        r"(?:Street|Road|Avenue|Lane|Drive|Square|Boulevard|Terrace|Crescent|Gardens|Mews|Quay"
        r"|(?:Court|Place|Close|Way)(?=[,.;)]|\Z)|(?:St|Rd|Ave|Ln|Sq|Blvd)\b\.?)(?!\w)"
    ),
    "fr": (
        r"\b\d{1,4}(?: ?(?:bis|ter))?,? "
        r"(?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d|[Pp]lace|[Ii]mpasse|[Cc]hemin|[Qq]uai|[Aa]ll\u00e9e|[Cc]ours"
        r"|[Ss]quare)"
        rf"(?: du \d{{1,2}} [a-z\u00e9\u00fb]+ \d{{4}}"
        rf"|(?: (?:du|des|de la|de l['\u2019]|de|d['\u2019]|la|le|les|l['\u2019]))?[ -]?{_NAME}"
        rf"(?:[ -](?:(?:de la|de|du|des|la|le) )?{_NAME})*)"
    ),
    "de": (
        rf"\b(?!{_NO_STREETS})(?:[{_CAPITAL}][^\W\d_]*(?:-[{_CAPITAL}][^\W\d_]*)*-?"
        r"(?:[Ss]tra(?:\u00dfe|sse)|[Ss]tr\.|[Ww]eg|[Pp]latz|[Aa]llee|[Gg]asse|[Dd]amm|[Uu]fer|[Cc]haussee)"
        rf"|[{_CAPITAL}][^\W\d_]*e[rn] (?:Stra(?:\u00dfe|sse)|Str\.|Allee|Platz|Weg|Ufer|Damm|Chaussee))"
        r" \d{1,4}(?: ?[a-z]\b)?(?! ?(?:[KkCc]?m\b|Kilo|Meter|Min|Stund|Euro|Uhr|%|[.:,]\d))"
    ),
}
STREET = {language: re.compile(pattern) for language, pattern in _STREETS.items()}
"""A street with a number, by language."""
COMPANY = re.compile(
    rf"{_NAME}(?:(?: & | \+ | ){_NAME})*"
    r"(?: & (?:Sons|S\u00f6hne|Sohn|Fils|Cie|Co|Partners?)\b\.?"
    rf"(?: {_FORMS}\b\.?)?| (?:(?:und|et|and) (?:Sons|S\u00f6hne|Sohn|Fils|Partners?) )?{_FORMS}(?!\w)\.?)"
)
SURNAME_IN_CAPITALS = re.compile(
    r"(?:(?<=\b(?:Mr|Ms|Dr)\. )|(?<=\bMrs\. )|(?<=\bM\. )|(?<=\bMme )|(?<=\bHerr )|(?<=\bFrau ))"
    rf"[{_CAPITAL}]{{3,}}(?!\w)"
)
"""A surname behind a title, as in scripts and lists: *Mr. SMITH*."""
GIVEN = re.compile(_NAME)
FURTHER = re.compile(rf" (?:(?P<initial>[{_CAPITAL}]\.)|(?P<name>{_NAME}))")
PARTICLE = re.compile(rf" (?:de [Ll]a|d[eu]|v[oa]n(?: de[rn])?|[Ll][ae])(?= [{_CAPITAL}])")
MAY_BE = re.compile(
    rf"[{_CAPITAL}][^\W\d_]*\.? (?:&|[+{_CAPITAL}\d]|(?:und|et|and|de|du|von|van|zu|la|le) )"
    r"|\d ?(?:bis|ter)?,? (?i:rue|av|bd|boulevard|place|impasse|chemin|quai|all|cours|square)"
)
"""A text without any of this has none of them."""
BEFORE_COMPANY = word_set(
    "The A An Our This My Your When While If As At In On By For From With To Of And But Or Company Firm Yesterday",
    "Le La Les Un Une Chez Notre Votre Pour Par Avec Sans Dans En De Et Mais Ou Quand Si Comme Hier Client",
    "Soci\u00e9t\u00e9 Der Die Das Dem Den Ein Eine Unsere Ihre Bei Mit Von F\u00fcr Zwischen An In Im Und Oder",
    "Aber Wenn Als Weil Seit Firma Kunde Auftraggeber Auftragnehmer",
) | {word.capitalize() for word in CALENDAR}
"""What may stand before a company and is none of its name."""
NO_SURNAMES = word_set(
    "a an and as at but by for from her his if in is it its my no not of on or our please than that the then this",
    "to was will with you your airport award bridge hospital island lake park river station street university",
    "winner ceo hr director manager president american british english french german irish italian spanish",
    "et ou mais ne de du des la le les un une mon ma ses son est",
    "und oder aber der die das dem den ein eine ist hat war nicht mit von zu zum zur",
)
"""Words that are no surname, though they stand behind a first name in a heading or behind a greeting."""
BEGINS = re.compile(r"(?:\A|[,:;(|\u2013-])\s*\Z")
ENDS = re.compile(r"\s*(?:[,.;:!?)|]|\Z)")
"""What stands before and behind a name that is by itself, as in a signature."""
GERMAN_VERB = re.compile(
    r" (?:(?!ge|\w{0,30}iert\b)[a-z\xe4\xf6\xfc\xdf]{2,30}te?|ist|war|schrieb|rief|kam|ging|gab|nahm|sah|sprach|blieb"
    r"|starb|gewann|verlor|lief|fuhr|zog|bekam|wird|wurde)\b(?! hat\b| ist\b)"
)
"""What a subject that begins a German sentence has behind it."""


SAID = re.compile(
    r"\b(?i:tell(?:s|ing)?|told|ask(?:s|ed|ing)?|sh[eo]w(?:s|ed|ing)?|g[ai]ve[sn]?|giving|sen[dt]s?|promise[ds]?) \Z"
)
"""What has two people behind it, not one with two first names: *I told Tom Mary was here.*"""
FIRST = re.compile(r"(?:\A|[.!?:,]\s|[\"\u201c\u201e\u00ab(])\Z")
ASKS = re.compile(r"[^.!?]*\?")
PROFESSION = re.compile(r" (?:werden?|wird|wurde|geworden|bleib(?:t|en)|ist|war|sei|ist oder war)\b")
"""What has a profession before it, not a surname: *Tom will Lehrer werden.*"""
IS = re.compile(r"(?:\A|[.!?] )(?:Ist|War|Wird|Wurde) \Z")
"""So does this, where nothing follows: *Ist Tom Lehrer?*"""


def proper_stretches(text: str, source: str, target: str, known: Container[str] | None = None) -> list[Stretch]:
    """Where people, companies and streets stand in a `text` of the language `source`; `known` are the words that the
    model was trained on."""
    if MAY_BE.search(text) is None:
        return []  # as most texts
    found = [match.span() for match in STREET[source].finditer(text)] if source in STREET else []
    found += [_company(match) for match in COMPANY.finditer(text)]
    found += [match.span() for match in SURNAME_IN_CAPITALS.finditer(text)]
    names, at = everyday_names(source, target), 0
    while names.given and (match := GIVEN.search(text, at)) is not None:
        end = _end_of_person(match, names, source, known)
        found += [(match.start(), end)] if end is not None else []
        at = end or match.end()
    return found


def _company(match: re.Match[str]) -> Stretch:
    start, end = match.span()
    while match.string[start:end].partition(" ")[0] in BEFORE_COMPANY:
        start = match.string.index(" ", start) + 1
    is_last = match.string[end - 1] == "." and not match.string[end:].strip()
    return start, end - is_last


def _end_of_person(given: re.Match[str], names: Names, source: str, known: Container[str] | None) -> int | None:
    """Where a person ends whose first name is `given`; None where it is none, or stands alone.

    Behind it come further first names and initials, then a surname: a known one, one that the model never saw, or any
    word where the name stands by itself. A first name that is a word needs a known surname.
    """
    text, first = given.string, given.group()
    if first not in names.given or _is_verb(given, source):
        return None
    before = text[: given.start()].rsplit(None, 1)[-1:]
    if before and before[0].rstrip(".").lower() in RULERS:
        return None
    at = given.end()
    while (word := FURTHER.match(text, at)) and (word["initial"] or word["name"] in names.given - names.families):
        at = word.end()
    particle = PARTICLE.match(text, at)
    last = FURTHER.match(text, particle.end() if particle else at)
    if last is None or last["name"] is None:
        is_full = at > given.end() and text[at - 1] != "."
        return at if is_full and _are_of_one(given, names, source) else None
    name, end = last["name"], last.end()
    if source == "de" and name in names.families and _is_profession(given, end):
        return None
    if name in names.families or name in names.surnames:
        return end
    is_word = known is None or name in known or (source == "de" and not _is_german_subject(given, name, end, known))
    if first in names.words or name.lower() in CALENDAR or name.lower() in NO_SURNAMES or len(name) < SHORTEST:
        return None
    if "'" in name or "\u2019" in name:
        return None  # Sarah Don't
    is_alone = BEGINS.search(text[: given.start()]) is not None and ENDS.match(text, end) is not None
    return end if not is_word or (is_alone and not (particle and source == "de")) else None


def _is_verb(given: re.Match[str], source: str) -> bool:
    """Whether a word that may be a first name is a verb, or a German conjunction: *Will Trump win?*, *Solange ...*"""
    if source == "de" and given.group() == "Solange":
        return True
    begins = FIRST.search(given.string, 0, given.start()) is not None
    return given.group() == "Will" and begins and ASKS.match(given.string, given.end()) is not None


def _are_of_one(given: re.Match[str], names: Names, source: str) -> bool:
    """Whether first names without a surname are those of one person. German has subject and object side by side: *dass
    Tom Maria mag*. One that is a word is none before another: *Will Tom be there?*"""
    if source == "de" or given.group() in names.words:
        return False
    return source != "en" or SAID.search(given.string, 0, given.start()) is None


def _is_profession(given: re.Match[str], end: int) -> bool:
    """Whether the word behind a German first name, up to `end`, is what somebody is or becomes."""
    text = given.string
    if PROFESSION.match(text, end):
        return True
    return IS.search(text, 0, given.start()) is not None and ENDS.match(text, end) is not None


def _is_german_subject(given: re.Match[str], name: str, end: int, known: Container[str]) -> bool:
    """Whether a first name and a word that the model never saw are who a German sentence is about. Behind other first
    names the word may be any noun, as in *Anna Croissants mitbringen*, since compounds are endless."""
    is_first = given.start() == 0 and GERMAN_VERB.match(given.string, end) is not None
    return is_first and not is_compound(name, known)
