"""Short weekdays that are all of a cell or of a label: *Sat*, *Sun*, *Mer*, *So*. Alone some of them are other words;
beside others in the same text they are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.expressions.weekdays import DAY, DAYS

ALONE = {language: re.compile(rf"(?P<only>{day}\.?)|{day}\.?(?:\s+{day}\.?){{3,}}") for language, day in DAY.items()}
"""A short weekday, or a row of several."""
BEGINNINGS = {
    language: frozenset(name[:2] for day in days for name in (day, day.capitalize())) for language, days in DAYS.items()
}
"""The letters that each begins with."""
LONGEST = 60
"""Code points of a row."""
EACH = {language: re.compile(rf"{day}(?P<stop>\.?)") for language, day in DAY.items()}
WORDS_TOO = {
    "en": frozenset(("Sun",)),
    "fr": frozenset(("Mar", "Mer", "Jeu", "Ven", "Sam")),
    "de": frozenset(("Fr", "So")),
}
"""Those that are other words, or a name: of a star, of a game, *so*."""
LEAST_OF_WORDS = 3
"""Different ones of these that make weekdays of each other."""


def day_places(texts: Sequence[str], language: str) -> list[int]:
    """The places of those `texts`, cells of one text in a `language`, that are short weekdays."""
    pattern, beginnings = ALONE.get(language), BEGINNINGS.get(language, frozenset())
    if pattern is None or not any(text[:2] in beginnings for text in texts):
        return []  # as in most texts
    found = {at: match for at, text in enumerate(texts) if len(text) <= LONGEST and (match := pattern.fullmatch(text))}
    if not found:
        return []
    days = {match["only"].rstrip(".").capitalize() for match in found.values() if match["only"]}
    has_row = any(match["only"] is None for match in found.values())
    are_stopped = len(days) > 1 and all(match.group().endswith(".") for match in found.values())
    are_sure = has_row or are_stopped or days - WORDS_TOO[language] or len(days) >= LEAST_OF_WORDS
    return list(found) if are_sure else []


def day(text: str, source: str, target: str) -> str:
    """A short weekday that `day_places` finds, or a row of them, as `target` writes it."""
    return EACH[source].sub(lambda match: _written(match, source, target), text) if target in DAYS else text


def _written(match: re.Match[str], source: str, target: str) -> str:
    number = [match.group().lower().startswith(name.lower()) for name in DAYS[source]].index(True)
    return DAYS[target][number] + ("." if target == "fr" else match["stop"])
