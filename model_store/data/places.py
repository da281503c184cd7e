"""Countries, cities and languages, whose names are others in each language, with the words that say where.

`places.tsv` has a line for each, with a column for each language. French countries end with their gender: m, f, p
(many), v (like m, but `en Iran`) or - (without an article: `à Cuba`). German ones end with theirs where they have an
article.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model_store.data.nouns import VOWELS, Forms
from model_store.data.tables import read_table

Place = Mapping[str, str]
"""A line of the file: its `kind` (`country`, `city`, `tongue`), and what it is called by language."""
GERMAN = {
    "f": ("in der", "in die", "aus der"),
    "m": ("im", "in den", "aus dem"),
    "p": ("in den", "in die", "aus den"),
    "": ("in", "nach", "aus"),
}
"""By gender: how one says in, to and from."""
FRENCH = {
    "f": ("la ", "en", "de "),
    "m": ("le ", "au", "du "),
    "v": ("l'", "en", "d'"),
    "p": ("les ", "aux", "des "),
    "-": ("", "à", "de "),
}
"""By gender: the article, in and to, from."""


def read_places() -> list[Place]:
    """All of the file."""
    return read_table("places.tsv")


def names(place: Place) -> dict[str, str]:
    """What a place or language is called, without articles and genders."""
    return {
        "en": place["en"].removeprefix("the "),
        "fr": place["fr"][:-2] if place["kind"] == "country" else place["fr"],
        "de": place["de"][:-2] if _german_gender(place) else place["de"],
    }


def place_forms(place: Place) -> Forms:
    """What the slots `place`, `in`, `to`, `for` (*pour la Suisse*) and `from` hold for a country or city.

    The last two end with the space before the name, or with their apostrophe.
    """
    found = names(place)
    english = "the " if place["en"].startswith("the ") else ""
    article, within, out = _french(found["fr"], place["fr"][-1] if place["kind"] == "country" else "-")
    german = GERMAN[_german_gender(place)]
    return {
        "place": found,
        "in": {"en": f"in {english}".rstrip(), "fr": within, "de": german[0]},
        "to": {"en": f"to {english}".rstrip(), "fr": within, "de": german[1]},
        "for": {"en": f"to {english}", "fr": f"pour {article}", "de": f"{german[1]} "},
        "from": {"en": f"from {english}", "fr": out, "de": f"{german[2]} "},
    }


def place_slots(countries: Sequence[Place], city: Place, tongues: Sequence[Place]) -> Forms:
    """What the slots of phrases about places hold: those of `place_forms` for two countries and a city, the names of
    the second country's with `other` in front and of the city's with `city`; `tongue`, its French article `thetongue`,
    and `othertongue`."""
    slots = place_forms(countries[0])
    slots |= {f"other{name}": words for name, words in place_forms(countries[1]).items()}
    slots |= {f"city{name}": words for name, words in place_forms(city).items()}
    spoken, other = map(names, tongues)
    article = "l'" if spoken["fr"].startswith(VOWELS) else "le "
    return {**slots, "tongue": spoken, "thetongue": {"en": "", "fr": article, "de": ""}, "othertongue": other}


def _german_gender(place: Place) -> str:
    *_, last = place["de"].split(" ")
    return last if last in GERMAN else ""


def _french(name: str, gender: str) -> tuple[str, str, str]:
    article, within, out = FRENCH[gender]
    if name.lower().startswith(VOWELS) and gender in "f-":
        article, out = article and "l'", "d'"
    return article, within, out
