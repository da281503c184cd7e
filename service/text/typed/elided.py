"""Subjects and articles that people leave out in notes, chats and reviews: *Running late*, *Komme sp\u00e4ter*, *Peux
pas venir*, *Room was clean*. Models have read sentences with a subject, and take these for orders or participles.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from service.text.spans.normalise import NormalisedText, replaced

FILE = "elided.toml"
OPENING = re.compile(
    r"(?:Ach|Ah|Allez|Also|Bonjour|Bonsoir|Btw|Cool|Coucou|Danke|D\xe9sol\xe9e?|Great|Hallo|Haha|Hello|Hey|Hi|Hmm|Ja"
    r"|Lol|Merci|Moin|Nah|Nein|No|Non|Nope|Oh|Ok|OK|Okay|Oui|Salut|Schade|Sorry|Super|Thanks|Tja|Ugh|Well|Wow|Yeah|Yes)"
    r"(?: (?!I\b)[A-Za-z]\w+)?, "
    r"|Oh my God,? (?=just\b)"
    r"|(?:Thanks|Thank you|Merci|Danke)(?: so much| a lot| again)? (?:for|pour|f\xfcr) [^,.!?]{1,40}, ",
    re.IGNORECASE,
)
"""What may stand before the sentence: *Sorry mate, can't make it*."""
NOT_ALONE = re.compile(r",|\b(?:am|are|can|costs|does|helps|is|keeps|made|makes|means|took|takes|was|were|will)\b")
"""What a text has in which the first words may be the subject: *Just leaving was hard*."""
COMMA = re.compile(r", (?=\w)")
SELF = re.compile(
    r"(?:[Ii]|[Ii]'(?:m|ve|ll|d)|[Ii]ch|[Jj]e|[Jj]'\w+)\s"
    r"|(?:[Nn]o (?:signal|time|wifi)|[Oo]n (?:my way|the (?:bus|phone|road|train))|[Ii]n a meeting)\b"
    r"|[Aa]t (?:home|work)\b"
)
"""How a text begins that is about who writes."""
ENGLISH_I = re.compile(r"I\b")
MOST_OPENING, MOST_OF_A_WORD = 60, 14
"""Code points."""


class _Elided(NamedTuple):
    behind: str
    """A pattern, for `_compiled`."""
    words: str


_Firsts = Mapping[str, tuple[_Elided, ...]]
"""By the first word of a text, in lower case."""


def with_subject(normalised: NormalisedText, language: str) -> NormalisedText:
    """A text of a `language` with the subject that its first word has lost, and the clauses behind commas theirs if it
    is about who writes: *I'm on the train, will call you later*."""
    text = normalised.text
    start = 0
    if (", " in text[:MOST_OPENING] or text[:2] in ("oh", "Oh")) and (opening := OPENING.match(text)) is not None:
        start = opening.end()
    kinds = _kinds(language)
    word, end = _first_word(text, start)
    is_own = ", " in text and SELF.match(text, start) is not None
    if word not in kinds.firsts and not is_own:
        return normalised  # as most texts
    is_question = "?" in text
    words = _words(text, end, word, kinds.question if is_question else kinds.statement)
    if words is None and not is_question and NOT_ALONE.search(text, start) is None:
        words = _words(text, end, word, kinds.alone)
    found = [] if words is None else [(start, *words)]
    if not is_question and (found or is_own):
        for comma in COMMA.finditer(text, start):
            word, end = _first_word(text, comma.end())
            if (words := _words(text, end, word, kinds.statement)) is not None:
                found.append((comma.end(), *words))
    spans = [(start, end) for start, end, _ in found]
    written = [_with_case(words, text[start].islower()) for start, _, words in found]
    return replaced(normalised, spans, written) if found else normalised


def _first_word(text: str, start: int) -> tuple[str, int]:
    """The word at `start` of a text in lower case, and where it ends; none where no space is behind it."""
    end = text.find(" ", start, start + MOST_OF_A_WORD)
    return ("", start) if end < 0 else (text[start:end].lower(), end)


def _words(text: str, end: int, word: str, firsts: _Firsts) -> tuple[int, str] | None:
    """Where the stretch ends that begins with `word`, which ends at `end`, and the words for it; None where nothing is
    left out."""
    if text.startswith("ich ", end + 1):
        word, end = f"{word} ich", end + 4
    for elided in firsts.get(word, ()):
        if _compiled(elided.behind).match(text, end + 1):
            return end, elided.words
    return None


def _with_case(words: str, is_small: bool) -> str:
    """The words with a small letter where they have one without the rule; *I* has none."""
    return words[0].lower() + words[1:] if is_small and ENGLISH_I.match(words) is None else words


class _Kinds(NamedTuple):
    statement: _Firsts
    alone: _Firsts
    question: _Firsts
    firsts: frozenset[str]
    """The first words of all."""


@lru_cache
def _kinds(language: str) -> _Kinds:
    """The tables of a language, from FILE; empty ones of others."""
    tables = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8")).get(language, {})
    found = [
        {first: tuple(_Elided(behind, words) for behind, words in rows) for first, rows in table.items()}
        for table in (tables.get(kind, {}) for kind in ("statement", "alone", "question"))
    ]
    statement, alone, question = found
    for table in tables.get("articles", ()):
        statement |= {
            noun: (*statement.get(noun, ()), _Elided(table["behind"], f"The {noun}")) for noun in table["nouns"].split()
        }
    return _Kinds(statement, alone, question, frozenset(first.split(" ")[0] for table in found for first in table))


@cache
def _compiled(behind: str) -> re.Pattern[str]:
    """A pattern of FILE, made when a text first needs it."""
    return re.compile(behind)
