"""Everyday names: Peter, Bordeaux, Google. Small models garble even those, and translate the ones that are words."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

FILE = "common_names.toml"
LANGUAGES = frozenset(("en", "fr", "de"))
"""Those that FILE is about."""
WORD = re.compile(r"\b[A-Z\u00c0-\u00de][^\W\d_]*(?:['\u2019-](?!s\b)[^\W\d_]+)*")
"""A word with a capital, without a genitive's s."""
FURTHER_CAPITAL = re.compile(r"(?!\bI\b)[^\W\d_a-z\u00df-\u00ff]")
"""What may be a capital, but for the word *I*."""
RULERS = word_set(
    "king queen pope prince princess emperor empress tsar saint st virgin mother",
    "roi reine pape empereur sainte vierge mère",
    "könig königin papst kaiser kaiserin sankt jungfrau mutter",
)
"""Words before a name that other languages change: *King Charles* is *König Karl*."""
SIGN_OFFS = word_set(
    "regards wishes best yours truly sincerely faithfully love cheers hugs kisses care you luck birthday",
    "morning afternoon evening night welcome sorry please yes no okay ok bye soon later tomorrow congratulations",
    "cordialement amicalement amitiés bises bisous vous toi bientôt demain oui non pardon désolé désolée",
    "bienvenue anniversaire nuit matin journée soirée respectueusement affectueusement salutations félicitations",
    "grüße grüßen gruß bald gute nacht morgen tag abend geburtstag glückwunsch willkommen ja nein entschuldigung",
)
"""Words before the comma and the name that ends a text: *Cheers, Will*."""
GREETINGS = word_set("hi hello hey dear thanks", "salut bonjour cher chère coucou merci", "hallo liebe lieber danke")
DETERMINERS = word_set(
    "the a an this that my your his her its our their no",
    "le la les un une des du au aux ce cet cette ces mon ton son ma ta sa mes tes ses",
    "notre votre nos vos leur leurs",
)
PREDICATE = {
    "en": re.compile(
        r"(?:'s| (?:is|was|has|had|can|could|will|would|does|did|said|says|told|went|came|got|took|made|left|gave|saw|"
        r"met|knows?|knew|wants|wanted|thinks|thought|likes|loves|lives|works|looks|needs|called|asked|phoned|texted|"
        r"helped|worked|arrived|moved|stayed|tried|replied|answered|invited|married|died|smiled|laughed|lived|loved|"
        r"liked|forgot|bought|announce[ds]|launche[ds]|unveil(?:ed|s)|fired|hires|visited|spoke|promised|denie[ds]|"
        r"accuse[ds]|agreed|decided|became|began|sued|lost|won|scored|beat|makes|buys|sells|owns|raises|sent|wrote|brought|"
        r"baked|cooked|drove|slept|ate|sang|heard|"
        r"and [A-Z]\w+))\b"
    ),
    "fr": re.compile(
        r" (?:(?:[mtsln]['\u2019])?(?:est(?! l[ae]s?\b)|a|avait|\u00e9tait|ai|en)|va|ira|veut|peut|sait|"
        r"dit|vit|travaille|habite|"
        r"aime|arrive|pense|vient|viendra|annonce|lance|supprime|ferme|ouvre|licencie|rach\u00e8te|augmente|vend|propose|ne|me|te|se|nous|vous"
        r"|et [A-Z]\w+)\b"
    ),
    "de": re.compile(r" (?:hat|hatte|sagte?|arbeitet|wohnt|lebt|kam|ging|rief|will|und [A-Z]\w+ haben)\b"),
}
"""What follows a first word that is a name, not a noun, by language."""
OPENING = word_set(
    "is was has will can did does could would should ask tell and but with for when if where why how meet call",
    "avec pour et quand si que où demande appelle dis",
)
"""Words that begin a sentence and may stand before a name."""
OF_A_COMPANY = re.compile(
    r" (?:account|ads?|apps?|call|card|emails?|gift card|invite|laptop|link|login|meeting|message|order|parcel|password"
    r"|pc|phone|shares?|stocks?|stores?|shops?|subscription|update|user|version|voucher|website)s?\b"
)
"""What an article or a possessive stands before, with a company between: *my Windows laptop*."""
ENDS = re.compile(r"[\s.!?\u2026]*")
"""What may stand behind a name that ends a text."""
MOST_OF_A_NAME = 3
"""Words of a name."""
MOST_BEFORE = 80
"""Code points before a word that are looked at."""
CONJUNCTIONS = frozenset(("and", "or", "et", "ou", "und", "oder"))


