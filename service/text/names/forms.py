"""Forms that first names have in other languages: *Mary* is *Maria* and *Marie*.

A model writes the form that its training text has. The name is put in its place, which changes nothing else: a second
search around placeholders lost the verb's number (*Tom und Mary will das nicht*).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from service.text.names.common_names import common_names
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch, Translated

CAPITALISED = re.compile(r"\b[A-Z\xc0-\xde]\w+")
GROUPS = (
    "Mary Maria Marie", "John Johannes Johann Jean", "Peter Pierre", "Michael Michel", "George Georg Georges",
    "William Wilhelm Guillaume", "Henry Heinrich Henri", "Charles Karl", "James Jakob Jacques", "Ann Anne Anna",
    "Elizabeth Elisabeth \xc9lisabeth", "Catherine Katharina Katherine", "Helen Helena Helene H\xe9l\xe8ne",
    "Lucy Lucie Luzie", "Philip Philipp Philippe", "Stephen Stephan St\xe9phane", "Nicholas Nikolaus Nicolas",
    "Matthew Matth\xe4us Matthieu Mathieu", "Mark Markus Marc", "Luke Lukas Luc", "Andrew Andreas Andr\xe9",
    "Frederick Friedrich Fr\xe9d\xe9ric", "Jane Jeanne Johanna", "Julia Julie", "Sophie Sophia", "Josef Joseph",
    "Margaret Margarete Marguerite", "Emily Emilie \xc9milie", "Edward Eduard \xc9douard", "Eva Eve \xc8ve",
    "Susan Susanne Suzanne", "Alexander Alexandre", "Lawrence Laurent Lorenz", "Anthony Anton Antoine",
    "Christopher Christoph Christophe", "Francis Franz Fran\xe7ois", "Camilla Camille Kamilla", "Caroline Karoline",
    "Clara Klara", "Eric Erik", "Oscar Oskar", "Victor Viktor",
)  # fmt: skip
"""Each a name in several languages."""


@lru_cache(1)
def _forms() -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for group in GROUPS:
        names = group.split()
        found |= {name: found.get(name, frozenset()) | frozenset(names) - {name} for name in names}
    return found


def form_of(name: str, source: str, translation: str) -> str | None:
    """The other form that `translation` has of a `name` of `source`; None where it has the name, or no form as often as
    `source` has the name."""
    forms = _forms().get(name)
    if forms is None or re.search(rf"\b{name}", translation) is not None:
        return None
    found = [match.group() for match in _places("|".join(sorted(forms, key=len, reverse=True)), translation)]
    is_one = len(set(found)) == 1 and len(found) == len(_places(name, source))
    return found[0] if is_one and re.search(rf"\b{found[0]}\b", source) is None else None


def _places(names: str, text: str) -> list[re.Match[str]]:
    """Where one of several `names`, the longest first and with bars between them, stands in a text, alone or with the
    *s* of a genitive behind it."""
    return list(re.finditer(rf"\b(?:{names})(?=s?\b)", text))


def own_names(source: str, translation: str, languages: tuple[str, str]) -> list[Translated]:
    """Where `translation` has another form of the everyday names of `source`, which both `languages` write alike, and
    the name."""
    words = CAPITALISED.findall(source)
    owners = [word[:-1] for word in words if word.endswith("s")] if languages[0] == "de" else []  # Marias Buch
    if _forms().keys().isdisjoint((*words, *owners)):
        return []  # as most texts
    changes = []
    for name in dict.fromkeys((*common_names(source, *languages), *owners)):
        form = form_of(name, source, translation)
        if form is not None:
            changes += [Translated(*match.span(), name) for match in _places(form, translation)]
    return sorted(changes, key=lambda change: change.start)


def with_own_names(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation of the text that was `read`, with the names of that in place of their other forms."""
    names = own_names(read, text, languages)
    return rewritten(text, spans, [(name.start, name.end) for name in names], [name.translated for name in names])
