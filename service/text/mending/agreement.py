"""Verbs behind two names: *William et Kate ont visité*, not *a visité*.

A model that has read placeholders or rare names takes them for one. Nothing is changed unless each of the two is a
copied or an everyday name, or a title before a name: in German every noun has a capital.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from service.text.names.common_names import Names, everyday_names
from service.text.names.country_articles import AUXILIARIES
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

NAME = r"[A-Z\u00c0-\u00de{signs}](?:(?<=[A-Z\u00c0-\u00de])(?:[\w'\u2019-]+\.?|\.))?"
"""A word with a capital, a title, or the placeholder of a name."""
AND = {"en": "and", "fr": "et", "de": "und"}
OWNED = {
    "en": "(?!)",
    "fr": r"(?:son|sa|mon|ma|ton|ta|leur|notre|votre) [\w-]+",
    "de": r"(?:sein|ihr|mein|dein|unser)e? [\w-]+",
}
"""The second of the two, if it is no name: *Marc et son fr\u00e8re*."""
BEFORE_VERB = {"fr": "(?:(?P<pronoun>s'|n'|ne |se |l'|m'|nous |vous |les |lui |leur ))?", "en": "", "de": ""}
"""What may stand between a subject and its verb."""
SUBJECT = (
    r"(?:\A|(?<=[\w{signs}]{{4}}[.!?] ))(?P<names>(?:{name}(?: {name})?, ){{0,6}}{name}(?: {name}){{0,2}} {word} "
    r"(?:{name}(?: {name}){{0,2}}|(?P<owned>{owned}))) {before}(?P<verb>[a-z\u00df-\u00ff]+)\b(?![-'\u2019])"
    r"(?: (?:pas encore|pas|plus|jamais|d\u00e9j\u00e0|tous)\b)?(?: (?P<next>[\w']+))?"
)
"""Two names or more that a sentence begins with, or one and something of its own, and what is behind them."""
PERSON = re.compile(r"[^\W\d_a-z\u00df-\u00ff][a-z\u00df-\u00ff]|(?:mamie|oncle|papi|tante) [A-Z]")
"""A copy that is somebody's name."""
TITLES = frozenset(("M.", "Mme", "Mlle", "Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Dr", "Dr.", "Herr", "Frau"))
PLURALS = {
    "en": {"is": "are", "was": "were", "has": "have", "does": "do"},
    "fr": {
        **AUXILIARIES, "va": "vont", "doit": "doivent", "peut": "peuvent", "veut": "veulent",
        "fait": "font", "vient": "viennent", "dit": "disent", "prend": "prennent", "met": "mettent", "sait": "savent",
        "part": "partent", "vit": "vivent", "vend": "vendent", "perd": "perdent", "sort": "sortent",
        **{f"{stem}e": f"{stem}ent" for stem in (
            "aim", "annonc", "arriv", "attaqu", "cherch", "commenc", "demand", "gagn", "habit", "jou", "lanc", "parl",
            "partag", "pens", "quitt", "recrut", "regard", "rencontr", "rest", "souhait", "travaill", "trouv",
            "utilis", "visit",
        )},
    },
    "de": {
        "hat": "haben", "ist": "sind", "war": "waren", "wird": "werden", "kann": "k\u00f6nnen", "muss": "m\u00fcssen",
        "will": "wollen", "kam": "kamen", "ging": "gingen", "traf": "trafen", "sah": "sahen", "fuhr": "fuhren",
        "gab": "gaben", "sprach": "sprachen", "nahm": "nahmen", "gewann": "gewannen", "verlor": "verloren",
        "lebt": "leben", "spielt": "spielen", "arbeitet": "arbeiten", "kommt": "kommen",
        "geht": "gehen", "macht": "machen", "wohnt": "wohnen", "sagt": "sagen", "sucht": "suchen", "plant": "planen",
        "trifft": "treffen", "spricht": "sprechen", "f\u00e4hrt": "fahren", "nimmt": "nehmen", "gibt": "geben",
        "sieht": "sehen", "bleibt": "bleiben", "mag": "m\u00f6gen", "darf": "d\u00fcrfen",
        **{past: f"{past}en" for past in (
            "begann", "bekam", "blieb", "erhielt", "fand", "flog", "hob", "lief", "rief", "schlief",
            "schrieb", "starb", "stritt", "trank", "trug", "unterschrieb", "verlie\u00df", "zog",
        )},
        **{f"{stem}te": f"{stem}ten" for stem in (
            "arbeite", "besuch", "brauch", "frag", "hat", "heirate", "kauf", "konn", "k\u00f6nn", "lach", "leb",
            "lern", "lieb", "mach", "muss", "reis", "sag", "soll", "spiel", "such", "tanz", "warte", "wohn",
            "woll", "w\u00fcrd", "zeig",
        )},
    },
}  # fmt: skip
"""Verbs in the singular and in the plural, by language."""
ENDINGS = {
    "fr": (
        (re.compile(r"(?<!nn)(?<!pl)(?<!isp)(?<!f)(?<=\w)ait\Z"), "aient"),
        (re.compile(r"(?<=[edvr]r)a\Z"), "ont"),
    )
}
"""Endings of the singular and what they are in the plural."""
PRONOUNS = {"s'": "se ", "n'": "ne "}
"""What stands before a French verb that loses its vowel."""
VOWELS = "aeiouh\u00e9\u00ea"
PARTICIPLE = re.compile(
    r"(?P<masculine>[\w'\u2019]*[^\W\d_]\u00e9|mort|(?:part|sort|ven|reven|deven|descend|perd|v)[iu])e?\Z"
)
"""A participle behind *est*; behind *sont* it has an *s*, and no *e*."""
SAID_TO = re.compile(r"(?:parl|t\u00e9l\u00e9phon|demand|dit|plu|souri)")
"""Participles that do not agree behind *se sont*."""
DATIVE = re.compile(r"\b(?:niemand|man|etwas|dass|geholfen|gesagt|mitgeteilt|erlaubt|vorgeworfen|gezeigt|egal|klar)\b")
"""What a German sentence has whose names are no subject: *Peter und Anna wird geholfen*."""
NO_PLURAL = {
    "en": word_set("a an the my your his her our their"),
    "fr": word_set("un une le la mon ma ton ta son sa notre votre leur été"),
    "de": word_set(
        "er es ich wir man du der die das dein sein mein ihr sie ein eine unser niemand jemand keiner kein keine jeder",
        "alles nichts",
    ),
}
"""Words behind a verb that say that the two are one thing, *Rom\u00e9o et Juliette est une pi\u00e8ce*, or that are its
subject: *Tom und Kate hat er gesehen*."""

