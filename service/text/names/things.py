"""French nouns that are things, and what a French text names: whether *il* and *elle* can be nothing but a thing there.

The table is `things.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from service.text.names.common_names import everyday_names
from service.text.spans.word_sets import word_set

FILE = "things.toml"
MASCULINE, FEMININE = "masculine", "feminine"
_OTHER_GENDER = {MASCULINE: FEMININE, FEMININE: MASCULINE}
_ADJECTIVE = (
    r"(?:(?:tr\xe8s |plus )?(?:ancien(?:ne)?|autre|beau|bel(?:le)?|bon(?:ne)?|dernier|derni\xe8re|deuxi\xe8me"
    r"|excellente?|gros(?:se)?"
    r"|grande?|jolie?|large|longue?|m\xeame|magnifique|mauvaise?|nouveau|nouvel(?:le)?|petite?|premier|premi\xe8re"
    r"|prochaine?"
    r"|seule?|super|vieux|vieil(?:le)?) ){0,2}"
)
NAMED = re.compile(
    r"(?<!-)(?<!uelqu['\u2019])\b(?P<determiner>[Ll]e|[Ll]a|[Uu]ne?|[Cc]e|[Cc]et|[Cc]ette|[Mm]on|[Mm]a|[Tt]on|[Tt]a"
    r"|[Ss]on|[Ss]a|[Dd]u"
    r"|[Aa]u"
    r"|[Nn]otre"
    r"|[Vv]otre|[Ll]eur|[Cc]haque|[Aa]ucune?|[Qq]uel(?:le)?)"
    rf" {_ADJECTIVE}(?P<noun>[\w-]+)|\b[Ll]['\u2019](?P<elided>[\w-]+)"
)
"""What may be the noun of a singular."""
NO_NOUN = re.compile(
    r"\b(?:[Ll]e (?:plus|moins|mieux|m\xeame|lendemain|long|\d+(?:er)?)|[Ll]a (?:plus|moins|premi\xe8re fois)"
    r"|[Uu]n (?:peu"
    r"|par)"
    r"|[Uu]ne (?:fois|heure)|[Cc]e (?:que?|qui|n|dont|sont|sera|serait|soit|\xe9tait|fut|soir|matin|midi)"
    r"|[Aa]u (?:moins|plus|fait|bout|lieu|total|milieu|fond|moment|del\xe0|dessus|dessous)|[Dd]u (?:coup|tout|moins"
    r"|matin|soir)"
    r"|[Ll]['\u2019]on)\b"
)
"""What is not."""
GENDERS = {
    MASCULINE: word_set("le un ce cet du au aucun quel"),
    FEMININE: word_set("la une cette ma ta sa aucune quelle"),
}
"""Determiners of one gender; *mon* may stand before a feminine noun with a vowel."""
CONTRACTED = word_set("du au")
"""Those that have a preposition."""
PREPOSITION = re.compile(
    r"\b(?:\xe0|avec|avant|apr\xe8s|chez|contre|dans|de|depuis|derri\xe8re|devant|en|entre|jusqu'\xe0|par|pendant"
    r"|pour|sans"
    r"|sous|sur|vers) \Z",
    re.IGNORECASE,
)
MOST_OF_A_PREPOSITION = 10
VAGUE = word_set(
    "an ann\xe9e apr\xe8s-midi base besoin cas chance chose c\xf4t\xe9 d\xe9but effet endroit facilit\xe9 faim",
    "fa\xe7on faute fin force heure instant",
    "jour journ\xe9e mani\xe8re matin matin\xe9e milieu minute mode mois moiti\xe9 moment moyen nuit part partie",
    "peine peur place point preuve",
    "qualit\xe9 question raison reste saison sant\xe9 seconde semaine sens soir soir\xe9e sorte suite temps total",
    "v\xe9rit\xe9 vie vitesse",
    "week-end air art avantage avenir avis chaleur choix contr\xf4le hasard m\xe9moire patience pouvoir probl\xe8me",
    "vol travail jeu mot",
)
"""Things that nobody opens, prints or cleans."""
OWN = word_set("mon ton son")
VOWELS = tuple("aeiouyh\xe9\xe8\xea\xe2\xee\xf4\u0153")
FIRST = word_set(
    "je j' tu on nous vous ils elles le la les l' un une des du de ce cet cette ces c'est mon ma mes ton ta tes son",
    "sa ses",
    "notre nos votre vos leur leurs quand si comme et mais ou o\xf9 alors donc depuis pour avec sans dans sur sous",
    "chez \xe0 au",
    "aux en apr\xe8s avant pendant malgr\xe9 voici voil\xe0 merci attention bonjour d\xe9sol\xe9 quel quelle",
    "aujourd'hui hier demain",
    "chaque aucun aucune toute tout trop tr\xe8s \xe7a pas ne il elle est-ce comment pourquoi gardez mettez laissez",
    "lorsque dommage",
)
"""Words that begin a sentence and are no name."""
PERSON = re.compile(
    r"\b(?:lui|celui|celle|quelqu['\u2019]une?|personne|chacune?|maman|papa|mamie|papi|papy|tata|tonton|monsieur|madame"
    r"|M\.|Mme|Mlle|Dr)(?!\w)"
)
"""Somebody without a determiner."""
CAPITAL = re.compile(r"(?P<before>[\w'\u2019]+ |[dDlL]['\u2019])?\b(?P<name>[A-Z\xc0-\xde][\w-]*)")
PLACE = re.compile(r"(?:\xe0|pour|en|vers|sur|de|par|[dD]['\u2019]) ?\Z")
"""What stands before a town."""
WORD = re.compile(r"[\w'\u2019-]+")


@lru_cache(maxsize=1)
def things() -> Mapping[str, frozenset[str]]:
    """Nouns that are things, by gender."""
    table = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return {gender: frozenset(table[gender].split()) for gender in (MASCULINE, FEMININE)}


def named(text: str, gender: str) -> list[int] | None:
    """Where a French text names each thing of a gender; None where it names something else that may have it."""
    known = things()
    other = known[_OTHER_GENDER[gender]] - known[gender]
    found = []
    for match in NAMED.finditer(text):
        if NO_NOUN.match(text, match.start()) is not None:
            continue
        determiner, noun = (match["determiner"] or "l'").lower(), (match["noun"] or match["elided"]).lower()
        if noun in known[gender]:
            found.append(match.start())
        elif noun not in other and not _has_other(determiner, noun, gender):
            return None
    return found


def _has_other(determiner: str, noun: str, gender: str) -> bool:
    """Whether the determiner of a noun says that it has another gender."""
    if determiner in OWN:
        return gender == FEMININE and not noun.startswith(VOWELS)
    return determiner in GENDERS[_OTHER_GENDER[gender]]


def genders_before(text: str, end: int) -> list[tuple[str, bool]] | None:
    """The gender of each singular noun of a French text before `end`, and whether it is a thing without a preposition
    before it; None where a gender is not known."""
    known = things()
    found = []
    for match in NAMED.finditer(text, 0, end):
        if NO_NOUN.match(text, match.start()) is not None:
            continue
        determiner, noun = (match["determiner"] or "l'").lower(), (match["noun"] or match["elided"]).lower()
        is_own = determiner in OWN
        if determiner in GENDERS[FEMININE] or (is_own and noun in known[FEMININE] - known[MASCULINE]):
            gender = FEMININE
        elif determiner in GENDERS[MASCULINE] or (is_own and not noun.startswith(VOWELS)):
            gender = MASCULINE
        elif (noun in known[MASCULINE]) != (noun in known[FEMININE]):
            gender = MASCULINE if noun in known[MASCULINE] else FEMININE
        else:
            return None
        before = text[max(0, match.start() - MOST_OF_A_PREPOSITION) : match.start()]
        is_behind = determiner in CONTRACTED or PREPOSITION.search(before) is not None
        found.append((gender, noun in known[gender] and noun not in VAGUE and not is_behind))
    return found


def may_name_somebody(text: str) -> bool:
    """Whether a French text may name people: a first name, a surname, a word such as *maman*."""
    if PERSON.search(text) is not None:
        return True
    names = everyday_names("fr", "en")
    first = WORD.search(text)
    for match in CAPITAL.finditer(text):
        name = match["name"]
        if first is not None and match.start("name") == first.start():
            begins = first.group().lower().replace("\u2019", "'")
            if begins not in FIRST and begins[1:2] != "'":
                return True
        elif any(map(str.isdigit, name)):
            continue
        elif name in names.given or name in names.surnames or not _is_place(match):
            return True
    return False


def _is_place(match: re.Match[str]) -> bool:
    """Whether a word with a capital is a town, or begins a further sentence."""
    if PLACE.search(match["before"] or "") is not None:
        return True
    before = match.string[: match.start("name")].rstrip()
    return match["name"].lower() in FIRST and before[-1:] in (".", "!", "?", ":", "\u00ab")
