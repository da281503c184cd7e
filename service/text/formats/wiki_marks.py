"""Marks of forums (BBCode) and wikis (MediaWiki): `[b]`, `[url=\u2026]`, `''`, `[[Page|words]]`, `== Heading ==`."""

from __future__ import annotations

import re

from service.text.spans.patterns import FORUM

_INLINE = (
    r"b|i|u|s|em|strong|del|ins|mark|hl|highlight|url|link|iurl|email|user|colou?r|size|font|face|bgcolor|sub|sup|small|big"
    r"|h[1-6]|spoiler|abbr|tooltip"
)
_VALUE = r"(?:[= ][^\[\]\n]*)?"
BBCODE = re.compile(
    rf"(?P<opening>\[(?P<tag>{_INLINE}){_VALUE}\])(?P<inner>(?=[^\s\[\]])[^\[\]\n]+)(?P<closing>\[/(?P=tag)\])",
    re.IGNORECASE,
)
"""A pair of tags with no other inside. With a space behind it, the text may be about the tag: *Use [b] for bold*."""
BBCODE_UNCLOSED = re.compile(
    rf"(?P<opening>\[(?i:(?P<tag>{_INLINE})){_VALUE}\])(?P<inner>(?=[^\s\[\]a-z])[^\[\]]*[^\s\[\]])(?P<closing>)\s*\Z"
    rf"|\A\s*(?P<opening_>)(?P<inner_>[^\s\[\]](?:[^\[\]]*[^\s\[\]])?)(?P<closing_>\[/(?i:{_INLINE})\])"
)
"""A tag whose words go on to the end of the sentence, or came from the one before; not an editor's letter: *[s]he*."""
WIKI_LINK = re.compile(
    r"(?<![\w\]])(?P<opening>\[\[(?:[^\s\[\]|][^\[\]|\n]*\|)*)"
    r"(?P<inner>(?=[^\s\[\]|])(?=[^\[\]|\n]*[^\W\d_]{2})[^\[\]|\n]+)"
    r"(?P<closing>\]\])(?!\()"
)
"""With the name of its page, or only that; for a picture its file, its size, and its description last."""
ADDRESSED = re.compile(
    r"(?P<opening>\[(?:https?://|mailto:)[^\s\[\]]+ )(?P<inner>(?=[^\s\[\]])[^\[\]\n]+)(?P<closing>\])(?!\()"
)
WIKI_EMPHASIS = re.compile(
    r"(?<![\w'])(?P<opening>'{5}|'{2,3})(?=[^\s'])(?P<inner>(?:[^'\n]|'(?!'))+)(?<=[^\s'])(?P<closing>(?P=opening))(?!')"
)
PATTERNS = (BBCODE, BBCODE_UNCLOSED, WIKI_LINK, ADDRESSED, WIKI_EMPHASIS)
HINTS = ("[/", "[[", "''", "[http", "[mailto", "[url=", "[color=", "[size=", "[b]", "[i]", "[u]")
"""One of these is in every text with such a mark, but for a few that nothing closes."""
_BLOCKS = "quote|list|center|left|right|justify|align|indent|table|tr|td|th|li|ul|ol|hr|hide"
BLOCK = rf"\[/?(?:{_BLOCKS}){_VALUE}\]|\[\*\]"
"""A tag of BBCode that is no part of a sentence."""
CODE = re.compile(
    rf"{FORUM}"
    r"|^[ \t]*(?:\{\||\|-)(?:[ \t]*[\w-]+=\"[^\"\n]*\")*[ \t\r]*$"
    r"|\[\[(?:Category|Cat\u00e9gorie|Kategorie|File|Fichier|Datei|Image|Bild):[^\[\]|\n]*\]\]",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
"""What nothing of is text: code, pictures, and categories and rows of a wiki."""
HEADING = re.compile(r"(?P<mark>={2,6})\s*(?P<inner>[^=\s](?:[^=\n]*[^=\s])?)\s*(?P=mark)\s*")


def may_have_wiki_marks(text: str) -> bool:
    """Whether `text` may have such marks inside it, found quickly."""
    return ("[" in text or "''" in text) and any(map(text.__contains__, HINTS))
