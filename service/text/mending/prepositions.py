"""Prepositions beside what is copied: French ones before addresses of pages and telephone numbers, which models confuse
with those of places, and none behind a variable that is a number, *{count} nouveaux messages*; those of countries and
towns."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.common_names import everyday_names
from service.text.names.country_articles import around_countries
from service.text.spans.spacing import rewritten
from service.text.spans.word_sets import word_set

PAGE = re.compile(r"https?://|www\.")
TELEPHONE = re.compile(r"\+\d|\(\d{2,4}\) ?\d|\d{2,4}(?:[ .-]\d{2,4}){3}|0\d{2,4}(?:[ .-]\d{3,6}){1,2}\Z")
VARIABLE = re.compile(r"(?:\{\{?\s*[\w.]*\s*\}\}?|%(?:\d+\$)?[dis@]|%\(\w+\)[ds]|[$%]\{\w+\}|<(?:x|ph)\b[^<>]*/>)\Z")
COUNT = re.compile(r"(?:\{\{?\s*(?:n|count|num\w*|total)\s*\}\}?|%(?:\d+\$)?[di]|[$%]\{(?:n|count|num\w*|total)\})\Z")
"""Those that are a number for certain, so that no article stands behind them."""
DECADES = re.compile(r"les ann\u00e9es \d")
"""Those of centuries, which have their article."""
_NO_NUMBER = "".join(
    f"(?<!{word} )"
    for word in ("ppelez", "ppeler", "ppelle", "omposez", "composer", "est", "\xe9tait", "sera", "devient")
)
"""Words behind which the number itself stands: *notre num\xe9ro est le ...*."""
CHANGES = (
    (PAGE, r"\bau(?= {sign})", "sur"),
    (TELEPHONE, rf"\b(?:\xe0|sur|{_NO_NUMBER}le)(?= {{sign}})", "au"),
    (TELEPHONE, r"(?<=\b[Aa]ppelez-nous )(?={sign})|(?<=\b[Aa]ppelez-moi )(?={sign})", "au "),
    (VARIABLE, r"(?<={sign} )(?:de (?=nouve(?:aux|lles)\b)|d'(?=autres\b))", ""),
    (DECADES, r"\bles (?={sign})", ""),
    (COUNT, r"(?<={sign} )[ld]es (?=[a-z\u00df-\u00ff]{{3}})", ""),
)
"""What a copy begins with, what models write beside its placeholder, and what French does."""
GERMAN = (
    (r"\b(?:auf|um)(?= {sign})", "unter"),
    (r"(?<=\b[Rr]ufen Sie uns )(?={sign} an\b)|(?<=\b[Rr]ufen Sie mich )(?={sign} an\b)", "unter "),
    (r"(?<=\b[Ee]rreichen uns )(?={sign})|(?<=\b[Ee]rreichen mich )(?={sign})", "unter "),
)
"""What models write beside the placeholder of a telephone number, and what German does."""
NAME = re.compile(r"[A-Z\xc4\xd6\xdc][a-z\xe4\xf6\xfc\xdf]")
TURN_TO = (
    r"\b[Ww]enden Sie sich"
    r"(?: (?!an\b|unter\b|mit\b|\xfcber\b|per\b|bei\b|zu\b)[A-Za-z\xe4\xf6\xfc\xdf]+){{0,4}}(?<! in) "
    r"(?P<here>)(?={sign})"
)
"""What has somebody's name behind it without its *an*."""
STREET = re.compile(
    r"[^\W\d_][\w-]*(?:stra(?:\xdf|ss)e|str\.|weg|platz|allee|gasse|ufer|ring|damm|markt) \d+ ?[a-z]?(?:,|\Z)"
)
"""A German one with its number."""
ENGLISH = (
    (r"\b(?:in|on|at) the(?= {sign})", "at"),
    (r"\b(?:in)?to the(?= {sign})", "to"),
    (r"\bfrom the(?= {sign})", "from"),
)
"""What models write beside it, and what English does."""
BY_LANGUAGE = {
    "fr": CHANGES,
    "de": (*((TELEPHONE, wrong, right) for wrong, right in GERMAN), (NAME, TURN_TO, "an ")),
    "en": tuple((STREET, wrong, right) for wrong, right in ENGLISH),
}

IN = re.compile(r"\b(?P<en>[Ee]n) (?P<town>[^\W\d_][\w'\u2019-]*|[\ue000-\uf8ff])")
REGIONS = word_set(
    "Alabama Alaska Arizona Arkansas Colorado Idaho Illinois Iowa Kansas Kentucky Manitoba Maryland Massachusetts",
    "Michigan Minnesota Missouri Nebraska Nevada Ohio Oklahoma Ontario Saskatchewan Tennessee Texas Utah Wisconsin",
)
"""Places that have *en* or *dans le*; towns have *\xe0*."""


def with_prepositions(
    text: str, spans: Sequence[tuple[int, int]], language: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[tuple[int, int]]]:
    """A translation with the articles of countries; a French one with *sur* before addresses of pages, *au* before
    telephone numbers, and no *de* behind a number; a German one with *unter* before telephone numbers and *an* before
    who is turned to; an English one without an article before German streets. `copies` are each placeholder that it may
    have, and the text that it stands for."""
    if not copies:
        return text, spans
    found = [
        (match.span("here" if "here" in match.re.groupindex else 0), right)
        for sign, copy in copies
        for begins, wrong, right in BY_LANGUAGE.get(language, ())
        if begins.match(copy)
        for match in re.finditer(wrong.format(sign=sign), text)
    ]
    if text not in dict(copies):  # a country by itself has no article
        found += [(change.span, change.written) for change in around_countries(language, text, copies)]
    found = sorted(set(found))
    return rewritten(text, spans, [span for span, _ in found], [word for _, word in found])


def with_towns(
    text: str,
    spans: Sequence[tuple[int, int]],
    languages: tuple[str, str],
    read: str,
    copies: Sequence[tuple[str, str]],
) -> tuple[str, Sequence[tuple[int, int]]]:
    """A French translation of an English text, of which a model `read` that, with *\xe0* before towns: *en Leeds*."""
    if languages != ("en", "fr") or "n " not in text or "n " not in read:
        return text, spans
    names, of_signs = everyday_names(*languages), dict(copies)
    found = [
        match
        for match in IN.finditer(text)
        if re.search(rf"\b[Ii]n {re.escape(match['town'])}(?!\w)", read)
        and (name := of_signs.get(match["town"], match["town"])) in names.alike
        and name not in names.given | names.surnames | REGIONS
    ]
    written = ["\xc0" if match["en"][0] == "E" else "\xe0" for match in found]
    return rewritten(text, spans, [match.span("en") for match in found], written)
