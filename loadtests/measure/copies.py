"""Sentences with a name, number, date, amount, code, e-mail, URL or emoji put in: does it come out, once, in place?

The things are drawn by a generator of this file, not by the one that training uses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

from loadtests.measure.served import answers, manifest_of
from loadtests.measure.setting import parser, show

LETTERS = "abcdefghijklmnopqrstuvwxyz"
NAMES = [
    "Aldous", "Brannigan", "Castellani", "Dvorak", "Eszter", "Fitzgerald", "Ngozi", "Halvorsen",
    "Ilyas", "Jankowski", "Keoghan", "Lindholm", "Mbappe", "Nakagawa", "Oyelaran", "Pettersen",
    "Quispe", "Rasmussen", "Sigrid", "Thackeray", "Ulrich", "Vandenberg", "Whitaker", "Xiomara",
    "Yevgeny", "Zoltan", "Kowalczyk", "Abernathy", "Delacroix", "Montgomery", "Olufemi", "Grabowski",
    "Takahashi", "Rosenthal", "Hernandez", "Svensson",
]  # fmt: skip
ENGLISH = {
    "name": (
        "I met {} yesterday.",
        "{} is my best friend.",
        "Have you seen {} today?",
        "This letter is for {}.",
        "She lives with {} in Boston.",
        "I think that {} is right.",
        "We are waiting for {}.",
        "Ask {} to come here.",
    ),
    "number": (
        "There are {} people in the room.",
        "My house is number {}.",
        "I have {} books.",
        "He counted to {}.",
        "She was born in {}.",
        "Page {} is missing.",
        "We need {} chairs.",
    ),
    "date": ("The meeting is on {}.", "I will arrive on {}.", "He left on {} and came back.", "It was written on {}."),
    "amount": ("It costs {}.", "I paid {} for this book.", "He owes me {}.", "You must pay {} before tomorrow."),
    "code": ("Your room is {}.", "The flight {} is late.", "Write down the code {}.", "Look at {} in the list."),
    "e-mail": ("Send it to {}.", "My address is {}.", "Please write to {} before Monday.", "{} is not my address."),
    "URL": ("Go to {} and read it.", "I found it on {}.", "See {} for more information.", "The page {} is empty."),
    "emoji": ("I love you {}", "Thank you very much! {}", "{} Good morning", "I am so happy {} today", "See you {}!"),
}
FRENCH = {
    "name": (
        "J'ai rencontré {} hier.",
        "{} est mon meilleur ami.",
        "As-tu vu {} aujourd'hui ?",
        "Cette lettre est pour {}.",
        "Elle habite avec {} à Boston.",
        "Je pense que {} a raison.",
        "Nous attendons {}.",
        "Demande à {} de venir ici.",
    ),
    "number": (
        "Il y a {} personnes dans la pièce.",
        "Ma maison est le numéro {}.",
        "J'ai {} livres.",
        "Il a compté jusqu'à {}.",
        "Elle est née en {}.",
        "La page {} manque.",
        "Nous avons besoin de {} chaises.",
    ),
    "date": (
        "La réunion est le {}.",
        "J'arriverai le {}.",
        "Il est parti le {} et il est revenu.",
        "On l'a écrit le {}.",
    ),
    "amount": ("Ça coûte {}.", "J'ai payé {} pour ce livre.", "Il me doit {}.", "Vous devez payer {} avant demain."),
    "code": ("Votre chambre est la {}.", "Le vol {} est en retard.", "Notez le code {}.", "Regardez {} dans la liste."),
    "e-mail": ("Envoyez-le à {}.", "Mon adresse est {}.", "Écrivez à {} avant lundi.", "{} n'est pas mon adresse."),
    "URL": (
        "Va sur {} et lis-le.",
        "Je l'ai trouvé sur {}.",
        "Voir {} pour plus d'informations.",
        "La page {} est vide.",
    ),
    "emoji": (
        "Je t'aime {}",
        "Merci beaucoup ! {}",
        "{} Bonjour",
        "Je suis si heureux {} aujourd'hui",
        "À demain {} !",
    ),
}
GERMAN = {
    "name": (
        "Ich habe gestern {} getroffen.",
        "{} ist mein bester Freund.",
        "Hast du heute {} gesehen?",
        "Dieser Brief ist für {}.",
        "Sie wohnt mit {} in Boston.",
        "Ich denke, dass {} recht hat.",
        "Wir warten auf {}.",
        "Bitte {}, hierher zu kommen.",
    ),
    "number": (
        "Es sind {} Leute im Zimmer.",
        "Mein Haus ist die Nummer {}.",
        "Ich habe {} Bücher.",
        "Er zählte bis {}.",
        "Sie wurde {} geboren.",
        "Seite {} fehlt.",
        "Wir brauchen {} Stühle.",
    ),
    "date": (
        "Das Treffen ist am {}.",
        "Ich komme am {} an.",
        "Er ging am {} und kam zurück.",
        "Es wurde am {} geschrieben.",
    ),
    "amount": ("Es kostet {}.", "Ich habe {} für dieses Buch bezahlt.", "Er schuldet mir {}.", "Du musst {} bezahlen."),
    "code": (
        "Ihr Zimmer ist {}.",
        "Der Flug {} hat Verspätung.",
        "Schreib den Code {} auf.",
        "Sieh dir {} in der Liste an.",
    ),
    "e-mail": (
        "Schick es an {}.",
        "Meine Adresse ist {}.",
        "Bitte schreib vor Montag an {}.",
        "{} ist nicht meine Adresse.",
    ),
    "URL": ("Geh auf {} und lies es.", "Ich habe es auf {} gefunden.", "Siehe {} für mehr.", "Die Seite {} ist leer."),
    "emoji": (
        "Ich liebe dich {}",
        "Vielen Dank! {}",
        "{} Guten Morgen",
        "Ich bin heute so glücklich {}",
        "Bis bald {}!",
    ),
}
FRAMES = {"en": ENGLISH, "fr": FRENCH, "de": GERMAN}
"""Sentences with a gap, by source language and kind of what is put in."""


def _word(chance: Random, low: int = 4, high: int = 9) -> str:
    return "".join(chance.choices(LETTERS, k=chance.randint(low, high)))


def _date(chance: Random) -> str:
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1960, 2035)
    return chance.choice((f"{day:02d}/{month:02d}/{year}", f"{year}-{month:02d}-{day:02d}", f"{day}.{month}.{year}"))


def _amount(chance: Random) -> str:
    value = chance.choice(
        (f"{chance.randint(2, 999)}", f"{chance.uniform(1, 99):.2f}", f"{chance.uniform(1e3, 1e6):,.2f}")
    )
    return chance.choice((f"${value}", f"€{value}", f"£{value}", f"{value} €"))


def _code(chance: Random) -> str:
    letters = _word(chance, 1, 3).upper()
    return chance.choice((f"{letters}-{chance.randint(1, 9999)}", f"{letters}{chance.randint(10, 999)}"))


def _url(chance: Random) -> str:
    domain = f"{_word(chance)}.{chance.choice(('com', 'org', 'fr', 'io'))}"
    return chance.choice(
        (f"https://www.{domain}/{_word(chance)}?id={chance.randint(1, 99)}", f"http://{domain}", f"www.{domain}")
    )


THINGS: dict[str, Callable[[Random], str]] = {
    "name": lambda chance: chance.choice((chance.choice(NAMES), f"{chance.choice(NAMES)} {chance.choice(NAMES)}")),
    "number": lambda chance: str(chance.randint(3, 10 ** chance.randint(1, 7))),
    "date": _date,
    "amount": _amount,
    "code": _code,
    "e-mail": lambda chance: f"{_word(chance)}.{_word(chance)}@{_word(chance)}.{chance.choice(('com', 'org', 'net'))}",
    "URL": _url,
    "emoji": lambda chance: "".join(
        chance.choices(("😀", "🎉", "❤️", "👍🏽", "🇫🇷", "👩‍💻", "🔥", "☕"), k=chance.randint(1, 2))
    ),
}
BARS = {"name": 0.92, "number": 0.98, "date": 0.98, "amount": 0.98}


def texts(count: int, seed: int, language: str = "en") -> list[tuple[str, str, str]]:
    """(kind, thing, sentence in `language`), kinds in turn."""
    chance = Random(seed)
    kinds = list(THINGS)
    found = []
    for number in range(count):
        kind = kinds[number % len(kinds)]
        thing = THINGS[kind](chance)
        found.append((kind, thing, chance.choice(FRAMES[language][kind]).format(thing)))
    return found


def is_unharmed(thing: str, answer: dict[str, Any], source: str) -> tuple[bool, bool]:
    """Whether `thing` stands in the translation just once, and whether it is linked to within two words of itself."""
    text = answer["text"]
    pattern = rf"(?<![\w.,]){re.escape(thing)}(?![\w]|[.,]\d)"
    once = len(re.findall(pattern, text)) == 1 and text.count(thing) == source.count(thing)
    if not once:
        return False, False
    start, origin = text.index(thing), source.index(thing)
    return True, any(_is_linked(segment, origin, start, len(thing)) for segment in answer["segments"]) or not any(
        segment["source"]["start"] <= origin < segment["source"]["end"] for segment in answer["segments"]
    )


def _is_linked(segment: dict[str, Any], origin: int, start: int, length: int) -> bool:
    """Whether a target word of the copy is linked to a source word at most two words from it; a copy that the model
    did not write at all has no link of its own."""
    sources, targets = segment["source"]["tokens"], segment["target"]["tokens"]
    mine = [n for n, token in enumerate(sources) if origin <= token["start"] < origin + length]
    copies = [n for n, token in enumerate(targets) if start <= token["start"] < start + length]
    links = [tuple(map(int, link.split("-"))) for link in segment["alignment"].split()]
    return any(t in copies and any(abs(s - one) <= 2 for one in mine) for s, t in links)


def main() -> None:
    """Print the table, then every sentence that lost its thing."""
    options = parser(__doc__ or "", "en-fr-transformer")
    options.add_argument("--count", type=int, default=504)
    options.add_argument("--seed", type=int, default=1)
    chosen = options.parse_args()
    drawn = texts(chosen.count, chosen.seed, manifest_of(chosen.store, chosen.model).source)
    found = answers(chosen.store, chosen.model, [text for _, _, text in drawn], attention=_ATTENTION)
    rows, lost = [], []
    for kind in THINGS:
        mine = [(d, a) for d, a in zip(drawn, found, strict=True) if d[0] == kind]
        judged = [is_unharmed(thing, answer, text) for (_, thing, text), answer in mine]
        lost += [
            (text, a["text"])
            for ((_, _, text), a), (once, linked) in zip(mine, judged, strict=True)
            if not (once and linked)
        ]
        kept, placed = sum(once for once, _ in judged), sum(once and linked for once, linked in judged)
        rows.append(
            (kind, len(mine), f"{kept / len(mine):.1%}", f"{placed / len(mine):.1%}", f"{BARS.get(kind, 1):.0%}")
        )
    show(f"{chosen.model}, things put in", ["kind", "sentences", "unharmed, once", "and in place", "bar"], rows)
    for source, text in lost:
        print(f"  {source} -> {text}")


_ATTENTION = {"level": "word", "layer": "default", "head": "default"}

if __name__ == "__main__":
    main()
