"""Stretches that a rule translates, not the model: *etc.*, post office boxes, extensions of telephone numbers, and
what the other files of this room find: weekdays, decades, keys.

Corpora of sentences hardly have them, so that models leave them out or leave them as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from service.text.expressions import wordings
from service.text.expressions.decades import decades
from service.text.expressions.eras import eras
from service.text.expressions.french_ordinals import french_ordinals
from service.text.expressions.key_names import key_names, keys_with_articles
from service.text.expressions.mail_headers import mail_headers
from service.text.expressions.month_parts import may_have_month_parts, month_parts
from service.text.expressions.weekdays import may_have_weekdays, weekdays
from service.text.names.fields import headers
from service.text.names.titles import french_titles, may_have_titles
from service.text.spans.hints import Hints
from service.text.spans.stretches import Translated

ET_CETERA = re.compile(r"\b(?:etc|usw)\b(?:\.(?=[\s,;)]*[^\s,;)]))?")
"""With its full stop, unless that ends the text."""
WRITTEN = {"en": "etc", "fr": "etc", "de": "usw"}
BOX_NUMBER = r"\s?(?P<number>\d(?:\d| (?=\d))*)\b"
BOX = {
    "en": re.compile(rf"\b(?:P\.\s?O\.|PO|Post Office)\s?[Bb]ox{BOX_NUMBER}"),
    "fr": re.compile(rf"\b(?:B\.\s?P\.|BP|[Bb]o\u00eete postale){BOX_NUMBER}(?=\s*(?:[,.;)-]|\Z)|\s\d{{5}}\b|\s[A-Z])"),
    "de": re.compile(rf"\bPostfach{BOX_NUMBER}"),
}
EXTENSION = re.compile(
    r"(?:\b(?P<at>(?i:at|on)) |(?<=[,;(] )|(?<=[Cc]all )|(?<=[Dd]ial )|(?<=\d )|(?<=\bor )|\A)(?i:extension|ext\.)\s?"
    r"(?P<number>\d{1,5})\b(?![.,:]\d|\s?[%\u20ac]|\s(?:days?|weeks?|months?|years?|hours?|minutes?|times?)\b)"
)
"""Of an English telephone number."""
WRITTEN_EXTENSION = {"fr": ("au ", "poste"), "de": ("unter der ", "Durchwahl")}
WRITTEN_BOX = {"en": "P.O. Box", "fr": "BP", "de": "Postfach"}
HINTS = {
    "fr": Hints((
        "si\u00e8cle",
        "TTC",
        "HT",
        "agr\u00e9er",
        "s frais",
        "avel",
        "icket",
        "ournante",
        "en CD",
        "es f\u00eates",
        " sur place",
        " dente",
    )),
    "de": Hints(("zur Verf\xfcgung", "verbleibe", "melden Sie sich", "Ersatzverkehr", *wordings.HINTS["de"])),
    "en": Hints((
        "ntil then",
        "what time it is",
        " key",
        " VAT",
        " to taste",
        " on startup",
        "still on for",
        "an oven",
        "ostly ",
        " value for money",
        *wordings.HINTS["en"],
        "f a mile",
        " dente",
    )),
}  # fmt: skip
"""What is in texts with centuries, and with notices (`service/text/expressions/notices.py`) that have no digits."""
FORMULAS = (
    "Well.",
    "Well .",
    "Last updated",
    "Derni\u00e8re mise",
    "Zuletzt akt",
    "Ch\u00e8re M",
    "Que ",
    "Stimmt, ",
    "H\u00e4",
    "Nice try",
    "nice try",
    "Dear S",
    "Dear M",
    "Sehr geehrte D",
    "Madame, M",
    "Cher M",
)
"""How texts begin that are a formula, see `service/text/expressions/notices.py`."""


def may_have_translated(text: str, source: str) -> bool:
    """Whether a `source` text without digits may have something that `translated` finds, found quickly."""
    return (
        may_be_dated(text, source) or "etc" in text or "usw" in text or (source in HINTS and HINTS[source].are_in(text))
    )


def may_be_dated(text: str, source: str) -> bool:
    """The same of texts that have neither *etc.* nor a hint."""
    if ":" in text[:5] or text.startswith(FORMULAS) or (source == "fr" and may_have_titles(text)):
        return True
    return may_have_month_parts(text, source) or may_have_weekdays(text, source)


def translated(text: str, source: str, target: str) -> list[Translated]:
    """What a rule translates of a `source` text, but for times of day; none of languages that are not known."""
    if source == target or not {source, target} <= WRITTEN.keys():
        return []
    found: list[Translated] = []
    if "etc" in text or "usw" in text:
        found += _found(ET_CETERA, text, lambda match: WRITTEN[target] + "." * match.group().endswith("."))
    found += decades(text, source, target) if "0" in text else []
    found += [Translated(*each) for each in weekdays(text, source, target)]
    found += [*month_parts(text, source, target), *(Translated(*each) for each in headers(text, source, target))]
    found += [*eras(text, source, target), *key_names(text, source, target), *mail_headers(text, source, target)]
    if source == "fr" and may_have_titles(text):
        found += [Translated(*each) for each in french_titles(text, target)]
    if any(map(str.isdigit, text)):
        found += _found(BOX[source], text, lambda match: f"{WRITTEN_BOX[target]} {match['number']}")
        if source == "en":
            found += _found(EXTENSION, text, lambda match: _extension(match, target))
    found += keys_with_articles(text, target) if source == "en" else []
    return found + french_ordinals(text, target) if source == "fr" else found


def _found(pattern: re.Pattern[str], text: str, written: Callable[[re.Match[str]], str | None]) -> list[Translated]:
    return [Translated(*match.span(), new) for match in pattern.finditer(text) if (new := written(match)) is not None]


def _extension(match: re.Match[str], target: str) -> str:
    at, word = WRITTEN_EXTENSION[target]
    return f"{at if match['at'] else ''}{word} {match['number']}"