class Names(NamedTuple):
    """The everyday names of two languages."""

    alike: frozenset[str]
    """Names that both languages write alike."""
    given: frozenset[str]
    """First names among them."""
    surnames: frozenset[str]
    """Surnames among them."""
    families: frozenset[str]
    """Surnames that are words, and are names behind a first name alone."""
    words: frozenset[str]
    """Those of them that are words of the source language, too."""


def common_names(text: str, source: str, target: str) -> list[str]:
    """The everyday names of `text`, in order, that the languages `source` and `target` write alike.

    One that is a `source` word, too, counts behind a greeting, behind another name and its *and*, and where a noun
    would have no capital or an article: *I saw Mark.*, *Bill called me.*
    """
    names = everyday_names(source, target)
    if names.alike.isdisjoint(WORD.findall(text)):
        return []  # as most texts have none
    return [match.group() for match in WORD.finditer(text) if _is_name(match, names, source)]


def is_signature(line: str, before: str, language: str) -> bool:
    """Whether `line` is a name below the closing of a letter, which `before` ends with: *Will* below *Cheers,*."""
    words, closing = line.split(), before.split()[-1:]
    if not 0 < len(words) <= MOST_OF_A_NAME or not closing:
        return False
    if words[0] not in everyday_names(language, language).given or not all(word[0].isupper() for word in words):
        return False
    return closing[0].rstrip(",.!").lower() in SIGN_OFFS | GREETINGS


def without_signatures(text: str, spans: list[Stretch], language: str) -> list[Stretch]:
    """The `spans` of a `text` without the names below the closings of letters, which need no translation."""
    if len(spans) < 2 or "\n" not in text:
        return spans
    found = spans[:1]
    for (first, end), (start, last) in pairwise(spans):
        is_below = "\n" in text[end:start]
        if not is_below or not is_signature(text[start:last], text[first:end], language):
            found.append((start, last))
    return found


def is_common_name(word: str, source: str, target: str) -> bool:
    """Whether `word` is an everyday name that the languages `source` and `target` write alike."""
    return word in everyday_names(source, target).alike


def has_further_capitals(text: str) -> bool:
    """Whether `text` may have a capital beside its first letter and the word *I*."""
    return not text[1:].islower() and FURTHER_CAPITAL.search(text, 1) is not None


def _is_name(match: re.Match[str], names: Names, source: str) -> bool:
    if match.group() not in names.alike:
        return False
    earlier, before = ["", "", *match.string[max(0, match.start() - MOST_BEFORE) : match.start()].split()][-2:]
    if before.rstrip(".").lower() in RULERS:
        return False
    return match.group() not in names.words or _stands_as_name(match, earlier, before, names, source)


def _stands_as_name(match: re.Match[str], earlier: str, before: str, names: Names, source: str) -> bool:
    """Whether a word is a name by its place: `earlier` and `before` are the words before it, with their punctuation."""
    if before.rstrip(",").lower() in GREETINGS:
        return True
    if before.endswith(",") and before[:-1].lower() in SIGN_OFFS and ENDS.fullmatch(match.string, match.end()):
        return True
    if not before:
        return PREDICATE[source].match(match.string, match.end()) is not None
    if before in CONJUNCTIONS and earlier in names.alike:
        return True  # Anna and Mark
    if source == "de":
        return False  # any noun has a capital
    if source == "en" and before.lower() in DETERMINERS and match.group() not in names.given:
        return OF_A_COMPANY.match(match.string, match.end()) is not None
    if not DETERMINERS.isdisjoint((before.lower(), earlier.lower())):
        return False  # the Bill, a new Bill
    return before[-1] not in ".!?" and (before.islower() or before.lower() in OPENING)


@lru_cache
def everyday_names(source: str, target: str) -> Names:
    """The names of two languages, from FILE; none for languages that are not among LANGUAGES."""
    if not {source, target} <= LANGUAGES:
        return Names(*[frozenset[str]()] * 5)
    table = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    lists = [table["given"], table["surnames"], table["places"]]
    lists += [places for languages, places in table["places_of"].items() if {source, target} == set(languages.split())]
    given, surnames, families = (frozenset(table[name].split()) for name in ("given", "surnames", "families"))
    alike = frozenset(name for names in lists for name in names.split())
    words = frozenset(table["words"].get(source, "").split())
    return Names(alike, given, surnames, families, alike & words)
