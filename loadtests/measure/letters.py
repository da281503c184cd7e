"""Dates in words, and letters: is the month translated, the day kept, the name where it belongs?

Sentences have words and frames of their own; half of the frames are in no line of `model_store/data/phrases.tsv`.
"""

from __future__ import annotations

import re
from random import Random

from loadtests.measure.served import manifest_of, written
from loadtests.measure.setting import parser, show
from model_store.contract.calendar import MONTHS

NUM_DATES = 300
DATES = {
    "en": (
        "The concert is on {day} {month}.",
        "We met on {month} {day}.",
        "{day} {month} {year}",
        "{month} {day}, {year}",
        "My birthday is {month} {day}.",
        "Please answer by {day} {month}.",
        "The shop is closed from {day} {month}.",
        "Between {day} and {other} {month} we are in Rome.",
        "He was born on {day} {month} {year} in Lyon.",
        "Today is {day} {month}.",
    ),
    "fr": (
        "Le concert est le {day} {month}.",
        "Nous nous sommes rencontrés le {day} {month}.",
        "{day} {month} {year}",
        "Mon anniversaire est le {day} {month}.",
        "Merci de répondre avant le {day} {month}.",
        "Le magasin est fermé à partir du {day} {month}.",
        "Entre le {day} et le {other} {month}, nous sommes à Rome.",
        "Il est né le {day} {month} {year} à Lyon.",
        "Aujourd'hui, c'est le {day} {month}.",
    ),
    "de": (
        "Das Konzert ist am {day}. {month}.",
        "Wir trafen uns am {day}. {month}.",
        "{day}. {month} {year}",
        "Mein Geburtstag ist der {day}. {month}.",
        "Bitte antworten Sie bis zum {day}. {month}.",
        "Das Geschäft ist ab dem {day}. {month} geschlossen.",
        "Er wurde am {day}. {month} {year} in Lyon geboren.",
        "Heute ist der {day}. {month}.",
    ),
}
NAMES = ["Ashworth", "Brandt", "Castellan", "Dupont", "Eklund", "Farrow", "Gallagher", "Holm", "Ivers", "Jaspers"]
LETTERS = {
    "en": ("Dear Mr. {},", "Dear Mrs. {},", "Dear Ms {}, thank you for your letter.", "Hello Mr. {},", "Dear Dr. {},"),
    "fr": (
        "Cher Monsieur {},",
        "Chère Madame {},",
        "Chère Madame {}, merci pour votre lettre.",
        "Bonjour Monsieur {},",
    ),
    "de": ("Sehr geehrter Herr {},", "Sehr geehrte Frau {},", "Sehr geehrte Frau {}, vielen Dank für Ihren Brief."),
}
ADDRESSED = {
    "en": r"\b(dear|hello|good (morning|day))\b",
    "fr": r"\b(ch[eè]re?|bonjour|monsieur|madame|docteur)\b",
    "de": r"\b(sehr geehrter?|lieber?|hallo|guten tag)\b",
}


def dated(language: str, seed: int) -> list[tuple[str, int, list[str]]]:
    """Texts with a date, its month by number and the numbers in it."""
    chance = Random(seed)
    found: list[tuple[str, int, list[str]]] = []
    for _ in range(NUM_DATES):
        month = chance.randrange(12)
        day, other = sorted(chance.sample(range(2, 29), 2))
        text = chance.choice(DATES[language]).format(
            day=day, other=other, month=MONTHS[language][month], year=chance.randint(1900, 2030)
        )
        found.append((text, month, re.findall(r"\d+", text)))
    return found


def main() -> None:
    """Print the table, then what is wrong."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    manifest = manifest_of(chosen.store, chosen.model)
    source, target = manifest.source, manifest.target
    dates = dated(source, chosen.seed)
    letters = [frame.format(name) for frame in LETTERS[source] for name in NAMES]
    found = written(chosen.store, chosen.model, [text for text, _, _ in dates] + letters)
    wrong = []
    for (text, month, digits), answer in zip(dates, found, strict=False):
        has_month = re.search(rf"\b{MONTHS[target][month]}\b", answer, re.IGNORECASE)
        if not has_month or re.findall(r"\d+", answer) != digits:
            wrong.append((text, answer))
    unaddressed = [
        (text, answer)
        for text, answer in zip(letters, found[len(dates) :], strict=True)
        if not any(name in text and name in answer for name in NAMES)
        or not re.search(ADDRESSED[target], answer, re.IGNORECASE)
    ]
    rows = [
        ("dates in words", len(dates), f"{1 - len(wrong) / len(dates):.1%}"),
        ("beginnings of letters", len(letters), f"{1 - len(unaddressed) / len(letters):.1%}"),
    ]
    show(manifest.reference, ["what", "texts", "right"], rows)
    for text, answer in wrong + unaddressed:
        print(f"  {text} -> {answer}")


if __name__ == "__main__":
    main()
