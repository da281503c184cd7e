"""Countries in sentences: does the translation have the name that the target language gives them?

The frames are in no line of `model_store/data/phrases.tsv`; the countries are those that models are trained on.
"""

from __future__ import annotations

from random import Random

from loadtests.measure.served import manifest_of, written
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


def main() -> None:
    """Print the table; with `--show`, every translation without the name before it."""
    options = parser(__doc__ or "")
    options.add_argument("--model", default="en-fr-transformer")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", action="store_true", help="print every translation without the name")
    chosen = options.parse_args()
    manifest, chance = manifest_of(chosen.store, chosen.model), Random(chosen.seed)
    countries = [place_forms(place) for place in read_places() if place["kind"] == "country"]
    texts, names = [], []
    for frame in FRAMES[manifest.source]:
        for country in chance.sample(countries, COUNTRIES_A_FRAME):
            texts.append(frame.format(**{slot: words[manifest.source] for slot, words in country.items()}))
            names.append(country["place"][manifest.target])
    found = list(zip(texts, names, written(chosen.store, chosen.model, texts), strict=True))
    wrong = [(text, translation) for text, name, translation in found if name.lower() not in translation.lower()]
    if chosen.show:
        print(*(f"  {text} -> {translation}" for text, translation in wrong), sep="\n")
    right = len(found) - len(wrong)
    table = [(len(found), share(right, len(found)))]
    show(manifest.reference, ["sentences with a country", "has the country's name"], table)


if __name__ == "__main__":
    main()