DECADES = re.compile(r"[Ll]es ann\u00e9es \d|[Dd]ie (?:fr\u00fchen |sp\u00e4ten |mittleren )?\d{4}er-")
"""A copy that is a subject in the plural: *Les ann\u00e9es 1990*."""
DECADES_SUBJECT = r"(?:\A|(?<=[.!?] )){sign} {before}(?P<verb>[a-z\u00df-\u00ff]+)\b(?: (?P<next>[\w']+))?"

Change = tuple[Stretch, str]
"""Code points, and what belongs there."""


@lru_cache(maxsize=256)
def _subject(language: str, signs: str) -> re.Pattern[str]:
    signs = re.escape(signs)
    words = {"word": AND[language], "owned": OWNED[language], "before": BEFORE_VERB[language]}
    return re.compile(SUBJECT.format(name=NAME.format(signs=signs), signs=signs, **words))


def with_plural_verbs(
    text: str, spans: Sequence[Stretch], language: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A translation with plurals behind two names, or decades, that a sentence begins with. `copies` are each
    placeholder that it may have, and the text that it stands for."""
    if language not in AND:
        return text, spans
    changes = [change for sign, copy in copies if DECADES.match(copy) for change in _of_decades(text, sign, language)]
    changes += _of_names(text, language, copies) if f" {AND[language]} " in text else []
    changes.sort()
    return rewritten(text, spans, [span for span, _ in changes], [word for _, word in changes])


def _of_decades(text: str, sign: str, language: str) -> list[Change]:
    pattern = DECADES_SUBJECT.format(sign=re.escape(sign), before=BEFORE_VERB[language])
    return [change for match in re.finditer(pattern, text) for change in _changed(match, language)]


def _of_names(text: str, language: str, copies: Sequence[tuple[str, str]]) -> list[Change]:
    signs = "".join(sorted({sign for sign, copy in copies if PERSON.match(copy)}))
    changes = []
    for match in _subject(language, signs).finditer(text):
        is_object = language == "de" and DATIVE.search(text, match.end("names")) is not None
        if not is_object and _are_names(match, language, signs):
            changes += _agreed(match, language)
    return changes


def _are_names(match: re.Match[str], language: str, signs: str) -> bool:
    names = everyday_names(language, language)
    subjects = re.split(rf", | {AND[language]} ", match["names"])
    if match["owned"]:
        subjects.pop()
    first_words = [subject.partition(" ")[0] for subject in subjects]
    return all(word in signs or word in TITLES or _is_somebody(word, names) for word in first_words)


def _is_somebody(word: str, names: Names) -> bool:
    return word in names.given or word in names.surnames or (word in names.alike and word not in names.words)


def _agreed(match: re.Match[str], language: str) -> list[Change]:
    return [] if (match["next"] or "").lower() in NO_PLURAL[language] else _changed(match, language)


def _changed(match: re.Match[str], language: str) -> list[Change]:
    verb, following = match["verb"], match["next"] or ""
    plural = PLURALS[language].get(verb) or next(
        (ending.sub(new, verb) for ending, new in ENDINGS.get(language, ()) if ending.search(verb)), None
    )
    if plural is None:
        return []
    changes = [(match.span("verb"), plural)]
    pronoun = match["pronoun"] if language == "fr" else None
    if pronoun in PRONOUNS and plural[0] not in VOWELS:
        changes.insert(0, (match.span("pronoun"), PRONOUNS[pronoun]))
    if SAID_TO.match(following) and pronoun == "s'":
        return changes
    participle = PARTICIPLE.match(following) if plural in ("sont", "\u00e9taient", "seront") else None
    if participle is not None:
        last = participle.end("masculine") - 1
        changes.append(((match.start("next") + last, match.end("next")), f"{following[last]}s"))
    return changes
