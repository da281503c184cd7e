"""Amounts in millions and more: *$1.2m*, *EUR 5bn*, *3 M\u20ac*, *1,2 Mrd. EUR*, as each language writes them.

Digits stay as they are.
"""

from __future__ import annotations

import re

from model_store.contract.placeholders import CURRENCIES
from service.text.spans.stretches import Translated

_NUMBER = r"(?P<number>\d+(?:[.,]\d+)*)"
_SIGN = rf"(?:[$\u20ac\u00a3]|(?:{CURRENCIES})\b)"
SCALES = {
    "en": {"m": 0, "M": 0, "mn": 0, "mln": 0, "million": 0, "bn": 1, "B": 1, "billion": 1, "tn": 2, "trillion": 2},
    "fr": {"M": 0, "Md": 1, "Mds": 1, "Mrd": 1, "Mrds": 1},
    "de": {
        "Mio": 0, "Million": 0, "Millionen": 0, "Mrd": 1, "Milliarde": 1, "Milliarden": 1, "Billion": 2, "Billionen": 2,
    },
}  # fmt: skip
"""A million, a thousand of them, and a million."""
WORDS = {
    "en": ("million", "billion", "trillion"),
    "fr": ("million", "milliard", "billion"),
    "de": ("Million", "Milliarde", "Billion"),
}
_SCALE = {language: rf"(?P<scale>{'|'.join(scales)})(?![^\W\d_])" for language, scales in SCALES.items()}
AMOUNT = {
    "en": re.compile(
        r"(?<!\b[Aa] )(?<!\b[Aa]n )(?<!\b[Tt]he )(?<!\b[Tt]his )(?<![\w$\u20ac\u00a3])"
        rf"(?P<currency>{_SIGN})\s?{_NUMBER}\s?{_SCALE['en']}(?!-)"
    ),
    "fr": re.compile(rf"(?<![\w.,]){_NUMBER}\s?{_SCALE['fr']}\.?\s?(?P<currency>{_SIGN})(?!\w)"),
    "de": re.compile(
        rf"(?<![\w.,]){_NUMBER}\s?{_SCALE['de']}\.?\s?"
        rf"(?P<currency>{_SIGN}|(?:Euro|US-Dollar|Dollar|Pfund|Franken)(?![\w-]))(?!\w)"
    ),
}
"""With its currency. What stands before a noun is left alone: *a $1.2m house*."""
DECIMAL = re.compile(
    r"(?<![\w.,])(?P<number>\d+,\d+)\s(?P<scale>Million(?:en)?|Milliarden?)(?=\s[^\W\d_]|\s*[.,;:!?)]|\s*\Z)"
)
"""What German has without a currency and English in the singular: *1,2 Milliarden Menschen*."""
NAMES = {
    "$": ("$", "de dollars", "Dollar"), "USD": ("USD ", "de dollars", "US-Dollar"),
    "\u20ac": ("\u20ac", "d'euros", "Euro"), "EUR": ("EUR ", "d'euros", "Euro"),
    "\u00a3": ("\u00a3", "de livres", "Pfund"), "GBP": ("GBP ", "de livres", "Pfund"),
    "Euro": (" euros", "d'euros", "Euro"), "Dollar": (" dollars", "de dollars", "Dollar"),
    "US-Dollar": (" US dollars", "de dollars am\u00e9ricains", "US-Dollar"),
    "Pfund": (" pounds", "de livres", "Pfund"), "Franken": (" francs", "de francs", "Franken"),
}  # fmt: skip
"""Currencies in English, where a word stands behind the number, French and German."""


def amounts(text: str, source: str, target: str) -> list[Translated]:
    """The amounts of a `source` text as `target` writes them; none of languages that are not known."""
    if source == target or not {source, target} <= WORDS.keys():
        return []
    found = [Translated(*match.span(), _written(match, source, target)) for match in AMOUNT[source].finditer(text)]
    if (source, target) == ("de", "en") and " M" in text:
        found += [
            Translated(*match.span(), f"{match['number']} {WORDS['en'][SCALES['de'][match['scale']]]}")
            for match in DECIMAL.finditer(text)
            if all(match.start() != each.start for each in found)
        ]
    return found


def _size(number: str, source: str) -> float:
    """A number of a `source` text; a list of them, such as *1.2.3*, is many."""
    plain = number.replace(",", "") if source == "en" else number.replace(".", "").replace(",", ".")
    return float(plain) if plain.count(".") <= 1 else 2.0


def _written(match: re.Match[str], source: str, target: str) -> str:
    number, currency = match["number"], match["currency"]
    word = WORDS[target][SCALES[source][match["scale"]]]
    english, french, german = NAMES.get(currency, (f"{currency} ", f"de {currency}", currency))
    if target == "en":
        return f"{number} {word}{english}" if english.startswith(" ") else f"{english}{number} {word}"
    size = _size(number, source)
    if target == "fr":
        return f"{number} {word}{'s' * (size >= 2)} {french}"
    return f"{number} {word if size == 1 else word.removesuffix('e') + 'en'} {german}"
