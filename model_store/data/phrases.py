"""Phrases that no corpus of sentences has: dates, beginnings and ends of letters, labels of programs and signs,
messages, and sentences about things and places.

`phrases.tsv` has a line for each, with a column for each language. `|` cuts a text into chunks; chunk 3 of one language
means chunk 3 of the other, unless a chunk begins with the number of another: in `Save| changes` and
`2=Änderungen| 1=speichern` the first chunk means the last. Words in braces are filled in when a phrase is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from model_store.contract.calendar import MONTHS, WEEKDAYS
from model_store.contract.known_words import MIN_COUNT
from model_store.contract.words import word_spans
from model_store.data import entities
from model_store.data.linked import SURE, LinkedPair, spaced_words
from model_store.data.nouns import Forms, Noun, bare, forms, read_nouns
from model_store.data.places import Place, names, place_slots, read_places
from model_store.data.tables import read_table

CHUNK = re.compile(r"(?P<space>\s*)(?:(?P<number>\d+)=)?(?P<text>.*)", re.DOTALL)
SLOT = re.compile(r"\{(\w+)\}")
ORDINALS = {1: "st", 2: "nd", 3: "rd", 21: "st", 22: "nd", 23: "rd", 31: "st"}
"""Endings of English days of the month; the others end with `th`."""
WOMEN = [
    "Alice", "Amélie", "Anita", "Anna", "Astrid", "Camille", "Chiara", "Claire", "Emma", "Fatima", "Fiona",
    "Giulia", "Grace", "Hannah", "Helga", "Ingrid", "Isabel", "Julia", "Katarzyna", "Laura", "Leila", "Lucy",
    "Maria", "Mary", "Mei", "Monika", "Nadia", "Nina", "Olga", "Petra", "Priya", "Ruth", "Sara", "Sophie",
    "Susan", "Yuki", "Zoë",
]  # fmt: skip
MEN = [
    "Adam", "Ahmed", "Alejandro", "Antoine", "Ben", "Carlos", "Christopher", "Daniel", "David", "Deepak",
    "Dmitri", "Erik", "Felix", "François", "George", "Hans", "Ibrahim", "Jack", "James", "John", "José",
    "Karim", "Kenji", "Lars", "Liam", "Luca", "Marco", "Mehmet", "Michael", "Noah", "Oliver", "Omar", "Paul",
    "Peter", "Pierre", "Tom",
]  # fmt: skip

MADE_UP = {
    "name": entities.called,
    "code": entities.code,
    "othercode": entities.code,
    "address": entities.address,
    "phone": entities.telephone,
    "amount": entities.amount,
    "time": entities.time,
    "othertime": entities.time,
}
"""Slots that are alike in all languages, and of which kind."""
PLACES = ("place", "inplace")
"""Kinds of phrases whose slots are places: sentences and labels; what stands behind a pair to say where."""
Put = Callable[[entities.Kind], str]
"""Makes up something of a kind, which is a function of `entities`, or has a placeholder stand for it."""
Chunk = tuple[str, int]
"""A template with the space before it, and the number of its meaning."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """The chunks of one line, for two languages."""

    source: tuple[Chunk, ...]
    target: tuple[Chunk, ...]


class Phrases:
    """The phrases of two languages, filled in by chance."""

    def __init__(self, languages: tuple[str, str], lines: Sequence[Mapping[str, str]]) -> None:
        """`lines` have a column for each of `languages`."""
        self._languages, self._nouns = languages, read_nouns()
        self._places: dict[str, list[Place]] = {}
        for place in read_places():
            self._places.setdefault(place["kind"], []).append(place)
        self._by_kind: dict[str, list[Phrase]] = {}
        for line in lines:
            phrase = Phrase(*(_chunks(line[language]) for language in languages))
            self._by_kind.setdefault(line["kind"], []).append(phrase)

    @classmethod
    def of(cls, languages: tuple[str, str]) -> Phrases | None:
        """The phrases of `phrases.tsv`; None where it lacks one of the languages."""
        lines = read_table("phrases.tsv")
        return cls(languages, lines) if set(languages) <= lines[0].keys() else None

    def sources(self) -> list[str]:
        """The source side of every phrase as often as words must be had to be known, with the months and days."""
        language = self._languages[0]
        lines = ["".join(text for text, _ in phrase.source) for found in self._by_kind.values() for phrase in found]
        lines += [bare(noun, language) for noun in self._nouns]
        lines += [names(place)[language] for found in self._places.values() for place in found]
        return [
            SLOT.sub("", line) for line in (*lines, *MONTHS[language], *WEEKDAYS[language]) for _ in range(MIN_COUNT)
        ]

    def draw(self, kind: str, chance: Random, put: Put) -> LinkedPair:
        """A phrase of `kind` (`opening`, `label`...: the first column), with its links."""
        phrase = chance.choice(self._by_kind[kind])
        needed = {name for text, _ in phrase.source for name in SLOT.findall(text)}
        slots = self._draw_places(chance) if kind in PLACES else _slots(chance, put, self._nouns, needed)
        source, target = (
            _fill(chunks, {name: words[language] for name, words in slots.items()}, language)
            for chunks, language in zip((phrase.source, phrase.target), self._languages, strict=True)
        )
        links = tuple(
            (s, t, SURE) for s, number in enumerate(source[1]) for t, other in enumerate(target[1]) if number == other
        )
        return LinkedPair(source[0], target[0], links)

    def _draw_places(self, chance: Random) -> Forms:
        countries, tongues = (chance.sample(self._places[kind], 2) for kind in ("country", "tongue"))
        return place_slots(countries, chance.choice(self._places["city"]), tongues)


def _chunks(text: str) -> tuple[Chunk, ...]:
    found = []
    for place, part in enumerate(text.split("|"), 1):
        match = CHUNK.fullmatch(part)
        assert match is not None
        found.append((match["space"] + match["text"], int(match["number"] or place)))
    return tuple(found)


def _slots(chance: Random, put: Put, nouns: Sequence[Noun], needed: set[str]) -> dict[str, dict[str, str]]:
    """What goes into each slot, by language."""
    thing, other = (forms(noun) for noun in chance.sample(nouns, 2))
    day, other_day = sorted(chance.sample(range(1, 32), 2))
    month, other_month = chance.randrange(12), chance.randrange(12)
    weekday, other_weekday = chance.sample(range(7), 2)
    alike = {
        "year": entities.year(chance),
        "last": chance.choice(entities.LAST_NAMES),
        "woman": chance.choice(WOMEN),
        "man": chance.choice(MEN),
        "number": str(chance.randint(2, 120)),
        "othernumber": str(chance.randint(2, 120)),
        "morning": str(chance.randint(5, 11)),
        "afternoon": str(chance.randint(2, 6)),
        "evening": str(chance.randint(7, 11)),
    }
    languages = list(MONTHS)
    alike |= {name: put(kind) for name, kind in MADE_UP.items() if name in needed}
    if "last" in needed and chance.random() < 0.3:
        alike["last"] = put(entities.called)
    things = {**thing, "otherthing": other["thing"], "theother": other["the"]}
    return (
        things
        | {name: dict.fromkeys(languages, word) for name, word in alike.items()}
        | {
            "day": _day(day),
            "otherday": _day(other_day),
            "dayth": _day(day) | {"en": f"{day}{ORDINALS.get(day, 'th')}"},
            "month": {language: MONTHS[language][month] for language in languages},
            "othermonth": {language: MONTHS[language][other_month] for language in languages},
            "weekday": {language: WEEKDAYS[language][weekday] for language in languages},
            "otherweekday": {language: WEEKDAYS[language][other_weekday] for language in languages},
        }
    )


def _day(day: int) -> dict[str, str]:
    return {"en": str(day), "de": str(day), "fr": "1er" if day == 1 else str(day)}


def _fill(chunks: tuple[Chunk, ...], slots: dict[str, str], language: str) -> tuple[tuple[str, ...], list[int]]:
    """The words of the chunks, and the number of the chunk that each belongs to."""
    texts = [SLOT.sub(lambda match: slots[match[1]], text) for text, _ in chunks]
    whole, ends = "".join(texts), list(accumulate(map(len, texts)))
    numbers = [
        next(number for (_, number), end in zip(chunks, ends, strict=True) if start < end)
        for start, _ in word_spans(whole, language)
    ]
    return spaced_words(whole, language), numbers
