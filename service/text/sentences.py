"""Sentences of a text, by sentencex (Wikimedia): rules for some 300 languages, compiled, no model files.

Its time grows with the square of the length on hostile text (100 ms for 5,000 characters was the worst found), so it
sees a window of the text at a time. It drops nothing: its sentences join to its input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sentencex

from service.text.normalise import without_surrogates

TITLES = {
    "en": re.compile(r"\b(?:Ms|Messrs|Mx)\.\s*\Z"),
    "fr": re.compile(r"\b(?:M|Mme|Mlle|Dr|Pr|Me|Mgr|St|Ste)\.\s*\Z"),
}
"""Abbreviations before names that sentencex takes for the end of a sentence."""
WINDOW = 1000
"""Code points that sentencex is given at once; a longer sentence is cut at white space."""


ENDS = re.compile(r"[.!?\u2026\u3002\uff01\uff1f]+\s|\n")
"""What ends most sentences."""


def about_num_sentences(text: str) -> int:
    """About how many sentences a text has, told in microseconds; 0 for a blank one."""
    inner = text.strip()
    return len(ENDS.findall(inner)) + 1 if inner else 0


def sentence_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Where the sentences of `text` lie: ordered, disjoint, no white space at their ends, all other text inside them.

    A line break always ends a sentence, so that lines can be kept. `language` is a code such as `en`; one that
    sentencex does not know gets its general rules.
    """
    spans = []
    start = 0
    for line in without_surrogates(text).splitlines(keepends=True):
        for sentence in _sentences(line, language):
            end = start + len(sentence)
            if inner := sentence.strip():
                first = start + len(sentence) - len(sentence.lstrip())
                spans.append((first, first + len(inner)))
            start = end
    return spans


def _sentences(line: str, language: str) -> Iterator[str]:
    """Sentences that join to `line`. The last one in a window may go on, so the next window begins with it."""
    while len(line) > WINDOW:
        found = _segment(line[:WINDOW], language)
        whole = found[:-1] or [line[: line.rfind(" ", 0, WINDOW) + 1] or line[:WINDOW]]
        yield from whole
        line = line[sum(map(len, whole)) :]
    yield from _segment(line, language)


def _segment(text: str, language: str) -> list[str]:
    sentences: list[str] = sentencex.segment(language, text) if text.strip() else [text]
    if "".join(sentences) != text:
        return [text]  # a release that drops or changes text must cost quality, not text
    title = TITLES.get(language)
    return _joined_after(title, sentences) if title else sentences


def _joined_after(title: re.Pattern[str], sentences: list[str]) -> list[str]:
    joined: list[str] = []
    held = ""
    for sentence in sentences:
        held += sentence
        if not title.search(sentence, max(0, len(sentence) - 16)):
            joined.append(held)
            held = ""
    return [*joined, held] if held else joined
