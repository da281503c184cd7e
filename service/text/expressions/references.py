"""What letters, books and calendars refer to: *z. Hd.*, *s. o.*, *Kapitel 3*, *KW 12*, *en semaine 42*; *a.k.a.* and
*5th Ave.*

Models take these for other words: *Kapitel 3* for several chapters, *en semaine* for weekdays.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from service.text.spans.hints import Hints
from service.text.spans.stretches import Translated


class _Reference(NamedTuple):
    hints: tuple[str, ...]
    """One of these is in every text with it."""
    pattern: re.Pattern[str]
    written: Mapping[str, str]
    """By target language."""


_PART = r"(?P<part>\d{1,3}[a-z]?)\b(?![.,]\d|\s?[-\u2013]\s?\d|,\s\d|,?\s(?:and|bis|or|oder|to|und)\s\d)"
"""The number of a part of a book, of one only."""
_NUMBER = r"(?:[1-4]?\d|5[0-3])"
_WEEK = rf"(?P<part>{_NUMBER}(?:\s?[-/+\u2013]\s?{_NUMBER})?)\b(?![.,:]\d)"
"""The number of a week of the year, or of two."""
_GERMAN_WEEK = rf"(?:KW|Kalenderwoche)\s?{_WEEK}"
_STREET = (
    r"\b(?:in|on|at|to|from|of|near|along|down|up|off|behind|opposite|and|onto|into|via|between|[Tt]ake|[Ff]ollow|[Cc]ross)\s"
    r"(?!(?:The|This|That|My|Our|Your|A|An|Mr|Mrs|Ms|Miss|Dr|Prof)\b)(?P<read>(?P<name>(?:[A-Z][a-z'\u2019-]+\s){1,3}"
    r"|\d{1,3}(?:st|nd|rd|th)\s)"
)
_SHORT = r"(?:\.(?=\s(?![A-Z])|[,;)])|(?=\.?\s*\Z)))"
"""The end of a street's name, with a full stop that does not end the text."""
_ALIAS = {"fr": "alias", "de": "alias"}
_FOR = {"en": "for the attention of"}
REFERENCES = {
    "en": (
        _Reference(("a.k.a.", " aka ", " AKA "), re.compile(r"(?<!\S)(?:a\.k\.a\.|aka|AKA)(?=\s)"), _ALIAS),
        _Reference(
            ("Attn", "ATTN", "Attention"),
            re.compile(r"\A(?:(?:Attn|ATTN)\b[.:]*(?=\s)|Attention:?(?=\s(?:Mr|Mrs|Ms|Dr|Prof)\b))"),
            {"de": "z. Hd."},
        ),
        _Reference((" Ave.",), re.compile(rf"{_STREET}Ave{_SHORT}"), {"fr": "{name}Avenue", "de": "{name}Avenue"}),
        _Reference((" St.",), re.compile(rf"{_STREET}St{_SHORT}"), {"fr": "{name}Street", "de": "{name}Street"}),
        _Reference(("hapter ",), re.compile(rf"(?<![\w.-])[Cc]hapter {_PART}"), {"de": "Kapitel {part}"}),
    ),
    "fr": (
        _Reference(("en semaine ",), re.compile(rf"\ben semaine {_WEEK}"), {"en": "in week {part}"}),
        _Reference(
            ("1m", "2m", "1 m", "2 m"),
            re.compile(
                r"(?:\b(?P<is_size>mesur\w+|taille|hauteur)\b[^.;!?\d]{0,20})?(?<![\w,.])"
                r"(?P<read>(?P<metres>[12])\s?m\s?(?P<part>(?(is_size)\d\d|[6-9]\d)))"
                r"\b(?![,.]\d|\s?[%\u20ac]|\s[a-z]?m\b|\s\d|\sfois\b)"
            ),
            {"en": "{metres}.{part} m"},
        ),
        _Reference(
            (" l'att",),
            re.compile(r"\A\xc0 l'att(?:ention|n?\.) d[eu](?=\s)|(?<=[a-z\xdf-\xff] )\xe0 l'attn?\. d[eu](?=\s)"),
            _FOR,
        ),
    ),
    "de": (
        _Reference(
            ("Hd.", "u H\xe4nden "),
            re.compile(r"(?:\bz|\AZ)(?:\.\s?|u )H(?:d\.|\xe4nden)(?: von(?= [HF]))?(?=\s)"),
            _FOR,
        ),
        _Reference(
            ("iehe oben",), re.compile(r"(?:(?<=[\s(])s|\A[Ss])iehe oben(?=\s*[).,;]|\s*\Z)"), {"en": "see above"}
        ),
        _Reference(
            ("iehe unten",), re.compile(r"(?:(?<=[\s(])s|\A[Ss])iehe unten(?=\s*[).,;]|\s*\Z)"), {"en": "see below"}
        ),
        _Reference(("Kapitel ",), re.compile(rf"(?<!\w)(?:(?:[Dd]as|dem) )?Kapitel {_PART}"), {"en": "chapter {part}"}),
        _Reference(
            ("KW", "Kalenderwoche"), re.compile(rf"(?<!\w)[Ii]n (?:der )?{_GERMAN_WEEK}"), {"en": "in week {part}"}
        ),
        _Reference(
            ("KW", "Kalenderwoche"),
            re.compile(rf"(?<!\d )(?<!\b[Ii]n )(?<!\b[Ii]n der )(?<!\w)(?:(?:der|die) )?{_GERMAN_WEEK}"),
            {"en": "week {part}"},
        ),
    ),
}
HINTS = {
    language: Hints([hint for each in found if "part" not in each.pattern.groupindex for hint in each.hints])
    for language, found in REFERENCES.items()
}
"""Of those without digits."""


def may_have_references(text: str, source: str) -> bool:
    """Whether a `source` text without digits may have something that `references` finds, found quickly."""
    return source in HINTS and HINTS[source].are_in(text)


def references(text: str, source: str, target: str) -> list[Translated]:
    """The references of a `source` text as `target` writes them; none of languages that are not known."""
    return [
        Translated(
            *match.span("read" if "read" in each.pattern.groupindex else 0),
            _written(match, each.written[target], target),
        )
        for each in REFERENCES.get(source, ())
        if target in each.written and any(map(text.__contains__, each.hints))
        for match in each.pattern.finditer(text)
    ]


def _written(match: re.Match[str], form: str, target: str) -> str:
    """`form` with the number of a match; English ones begin a text with a capital where the source does."""
    written = form.format(**match.groupdict())
    is_first = target == "en" and match.start() == 0 and match.group()[0].isupper()
    return written[0].upper() + written[1:] if is_first else written
