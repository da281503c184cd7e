"""People, clubs, companies and works that everybody knows: *Marine Le Pen*, *Real Madrid*, *Vladimir Putin*.

Their words may be words of the language, and a model translates those: *Marine The Pen*. Some are written in another
way in each language: *Poutine*, *Selenskyj*.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

from service.text.spans.stretches import Translated

FILE = "famous.toml"
LANGUAGES = ("en", "fr", "de")
WORD = re.compile(r"\b[A-Z\u00c0-\u00de\u0152][^\W\d_]*")
"""What a name may begin with."""
BEHIND = re.compile(
    r"(?!\w|-\w)(?P<genitive>['\u2019]s\b(?! (?:\w+[.!?]?\Z"
    r"|(?:(?!(?:king|wedding|building|training|meeting|painting)\b)\w+ing|an?|the|not|been|gone|lost|got|so|very|just"
    r"|in|on|at|out|back|here|there|now|right|wrong|dead|alive|ahead|through|never|already|about|good|still|also|from"
    r"|with|to)\b)))?"
)
"""What may stand behind one: no further letters; an English genitive, but no *is* or *has*."""
FURTHER_NAME = re.compile(r" [A-Z\u00c0-\u00de]")
"""What stands behind a word that is part of another name: *Euclid Avenue*."""
POINT = re.compile(r"\.(?= [a-z\u00df-\u00ff])")
"""The point of a German ruler's number within a sentence: *Heinrich VIII. war*."""
GENITIVE = re.compile(r"(?!.*\b(?:der|die|das|und)\b)(?:.* )?[A-Z\u00c4\u00d6\u00dc][^\W\d_]*[^\W\d_A-Z]\Z")
"""Names that have an *s* or an apostrophe in the German genitive."""
OWN = re.compile(r"s(?= [A-Z\u00c4\u00d6\u00dc]|\s(?:[a-z\u00df-\u00ff]+e[nrsm]?)\s[A-Z\u00c4\u00d6\u00dc])")
"""The German genitive of a name before what it has: *Putins Rede*, *Putins lange Rede*."""
SIBILANTS = ("s", "x", "z", "\u00df")
"""Those that have an apostrophe alone."""

Form = tuple[str, str]
"""A name, and what it is in the other language."""


def _forms(source: int, target: int) -> dict[str, list[Form]]:
    """The names of one language in the other, by their first words, long ones first."""
    table = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    rows = [(name, name, name) for name in table["alike"]]
    rows += [(name, french, german) for name, (french, german) in table["forms"].items()]
    found: dict[str, list[Form]] = {}
    for row in sorted(rows, key=lambda each: -len(each[source])):
        match = WORD.match(row[source])
        if not row[source] or not row[target]:
            continue
        if match is None:
            raise ValueError(f"{FILE}: {row[source]!r} begins with no capital")
        forms = found.setdefault(match.group(), [])
        if row[source] not in dict(forms):
            forms.append((row[source], row[target]))
    if LANGUAGES[source] == "de":
        found |= {f"{word}s": forms for word, forms in found.items() if f"{word}s" not in found}  # a genitive
    return found


NAMES = {
    (source, target): _forms(LANGUAGES.index(source), LANGUAGES.index(target))
    for source in LANGUAGES
    for target in LANGUAGES
    if source != target
}
"""The names by their first words, by the languages of text and translation."""


def may_have_famous(text: str, source: str, target: str, is_plain: bool = False) -> bool:
    """Whether a `source` text has one of them, found quickly; one that `is_plain` has no capital but its first."""
    names = NAMES.get((source, target))
    if names is None:
        return False
    first = WORD.match(text)
    if is_plain and (first is None or first.group() not in names):
        return False  # as most texts
    return not names.keys().isdisjoint(WORD.findall(text)) and bool(famous(text, source, target))


def famous(text: str, source: str, target: str) -> list[Translated]:
    """Those of a `source` text as `target` writes them; none of languages that are not known."""
    names, found, at = NAMES.get((source, target), {}), list[Translated](), 0
    while (match := WORD.search(text, at)) is not None:
        each = _at(match, names.get(match.group(), ()), source, target)
        found += [each] if each else []
        at = each.end if each else match.end()
    return found


def _at(match: re.Match[str], forms: list[Form] | tuple[()], source: str, target: str) -> Translated | None:
    """The longest of `forms` that `match` begins, with the genitive of English or German where the other has one."""
    text, start = match.string, match.start()
    for name, written in forms:
        bare = name.rstrip(".")
        end = start + len(bare)
        if (source, target) == ("de", "en") and text.startswith(bare, start) and (own := OWN.match(text, end)):
            return Translated(start, own.end(), f"{written}'s")
        behind = BEHIND.match(text, end) if text.startswith(bare, start) else None
        is_alone = " " not in name or name.startswith(("The ", "Die "))
        if behind is None or (is_alone and FURTHER_NAME.match(text, end)):
            continue
        if target == "de" and behind["genitive"] and GENITIVE.match(written):
            return Translated(start, behind.end(), written + ("'" if written.endswith(SIBILANTS) else "s"))
        if bare != name and POINT.match(text, end):
            end += 1
        if written.endswith(".") and text[end : end + 1] == ".":
            written = written.rstrip(".")
        return Translated(start, end, written)
    return None
