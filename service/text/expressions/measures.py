"""Measures of kitchens and floors: *2 tbsp sugar*, *2 c. \u00e0 s. de farine*, *3 EL \u00d6l*, *58 sq m*.

Models know the words behind these, and that a word such as *of* follows. So the text that they read has both. What they
do not know as words either is translated here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Translated

_SIGNS = "\u00bc\u00bd\u00be\u2153\u2154\u215b"
_DIGITS = r"\d+(?:[.,/\u2044]\d+)?"
_NUMBER = (
    rf"(?<![\w.,/-])(?P<number>(?:{_DIGITS}(?:\s?[-\u2013]\s?{_DIGITS}|\s\d[/\u2044]\d)?\s?[{_SIGNS}]?|[{_SIGNS}]))\s?"
)
ANY_NUMBER = re.compile(rf"[0-9{_SIGNS}]")
LESS_THAN_TWO = re.compile(rf"(?:1|0?[.,]\d+|1[/\u2044]\d+|[23][/\u2044][348]|[{_SIGNS}])\s?")
"""What an English or French measure in the singular stands behind."""
ENGLISH = {
    "tbsp": "tablespoon", "tbsps": "tablespoon", "tbs": "tablespoon", "tablespoon": "tablespoon",
    "tablespoons": "tablespoon", "tsp": "teaspoon", "tsps": "teaspoon", "teaspoon": "teaspoon",
    "teaspoons": "teaspoon", "cup": "cup", "cups": "cup", "fl oz": "fluid ounce", "fl. oz": "fluid ounce",
    "oz": "ounce", "ounce": "ounce", "ounces": "ounce", "lb": "pound", "lbs": "pound", "pound": "pound",
    "pounds": "pound",
}  # fmt: skip
_NO_FOOD = (
    r"(?:a|above|an|and|are|around|as|at|away|bag|bags|bar|because|before|below|bottle|bottles|box|boxes|but|by|can|cans"
    r"|can|carton|container|cup|cups|daily|each|every|extra|final|finals|for|from|games?|glass|he|heavier|held|here|holders?"
    r"|i|if|in|into|is|it|jar|jars|last|later|left|less|lighter|may|measures?|more|mug|mugs|now|of|on|or|over|overweight"
    r"|pack|package|packages|packet|packs|per|plus|she|should|since|steak|sterling|that|the|then|they|this|tin|tins|to|today"
    r"|too|tubs?|twice|under|until|was|we|weekly|weights?|were|when|which|while|will|with|within|worth|would|you)\b"
)
"""What follows a measure and is not measured."""
_MEASURED = rf"(?P<link>\s(?=\(?[a-z]{{3}}|[A-Z][a-z])(?!{_NO_FOOD}))?"
_ANY_ENGLISH = "|".join(sorted((name.replace(".", r"\.") for name in ENGLISH), key=len, reverse=True))
LISTED = re.compile(r"(?:\A|(?:\A|\b)(?i:add|and|combine|have|mix|need|plus|pour in|stir in|use|with)\s)(?:about\s)?\Z")
"""What stands before a number of cups, ounces and pounds of something."""
ADJECTIVE = re.compile(r"\b(?:[Aa]n?|[Tt]he|[Tt]his|[Oo]ne|[Ee]ach|[Mm]y|[Yy]our|[Oo]ur)\s\Z")
"""What stands before a number that belongs to the next noun: *a 12 oz bottle*."""
STOP = r"(?:\.(?=\s+[a-z(\xe0-\xff]|,))?"
MEASURE = {
    "en": re.compile(rf"{_NUMBER}(?P<unit>(?i:{_ANY_ENGLISH}))\b{STOP}{_MEASURED}"),
    "fr": re.compile(
        rf"{_NUMBER}(?P<unit>(?i:c(?:uil{{1,2}})?\.?\s?\xe0\.?\s?(?P<full>soupe|caf\xe9|th\xe9|[sc]\b\.?(?=[\s,;)]|\Z))"
        r"|(?-i:c(?P<short>s)\b(?!\sd(?:e\sl|u|es)\b))|c\xe0(?P<joined>[sc])\b|c\.\s?(?P<letter>[sc])\.?(?=\s)))"
        r"(?P<link>\s(?=(?i:[aeiouyh\xe2\xe9\xe8\xea\u0153]|[^\W\d_]))"
        r"(?!(?i:d['\u2019]|(?:de|du|des|et|ou|par|pour|\xe0|avec|dans|bien|bomb\xe9e?s?|rases?)\b)))?"
    ),
    "de": re.compile(
        rf"{_NUMBER}(?:(?:gestr|geh)\.\s)?(?<!\d\d\s)(?P<unit>(?:EL|TL(?=\s\(?[^\W\d_]{{2}}))(?!\s\d|[\w/-]))"
    ),
}
GERMAN = {"EL": "Essl\xf6ffel", "TL": "Teel\xf6ffel"}
LENGTHS = {
    "mm": ("millimetre", "millimetres"), "cm": ("centimetre", "centimetres"), "m": ("metre", "metres"),
    "km": ("kilometre", "kilometres"), "ft": ("foot", "feet"), "yd": ("yard", "yards"),
    "mi": ("mile", "miles"),
}  # fmt: skip
LONG = re.compile(
    rf"{_NUMBER}(?P<unit>(?:ft|(?<=\s)(?:{'|'.join(LENGTHS)}))(?=\s(?:away|deep|from|high|long|tall|thick|wide)\b)"
    r"|(?<=\s)mi\b(?!\s?[/.]))"
)
"""Of English: behind the sign of a unit models take *long* for a time. They do not know *mi*."""
BEDS = re.compile(
    r"(?<![\w.,-])\d(?P<unit>[ -]bed)"
    r"(?=\s(?:apartment|bungalow|cottage|flat|home|house|maisonette|property|semi|terrace)\b)"
)
"""Bedrooms, as adverts for houses have them."""
SPOON = re.compile(r"(?<![\w.,/])(?P<number>\d+(?:[.,-]\d+)?) (?:table|tea)spoon(?P<ending>s?)(?= of\b| \()")
"""What an English translation has, of one or several."""
_AMOUNT = r"(?<![\w.,/-])(?P<amount>\d+(?:[.,]\d+)*)\s?"
DEGREES = re.compile(r"(?<![\w.,/])(?P<amount>-?\d+(?:,\d+)?)\s?\xb0(?!\s?[CF]\b|\w)"), {"en": "{amount}\xb0"}
"""Of warmth and angles. Models into English write a full stop for the sign."""
RULED = {
    "en": (
        (
            re.compile(rf"{_AMOUNT}(?:sq\.?\s?m|sqm|sq\.?\smet(?:er|re)s?)\b"),
            {"fr": "{amount} m\xb2", "de": "{amount} m\xb2"},
        ),
        (
            re.compile(rf"{_AMOUNT}(?:sq\.?\s?ft|sqft|sq\.?\sfeet|square\sfeet)\b"),
            {"fr": "{amount} pieds carr\xe9s", "de": "{amount} Quadratfu\xdf"},
        ),
        (re.compile(rf"{_AMOUNT}fluid ounces?(?: of)?\b"), {"de": "{amount} Fl\xfcssigunzen"}),
    ),
    "fr": (
        (re.compile(r"(?<![\w.,/-])(?P<amount>\d+[.,]\d+|\d{2,}|[3-9])\spouces\b"), {"en": "{amount} inches"}),
        (
            re.compile(rf"{_AMOUNT}(?P<size>[KMGT])o\b(?!\sde\b)(?P<of>\s(?:SSD|HDD|RAM)\b)?"),
            {"en": "{amount} {size}B{of}"},
        ),
        DEGREES,
    ),
    "de": (
        (re.compile(rf"{_AMOUNT}qm\b"), {"en": "{amount} m\xb2"}),
        DEGREES,
        (re.compile(rf"{_AMOUNT}(?:Pck\.|Pckg\.|Pkg\.|P\xe4ckchen)(?=\s[A-Z])"), {"en": "{amount} {packets} of"}),
    ),
}
"""What to look for in each language, and how others write it."""
SIDES = {"en": "LWHD", "fr": "LlHP", "de": "LBHT"}
"""Length, width, height and depth as letters, by language."""
DIMENSIONS = {
    language: re.compile(rf"(?<![\w'\u2019])[{letters}](?:\s?[xX\xd7]\s?[{letters}]){{1,2}}(?![\w'\u2019])")
    for language, letters in SIDES.items()
}
"""Two or three of them: *L x W x H*."""


def with_measures(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text of a `language` with its measures of kitchens written out."""
    text = normalised.text
    if language not in MEASURE or ANY_NUMBER.search(text) is None:
        return normalised  # as most texts
    found = [(_span(match), words) for match in MEASURE[language].finditer(text) if (words := _words(match, language))]
    if language == "en":
        found += [(match.span("unit"), words) for match in LONG.finditer(text) if (words := _lengths(match))]
        found += [(match.span("unit"), "-bedroom") for match in BEDS.finditer(text)]
        found.sort()
    are_free = free(text, [span for span, _ in found])
    found = [each for each, is_free in zip(found, are_free, strict=True) if is_free]
    return replaced(normalised, [span for span, _ in found], [words for _, words in found]) if found else normalised


