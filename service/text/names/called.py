"""Names that a word before them says are names: *Uncle Bill*, *her name is Hope*, *a dog called Rusty*, *St Mary's
Church*. Most are words of the language, and a model translates them.
"""

from __future__ import annotations

import re

from model_store.contract.calendar import CALENDAR
from service.text.names.addressed import OFFICES, TITLES
from service.text.names.common_names import everyday_names
from service.text.names.common_words import PEOPLES
from service.text.spans.stretches import Stretch, Translated

_NAME = r"[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+"
_SEVERAL = rf"(?:The (?=[A-Z]))?{_NAME}(?: {_NAME}){{0,3}}"
_SOMEBODY = (
    r"(?:baby|band|bar|bird|boat|book|boy|cafe|caf\u00e9|cat|daughter|dog|film|friend|game|girl|guy|horse|kitten|lady"
    r"|man|mate|movie|novel|parrot|pony|pub|puppy|rabbit|restaurant|ship|song|son|teacher|woman)"
)
CALLED = re.compile(
    rf"\b(?:[Aa]unt(?:ie|y)?|[Uu]ncle|[Gg]rand(?:ma|pa|ad)|[Gg]ranny|[Nn]ana|[Cc]ousin) (?P<relative>{_NAME})\b"
    rf"|\b[Nn]ame(?:'s| is| was) (?P<named>{_SEVERAL})\b(?! (?:for|of)\b)"
    rf"|\b(?:(?:is|are|was|were|[a-z]'s) called|{_SOMEBODY} (?:called|named)) (?P<called>{_SEVERAL})\b(?! (?:for|to)\b)"
    rf"|\b[Aa]nswers to (?:the name (?:of )?)?(?P<answers>(?!God\b){_NAME})(?=\s*[.,!)]|\s*\Z)"
)
"""A relative's name, and what a name is said to be, as *answers to Smokey*."""
_KIN = {
    "aunt": ("tante", "Tante"), "auntie": ("tante", "Tante"), "aunty": ("tante", "Tante"), "uncle": ("oncle", "Onkel"),
    "grandma": ("mamie", "Oma"), "granny": ("mamie", "Oma"), "grandpa": ("papi", "Opa"), "grandad": ("papi", "Opa"),
    "sir": ("Sir", "Sir"), "lady": ("Lady", "Lady"),
}  # fmt: skip
RELATIVE = re.compile(
    r"(?<!\b[Mm]y )(?<!\b[Oo]ur )(?<!\b[Yy]our )(?<!\b[Hh]is )(?<!\b[Hh]er )(?<!\b[Tt]heir )(?<!\b[Aa]n )(?<!\b[Tt]he )"
    r"\b(?P<kin>[Aa]unt(?:ie|y)?|[Uu]ncle|[Gg]rand(?:ma|pa|ad)|[Gg]ranny"
    r"|(?P<peer>(?<!Dear )Sir|(?<!First )(?<!Dear )Lady))"
    rf" (?P<name>{_NAME}(?(peer)(?: {_NAME}){{0,2}}))\b(?!['\u2019]s)"
)
"""One whose name stands without an article, so that both words are a name; peers have their surname, too."""
HINTS = (
    "unt",
    "ncle",
    "randma",
    "randpa",
    "randad",
    "ranny",
    "ana ",
    "ousin",
    "ame",
    "called ",
    "nswers to ",
    "named ",
    "Sir ",
    "Lady ",
)
"""Every text with such a name has one of these."""
NO_NAMES = TITLES | CALENDAR | OFFICES | {people.lower() for people in PEOPLES} | {"and", "or", "is", "was", "has"}
SAINT = re.compile(
    r"\bS(?:t\.?|aint) (?!Valentine|Nicholas|Petersburg|Louis)"
    r"[A-Z][a-z]+(?:['\u2019]s|s['\u2019])(?: (?:of (?:the )?)?[A-Z]\w+)*"
)
"""A church, a school or a feast of somebody holy: *St Thomas' Hospital*."""
INITIAL = re.compile(rf"A\. (?P<surname>{_NAME})(?=['\u2019]s\b| (?:and|has|is|said|says|was|will|won|wrote)\b)")
"""A first name's letter that a sentence begins with; other letters are no word."""
WORD = re.compile(r"[^\W\d_]+")
ENDS = (".", "!", "?")
SMALL_WORD = re.compile(r"(?<![\w'\u2019])[a-z][\w'\u2019-]{3}")
"""A longer word without a capital: a text with one is no heading."""


def called(text: str, source: str) -> list[Stretch]:
    """Where such names stand in a text of the language `source`, but in headings, whose words all have capitals."""
    if source != "en":
        return []
    found = [match.span() for match in SAINT.finditer(text)] if "St" in text or "Saint " in text else []
    if text.startswith("A. ") and (initial := INITIAL.match(text)) is not None:
        found += [initial.span()] * (initial["surname"] in everyday_names("en", "en").surnames)
    if not any(map(text.__contains__, HINTS)) or text[1:].islower():
        return found  # as most texts
    spans = [match.span(match.lastgroup) for match in CALLED.finditer(text) if match.lastgroup and not _owns(match)]
    spans = [span for span in spans if text[slice(*span)].partition(" ")[0].lower() not in NO_NAMES]
    if not spans:
        return found
    return found if _is_heading(text) else found + spans


def relatives(text: str, source: str, target: str) -> list[Translated]:
    """Relatives and peers with their names in an English text, as `target` writes them: *Onkel Bill*, *Sir Elton*."""
    if source != "en" or target not in ("fr", "de") or not any(map(text.__contains__, HINTS)):
        return []  # as most texts
    return [
        Translated(*match.span(), _relative(match, target))
        for match in RELATIVE.finditer(text)
        if match["name"].lower() not in NO_NAMES and not _is_heading(text)
    ]


def _owns(match: re.Match[str]) -> bool:
    """Whether a match of CALLED is a relative who owns something, with a name that is no word: *Uncle Tom's farm*. A
    model writes the owner only where it sees the name."""
    name = match["relative"]
    if name is None or not match.string.startswith(("'s", "\u2019s"), match.end()):
        return False
    return name not in everyday_names("en", "en").words and name in everyday_names("en", "en").given


def _relative(match: re.Match[str], target: str) -> str:
    french, german = _KIN[match["kin"].lower()]
    if target == "de":
        return f"{german} {match['name']}"
    return f"{french if match.start() else french.capitalize()} {match['name']}"


def _is_heading(text: str) -> bool:
    if text[-1:] in ENDS:
        return False
    words = WORD.findall(text)
    return SMALL_WORD.search(text) is None and 2 * sum(map(str.islower, words)) < len(words)
