"""Times of day in translations: *Es ist 7 Uhr*, *Il est 7 heures*; *ab 19:00 Uhr* for *from 7 pm* with no end."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

TIME = re.compile(r"\d{1,2}(?::\d\d|h(?:\d\d)?)\Z")
CLOCK = re.compile(r"\d{1,2}:\d\d\Z")
IT_IS = {
    "de": re.compile(r"\b(?P<be>(?<=\b[Ee]s )sind)(?= (?:genau |schon |erst |fast |etwa )?(?:\d\d?:\d\d|\w+) Uhr\b)"),
    "fr": re.compile(r"\b[Ii]l (?P<be>fait)(?= (?:d\xe9j\xe0 |presque )?\w+ heures?\b(?! (?:de|du|par|que?)\b| d'))"),
}
"""What models write for *it is*."""
BE = {"de": "ist", "fr": "est"}
FROM = r"\b[Ff]rom {sign}(?!\s?(?:to|until|till|through|and|or|[AaPp]\.?[Mm])\b|\s?[-\u2013\u2014])"
"""A beginning without an end."""
SINCE = {
    "fr": (r"(?<!partir )\bde(?= {sign})", "\xe0 partir de"),
    "de": (r"\bvon(?= {sign}(?! (?:Uhr )?(?:an|bis)\b))", "ab"),
}
ON = r"\b[Aa]m {sign}(?P<uhr> Uhr\b)?(?!\.|\w| (?:Januar|Februar|M\xe4rz|April|Mai|Ju[nl]i|August|\w+ber)\b)"
"""What models write for *for* before a time of day."""
TO = r"\b(?:brought forward|changed|moved|postponed|pushed back|put back|rescheduled) to {sign}"
AFTER = r"\b(?:nach|zu) {sign}(?P<uhr> Uhr\b)?(?!\.|\w)"
NO_TIME = re.compile(r"[$\u20ac\xa3]\s?\d|.*\d\s?(?P<degrees>\xb0[CF])?(?:(?(degrees)|[$\u20ac\xa3%]))\Z")
"""A copy behind which models write *Uhr*, too: a price, a share, a temperature."""


def with_times(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A translation of an English text that was `read`, as it tells the time; `copies` are each placeholder that it may
    have, and the text that it stands for."""
    source, target = languages
    if source != "en" or target not in IT_IS:
        return text, spans
    found = []
    if target == "de" or "o'clock" in read:
        found += [(match.span("be"), BE[target]) for match in IT_IS[target].finditer(text)]
    if target == "de" and "Uhr" in text:
        for sign, match in ((sign, match) for sign, copy in copies if (match := NO_TIME.match(copy))):
            found += [(clock.span(), "") for clock in re.finditer(rf"(?<={sign}) Uhr\b", text)]
            if match["degrees"]:
                found += [(um.span(), "bei") for um in re.finditer(rf"\bum(?= {sign})", text)]
    if target == "de":
        found += _at(text, read, [sign for sign, copy in copies if CLOCK.match(copy)])
    wrong, right = SINCE[target]
    for sign, copy in copies:
        if TIME.match(copy) and re.search(FROM.format(sign=sign), read):
            found += [(match.span(), right) for match in re.finditer(wrong.format(sign=sign), text)]
    found.sort()
    return rewritten(text, spans, [span for span, _ in found], [word for _, word in found])


def _at(text: str, read: str, signs: Sequence[str]) -> list[tuple[Stretch, str]]:
    """German prepositions before the times of day that `signs` stand for: *um*, not *am*; *auf*, not *nach*, behind
    *moved to*."""
    found = []
    for sign in signs:
        found += [(match.span(), _with_uhr(match, "um")) for match in re.finditer(ON.format(sign=sign), text)]
        if re.search(TO.format(sign=sign), read):
            found += [(match.span(), _with_uhr(match, "auf")) for match in re.finditer(AFTER.format(sign=sign), text)]
    return found


def _with_uhr(match: re.Match[str], preposition: str) -> str:
    word, _, sign = match.group().removesuffix(" Uhr").partition(" ")
    return f"{preposition.capitalize() if word[0].isupper() else preposition} {sign} Uhr"


def as_lost(copy: tuple[str, str], languages: tuple[str, str], read: str) -> tuple[str, str]:
    """The placeholder and the text of a copy that a model left out of its translation of what was `read`, as it is put
    back: a time of day with its German preposition."""
    sign, text = copy
    is_time = languages == ("en", "de") and CLOCK.match(text) is not None and re.search(rf"\b[Aa]t {sign}", read)
    return (sign, f"um {text} Uhr") if is_time else copy
