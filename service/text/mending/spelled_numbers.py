"""Numbers of two digits in words, which models confuse: *eighty-two* was *achtundachtzig*.

What the source has in words tells what number belongs in the place of the only one that the translation has instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from service.text.expressions.spelled_numbers import ONES, TENS, in_words
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

_ONES = {language: "|".join(words[:9]) for language, words in ONES.items()}
_TENS = {language: "|".join(dict.fromkeys(words)) for language, words in TENS.items()}
_FRENCH = "|".join(
    sorted(
        (
            f"{in_words(number, 'fr')}e?".replace(" et ", "[ -]et[ -]")
            for number in range(21, 100)
            if number not in (30, 40, 50, 60)
        ),
        key=len,
    )[::-1]
)
READ = {
    "en": re.compile(
        rf"(?<![\w-])(?<!hundred )(?<!hundred and )(?<!teen )(?<!twenty )(?:{_TENS['en']})-(?:{_ONES['en']})"
        r"(?![\w-])(?! (?:hundred|thousand|million|billion)\b)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        rf"(?<![\w-])(?<!cent )(?<!cents )(?<!mille )(?:{_FRENCH})(?![\w-])(?! (?:cents?|mille|millions?)\b)",
        re.IGNORECASE,
    ),
    "de": re.compile(rf"(?<![\w-])(?:{_ONES['de']})und(?:{_TENS['de']})(?![\w-])(?! Milli)", re.IGNORECASE),
}
"""A number of two digits."""
WRITTEN = {
    "en": re.compile(
        rf"(?<![\w-])(?:(?:{_ONES['en']}|{_TENS['en']})-(?!(?:first|second|third|[a-z]+th)\b)[a-z]+"
        rf"|(?:{_TENS['en']})(?: and (?:an?|eleven|for an?|one)(?! half))?)"
        rf"(?![\w-])(?! (?:{_ONES['en']})\b)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        rf"(?<![\w-])(?:(?:{_ONES['fr']}|{_TENS['fr']})(?:-[a-z\xe0-\xff]+| et (?:une?|onze))+|(?:{_TENS['fr']})s?)"
        rf"(?![\w-])(?! (?:{'|'.join(ONES['fr'])})\b)",
        re.IGNORECASE,
    ),
    "de": re.compile(rf"(?<![\w-])(?:(?:{_ONES['de']})und)?(?:{_TENS['de']})(?![\w-])", re.IGNORECASE),
}
"""A number in its place, maybe no number at all: *eighty-night*."""
HINTS = {"en": ("ty-",), "fr": ("vingt", "nte", "Vingt"), "de": ("und",)}


def with_spelled_numbers(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation of the text that was `read` with its number in words."""
    source, target = languages
    if source not in READ or target not in WRITTEN or not any(map(read.__contains__, HINTS[source])):
        return text, spans  # as most texts
    values = [_value(match.group(), source) for match in READ[source].finditer(read)]
    found = [(match, _value(match.group(), target)) for match in WRITTEN[target].finditer(text)]
    lost = [value for value in values if value and all(value != other for _, other in found) and str(value) not in text]
    others = READ[source].sub("", read)
    wrong = [match for match, value in found if value not in values and not _reads(others, source, value)]
    if len(lost) != 1 or len(wrong) != 1:
        return text, spans
    word = in_words(lost[0], target)
    is_first = wrong[0].start() == 0 and text[0].isupper()
    return rewritten(text, spans, [wrong[0].span()], [word.capitalize() if is_first else word])


def _reads(text: str, source: str, value: int | None) -> bool:
    """Whether a `source` text has a round number in words: *from twenty to thirty-two*."""
    return value is not None and re.search(rf"\b{in_words(value, source)}\b", text, re.IGNORECASE) is not None


def _value(words: str, language: str) -> int | None:
    return _values(language).get(re.sub(r"[ -]et[ -](une?|onze)\Z", r" et \1", words.lower()).removesuffix("e"))


@lru_cache
def _values(language: str) -> dict[str, int]:
    """The numbers from 20 to 99 by their words, without an *e* at their end."""
    return {in_words(number, language).removesuffix("e"): number for number in range(20, 100)}
