"""Names that stand behind a title, and those that somebody is addressed by or signs with."""

from __future__ import annotations

import re

from model_store.contract.calendar import CALENDAR
from service.text.spans.word_sets import word_set

CONTRACTION = re.compile(r"['\u2019](?:s|ll|re|ve|d|m)\Z")
"""An English verb behind its subject, as in *I'll*, or a genitive's s."""
ADDRESSED = re.compile(
    r"(?P<before>(?<![^\W\d_])[^\W\d_]+|\d(?:st|nd|rd|th))[.!?]?,\s+(?P<name>[^\W\d_]+)\s*[.!?\u2026]*\s*\Z"
)
"""A word behind the last comma, as in `Good morning, Anna!` and `Best regards, Peter`."""
TITLES = word_set(
    "sir madam mom mum mummy dad daddy doctor father mother grandma grandpa god lord professor captain world",
    "herr frau mama papa oma opa doktor gott welt",
)
"""Words that people, and the world, are addressed by and that are translated."""

TITLE = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Monsieur|Madame|Mademoiselle|Mme|Mlle|Herrn?|Frau)\b|M(?=\. ))"
)
NAME = r"(?P<name>[^\W\d_]+(?:['\u2019-][^\W\d_]+)*)"
TITLED = re.compile(rf"\b{TITLE.pattern}\.?\s+{NAME}")
"""A title, and the word behind it."""
_DATED = "|".join(word.capitalize() for word in sorted(CALENDAR))
_TITLES = r"(?:Mr|Mrs|Ms|Monsieur|Madame|Mme|Mlle|Herrn?|Frau|M(?=\.))"
DATED = re.compile(rf"\b{_TITLES}\.? (?P<name>(?:{_DATED})\b(?: [^\W\d_a-z][^\W\d_]+)?)")
"""A person with the name of a month or a day: *Mr. May*."""
OFFICES = word_set(
    "president minister chairman chairwoman speaker mayor ambassador secretary chancellor director prime vice",
    "président présidente ministre maire ambassadeur directeur directrice",
    "präsident präsidentin ministerin kanzler kanzlerin bundeskanzler bundeskanzlerin direktor direktorin",
    "bürgermeister bürgermeisterin botschafter botschafterin ober",
)
"""Words behind a title that are translated."""
PARTICLE = re.compile(
    rf"\b(?:{_TITLES}|Dr|Prof|Professor)\.? (?:[A-Z]\. )?"
    r"(?P<name>(?:[Vv]an(?: de[rn]?| het)?|[Vv]on(?: de[rnm])?|[Tt]en|[Tt]er|zu|[Dd]e(?: La)?|del|[Dd][ui]|dos|da)"
    r" [A-Z\u00c0-\u00de][^\W\d_]+(?:-[^\W\d_]+)*)(?!\w)"
)
"""A person whose name begins with a word such as *van der*, behind a title."""
BEFORE_NOUN = re.compile(
    r"\b(?i:d(?:ie|er|e[mns])|eine?[mnrs]?|[mdsk]eine?[mnrs]?|ihre?[mnrs]?|unsere?[mnrs]?|eure?[mnrs]?) \Z"
)
"""What makes a German title behind it a noun: *meine Frau zu Besuch*."""


def particled_names(text: str) -> list[tuple[int, int]]:
    """Where names with such words stand behind a title: *van der Meer* of *Herr van der Meer*."""
    if TITLE.search(text) is None:
        return []  # as most texts
    return [
        match.span("name")
        for match in PARTICLE.finditer(text)
        if match["name"].rpartition(" ")[2].lower() not in OFFICES
        and not (match["name"].startswith(("zu ", "da ", "von ")) and BEFORE_NOUN.search(text, 0, match.start()))
    ]


def is_title(word: str) -> bool:
    """Whether a name may follow `word`; French *M* is one with a full stop."""
    return word == "M" or TITLE.match(word) is not None


def titled_names(text: str) -> list[str]:
    """The names of `text` behind a title: Dupont of *Monsieur Dupont*."""
    names = (CONTRACTION.sub("", match["name"]) for match in TITLED.finditer(text))
    return [name for name in names if name.istitle() and name.lower() not in OFFICES | TITLES | CALENDAR]


def dated_names(text: str) -> list[tuple[int, int]]:
    """Where names of people stand that are months or days."""
    if "M" not in text and "Herr" not in text and "Frau" not in text:
        return []  # as most texts
    return [match.span("name") for match in DATED.finditer(text)]


def addressed_name(text: str) -> str | None:
    """The name behind the last comma of `text`; None where that may be a title, a day, part of a place's name, or one
    of a list of headings."""
    match = ADDRESSED.search(text) if "," in text else None
    if match is None:
        return None
    name, before = match["name"], match["before"]
    is_capitalised = before[0].isupper() and before.lower() not in CALENDAR
    may_be_listed = match.start("before") > 0 or text[-1].isalpha()  # I live in Paris, France; Name, Address
    if (is_capitalised and may_be_listed) or not name.istitle() or name.lower() in CALENDAR | TITLES:
        return None
    return name
