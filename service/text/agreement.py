"""Verbs behind two names: *William et Kate ont visité*, not *a visité*.

A model that has read placeholders or rare names takes them for one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from service.text.spacing import rewritten
from service.text.stretches import Stretch
from service.text.word_sets import word_set

NAME = r"[A-Z\u00c0-\u00de{signs}](?:(?<=[A-Z\u00c0-\u00de])[\w'\u2019-]*\.?)?"
"""A word with a capital, a title, or the placeholder of a name."""
AND = {"en": "and", "fr": "et", "de": "und"}
OWNED = {
    "en": "(?!)",
    "fr": r"(?:son|sa|mon|ma|ton|ta|leur|notre|votre) [\w-]+",
    "de": r"(?:sein|ihr|mein|dein|unser)e? [\w-]+",
}
"""The second of the two, if it is no name: *Marc et son frère*."""
BEFORE_VERB = {"fr": "(?:(?P<pronoun>s'|n'|ne |se |l'|m'|nous |vous |les |lui |leur ))?", "en": "", "de": ""}
"""What may stand between a subject and its verb."""
SUBJECT = (
    r"(?:\A|(?<=[.!?] ))(?:{name}(?: {name}){{0,2}}, )*{name}(?: {name}){{0,2}} {word} "
    r"(?:(?:{name} ){{0,2}}{name}|{owned}) "
    r"{before}(?P<verb>[a-z\u00df-\u00ff]+)\b(?: (?P<next>[\w']+))?"
)
"""Two names or more that a sentence begins with, or one and something of its own, and what is behind them."""
PLURALS = {
    "en": {"is": "are", "was": "were", "has": "have", "does": "do"},
    "fr": {
        "a": "ont", "est": "sont", "va": "vont", "doit": "doivent", "peut": "peuvent", "veut": "veulent",
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
        "blieb": "blieben", "lebt": "leben", "spielt": "spielen", "arbeitet": "arbeiten", "kommt": "kommen",
        "geht": "gehen", "macht": "machen", "wohnt": "wohnen", "sagt": "sagen", "sucht": "suchen",
    },
}  # fmt: skip
"""Verbs in the singular and in the plural, by language."""
ENDINGS = {
    "en": (),
    "fr": ((re.compile(r"(?<=\w)ait\Z"), "aient"), (re.compile(r"(?<=\wr)a\Z"), "ont")),
    "de": ((re.compile(r"(?<=\w{3}t)e\Z"), "en"),),
}
"""Endings of the singular and what they are in the plural."""
PRONOUNS = {"s'": "se ", "n'": "ne "}
"""What stands before a French verb that loses its vowel."""
PARTICIPLE = re.compile(r"[\w'\u2019]*[^\W\d_]{2}(?P<ending>\u00e9|\u00e9e|i|ie|u|ue)\Z")
AGREED = {"\u00e9": "\u00e9s", "\u00e9e": "\u00e9s", "i": "is", "ie": "is", "u": "us", "ue": "us"}
"""Endings of a participle behind *est*, and behind *sont*."""
NO_PLURAL = {
    "en": frozenset(("a", "an", "the")),
    "fr": frozenset(("un", "une", "le", "la")),
    "de": word_set("er es ich wir man du der die das dein sein mein ihr sie ein eine"),
}
"""Words behind a verb that say that the two are one thing, *Roméo et Juliette est une pièce*, or that are its subject:
*Tom und Kate hat er gesehen*."""

Change = tuple[Stretch, str]
"""Code points, and what belongs there."""


@lru_cache(maxsize=256)
def _subject(language: str, signs: str) -> re.Pattern[str]:
    name = NAME.format(signs=re.escape(signs))
    return re.compile(
        SUBJECT.format(name=name, word=AND[language], owned=OWNED[language], before=BEFORE_VERB[language])
    )


def with_plural_verbs(
    text: str, spans: Sequence[Stretch], language: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A translation with plurals behind two names that a sentence begins with. `copies` are each placeholder that it
    may have, and the text that it stands for; in English one of the two must be copied, because *Research and
    Development* is one thing."""
    if language not in AND or f" {AND[language]} " not in text:
        return text, spans  # as most texts
    signs = "".join(sorted({sign for sign, copy in copies if copy[:1].isupper()}))
    changes = []
    for match in _subject(language, signs).finditer(text):
        if language != "en" or any(sign in match.group() for sign in signs):
            changes += _agreed(match, language)
    return rewritten(text, spans, [span for span, _ in changes], [word for _, word in changes])


def _agreed(match: re.Match[str], language: str) -> list[Change]:
    verb, following = match["verb"], match["next"] or ""
    plural = PLURALS[language].get(verb) or next(
        (ending.sub(new, verb) for ending, new in ENDINGS[language] if ending.search(verb)), None
    )
    if plural is None or following.lower() in NO_PLURAL[language]:
        return []
    changes = [(match.span("verb"), plural)]
    pronoun = match["pronoun"] if language == "fr" else None
    if pronoun in PRONOUNS and plural[0] not in "aeiou":
        changes.insert(0, (match.span("pronoun"), PRONOUNS[pronoun]))
    participle = PARTICIPLE.match(following) if plural in ("sont", "\u00e9taient", "seront") else None
    if participle is not None:
        start = match.start("next") + participle.start("ending")
        changes.append(((start, match.end("next")), AGREED[participle["ending"]]))
    return changes
