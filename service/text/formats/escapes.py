"""Escapes of files that have ways of their own: properties in ASCII (`\\u00e9`), strings of Android (`Don\\'t`), lines
of calendars and cards (RFC 5545, section 3.3.11; RFC 6350), which are folded, too.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from model_store.contract.normalisation import APOSTROPHES
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

ASCII = "\\u"
"""Of a value of a file in ASCII that stands between no quotation marks."""
ANDROID = "\\'"
"""Of text with apostrophes behind backslashes."""
CALENDAR = "\\,"
"""Of an entry of a calendar or a card."""
BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
UNICODE = r"\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}"
ESCAPES = {
    ASCII: re.compile(UNICODE),
    ANDROID: re.compile(rf"{UNICODE}|\\['\"@?]"),
    CALENDAR: re.compile(r"\\[,;\\]"),
}
"""What a model reads one character for."""
BARE = {
    ASCII: BEYOND_ASCII,
    ANDROID: re.compile(r"\\.|<[^<>]*>|(?P<bare>['\"])"),
    CALENDAR: re.compile(r"\\[,;\\nN]|(?P<bare>[,;\\])"),
}
"""What of a translation needs a backslash, or was copied with one."""
FOLD = re.compile(r"\r?\n[ \t]")
"""Where a line of a calendar goes on in the next (RFC 5545, section 3.1)."""
ANDROID_FILE = ("<resources", "<string name=", "<plurals name=", "<string-array name=")
ANDROID_BREAK = re.compile(r"(?:\\n)+")
APOSTROPHE = re.compile(
    r"[^\W\d_]\\'(?:t|s|re|ll|ve|m)\b|\b(?i:qu|aujourd|jusqu|c|j|n)\\'(?i:est|ai|hui|ils?|elles?|on|une?)\b"
)
"""What stands in a string of a program; LaTeX has letters with accents so: `caf\\'e`."""
UNSEEN = "\u2060"
LETTER_ESCAPED = re.compile(r"(?<!\\)(?:\\\\)*\\u(?!00[0-7])[\da-fA-F]{4}")
"""A character beyond ASCII."""


def is_escaped_ascii(text: str) -> bool:
    """Whether a file has escapes for all characters beyond ASCII, and some."""
    return "\\u" in text and text.isascii() and LETTER_ESCAPED.search(text) is not None


def android_parts(text: str, stretches: Sequence[Stretch]) -> list[tuple[int, int, str]] | None:
    """The `stretches` of strings of Android, cut at escaped line breaks, or of other text with backslashes before its
    apostrophes, and what they stand in; None where a `text` has neither."""
    if "<" in text and any(map(text.__contains__, ANDROID_FILE)):
        return [(*part, ANDROID) for stretch in stretches for part in parts_between(text, *stretch, ANDROID_BREAK)]
    if "\\'" in text and APOSTROPHE.search(text):
        return [(*stretch, ANDROID) for stretch in stretches]
    return None


def parts_between(text: str, start: int, end: int, pattern: re.Pattern[str]) -> Iterator[Stretch]:
    """What lies in `text[start:end]` between matches of a `pattern`."""
    at = start
    for match in pattern.finditer(text, start, end):
        yield at, match.start()
        at = match.end()
    yield at, end


def without_escapes(normalised: NormalisedText, kind: str) -> NormalisedText:
    """A text of a `kind` with characters for its escapes."""
    matches = list(ESCAPES[kind].finditer(normalised.text)) if "\\" in normalised.text else []
    if not matches:
        return normalised
    return replaced(normalised, [match.span() for match in matches], [_character(match.group()) for match in matches])


def with_escapes(text: str, spans: Sequence[Stretch], kind: str) -> tuple[str, Sequence[Stretch]]:
    """A translation with the escapes of its `kind`, and what each subword covers of it then."""
    found = [match for match in BARE[kind].finditer(text) if kind == ASCII or match["bare"]]
    signs = [in_ascii(match.group()) if kind == ASCII else f"\\{match.group()}" for match in found]
    return rewritten(text, spans, [match.span() for match in found], signs)


def in_ascii(text: str) -> str:
    """`text` with escapes for its characters beyond ASCII."""
    return BEYOND_ASCII.sub(lambda match: json.dumps(match.group())[1:-1], text)


def unfolded(text: str) -> str:
    """A calendar, of the same length, with what nobody sees for the breaks of folded lines."""
    return FOLD.sub(lambda match: UNSEEN * len(match.group()), text)


def without_folds(normalised: NormalisedText, original: str) -> NormalisedText:
    """`normalised`, the normal form of `original`, a part of a calendar, without the breaks of folded lines."""
    found = [
        (bisect_left(normalised.starts, match.start()), bisect_left(normalised.starts, match.end()))
        for match in FOLD.finditer(original)
        if not original[match.end() : match.end() + 1].isspace() and not original[match.start() - 1].isspace()
    ]
    return replaced(normalised, found, [""] * len(found)) if found else normalised


def _character(escape: str) -> str:
    return character_of(escape) if escape[1] == "u" else escape[1:]


def character_of(escape: str) -> str:
    """What a model reads for an escape of JSON; the escape where that is no character to see."""
    character = json.loads(f'"{escape}"')
    is_seen = isinstance(character, str) and character.isprintable()
    return APOSTROPHES.get(character, character) if is_seen else escape
