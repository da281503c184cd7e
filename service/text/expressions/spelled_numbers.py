"""Numbers that contracts have in words and in digits: *thirty (30) days*, *30 (trente) jours*.

A model reads the second as a thing of its own, or cuts the sentence there; so both are one number to it.
"""

from __future__ import annotations

import re

from service.text.spans.stretches import Translated

PAIR = re.compile(
    r"(?<![\w-])(?P<words>[^\W\d_]+(?:[ -][^\W\d_]+){0,6}) \((?P<number>[1-9]\d{0,2})\)"
    r"|(?<![\w.,-])(?P<first>[1-9]\d{0,2}) \((?P<behind>[^\W\d_]+(?:[ -][^\W\d_]+){0,6})\)"
)
ONES = {
    "en": [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
        "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    ],
    "fr": [
        "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize",
        "quatorze", "quinze", "seize", "dix-sept", "dix-huit", "dix-neuf",
    ],
    "de": [
        "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf", "dreizehn",
        "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn",
    ],
}  # fmt: skip
TENS = {
    "en": [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ],
    "fr": [
        "vingt", "trente", "quarante", "cinquante", "soixante", "soixante", "quatre-vingt", "quatre-vingt",
    ],
    "de": [
        "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig",
    ],
}  # fmt: skip


def spelled_numbers(text: str, source: str, target: str) -> list[Translated]:
    """Where a `source` text has a number in words and digits, and how `target` writes both."""
    if "(" not in text or not {source, target} <= ONES.keys():
        return []  # as most texts
    found = []
    for match in PAIR.finditer(text):
        digits, words = match["number"] or match["first"], match["words"] or match["behind"]
        number = int(digits)
        size = _spelled(words, number, source)
        if not size or _has_gender(number, target):
            continue
        written = in_words(number, target)
        if match["words"]:
            start = match.end("words") - size
            written = written.capitalize() if text[start].isupper() else written
            found.append(Translated(start, match.end(), f"{written} ({digits})"))
        elif size == len(words):
            found.append(Translated(*match.span(), f"{digits} ({written})"))
    return found


def _spelled(words: str, number: int, language: str) -> int:
    """How many characters at the end of `words` are the `number`; 0 where it is another."""
    plain = _plain(in_words(number, language), language)
    parts = words.split(" ")
    for count in range(1, len(parts) + 1):
        last = " ".join(parts[-count:])
        if _plain(last, language) == plain:
            return len(last)
    return 0


def _plain(words: str, language: str) -> str:
    """Words of a number without what may be left out."""
    plain = words.lower().replace("-", " ")
    if language == "en":
        return re.sub(r"\Aa hundred", "one hundred", plain).replace(" and ", " ")
    return re.sub(r"\Aein(?=hundert)", "", plain) if language == "de" else plain


def _has_gender(number: int, language: str) -> bool:
    """Whether the word for a number depends on the noun behind it."""
    return number % 100 == 1 or (language == "fr" and number % 10 == 1 and number % 100 not in (11, 71, 91))


def in_words(number: int, language: str) -> str:
    """A number from 1 to 999 in words, as stands before a noun."""
    hundreds, rest = divmod(number, 100)
    below = _below_hundred(rest, language) if rest else ""
    if not hundreds:
        return below
    ones = ONES[language][hundreds - 1]
    if language == "de":
        return f"{ones if hundreds > 1 else 'ein'}hundert{below}"
    if language == "fr":
        many = f"{ones} cent{'' if rest else 's'}" if hundreds > 1 else "cent"
        return f"{many} {below}".rstrip()
    return f"{ones} hundred{' and ' if rest else ''}{below}"


def _below_hundred(number: int, language: str) -> str:
    if number < 20:
        return ONES[language][number - 1]
    tens, ones = divmod(number, 10)
    ten = TENS[language][tens - 2]
    if language == "fr":
        if tens in (7, 9):
            ones += 10
        if not ones:
            return "quatre-vingts" if tens == 8 else ten
        has_and = ones in (1, 11) and tens < 8
        return f"{ten}{' et ' if has_and else '-'}{ONES['fr'][ones - 1]}"
    if not ones:
        return ten
    return f"{ONES['de'][ones - 1]}und{ten}" if language == "de" else f"{ten}-{ONES['en'][ones - 1]}"
