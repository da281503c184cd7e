"""Elements of HTML that are not to be translated: `translate="no"` (HTML, section 3.2.6.5) and the class `notranslate`.

A sentence reads one as a word, whatever is inside of it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from service.text.spans.patterns import INLINE_CODE
from service.text.spans.stretches import Stretch

TAG = re.compile(
    r"<(?P<slash>/)?(?P<name>[A-Za-z][\w:.-]*+)(?P<attributes>(?=[\s/>])(?:[^<>\"']|\"[^\"]*\"|'[^']*')*+)>"
)
ATTRIBUTE = re.compile(
    r"(?P<name>[^\s=\"'/]+)(?:\s*=\s*(?:\\?\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"']+)))?"
)
"""One of a tag, which in a string of JSON stands between quotation marks with backslashes."""
WITHOUT_END = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr")
)
"""Elements that have no end tag."""
ENDED_BY_NEXT = frozenset(("dd", "dt", "li", "option", "p", "td", "th", "tr"))
"""Elements that the next of their name may end, or the end of what they stand in."""
CODE = re.compile(INLINE_CODE)
ENDS = (("<!--", "-->"), ("<script", "</script"), ("<style", "</style"))
"""What tags are no tags between."""


def kept_elements(text: str) -> list[Stretch]:
    """Where the elements of `text` lie that are not to be translated, with their tags; in order and apart."""
    if "<" not in text or "translat" not in text.lower():
        return []  # as nearly all texts
    ends, kept = dict[int, int](), list[int]()
    open_tags, num_open = list[tuple[str, int]](), Counter[str]()

    def close(until: str, inner_end: int, end: int) -> None:
        while open_tags:
            name, start = open_tags.pop()
            num_open[name] -= 1
            if name == until:
                ends[start] = end
                return
            if name in ENDED_BY_NEXT:
                ends[start] = inner_end

    for tag in _tags(text):
        name = tag["name"].lower()
        if tag["slash"]:
            if num_open[name]:
                close(name, tag.start(), tag.end())
        elif name not in WITHOUT_END and not tag["attributes"].endswith("/"):
            if name in ENDED_BY_NEXT and open_tags and open_tags[-1][0] == name:
                close(name, tag.start(), tag.start())
            open_tags.append((name, tag.start()))
            num_open[name] += 1
            if is_kept(tag["attributes"]):
                kept.append(tag.start())
    close("", len(text), len(text))
    found: list[Stretch] = []
    for start in kept:
        if start in ends and (not found or start >= found[-1][1]):
            found.append((start, ends[start]))
    return found


def with_words_for_kept(text: str) -> str:
    """`text`, of the same length, with a word in place of each element that is not to be translated."""
    for start, end in kept_elements(text):
        text = f"{text[:start]}X{'x' * (end - start - 1)}{text[end:]}"
    return text


def is_kept(attributes: str) -> bool:
    """Whether the attributes of a tag say that its element is not to be translated."""
    if "translat" not in attributes.lower():
        return False
    for match in ATTRIBUTE.finditer(attributes):
        name, value = match["name"].lower(), match["double"] or match["single"] or match["bare"] or ""
        value = value.removesuffix("\\").strip().lower()
        if (name == "translate" and value == "no") or (name == "class" and "notranslate" in value.split()):
            return True
        if name == "translatable" and value == "false":  # strings of Android
            return True
    return False


def _tags(text: str) -> Iterator[re.Match[str]]:
    """The tags outside of comments, scripts and code."""
    hidden = sorted([*_between_ends(text), *(match.span() for match in CODE.finditer(text))])
    at = 0
    for tag in TAG.finditer(text):
        while at < len(hidden) and hidden[at][1] <= tag.start():
            at += 1
        if at == len(hidden) or tag.start() <= hidden[at][0]:
            yield tag


def _between_ends(text: str) -> Iterator[Stretch]:
    lower = text.lower()
    for opening, closing in ENDS:
        at = lower.find(opening)
        while at >= 0 and (end := lower.find(closing, at + len(opening))) >= 0:
            yield at, end
            at = lower.find(opening, end)
