"""Numbers above a hundred in words, *two hundred and twenty-one*, *zweihunderteinundzwanzig*, in digits: models write
others for nearly all of them. Round ones are left, *two hundred*, and what stands beside its digits.
"""

from __future__ import annotations

import re
from functools import lru_cache

from service.text.expressions.spelled_numbers import ONES, in_words
from service.text.spans.normalise import NormalisedText, replaced

HINTS = {"en": ("undred", "housand"), "de": ("undert", "ausend")}


def with_digits(normalised: NormalisedText, language: str) -> NormalisedText:
    """A text of a `language` with such numbers in digits."""
    text = normalised.text
    if language not in HINTS or not any(map(text.__contains__, HINTS[language])):
        return normalised  # as most texts
    found = sorted(
        (match.span(), str(_value(match, language)))
        for pattern in _numbers(language)
        for match in pattern.finditer(text)
    )
    return replaced(normalised, [span for span, _ in found], [digits for _, digits in found]) if found else normalised


def _value(match: re.Match[str], language: str) -> int:
    values, parts = _values(language), match.groupdict()
    thousands, hundreds, rest = ((parts.get(part) or "").lower() for part in ("thousands", "hundreds", "rest"))
    value = 1000 * values.get(thousands, 1) if parts.get("thousand") else 0
    value += 100 * values.get(hundreds, 1) if parts.get("hundred") else 0
    return value + values.get(rest, 0)


@lru_cache
def _values(language: str) -> dict[str, int]:
    """The numbers below a hundred by their words."""
    values = {in_words(number, language): number for number in range(1, 100)}
    return {**values, "eins": 1} if language == "de" else values


@lru_cache
def _numbers(language: str) -> tuple[re.Pattern[str], ...]:
    below = "|".join(sorted(_values(language), key=len, reverse=True))
    ones = "|".join(ONES[language][:9])
    rest, end = rf"(?P<rest>{below})", r"(?![\w-])(?! (?:\(\d|[Tt]ausend|[Mm]illi|hundred|thousand|billion))"
    if language == "de":
        thousand = rf"(?P<thousands>{ones})?(?P<thousand>tausend)(?:und)?"
        hundred = rf"(?P<hundreds>{ones}|{'|'.join(ONES['de'][10:])})?(?P<hundred>hundert)"
        forms = (rf"(?:{thousand})?{hundred}(?:und)?{rest}", rf"{thousand}{hundred}", rf"{thousand}{rest}")
    else:
        thousand = rf"(?P<thousands>an?|{ones}) (?P<thousand>thousand)"
        hundred = rf"(?P<hundreds>an?|{ones}) (?P<hundred>hundred)"
        forms = (
            rf"(?:{thousand},? )?{hundred}(?: and)? {rest}",
            rf"{thousand},? {hundred}(?! (?:and )?(?:{below})\b)",
            rf"{thousand}(?:,? and)? {rest}",
        )
    return tuple(re.compile(rf"(?<![\w-])(?<!teen )(?<!ty )(?:{form}){end}", re.IGNORECASE) for form in forms)
