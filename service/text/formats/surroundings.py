"""What stands round sentences and is no part of them: signs of lists, emoji, emphasis, bars of tables, block tags."""

from __future__ import annotations

import re

from service.text.expressions.dates import MONTH
from service.text.formats import wiki_marks
from service.text.formats.items import without_item_sign
from service.text.sentences.columns import column_gaps, is_no_text, may_have_columns
from service.text.spans.patterns import CIRCLED, CIRCLED_WORD, EMOJI, EMOJI_RUN, EMOTICON
from service.text.spans.stretches import Stretch, stripped

LEADING = re.compile(
    rf"(?:(?:\*{{1,4}}|[-+\xb7\u2022\u2023\u2043\u2219\u2013\u2014]|>+|\[[ xX]\]|#{{1,6}}|\(?(?:\d{{1,3}}|[A-Za-z])\)"
    rf"|[QARF]\s?:|&\d|\d{{1,3}}\.(?!\s+{MONTH})|{EMOJI}|{EMOTICON})\s+)+|(?:(?!{CIRCLED}){EMOJI}\s*)+"
)
"""Signs of lists, of questions and answers (*Q:*), emoji and emoticons. The ordinal of a German date (*3. Oktober*) is
none."""

EMPHASISED = re.compile(r"(?P<mark>\*{1,3}|_{1,3}|~~)(?P<inner>[^*_~\s](?:[^*_~]*[^*_~\s])?)(?P=mark)")
"""Markdown's emphasis of a whole line."""
POINTING_BACK = re.compile(r"(?:<{1,3}|[\u00ab\u2039])\s+(?=[^\W\d_])(?!.*[>\u00bb\u203a])")
POINTING_ON = re.compile(r"(?<![<>\s])\s+(?:>{1,3}|[\u00bb\u203a])\Z")
"""Arrows of links, before and behind their words: *Read more \u00bb*."""
ARROWS, OPENING = tuple(">\u00bb\u203a"), "<\u00ab\u2039"
ENDS_OF_EMOTICONS = ")(DPpOo3*|/^x>"
BLOCKS = (
    "article|aside|blockquote|body|br|caption|dd|details|div|dl|dt|fieldset|figure|footer|form|h[1-6]|head|header|hr|html"
    "|legend|li|main|nav|ol|option|p|pre|section|select|summary|table|tbody|td|tfoot|th|thead|title|tr|ul"
)
"""Elements of HTML that are no part of a sentence."""
FIELDS = "item|label|note|source|string|target"
"""Those of forms and of catalogues in XML, but for holes with such names: *copy <source> to <target>*."""
ESCAPED_TAB = r"\\t(?=(?:Ctrl|Strg|Alt|Shift|Umschalt|Maj|Cmd|Meta|Del|Entf|Suppr|Esc|F\d)\b)"
"""Before the keys of a menu's entry, in the source of a program: `&Save\\tCtrl+S`."""
CELL_END = re.compile(
    rf"</?(?:{BLOCKS})\b[^<>]*>|</(?:{FIELDS})>|<(?:{FIELDS})\s[^<>]*>|(?<![\w,.] )<(?:{FIELDS})>(?! )"
    r"|<input\b[^<>]*>(?!\s+\w)"
    r"|(?P<inline><[A-Za-z][^<>]*>)|(?P<closing></[A-Za-z][^<>]*>)|\t|(?<!\S)\|+(?!\S)"
    rf"|{ESCAPED_TAB}|{wiki_marks.BLOCK}",
    re.IGNORECASE,
)
"""A tag that begins or ends a block, another tag, a tab, or a bar with white space on both sides."""
ROW_NUMBER = re.compile(r"\d{1,3}[.)]? {2,}(?=[^\W\d_a-z])")
"""Of a row, with its spaces, before the first cell."""
CELL_HINTS = ("\t", "|", "<", "\\t", "[/", "[*]", "[hr]")
"""One of these is in every text with such an end."""
TAG = re.compile(
    rf"<(?P<name>{BLOCKS}|a|b|big|button|c|em|font|i|img|input|label|mark|s|small|span|strong|sub|sup|u|v)(?=[\s/.>])[^<>]*>\s*",
    re.IGNORECASE,
)
"""Of HTML, and of the voices and classes of subtitles."""


def inner_stretch(text: str) -> Stretch:
    """The part of `text` between emoji and signs of lists before it and emoji behind it."""
    if text[:2].isalpha() and text[1:2].islower() and text.isascii() and text[-1] not in ENDS_OF_EMOTICONS:
        return 0, len(text)  # a word begins it, as most texts
    if text[:2] == "==" and (heading := wiki_marks.HEADING.fullmatch(text)):
        return heading.span("inner")
    start = _behind_tags(text) if text[:1] == "<" else 0
    before = LEADING.match(text, start) or POINTING_BACK.match(text, start)
    start = before.end() if before else start
    is_plain = text.isascii() and text[-1:] not in ENDS_OF_EMOTICONS
    end = len(text) if is_plain else _end_before_emoji(text, start)
    if text[end - 1 : end] in ARROWS and not any(sign in text for sign in OPENING):
        arrow = POINTING_ON.search(text, start, end)
        end = arrow.start() if arrow else end
    emphasised = EMPHASISED.fullmatch(text, start, end)
    return emphasised.span("inner") if emphasised else (start, end)


def _behind_tags(text: str) -> int:
    """Where the tags end that `text` begins with and that it closes nowhere."""
    at = 0
    while (tag := TAG.match(text, at)) and f"</{tag['name']}" not in text[tag.end() :]:
        at = tag.end()
    return at


def _end_before_emoji(text: str, start: int) -> int:
    """Where the emoji and white space begin that `text[start:]` ends with; its end when there are no emoji."""
    runs = list(EMOJI_RUN.finditer(text, start))
    if not runs or runs[-1].end() < len(text) or CIRCLED_WORD.search(runs[-1].group()):
        return len(text)
    return start + len(text[start : runs[-1].start()].rstrip())


def cells(text: str, start: int, end: int) -> list[Stretch]:
    """The stretches of `text[start:end]` between tabs, the bars of a table, tags of blocks and what lies between
    columns; all of it where there are none."""
    gaps = column_gaps(text, start, end) if may_have_columns(text, start, end) else []
    if not gaps and not any(map(text[start:end].__contains__, CELL_HINTS)):
        return [(start, end)]  # as most texts
    bars = list(gaps)
    for match in CELL_END.finditer(text, start, end):
        if (
            match["closing"]
            and text[match.end() : match.end() + 1] == "<"
            and text[match.end() + 1 : end][:1].isalpha()
        ):
            bars.append((match.end(), match.end()))  # two elements side by side
        elif not match["inline"] and not match["closing"]:
            bars.append(match.span())
    bars.sort()
    found = []
    for first, last in zip([start, *(last for _, last in bars)], [*(first for first, _ in bars), end], strict=True):
        inner = stripped(text, first, last)
        if inner[0] < inner[1] and not (gaps and is_no_text(text[slice(*inner)])):
            found.append(inner)
    row = ROW_NUMBER.match(text, *found[0]) if bars and found else None
    if row is not None:
        found[0] = row.end(), found[0][1]
    return found


def inner_stretches(text: str, start: int, end: int) -> list[Stretch]:
    """What `inner_stretch` leaves of each of the `cells` of `text[start:end]`; maybe nothing."""
    found = []
    for first, last in cells(text, start, end):
        first, last = without_item_sign(text, first, last)
        inner_start, inner_end = inner_stretch(text[first:last])
        found.append((first + inner_start, first + inner_end))
    return found
