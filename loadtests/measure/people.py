"""Everyday names of people and places in sentences: does the translation have them, each as it is?

The server keeps a list of everyday names (`service/text/names/common_names.toml`); some of these are not on it. `--list
famous` has names of people, companies, clubs, works and organisations that everybody knows, as the language of the
translation writes them.
"""

from __future__ import annotations

import re
from argparse import Namespace
from random import Random

from loadtests.measure.served import listed, manifest_of, written
from loadtests.measure.setting import parser, share, show
from model_store.contract.manifest import Manifest
from service.text.names.common_names import common_names

PEOPLE = tuple(
    name
    for line in (
        "Peter Anna Michael Sarah Tim Lukas Julia Bill Pierre Paul Emma Lucas Hugo Nathan Camille Laura Sophie Claire",
        "Martin Mark Rose Jack Harry Charlotte Olivia George Oliver Leon Finn Jonas Lena Hannah Mia Ben Elias Felix",
        "Max Moritz Lisa Katrin Sabine Uwe Heike Jean Jacques Nicolas Nathalie Sandrine Thierry Bruno David Kevin",
        "Jessica Ashley Brian Linda Susan Karen Steve Bob Alice Frank Grace Will Aurore Beverly Lotte Anneliese",
        "Blandine Lynne Tancrède Gesa Ysaline Marlis Ferdi Ashton Cerys Zbigniew Cosima Ilan Odalys Eskil Pernille",
        "Kirsty",
    )
    for name in line.split(" ")
)
PLACES = tuple(
    name
    for line in (
        "Bordeaux Berlin Toulouse Nantes Lille Leipzig Stuttgart Dortmund Manchester Liverpool Birmingham Oxford",
        "Sydney Toronto Dallas Seattle Grenoble Rennes Montpellier Innsbruck Oslo Helsinki Google Microsoft Pau",
        "Hereford Gera Boulder Tulsa Vannes Siegen Gouda",
    )
    for name in line.split(" ")
)
FRAMES = {
    "en": (
        "{one} called me yesterday.", "{two} and {one} got married in June.", "I saw {one} at the station.",
        "{one} works in {place}.", "Is {one} coming with us?", "Hi {one}, how are you?",
        "We moved to {place} last year.", "This is {one}'s car.", "I gave the book to {one}.", "{one} is ill today.",
        "Please forward this to {one} and {two}.", "Thanks {one}, see you in {place}!",
    ),
    "fr": (
        "{one} m'a appelé hier.", "{two} et {one} se sont mariés en juin.", "J'ai vu {one} à la gare.",
        "{one} travaille à {place}.", "Est-ce que {one} vient avec nous ?", "Salut {one}, comment vas-tu ?",
        "Nous avons déménagé à {place} l'année dernière.", "C'est la voiture de {one}.",
        "J'ai donné le livre à {one}.", "{one} est malade aujourd'hui.",
        "Veuillez transmettre ceci à {one} et {two}.", "Merci {one}, à bientôt à {place} !",
    ),
    "de": (
        "{one} hat mich gestern angerufen.", "{two} und {one} haben im Juni geheiratet.",
        "Ich habe {one} am Bahnhof gesehen.", "{one} arbeitet in {place}.", "Kommt {one} mit uns?",
        "Hallo {one}, wie geht es dir?", "Wir sind letztes Jahr nach {place} gezogen.", "Das ist das Auto von {one}.",
        "Ich habe {one} das Buch gegeben.", "{one} ist heute krank.",
        "Bitte leite das an {one} und {two} weiter.", "Danke {one}, bis bald in {place}!",
    ),
}  # fmt: skip
ROWS = (("on the server's list", True), ("not on it", False))
ROUNDS = 3
"""How often each of PEOPLE is put into a frame."""


FAMOUS = "famous.tsv"
"""The language of a text, the text, and the name in it in English, French and German, with `|` between spellings."""


def drawn(source: str, chance: Random) -> list[tuple[str, list[str]]]:
    """Texts of frames, and the everyday names in each."""
    found = []
    for person in PEOPLE * ROUNDS:
        slots = {"one": person, "two": chance.choice(PEOPLE), "place": chance.choice(PLACES)}
        frame = chance.choice(FRAMES[source])
        found.append((frame.format(**slots), [name for slot, name in slots.items() if f"{{{slot}}}" in frame]))
    return found


def _has(translation: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}(?:s|'s)?(?!\w)", translation) is not None


def everyday(chosen: Namespace, manifest: Manifest) -> list[tuple[str, int, str]]:
    """A row for the names that are on the server's list, and one for the others."""
    texts = drawn(manifest.source, Random(chosen.seed))
    found = written(chosen.store, chosen.model, [text for text, _ in texts])
    counts = {True: [0, 0], False: [0, 0]}  # on the list or not: names kept, all names
    for (text, wanted), translation in zip(texts, found, strict=True):
        kept = [_has(translation, name) for name in wanted]
        for name, is_kept in zip(wanted, kept, strict=True):
            is_listed = bool(common_names(f"Hallo {name}", manifest.source, manifest.target))
            counts[is_listed][0] += is_kept
            counts[is_listed][1] += 1
        if chosen.show and not all(kept):
            print(f"  {text} -> {translation}")
    return [(label, counts[is_listed][1], share(*counts[is_listed])) for label, is_listed in ROWS]


def famous(chosen: Namespace, manifest: Manifest) -> list[tuple[str, int, str]]:
    """A row for the names of FAMOUS."""
    column = 2 + ("en", "fr", "de").index(manifest.target)
    rows = [row for row in listed(FAMOUS) if row[0] == manifest.source]
    found = written(chosen.store, chosen.model, [row[1] for row in rows])
    lost = [
        (row[1], new)
        for row, new in zip(rows, found, strict=True)
        if not any(_has(new, name) for name in row[column].split("|"))
    ]
    if chosen.show:
        print(*(f"  {text} -> {new}" for text, new in lost), sep="\n")
    return [("that everybody knows", len(rows), share(len(rows) - len(lost), len(rows)))]


def main() -> None:
    """Print the table; with `--show`, every translation that lacks a name before it."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--list", default="everyday", choices=("everyday", "famous"), help="[%(default)s]")
    options.add_argument("--show", action="store_true", help="print every translation that lacks a name")
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    rows = famous(chosen, manifest) if chosen.list == "famous" else everyday(chosen, manifest)
    show(manifest.reference, ["names", "number", "kept"], rows)


if __name__ == "__main__":
    main()
