"""Whole files as texts of a size that a request may have: what is asked for, and the file with the answers in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from service.text.formats.escapes import ANDROID, ASCII, CALENDAR, in_ascii
from service.text.formats.parts import as_read, parts_of
from service.text.formats.quoting import ASCII_DOUBLE, DOUBLE, FIELD, SINGLE, escaped, in_quotes
from service.text.spans.kept import is_kept

CUTS = (re.compile(r"\n[ \t]*\n"), re.compile(r"\n"), re.compile(r"[.!?\u2026]\s"), re.compile(r"\s"))
"""Where a long text is cut, the best first: between paragraphs, lines, sentences, words."""
QUOTED = '"text" = "', '";'
"""What makes a file of strings of a string."""
_STRINGS = r"(?:\"(?:[^\"\\\n]|\\.)*\"[ \t]*\n?[ \t]*)+"
PO_ENTRY = re.compile(
    rf"^msgid (?P<one>{_STRINGS})(?:^msgid_plural (?P<many>{_STRINGS}))?"
    rf"(?P<translations>(?:^msgstr(?:\[\d\])? {_STRINGS})+)",
    re.MULTILINE,
)
"""An entry of a catalogue of GNU gettext."""
PO_EMPTY = re.compile(r"^msgstr(?:\[(?P<number>\d)\])? \"(?=\"[ \t]*$(?!\n[ \t]*\"))", re.MULTILINE)
"""A translation that is missing."""
IS_CATALOGUE = re.compile(
    r"\ufeff?\s*(?:<\?[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:\w+:)?(?:xliff|TS|trans-unit)\b", re.DOTALL
)
"""A file of translations in XML: XLIFF (1.2 and 2.1), Qt Linguist."""
UNIT = re.compile(
    r"(?P<margin>\n[ \t]*)?<source\b[^<>]*(?<!/)>(?P<source>(?:(?!</?source\b).)*+)</source>"
    r"(?P<between>\s*(?:<(?P<name>target|translation)\b(?P<attributes>[^<>]*?)(?:/>|>\s*</(?P=name)>))?)"
    r"(?!(?:(?!</(?:message|trans-unit|segment)>|<source\b|<(?:target|translation)\b).)*+<(?:target|translation)\b)",
    re.DOTALL,
)
"""A text of such a file whose translation is missing, or is not yet an element."""
PO_STRING = re.compile(r"\"((?:[^\"\\\n]|\\.)*)\"")


@dataclass(frozen=True, slots=True)
class Piece:
    """What is translated together, and the code points `start`..`end` of a document that the translation replaces."""

    start: int
    end: int
    inner: str
    """What to translate."""
    quote: str = ""
    """The quotation mark of a file of strings that it stands in, if any."""
    element: tuple[str, str] = ("", "")
    """What stands before and behind its translation."""

    @property
    def text(self) -> str:
        """What to ask for."""
        if self.quote in (SINGLE, FIELD):
            return self.inner.replace(self.quote[0] * 2, self.quote[0])
        if self.quote in (ASCII, CALENDAR):
            return as_read(self.inner, self.quote).text
        return self.inner.join(QUOTED) if self.quote in (DOUBLE, ASCII_DOUBLE) else self.inner

    def translation(self, answer: str) -> str:
        """What takes the piece's place, from the answer."""
        if any(self.element):
            return answer.join(self.element)
        if self.quote in (DOUBLE, ASCII_DOUBLE):
            inner = answer.removeprefix(QUOTED[0]).removesuffix(QUOTED[1])
            return in_ascii(inner) if self.quote == ASCII_DOUBLE else inner
        if self.quote in ("", ANDROID):
            return answer  # the server has escaped it
        written, _ = escaped(answer, (), self.quote)
        return written.join(in_quotes(["", ""], [written], [self.quote]))


def pieces(document: str, most: int) -> list[Piece]:
    """What to translate of a document, in pieces of at most `most` code points: the strings of a file of strings, those
    of a catalogue (gettext, XLIFF, Qt Linguist) that have no translation, or what stands between blocks of code."""
    if PO_ENTRY.search(document):
        return list(_untranslated(document))
    if IS_CATALOGUE.match(document):
        return list(_untranslated_units(document))
    found = parts_of(document)
    whole = [(0, len(document))] if found.stretches is None else found.stretches
    room = most - len("".join(QUOTED)) * bool(found.quotes)
    parts = [part for start, end in whole for part in _cut(document, start, end, room)]
    return [Piece(start, end, document[start:end], found.quote(start)) for start, end in parts]


def joined(document: str, found: Sequence[Piece], translations: Sequence[str]) -> str:
    """The document with translations in place of its pieces."""
    done, at = [], 0
    for piece, answer in zip(found, translations, strict=True):
        done += [document[at : piece.start], piece.translation(answer)]
        at = piece.end
    return "".join([*done, document[at:]])


def _untranslated(catalogue: str) -> Iterator[Piece]:
    """The entries of a catalogue whose translation is empty, but for its header. Numbers above 0 are the plural's."""
    for entry in PO_ENTRY.finditer(catalogue):
        for empty in PO_EMPTY.finditer(catalogue, *entry.span("translations")):
            is_plural = entry["many"] is not None and empty["number"] not in (None, "0")
            inner = "".join(PO_STRING.findall(entry["many" if is_plural else "one"]))
            if inner:
                yield Piece(empty.end(), empty.end(), inner, DOUBLE)


def _untranslated_units(catalogue: str) -> Iterator[Piece]:
    """The texts of a catalogue in XML whose translation is empty or missing."""
    other = "translation" if "<TS" in catalogue else "target"
    for unit in UNIT.finditer(catalogue):
        owner = catalogue[max(catalogue.rfind("<trans-unit", 0, unit.start()), 0) : unit.start()].partition(">")[0]
        if not unit["source"].strip() or is_kept(owner):
            continue
        name = unit["name"] or other
        opening, closing = f"<{name}{(unit['attributes'] or '').rstrip()}>", f"</{name}>"
        if unit["name"]:
            space = unit["between"][: unit["between"].index("<")]
            yield Piece(*unit.span("between"), unit["source"], element=(space + opening, closing))
        else:
            at = unit.start("between")
            yield Piece(at, at, unit["source"], element=((unit["margin"] or "") + opening, closing))


def _cut(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """The parts of `text[start:end]`, of at most `most` code points each, that hold something."""
    while end - start > most:
        at = next((cut for pattern in CUTS if (cut := _last(pattern, text, start, start + most))), start + most)
        yield from _cut(text, start, at, most)
        start = at
    if text[start:end].strip():
        yield start, end


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> int | None:
    """Where the last of `pattern` ends in `text[start:end]`."""
    return max((match.end() for match in pattern.finditer(text, start, end)), default=None)