def measures(text: str, source: str, target: str) -> list[Translated]:
    """The measures of a `source` text that a rule translates; none of languages that are not known."""
    found = [
        Translated(*match.span(), _written(match, written[target]))
        for pattern, written in RULED.get(source, ())
        if target in written
        for match in pattern.finditer(text)
    ]
    if source in SIDES and target in SIDES:
        letters = str.maketrans(SIDES[source], SIDES[target])
        found += [Translated(*m.span(), m.group().translate(letters)) for m in DIMENSIONS[source].finditer(text)]
    return found


def with_spoons(text: str, spans: Sequence[tuple[int, int]], language: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """An English translation with several spoons in the plural and one in the singular, which models confuse."""
    if language != "en" or "spoon" not in text:
        return text, spans
    found = [match for match in SPOON.finditer(text) if (match["number"] == "1") == (match["ending"] == "s")]
    return rewritten(text, spans, [match.span("ending") for match in found], ["s" * (not m["ending"]) for m in found])


def _span(match: re.Match[str]) -> tuple[int, int]:
    return match.start("unit"), match.end()


def _words(match: re.Match[str], language: str) -> str | None:
    """The words for a match of MEASURE; nothing where it has them."""
    if language == "de":
        return GERMAN[match["unit"]]
    is_one = LESS_THAN_TWO.fullmatch(match["number"]) is not None
    return _french(match, is_one) if language == "fr" else _english(match, is_one)


def _english(match: re.Match[str], is_one: bool) -> str | None:
    before, unit = match.string[max(0, match.start() - 20) : match.start()], match["unit"]
    word = ENGLISH[unit.lower()]
    is_spoon = word.endswith("spoon")
    if (not is_spoon and ADJECTIVE.search(before)) or (unit.lower() == word and not is_one):
        return None  # it belongs to the next noun
    link = " of " if match["link"] and (is_spoon or LISTED.search(before)) else match["link"] or ""
    written = unit.lower() if unit.lower() in (word, word + "s") else word + "s" * (not is_one)
    words = _apart(match, written + link)
    return None if words == match.string[slice(*_span(match))] else words


def _lengths(match: re.Match[str]) -> str | None:
    if ADJECTIVE.search(match.string[max(0, match.start() - 20) : match.start()]):
        return None  # a 2 m long table
    return _apart(match, LENGTHS[match["unit"]][match["number"].strip() != "1"])


def _apart(match: re.Match[str], words: str) -> str:
    """`words` for a unit with a space before them where its number is glued to it: *7lb 3oz*."""
    return words if match.string[match.start("unit") - 1].isspace() else f" {words}"


def _french(match: re.Match[str], is_one: bool) -> str:
    kind = (match["full"] or match["short"] or match["joined"] or match["letter"])[0].lower()
    spoon = "soupe" if kind == "s" else "caf\xe9"
    words = f"cuill\xe8re{'s' * (not is_one)} \xe0 {spoon}"
    if not match["link"]:
        return words
    is_vowel = match.string[match.end()].lower() in "aeiouyh\xe2\xe9\xe8\xea\u0153"
    return words + (" d'" if is_vowel else " de ")


def _written(match: re.Match[str], form: str) -> str:
    parts = {name: value or "" for name, value in match.groupdict().items()}
    parts["packets"] = "packet" if parts["amount"] == "1" else "packets"
    return form.format(**parts)
