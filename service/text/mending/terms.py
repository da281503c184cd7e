"""Words that models write for others of a subject, by `terms.toml`: *ticket*, not *billet*, of a support desk."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch, as_capital

FILE = "terms.toml"


class Term(NamedTuple):
    """A row of FILE, which says what its fields mean."""

    hint: str
    read: re.Pattern[str]
    wrong: re.Pattern[str]
    right: str


def with_terms(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation of the text that was `read` with the words of its subject. `languages` are those of the text and of
    its translation."""
    changes = {
        match.span("wrong" if "wrong" in match.re.groupindex else 0): term.right
        for term in _terms("_".join(languages))
        if term.hint in text and term.read.search(read) is not None
        for match in term.wrong.finditer(text)
    }
    found = sorted(changes)
    written = [as_capital(changes[span], text[slice(*span)]) for span in found]
    return rewritten(text, spans, found, written) if found else (text, spans)


@lru_cache
def _terms(pair: str) -> tuple[Term, ...]:
    """The rows of a pair of languages, *en_fr*."""
    rows = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8")).get(pair, ())
    return tuple(Term(row["hint"], re.compile(row["read"]), re.compile(row["wrong"]), row["right"]) for row in rows)
