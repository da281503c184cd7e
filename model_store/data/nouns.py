"""Things that no corpus of sentences speaks of often, with their articles: batteries, routers, invoices.

`nouns.tsv` has a line for each, with a column for each language. French and German nouns end with their gender: m, f,
n.
"""

from __future__ import annotations

from collections.abc import Mapping

from model_store.data.tables import read_table

VOWELS = tuple("aâàeéèêiîoôuœyh")
"""Before which French articles are elided; h where it is mute."""
SPOKEN_H = ("haut",)
"""Beginnings of French words whose h is not."""
GERMAN = {
    "the": {"m": ("der", "den"), "f": ("die", "die"), "n": ("das", "das")},
    "a": {"m": ("ein", "einen"), "f": ("eine", "eine"), "n": ("ein", "ein")},
    "this": {"m": ("dieser", "diesen"), "f": ("diese", "diese"), "n": ("dieses", "dieses")},
    "my": {"m": ("mein", "meinen"), "f": ("meine", "meine"), "n": ("mein", "mein")},
    "your": {"m": ("Ihr", "Ihren"), "f": ("Ihre", "Ihre"), "n": ("Ihr", "Ihr")},
}
"""Nominative and accusative."""

Noun = Mapping[str, str]
"""A line of the file, by language."""
Forms = dict[str, dict[str, str]]
"""From a slot to what it holds in each language."""


def read_nouns() -> list[Noun]:
    """All of the file."""
    return read_table("nouns.tsv")


def bare(noun: Noun, language: str) -> str:
    """The noun without its gender."""
    return noun[language] if language == "en" else noun[language][:-2]


def forms(noun: Noun) -> Forms:
    """What the slots `thing`, `the`, `a`, `this`, `my`, `your` and `accusative_the`... hold for this noun.

    Articles end with the space before the noun, or with their apostrophe.
    """
    found: Forms = {"thing": {language: bare(noun, language) for language in noun}}
    for article, german in GERMAN.items():
        of_gender = german[noun["de"][-1]]
        alike = {"en": _english(article, noun["en"]), "fr": _french(article, bare(noun, "fr"), noun["fr"][-1])}
        found[article] = {**alike, "de": f"{of_gender[0]} "}
        found[f"accusative_{article}"] = {**alike, "de": f"{of_gender[1]} "}
    return found


def _english(article: str, noun: str) -> str:
    return "an " if article == "a" and noun[0] in "aeiou" and not noun.startswith("us") else f"{article} "


def _french(article: str, noun: str, gender: str) -> str:
    elides, is_feminine = noun.startswith(VOWELS) and not noun.startswith(SPOKEN_H), gender == "f"
    if article == "the":
        return "l'" if elides else "la " if is_feminine else "le "
    if article == "a":
        return "une " if is_feminine else "un "
    if article == "this":
        return "cette " if is_feminine else "cet " if elides else "ce "
    if article == "my":
        return "ma " if is_feminine and not elides else "mon "
    return "votre "
