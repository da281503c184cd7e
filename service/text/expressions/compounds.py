"""English adjectives of a number and a unit: *a 30-day trial*, *a 12-inch pizza*.

Models have read hardly any in digits. French has them behind the noun, with *de*; in German they and the noun are one
word. A model that sees a placeholder for such an adjective writes it where adjectives of its language stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.patterns import DIGIT
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Translated

UNITS = {
    "second": ("secondes", "Sekunden"), "minute": ("minutes", "Minuten"), "hour": ("heures", "Stunden"),
    "day": ("jours", "Tage"), "night": ("nuits", "N\xe4chte"), "week": ("semaines", "Wochen"),
    "month": ("mois", "Monats"), "year": ("ans", "Jahres"), "mile": ("miles", "Meilen"),
    "kilometer": ("kilom\xe8tres", "Kilometer"), "meter": ("m\xe8tres", "Meter"), "inch": ("pouces", "Zoll"),
    "foot": ("pieds", "Fu\xdf"), "yard": ("yards", "Yard"), "page": ("pages", "Seiten"),
    "bedroom": ("chambres", "Schlafzimmer"), "room": ("pi\xe8ces", "Zimmer"), "person": ("personnes", "Personen"),
    "liter": ("litres", "Liter"), "gallon": ("gallons", "Gallonen"), "pound": ("livres", "Pfund"),
    "ounce": ("onces", "Unzen"), "gram": ("grammes", "Gramm"), "kilo": ("kilos", "Kilo"), "ton": ("tonnes", "Tonnen"),
    "euro": ("euros", "Euro"), "dollar": ("dollars", "Dollar"), "cent": ("cents", "Cent"),
    "percent": ("%", "Prozent"), "degree": ("degr\xe9s", "Grad"), "watt": ("watts", "Watt"), "volt": ("volts", "Volt"),
    "point": ("points", "Punkte"), "word": ("mots", "W\xf6rter"), "star": ("\xe9toiles", "Sterne"),
    "course": ("plats", "G\xe4nge"), "step": ("\xe9tapes", "Schritte"), "digit": ("chiffres", "Ziffern"),
    "door": ("portes", "T\xfcren"), "player": ("joueurs", "Spieler"), "piece": ("pi\xe8ces", "Teile"),
    "part": ("parties", "Teile"), "story": ("\xe9tages", "Etagen"), "lane": ("voies", "Spuren"),
    "question": ("questions", "Fragen"), "acre": ("acres", "Acre"), "megapixel": ("m\xe9gapixels", "Megapixel"),
    "gigabyte": ("gigaoctets", "Gigabyte"),
}  # fmt: skip
"""Each as French has it in the plural, and as German has it before another noun."""
SHORT = {
    "sec": "second", "min": "minute", "mins": "minute", "hr": "hour", "wk": "week", "mo": "month", "yr": "year",
    "kilometre": "kilometer", "km": "kilometer", "metre": "meter", "litre": "liter", "feet": "foot", "ft": "foot",
    "inches": "inch", "lb": "pound", "oz": "ounce", "storey": "story", "floor": "story",
}  # fmt: skip
BEFORE = {
    "digit": "\xe0 ",
    "door": "\xe0 ",
    "player": "\xe0 ",
    "story": "\xe0 ",
    "star": "",
    "step": "en ",
    "part": "en ",
}
"""What French has instead of *de*."""
OFTEN_APART = "minute|hour|day|week|month|year|mile|bedroom|liter|litre|gallon|euro|pound|oz|lb"
"""Units that are also written with a space: *a 2 hour flight*."""
FRENCH_SINGULAR = re.compile(r"(?<=\w)s\Z")
_NO_NOUN = (
    r"(?!(?i:a|ago|an|and|apart|are|as|at|away|before|by|cheaper|deep|each|early|eight|five|for|four|from|had|has|high|if"
    r"|in|is|it|late|later|less|long|more|nine|nothing|of|off|old|olds|on|one|or|per|pregnant|seven|six|something|tall|than|the|then"
    r"|thick|three|to|too|two|under|was|were|wide|with|would)\b)"
)
_NO_WORD = (
    r"(?!(?i:that|which|who|when|because|but|only|available|included|will|can|could|must|may|should|so|today|tomorrow"
    r"|yesterday|tonight|now|here|there|soon|ahead)\b)"
)
_NUMBER = r"(?<![\w.,/$\u20ac\xa3+-])(?:(?P<least>\d+)\sto\s)?(?P<number>\d+(?:[.,]\d+)*(?:[-\u2013]\d+)?)"
_ANY = "|".join(sorted([*UNITS, *SHORT], key=len, reverse=True))
_APART = (
    rf"(?<!\b1)\s(?<!\b(?:1[89]|20)\d\d\s)(?P<apart>{OFTEN_APART})(?P<several>s)?(?=\s(?!trips?\b|passes\b)[a-z]{{3}})"
)
COMPOUND = re.compile(
    rf"{_NUMBER}(?:-(?P<unit>(?i:{_ANY}))(?:s\b)?(?P<old>-old)?|{_APART})"
    rf"(?=\s{_NO_NOUN}{_NO_WORD}[A-Za-z]|(?:,|\sand|\sor)\s\d+-[a-z]+\s[a-z])"
)
ARTICLE = re.compile(r"\b[Aa]n?\s\Z")
"""What makes an adjective of a plural and of weights with a space: *a 2 hours flight*, *a 12 oz bottle*."""
NAMED = re.compile(
    r"(?:\b(?!(?:An?|About|After|Another|Each|Every|For|Her|His|In|Its|My|One|Our|That|The|Their|This|With|Your)\s)[A-Z]\w*"
    r"|\b(?:chapter|day|figure|grade|level|number|page|part|phase|room|season|section|step|table|type|version|week|year))\s\Z"
)
"""What a number behind it belongs to: *Figure 3 page*."""
WORD_TO = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten) to \Z")
"""Another number before it, in letters."""
LINKED = re.compile(r"\d-[a-z]+(?:,| and| or) \Z")
"""Another adjective before it."""
DETERMINED = re.compile(
    r"\b(?i:an?|another|any|each|every|no|one|same|that|the|this)(?:\s(?!(?:and|at|for|in|of|on|to|with)\b)[\w-]+,?)?\s\Z"
)
"""What stands before the adjective of a noun that French has an article for."""
BEHIND = re.compile(r"(?:walk|drive|ride|wait|talk|holiday|TV)\b")
"""Nouns that a French model takes for verbs, or has no singular for, behind a placeholder."""
_WORD = rf"{_NO_NOUN}{_NO_WORD}[A-Za-z]+(?:-[A-Za-z]+)?"
_ENDS = rf"(?=\s*[.,;:!?)]|\s*\Z|\s(?!{_NO_NOUN}{_NO_WORD}))"
NOUN = re.compile(rf"(?:{_WORD}\s(?!\w+(?:ed|[^s]s)\b(?!\s*\Z)))?{_WORD}{_ENDS}")
"""One or two words behind it that no other noun follows."""
TRIAL = re.compile(
    rf"(?P<amount>{_NUMBER})(?P<unit>[- ](?:(?:day|month)(?=\s)|(?:week|year)(?=\sfree)))"
    r"\s(?P<free>free\s)?trial\b(?!\s(?:period|of|for murder))"
)
"""What models take for one before a court."""
NOTE = re.compile(r"(?:(?<=\d[- ]euro\s)|(?<=\d[- ]pound\s)|(?<=\d[- ]dollar\s))note\b")
"""One of money."""
GERMAN_JOIN = re.compile(
    r"\d-[^\W\d_]+-(?P<space>\s)(?=[A-Z\xc4\xd6\xdc])|\d-[^\W\d_]+(?P<hyphen>-)(?=\s(?!und|oder)[^A-Z]|\Z)"
)
FRENCH_TWICE = re.compile(r"\b(?P<twice>(?:[Dd]e|\xe0|en) )(?=(?:de|\xe0|en) \d)")
JOINS = {"de": (GERMAN_JOIN, ("space", "hyphen")), "fr": (FRENCH_TWICE, ("twice",))}
"""By language, where an adjective stands apart from its noun or has its preposition twice; and what is too much."""
FRENCH_FIRST = re.compile(
    r"\b(?:une?|la|le|les|ces?|cette|nos|vos) (?P<both>(?P<adjective>(?:de|\xe0|en) \d\S*(?: \xe0 \d+)?"
    r" [a-z\xe0-\xff]+) (?!(?:et|ou)\b)(?P<noun>[^\W\d_]+))"
)
"""An adjective between an article and its noun."""
LEAST_PROTECTED = 5
"""Digits of a number that is protected, which has to stay where it is."""
MOST_BEFORE = 32
"""Code points before an adjective that are looked at."""


def compounds(text: str, source: str, target: str) -> list[Translated]:
    """The adjectives of an English text as `target` writes them; none of other languages."""
    if source != "en" or target not in ("fr", "de") or DIGIT.search(text) is None:
        return []
    return [
        Translated(match.start(), match.end(), _written(match, target))
        for match in _found(text)
        if match["old"] is None or (target == "fr" and _unit(match) != "year")
    ]


def with_nouns_first(normalised: NormalisedText, source: str, target: str) -> NormalisedText:
    """An English text for French with such adjectives behind their nouns, *returns of 30 days*, where no article is,
    and behind those of BEHIND.

    There a model takes the placeholder for a number.
    """
    normalised = _with_clear_nouns(normalised, source)
    text = normalised.text
    if (source, target) != ("en", "fr") or DIGIT.search(text) is None:
        return normalised
    spans, words = [], []
    for match in _found(text):
        noun = NOUN.match(text, match.end() + 1)
        is_behind = DETERMINED.search(_before(match)) is None or BEHIND.match(text, match.end() + 1) is not None
        if noun is None or not (is_behind and _may_move(match)) or not free(text, [match.span()])[0]:
            continue
        spans.append((match.start(), noun.end()))
        unit = _unit(match) if match["number"] == "1" else _plural(_unit(match))
        words.append(f"{noun.group()} of {match['number']} {unit}")
    return replaced(normalised, spans, words) if spans else normalised


def _with_clear_nouns(normalised: NormalisedText, source: str) -> NormalisedText:
    """An English text with nouns that models know as something else behind such adjectives: *trial period*, *banknote*.

    *Free* comes before the adjective then, since German makes one word of that and its noun.
    """
    text = normalised.text
    if source != "en" or not ("trial" in text or " note" in text):
        return normalised
    found = {m.span(): f"{m['free'] or ''}{m['amount']}{m['unit']} trial period" for m in TRIAL.finditer(text)}
    found |= {match.span(): "banknote" for match in NOTE.finditer(text)}
    return replaced(normalised, sorted(found), [found[span] for span in sorted(found)]) if found else normalised


def joined(text: str, spans: Sequence[tuple[int, int]], language: str) -> tuple[str, Sequence[tuple[int, int]]]:
    """A translation with its adjectives at their nouns: German ones as one word, French ones without a second *de*."""
    if language not in JOINS or DIGIT.search(text) is None:
        return text, spans
    if language == "fr":
        swapped = list(FRENCH_FIRST.finditer(text))
        places = [match.span("both") for match in swapped]
        text, spans = rewritten(text, spans, places, [f"{match['noun']} {match['adjective']}" for match in swapped])
    pattern, groups = JOINS[language]
    found = [match.span(name) for match in pattern.finditer(text) for name in groups if match[name] is not None]
    return rewritten(text, spans, found, [""] * len(found))


def _found(text: str) -> list[re.Match[str]]:
    return [match for match in COMPOUND.finditer(text) if _is_adjective(match)]


def _may_move(match: re.Match[str]) -> bool:
    """Whether the number, which is not protected, and the unit are all of the adjective."""
    is_plain = match["number"].isdecimal() and len(match["number"]) < LEAST_PROTECTED
    return is_plain and match["least"] is None and match["old"] is None and LINKED.search(_before(match)) is None


def _is_adjective(match: re.Match[str]) -> bool:
    if WORD_TO.search(_before(match)):
        return False
    if match["several"] or match["apart"] in ("oz", "lb", "pound"):
        return ARTICLE.search(_before(match)) is not None
    if match["apart"] and NAMED.search(_before(match)):
        return False
    return not match.group().isupper()


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - MOST_BEFORE) : match.start()]


def _unit(match: re.Match[str]) -> str:
    unit = (match["unit"] or match["apart"]).lower()
    return SHORT.get(unit, unit)


def _plural(unit: str) -> str:
    return {"inch": "inches", "foot": "feet", "story": "stories", "percent": "percent"}.get(unit, f"{unit}s")


def _written(match: re.Match[str], target: str) -> str:
    unit, number = _unit(match), match["number"]
    french, german = UNITS[unit]
    least = match["least"]
    if target == "fr":
        number = f"{least} \xe0 {number}" if least else number
        word = french if number != "1" or unit == "month" else FRENCH_SINGULAR.sub("", french)
        return f"{BEFORE.get(unit, 'de ')}{number} {word}"
    if number == "1" and unit == "day":
        german = "Tages"
    return f"{least}-{number}-{german}-" if least else f"{number}-{german}-"
