"""Countries and towns in sentences: does the translation have the name that the target language gives them?

The frames are in no line of `model_store/data/phrases.tsv`; the countries are those that models are trained on.
`--list countries` has 121 in French, where their articles and prepositions must be right, too: *au Ghana*. `--list
towns` has 69 in every direction.
"""

from __future__ import annotations

from random import Random

from loadtests.measure.served import listed, manifest_of, written
from loadtests.measure.setting import parser, share, show
from model_store.data.places import place_forms, read_places

COUNTRIES_A_FRAME = 20
FRAMES = {
    "en": (
        "My parents spent two weeks {in} {place} last summer.",
        "He bought this wine {in} {place}.",
        "The flight {from}{place} has been cancelled.",
        "Is it cold {in} {place} in March?",
        "Our partners {in} {place} will call you tomorrow.",
        "I have a cousin {in} {place}.",
        "They want to open a shop {in} {place}.",
        "News {from}{place}",
    ),
    "fr": (
        "Mes parents ont passé deux semaines {in} {place} l'été dernier.",
        "Il a acheté ce vin {in} {place}.",
        "Fait-il froid {in} {place} en mars ?",
        "Nos partenaires {in} {place} vous appelleront demain.",
        "J'ai un cousin {in} {place}.",
        "Ils veulent ouvrir un magasin {in} {place}.",
        "Des nouvelles {from}{place}",
    ),
    "de": (
        "Meine Eltern haben letzten Sommer zwei Wochen {in} {place} verbracht.",
        "Er hat diesen Wein {in} {place} gekauft.",
        "Ist es im März kalt {in} {place}?",
        "Unsere Partner {in} {place} rufen Sie morgen an.",
        "Ich habe einen Cousin {in} {place}.",
        "Sie wollen ein Geschäft {in} {place} eröffnen.",
        "Neuigkeiten {from}{place}",
    ),
}

ARTICLE_FRAMES = ("I live in {}.", "She is from {}.", "{} is a beautiful country.", "The capital of {} is big.")
"""For each of the columns of `lists/countries.en-fr.tsv` behind the name."""
TOWN_FRAMES = {
    "en": ("I live in {}.", "She moved from Berlin to {}.", "The mayor of {} resigned."),
    "fr": (
        "J'habite \u00e0 {}.",
        "Elle a d\u00e9m\u00e9nag\u00e9 de Berlin \u00e0 {}.",
        "Le maire de {} a d\u00e9missionn\u00e9.",
    ),
    "de": (
        "Ich wohne in {}.",
        "Sie ist von Berlin nach {} gezogen.",
        "Der B\u00fcrgermeister von {} ist zur\u00fcckgetreten.",
    ),
}
Case = tuple[str, list[str]]
"""A text, and names of which its translation has one."""


def trained_countries(source: str, target: str, chance: Random) -> list[Case]:
    """Countries that models are trained on, in frames that they are not trained on."""
    countries = [place_forms(place) for place in read_places() if place["kind"] == "country"]
    return [
        (frame.format(**{slot: words[source] for slot, words in country.items()}), [country["place"][target]])
        for frame in FRAMES[source]
        for country in chance.sample(countries, COUNTRIES_A_FRAME)
    ]


def countries_with_articles(source: str, target: str) -> list[Case]:
    """Countries with what French has before them."""
    if (source, target) != ("en", "fr"):
        raise SystemExit("--list countries is for models from English to French")
    return [
        (frame.format(name), forms.split("|"))
        for name, *columns in listed("countries.en-fr.tsv")
        for frame, forms in zip(ARTICLE_FRAMES, columns, strict=True)
    ]


def towns(source: str, target: str) -> list[Case]:
    """Towns; French has no *de Le*."""
    order = ("en", "fr", "de")
    return [
        (_contracted(frame.format(names[source].split("|")[0])), names[target].split("|"))
        for names in (dict(zip(order, row, strict=True)) for row in listed("towns.tsv"))
        for frame in TOWN_FRAMES[source]
    ]


def _contracted(text: str) -> str:
    return (
        text.replace("\u00e0 Le ", "au ")
        .replace("de Le ", "du ")
        .replace("de A", "d'A")
        .replace("de \u00c9", "d'\u00c9")
    )


def main() -> None:
    """Print the table; with `--show`, every translation without the name before it."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--list", default="trained", choices=("trained", "countries", "towns"), help="[%(default)s]")
    options.add_argument("--show", action="store_true", help="print every translation without the name")
    chosen = options.parse_args()
    manifest, chance = manifest_of(chosen.store, chosen.model), Random(chosen.seed)
    pair = manifest.source, manifest.target
    if chosen.list == "countries":
        cases = countries_with_articles(*pair)
    else:
        cases = towns(*pair) if chosen.list == "towns" else trained_countries(*pair, chance)
    translations = written(chosen.store, chosen.model, [text for text, _ in cases])
    found = list(zip(cases, translations, strict=True))
    wrong = [(text, new) for (text, names), new in found if not any(name.lower() in new.lower() for name in names)]
    if chosen.show:
        print(*(f"  {text} -> {translation}" for text, translation in wrong), sep="\n")
    right = len(found) - len(wrong)
    table = [(len(found), share(right, len(found)))]
    show(manifest.reference, ["sentences with a place", "has the place's name"], table)


if __name__ == "__main__":
    main()
