"""Units and distances in translations of English: *10 miles*, not *10 kilomètres*; *6 Fuß hoch*; *4 pieds de large*;
*est à 5 minutes*.

Corpora have kilometres where English sentences have miles, and hardly any text with feet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

METRIC = re.compile(r"kilomet|\bkm\b|\bmet(?:er|re)s?\b|\d\s?m\b")
"""A text with these has what models write for other units."""
BEFORE_UNIT = re.compile(r"(?<![\d.,])(?P<digits>\d{1,4}) (?:[^\W\d_]+ )?\Z")
"""The number before a unit; those with separators are copies."""
_SEVERAL = r"(?<=[\w.,] )(?<!\b1 )(?<!\bein )(?<!\beine[mnrs] )"
OTHERS = {
    "fr": (
        (re.compile(r"\bmiles?\b"), re.compile(r"\bkilom\u00e8tre(?=s?\b)"), "mile"),
        (re.compile(r"\byards?\b"), re.compile(r"\bm\u00e8tre(?=s?\b)"), "yard"),
    ),
    "de": (
        (re.compile(r"\bmiles\b"), re.compile(rf"{_SEVERAL}Kilometern?\b"), "Meilen"),
        (re.compile(r"\byards\b"), re.compile(rf"{_SEVERAL}Metern?\b"), "Yards"),
        (re.compile(r"\b\d+ (?:feet|foot)\b"), re.compile(r"(?<=\d )F\u00fc\u00dfen?\b"), "Fu\u00df"),
    ),
}
"""By language: a unit of an English text, what models write for it, and what it is."""
SIDES = {
    "large": "de large", "haut": "de haut", "grand": "de haut", "long": "de long", "longue": "de long",
    "profond": "de profondeur", "profonde": "de profondeur",
}  # fmt: skip
_LENGTH = r"(?:pieds?|(?:kilo|centi|milli)?m\u00e8tres?|miles?|yards?|pouces?)"
SIDE = re.compile(rf"\b{_LENGTH} (?P<side>{'|'.join(SIDES)})s?\b(?! (?:de|et)\b)")
LONG = re.compile(r"\b(?:feet|foot|met(?:er|re)s?|miles?|yards?|inch(?:es)?) (?:deep|high|long|tall|wide)\b")
"""What a text has whose translation has such a side."""
AWAY = re.compile(
    r"(?:\b(?:is|are|was|were|lies)|'s|'re)\s(?:(?:only|just|about|around|less than|over|nearly|almost) ){0,2}\S+"
    r"\s(?:minutes?|hours?|miles?|(?:kilo)?met(?:er|re)s?|yards?|feet|blocks?)\s"
    r"(?:(?:walk|drive|ride|by (?:bus|car|train)|on foot)\s)?(?:away|from)\b"
)
"""A text that says how far something is."""
BE = {
    **dict.fromkeys(("est", "a", "fait"), "est"), **dict.fromkeys(("sont", "ont", "font"), "sont"),
    **dict.fromkeys(("\u00e9tait", "avait", "faisait"), "\u00e9tait"),
    **dict.fromkeys(("\u00e9taient", "avaient", "faisaient"), "\u00e9taient"),
}  # fmt: skip
FAR = re.compile(
    rf"\b(?<!\b[Yy] )(?<!n'y )(?P<verb>{'|'.join(BE)})(?P<de> de)?"
    r"(?= (?:(?:environ|seulement|juste|presque|moins de|plus de) )?\S+ "
    rf"(?:minutes?|heures?|{_LENGTH})\b)"
)
"""What models write for it."""
QUANTITY = re.compile(r"(?:\d+\s?[x\u00d7]\s?)?\d+(?:[.,]\d+)?\s?(?:k?g|mg|[cmd]?l)\Z")
"""A copy that is so much of something."""
_NO_AMOUNT = "".join(rf"(?<!{verb} )" for verb in ("weighs", "weigh", "weighed", "lost", "lose", "gained", "gain"))
OF_SOMETHING = rf"{_NO_AMOUNT}(?<![\w-]){{sign}} (?P<word>(?!of the )[a-z]{{{{2,}}}})"
"""An amount in English with what it is of behind it."""
NOT_OF = word_set(
    "after and are away before but can daily each empty every extra faster for free from full had has heavier if in",
    "into is later less lighter limit max maximum min minimum more must net now on once only or over overnight",
    "overweight per should than that the then thrice to too total twice under was weekly were when which while will",
    "with within he her his my our she their they you your who whose there this these those what where",
)
FRENCH_NOUN = r"(?<={sign} )(?P<noun>(?!(?:{stop})\b)[a-z\u00df-\u00ff\u0153][\w-]{{2,}})(?!['\u2019])"
_STOP = (
    "afin|apr\u00e8s|aux?|avant|avec|brut|chacune?|chaque|dans|de|depuis|des|deux|du|elles?|ensuite|entre|environ|est|et"
    "|ils?|je|jusqu|la|les?|leurs?|lors|mais|max\\w*|mini\\w*|moins|mon|ne|net|nous|on|ou|par|pendant|pour|puis|quand|que"
    "|qui|sans|ses|son|sont|sous|sur|toutes|tous|trois|tu|une?|vers|vos|votre|vous|\\w+ment"
)
WITH_MUTE_H = ("huile", "herbe", "hu\u00eetre", "houmous")
_OF_THE = "(?:d(?:e la|u|es) |de l')"
SPOONS = re.compile(rf"(?<=cuill\xe8res \xe0 caf\xe9 ){_OF_THE}|(?<=cuill\xe8res \xe0 soupe ){_OF_THE}")
UNIT_HINTS = {
    "fr": ("m\u00e8tre", "pied", "mile", "minute", "heure", "yard", "pouce", "cuill"),
    "de": ("eter", "F\u00fc\u00dfe"),
}
"""A translation without any of these has nothing to mend."""

Change = tuple[Stretch, str]


def with_units(
    text: str, spans: Sequence[Stretch], language: str, source: str, read: str, copies: Sequence[tuple[str, str]] = ()
) -> tuple[str, Sequence[Stretch]]:
    """A translation into `language` of a text of the language `source`, which was `read`, with its units, amounts and
    distances as they should be. `copies` are each placeholder that it may have, and the text that it stands for."""
    if source != "en" or not (copies or any(map(text.__contains__, UNIT_HINTS.get(language, ())))):
        return text, spans  # as most texts
    found = list(_others(text, language, read))
    if language == "fr":
        found += [*_french(text, read), *_amounts(text, read, copies)]
    found.sort()
    return rewritten(text, spans, [span for span, _ in found], [word for _, word in found])


def _others(text: str, language: str, read: str) -> Iterator[Change]:
    if METRIC.search(read) is not None:
        return
    for unit, wrong, right in OTHERS.get(language, ()):
        if unit.search(read) is not None:
            yield from ((match.span(), right) for match in wrong.finditer(text) if not _is_converted(match, read))


def _is_converted(match: re.Match[str], read: str) -> bool:
    """Whether the number before a unit is none of the text that was `read`: *150 Millionen Kilometer* of *93 million
    miles*."""
    number = BEFORE_UNIT.search(match.string, 0, match.start())
    return number is not None and not re.search(rf"(?<!\d){number['digits']}(?!\d)", read)


def _french(text: str, read: str) -> Iterator[Change]:
    if LONG.search(read) is not None:
        yield from (((match.start("side"), match.end()), SIDES[match["side"]]) for match in SIDE.finditer(text))
    if "spoons of " in read and "spoons of the " not in read:
        yield from ((m.span(), "d'" if m.group().endswith("'") else "de ") for m in SPOONS.finditer(text))
    if AWAY.search(read) is not None and (match := FAR.search(text)) is not None:
        yield match.span(), f"{BE[match['verb']]} \u00e0"


def _amounts(text: str, read: str, copies: Sequence[tuple[str, str]]) -> Iterator[Change]:
    """*de* behind amounts of something: *500 g de farine*."""
    for sign in {sign for sign, copy in copies if QUANTITY.fullmatch(copy)}:
        of = re.search(OF_SOMETHING.format(sign=re.escape(sign)), read)
        if of is None or of["word"] in NOT_OF or of["word"].endswith("ly"):
            continue
        for match in re.finditer(FRENCH_NOUN.format(sign=re.escape(sign), stop=_STOP), text):
            is_mute = match["noun"].startswith(WITH_MUTE_H)
            yield (match.start(), match.start()), "d'" if is_mute else "de "
        for match in re.finditer(rf"(?<={re.escape(sign)} )(?:{_OF_THE}|l[ae] |l')", text):
            yield match.span(), "d'" if match.group().endswith("'") else "de "
