"""Fields of forms and of letters: *Last name: Carpenter*, *From: Paul Young*.

The name of a person or a town in such a field may be a word, and nothing beside it tells that it is none. Headers of
letters are short words that mean something else in a sentence.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import CALENDAR
from service.text.names.common_names import GREETINGS, SIGN_OFFS, everyday_names
from service.text.names.towns import CHANGED, TOWNS
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

_WORD = r"[A-Z\u00c0-\u00de][^\W\d_]*(?:['\u2019-][^\W\d_]+)*"
_PARTICLE = r"(?:de la|de|du|van der|van|von|zu|la|le) "
_TITLE = r"(?:(?:Dr|Prof|Mr|Mrs|Ms|M|Mme|Mlle|Herr|Frau)\.? )?"
_VALUE = (
    rf"(?P<whole>{_TITLE}(?P<value>(?:(?:[A-Z]\. ?|{_PARTICLE})?{_WORD})(?: (?:[A-Z]\. ?|{_PARTICLE})?{_WORD}){{0,2}}))"
)
_NAMES = {
    "en": r"(?:full |first |last |middle |family |given |maiden )?name|surname|forename",
    "fr": r"(?:nom et )?pr\u00e9noms?|nom(?: de famille| et pr\u00e9nom)?",
    "de": r"(?:vor- und )?nachname|(?:vor|zu|familien|geburts)?name",
}
_PEOPLE = {
    "en": r"contact(?: person)?|patient|driver|manager|mgr\.?|teacher|client|customer|doctor|guest|passenger|tenant",
    "fr": r"client|patient|chauffeur|m\u00e9decin|responsable|professeur|locataire|passager",
    "de": r"ansprechpartner(?:in)?|kund(?:e|in)|patient(?:in)?|fahrer(?:in)?|lehrer(?:in)?|mieter(?:in)?",
}
_TOWNS = {"en": "city|town", "fr": "ville", "de": "stadt|wohnort|geburtsort"}
_PLACES = {"en": "(?!)", "fr": "(?!)", "de": "ort"}
FIELD = {
    language: re.compile(
        rf"(?i:(?:{_NAMES[language]})|(?P<role>{_PEOPLE[language]})|(?P<town>{_TOWNS[language]})"
        rf"|(?P<place>{_PLACES[language]})) ?: (?P<sign>\*{{1,3}}|__?|){_VALUE}(?P=sign)\s*\Z"
    )
    for language in _NAMES
}
"""A label, and a value of words with capitals that is the rest of the text."""
WORD = re.compile(_WORD)
ADDRESSED = re.compile(r"(?:Mr|Mrs|Ms|M|Mme|Mlle|Herr|Frau)\b\.? ")
"""A title that each language has its own word for."""
PART = re.compile(r"[^,;|\s][^,;|]*")
"""One of several fields on a line."""
LONGEST_LABEL = 24
NO_VALUES = (
    GREETINGS
    | SIGN_OFFS
    | CALENDAR
    | word_set(
        "name date email phone address city signature required optional unknown none any other same new see",
        "please all not enter your yes sales support service services office reception help info hotline team",
        "department good great fine well why what who when where how i my me we it the this that a an and or",
        "next first last marketing accounting human customer press public private company online available",
        "unavailable details nom pr\u00e9nom adresse obligatoire facultatif inconnu inconnue aucun aucune",
        "autre voir accueil bureau secr\u00e9tariat comptabilit\u00e9 je mon ma le la les un une pourquoi",
        "quoi qui nouveau nouvelle ville vorname nachname straße pflichtfeld unbekannt keine keiner andere",
        "siehe vertrieb verkauf empfang b\u00fcro sekretariat buchhaltung kundendienst kundenservice ich mein",
        "meine der die das ein eine warum was wer neu verwaltung personalabteilung zentrale ja nein oui non",
        "no wien male female adult child children free wanted telephone us value m\u00e4nnlich weiblich privat",
        "gesucht erforderlich wert eigent\u00fcmer population homme femme gratuit recherch\u00e9 adulte enfant",
        "requis divers produit fichier dossier green blue red black white guten bonjour",
    )
)
"""Words that no name begins with, in lower case."""

HEADERS = {
    "en": {"From": "from", "To": "to", "Cc": "cc", "CC": "cc", "Bcc": "bcc"},
    "fr": {"De": "from", "\u00c0": "to", "Cc": "cc", "CC": "cc", "Cci": "bcc"},
    "de": {"Von": "from", "An": "to", "Cc": "cc", "CC": "cc", "Bcc": "bcc"},
}
WRITTEN_HEADERS = {
    "en": {"from": "From:", "to": "To:", "cc": "Cc:", "bcc": "Bcc:"},
    "fr": {"from": "De\u00a0:", "to": "\u00c0\u00a0:", "cc": "Cc\u00a0:", "bcc": "Cci\u00a0:"},
    "de": {"from": "Von:", "to": "An:", "cc": "Cc:", "bcc": "Bcc:"},
}
_ADDRESS = r"<?[\w.+-]+@[\w-]+\.\w+"
REPLY = re.compile(r"R(?P<small>E) ?: (?=[^\W\d_])(?=.*[a-z])")
HEADER = re.compile(
    rf"(?P<header>From|To|B?[Cc][Cc]|Cci|De|\u00c0|Von|An) ?:(?= (?:{_ADDRESS}"
    rf"|(?P<name>{_WORD}(?: (?:[A-Z]\. ?|{_PARTICLE})?{_WORD}){{0,2}})\s*(?:[,;<]|\Z)))"
)
"""A header before an address or a name."""


def with_known_header(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with *Re:* for the *RE:* that it begins with, which models do not know."""
    reply = REPLY.match(normalised.text)
    return replaced(normalised, [reply.span("small")], ["e"]) if reply else normalised


def field_values(text: str, source: str, target: str) -> list[Stretch]:
    """Where a `text` of fields of a form has the names of people and towns."""
    if ":" not in text[:LONGEST_LABEL] or source not in FIELD:
        return []  # as most texts
    parts = list(PART.finditer(text))
    if not all(":" in part.group() for part in parts):
        return []
    matches = [FIELD[source].match(text, *part.span()) for part in parts]
    names = [match for match in matches if match and _is_name(match, source, target)]
    return [match.span("value" if ADDRESSED.match(match["whole"]) else "whole") for match in names]


def _is_name(match: re.Match[str], source: str, target: str) -> bool:
    value = match["value"]
    if value.partition(" ")[0].lower() in NO_VALUES:
        return False
    if match["place"] and value not in everyday_names(source, target).alike and value not in TOWNS:
        return False  # any noun may be a place
    if match["role"] and match["whole"] == value and not _has_known_name(value, source, target):
        return False  # Teacher: Good Morning
    return not ((match["town"] or match["place"]) and value in CHANGED)


def _has_known_name(value: str, source: str, target: str) -> bool:
    names = everyday_names(source, target)
    return "." in value or any(word in names.given | names.surnames | names.families for word in WORD.findall(value))


def headers(text: str, source: str, target: str) -> list[tuple[int, int, str]]:
    """The header that a `text` begins with, and how `target` writes it; models know French for English ones."""
    match = HEADER.match(text) if ":" in text[:5] else None
    if match is None or source not in HEADERS or target not in WRITTEN_HEADERS:
        return []  # as most texts
    kind = HEADERS[source].get(match["header"])
    if kind is None or (source, target) == ("en", "fr") or (match["name"] or "").lower() in CALENDAR:
        return []
    return [(*match.span(), WRITTEN_HEADERS[target][kind])]
