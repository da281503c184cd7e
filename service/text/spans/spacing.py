"""Spaces beside signs, in what a model reads and in what it has written.

French has a space before `;`, `:`, `!` and `?`; English and German have none before any sign, nor behind an opening
bracket. People leave out the space behind a comma and those around a dash, and models have hardly read such text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import compress

from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.stretches import Stretch

SIGNS = r"(?=[;:!?]+(?:\s|\Z))"
"""Before signs that stand by themselves; not `17:30`, `:)`."""
TOO_MANY = re.compile(
    r"(?<=\()(?<![:;=]\() +(?=\w)"
    r"| +(?=[;:,](?:\s|\Z)|[!?]+(?:\s+[^\sa-z\u00df-\u00ff]|\Z)|\.(?:\s+[^\sa-z\u00df-\u00ff]|\Z))"
)
"""A `?` before a small letter may be a word, as in *press ? for help*."""
BEFORE_PERCENT = r"(?<=\d) +(?=%(?:\W|\Z))"
"""English has no space there."""
BEFORE_COMMA = r"(?<=\w) +(?=,(?:\s|\Z)|\.(?:\s+[^\sa-z\u00df-\u00ff]|\Z))"
"""No language has a space before these."""
PATTERNS = {
    "fr": re.compile(rf"(?<=[^\s;:!?])(?!::){SIGNS}|{BEFORE_COMMA}"),
    "en": re.compile(rf"{TOO_MANY.pattern}|{BEFORE_PERCENT}"),
    "de": TOO_MANY,
}
"""Where a space is missing, or spaces that should not be there, by language."""
SPACED = (" ;", " :", " !", " ?", " .", " ,", "( ")
HINTS = {"fr": (";", ":", "!", "?", " ,", " ."), "en": (*SPACED, " %"), "de": SPACED}
"""One of these is in every text with such a place."""
GLUED = re.compile(
    r"(?<=[^\W\d_]{2}[,;!?])(?=[^\W\d_]{2})|(?<=[^\W\d_]{2}\u2026)(?=[^\W\d_])|(?<=[^\W\d_]{2}\.{3})(?=[^\W\d_])"
    r"|(?<=[^\W\d_])(?=\u2014\s?[^\W\d_])|(?<=[^\W\d_]\u2014)(?=[^\W\d_])|(?<=[^\W\d_]\s\u2014)(?=[^\W\d_])"
)
"""Where a space is missing between two words and the sign between them."""
GLUED_BEHIND = re.compile(r"(?<=[^\W\d_]{2}) +,(?=[^\W\d_]{2})")
"""A comma that has its space on the wrong side."""
SEVERAL = re.compile(r"[!?]{2,}\Z")
SIGNS_APART = re.compile(r"[!?](?: [!?])+")
SIGNS_TOGETHER = re.compile(r"[!?]{2}")
TWO_COMMAS = re.compile(r",(?: ?,)+(?=\s|\Z)")
TWO_POINTS = re.compile(r"(?<=\w)\.\.(?=\s|\Z)")
QUOTES = {"fr": ("\u00ab", "\u00bb", " "), "de": ("\u201e", "\u201c", "")}
"""Opening and closing quotation marks that a model writes besides `"`, and what stands inside of them, by language."""
CLOSING = re.compile(r"[*_~]{1,3}")
"""A mark of Markdown that has no words in its copy."""
LAST = " .!?\u2026\u00a0\u202f"
CLOSED_TWICE = re.compile(r'(?<=[^\s"])"(?P<sign>[,.!?])"(?=\s|\Z)')
"""A quotation that is closed before and behind a sign: `"Yes"," she said`."""
WHO_SAYS = re.compile(
    r"(?:[,?!][\"\xbb\u201c\u201d]|[\"\xbb\u201c\u201d],)\s[^\"\xab\xbb\u201e\u201c\u201d:.!?]{2,40}?(?P<sign>\s?:|,)"
    r"(?=\s[\"\xab\u201e\u201c])"
)
"""What stands between two parts of what somebody says: `"Yes," she said, "but"`. Models write a colon behind it."""


def apart(normalised: NormalisedText, language: str) -> NormalisedText:
    """A text of a `language` with the spaces that belong beside its signs, as a model has read them."""
    text = normalised.text
    if _may_be_glued(text):
        normalised = _replaced(normalised, [match.span() for match in GLUED.finditer(text)], " ")
    if " ," in normalised.text and language in PATTERNS:
        normalised = _replaced(normalised, [match.span() for match in GLUED_BEHIND.finditer(normalised.text)], ", ")
    return _replaced(normalised, _places(normalised.text, language))


def _replaced(normalised: NormalisedText, places: Sequence[Stretch], words: str | None = None) -> NormalisedText:
    """`normalised` with `words`, or what `_spaces` says, in each of `places` that stands in no address and the like."""
    if not places:
        return normalised  # as most texts
    found = list(compress(places, free(normalised.text, [(start - 1, end + 1) for start, end in places])))
    return replaced(normalised, found, [words] * len(found) if words else _spaces(found)) if found else normalised


def with_spaces(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """A translation with the spaces before its signs as its `language` has them, and what each subword covers of it
    then; as it is in languages that are not known."""
    found = _places(text, language)
    return rewritten(text, spans, found, _spaces(found))


def with_whole_signs(text: str, spans: Sequence[Stretch], language: str, read: str) -> tuple[str, Sequence[Stretch]]:
    """A translation of a text that was `read` with all three points of its ellipses, its double signs together, and the
    second quotation mark of a pair like the first: models lose a point, write `? ?` for `??`, two commas for one, and
    close `\u201e` and `\u00ab` with `"`, or a quotation twice."""
    found = []
    if ".." in text and ("..." in read or "\u2026" in read):
        found = [(*match.span(), "...") for match in TWO_POINTS.finditer(text)]
    if SIGNS_APART.search(text) is not None and SIGNS_TOGETHER.search(read) is not None:
        found += [(*match.span(), match.group().replace(" ", "")) for match in SIGNS_APART.finditer(text)]
    if ":" in text and ":" not in read and WHO_SAYS.search(read) is not None:
        found += [(*match.span("sign"), ",") for match in WHO_SAYS.finditer(text) if match["sign"] != ","]
    if ",," in text and ",," not in read:
        found += [(*match.span(), ",") for match in TWO_COMMAS.finditer(text)]
    if '"' in text:
        found += [(*match.span(), match["sign"] + '"') for match in CLOSED_TWICE.finditer(text)]
    if language in QUOTES and text.count('"') == 1:
        opening, closing, space = QUOTES[language]
        at = text.index('"')
        if 0 <= text.find(opening) < at and closing not in text:
            found.append((at, at + 1, closing if text[at - 1] == " " else f"{space}{closing}"))
        elif text.find(closing) > at and opening not in text:
            found.append((at, at + 1, f"{opening}{space}"))
    if not found:
        return text, spans
    found.sort()
    return rewritten(text, spans, [each[:2] for each in found], [each[2] for each in found])


def rewritten(
    text: str, spans: Sequence[Stretch], stretches: Sequence[Stretch], signs: Sequence[str]
) -> tuple[str, Sequence[Stretch]]:
    """`text` with one of `signs` in place of each of its `stretches`, in order, and what each subword covers then."""
    if not stretches:
        return text, spans  # as in most texts
    pieces, at = [], 0
    for (start, end), sign in zip(stretches, signs, strict=True):
        pieces += [text[at:start], sign]
        at = end
    shifts = [(start, len(sign) - (end - start)) for (start, end), sign in zip(stretches, signs, strict=True)]
    inserted = {start for start, end in stretches if start == end}  # before what begins there
    moved = [
        (
            _moved(start, (shift for shift in shifts if shift[0] < start or (shift[0] == start and start in inserted))),
            _moved(end, (shift for shift in shifts if shift[0] < end)),
        )
        for start, end in spans
    ]
    return "".join([*pieces, text[at:]]), moved


def with_final_signs(text: str, spans: Sequence[Stretch], read: str) -> tuple[str, Sequence[Stretch]]:
    """A translation that ends with the signs of the text that was `read`, where these are several: `?!`, `!!!`."""
    found = SEVERAL.search(read) if read[-1:] in ("!", "?") else None
    if found is None or not text:
        return text, spans
    ended = text.rstrip(LAST) + found.group()
    size, last = len(ended), len(spans) - 1
    kept = [(min(start, size), size if row == last else min(end, size)) for row, (start, end) in enumerate(spans)]
    return ended, kept


def with_closed_marks(
    text: str, spans: Sequence[Stretch], read: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A translation without a space before placeholders of marks that close in the text that was `read`; `copies` are
    each placeholder and the text that it stands for."""
    closing = [
        sign
        for sign, copy in copies
        if CLOSING.fullmatch(copy) and not re.search(rf"(?:\A|\s){sign}", read) and not re.search(rf"{sign}\w", read)
    ]
    found = [match.span() for sign in closing for match in re.finditer(rf" (?={sign})", text)]
    return rewritten(text, spans, sorted(found), [""] * len(found))


def _places(text: str, language: str) -> list[Stretch]:
    for hint in HINTS.get(language, ()):
        if hint in text:
            return [match.span() for match in PATTERNS[language].finditer(text)]
    return []  # as in most texts


def _spaces(places: Sequence[Stretch]) -> list[str]:
    """What belongs in each of `places`: a space where one is missing, nothing in place of those that are there."""
    return [" " if start == end else "" for start, end in places]


def _may_be_glued(text: str) -> bool:
    if ("," in text and text.count(",") != text.count(", ")) or "\u2014" in text or ";" in text:
        return True
    return any(sign in text[:-1] for sign in ("!", "?", "\u2026", "..."))


def _moved(place: int, shifts: Iterable[tuple[int, int]]) -> int:
    """Where a code point is after the `shifts` before it; the place of the shift where it is one of those taken out."""
    return place + sum(max(by, at - place) for at, by in shifts)
