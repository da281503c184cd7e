"""The line that mail programs write above a quoted mail: *Am 3. Februar 2024 um 10:12 schrieb Anna Weber:*.

Models leave the verb where it is, and change the name, which stands where nouns do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.expressions.dates import SHORT_MONTHS
from service.text.names.common_names import everyday_names
from service.text.spans.stretches import Translated

_WHO = r"(?P<who>(?P<first>[^\s:,]{2,60})(?: [^:,\n]{1,90}?)?)"
_WEEKDAY = {
    language: "|".join(f"{name}|{name[:3]}|{name[:2]}" for name in names) for language, names in WEEKDAYS.items()
}
_MONTH = {language: rf"{'|'.join(names)}|{SHORT_MONTHS[language]}" for language, names in MONTHS.items()}
HEADER = {
    "de": re.compile(
        rf"\AAm (?:(?P<weekday>{_WEEKDAY['de']})\.?,? (?:de[mn] )?)?"
        rf"(?P<date>\d\d?\.\d\d?\.\d{{2,4}}|(?P<day>\d\d?)\. (?P<month>{_MONTH['de']})\.? (?P<year>\d{{4}}))"
        rf"(?:,? (?:um )?(?P<time>\d\d?:\d\d(?::\d\d)?)(?: Uhr)?)?,? schrieb {_WHO}(?=:\s*\Z)",
    ),
    "fr": re.compile(
        rf"\ALe (?:(?P<weekday>(?i:{_WEEKDAY['fr']}))\.?,? )?"
        rf"(?P<date>\d\d?/\d\d?/\d{{2,4}}|(?P<day>1er|\d\d?) (?P<month>{_MONTH['fr']})\.? (?P<year>\d{{4}}))"
        rf"(?:,? (?:\xe0 )?(?P<time>\d\d?(?::|\s?h\s?)\d\d(?::\d\d)?))?,? {_WHO} a \xe9crit\s?(?=:\s*\Z)"
    ),
}
"""By language; the names of months and days may be short."""
HINTS = {"de": " schrieb ", "fr": " a \xe9crit"}
"""One is in every text with such a line."""
ADDRESS = re.compile(r" ?<?[^\s<>@]{1,64}@[^\s<>@:]{1,90}+>?")
HOUR = re.compile(r"\s?h\s?")


def mail_headers(text: str, source: str, target: str) -> Iterator[Translated]:
    """The header that a `source` text is, as `target` has it; none of pairs that are not into English. Who wrote has an
    everyday first name, or an address."""
    if target != "en" or source not in HEADER or HINTS[source] not in text:
        return
    match = HEADER[source].match(text)
    if match is not None and ("@" in match["who"] or match["first"] in everyday_names(source, target).given):
        start = match.start()
        address = ADDRESS.search(text, match.start("who"), match.end())
        if address is None:
            yield Translated(start, match.end(), f"{_written(match, source)}{match['who']} wrote")
        else:  # which stays where it is
            yield Translated(
                start, address.start(), _written(match, source) + text[match.start("who") : address.start()]
            )
            yield Translated(address.end(), match.end() + 1, " wrote:")


def _written(match: re.Match[str], source: str) -> str:
    """When it was written."""
    date = match["date"]
    if match["month"]:
        month = _whole(match["month"], MONTHS[source], MONTHS["en"])
        date = f"{match['day'].removesuffix('er').lstrip('0')} {month} {match['year']}"
    if match["weekday"]:
        date = f"{_whole(match['weekday'], WEEKDAYS[source], WEEKDAYS['en'])}, {date}"
    time = f" at {HOUR.sub(':', match['time'])}" if match["time"] else ""
    return f"On {date}{time}, "


def _whole(name: str, names: Sequence[str], others: Sequence[str]) -> str:
    """What `others` have for the one of `names` that begins with `name`."""
    return next(other for each, other in zip(names, others, strict=True) if each.lower().startswith(name.lower()))
