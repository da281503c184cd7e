"""Sentences of a text, by sentencex (Wikimedia): rules for some 300 languages, compiled, no model files.

Its time grows with the square of the length on hostile text (100 ms for 5,000 characters was the worst found), so it
sees a window of the text at a time. It drops nothing: its sentences join to its input.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import sentencex

from service.text.normalise import without_surrogates

_NO_END = {
    "en": r"(?:Ms|Messrs|Mx)\.\s*(?=\w)"
    r"|(?i:no|nos|nr|tel|approx|ca|vols?|pp?|ch|chap|sec|art|figs?|ref|ext)\.\s*(?=[+\d])",
    "fr": r"(?:M|Mme|Mlle|Dr|Pr|Me|Mgr|St|Ste)\.\s*(?=\w)"
    r"|(?i:nos?|nr|t\u00e9l|env|vol|pp?|chap|sect|art|fig|r\u00e9f|bd|av)\.\s*(?=[+\d])"
    r"|(?i:janv|f\u00e9vr|avr|juil|sept|oct|nov|d\u00e9c)\.\s*(?=\d)",
    "de": r"(?i:der|die|das|dem|den|des|im|zum|zur|beim)\s+\d{1,2}\.\s*(?=[^\W\d_])",
}
NO_END = {language: re.compile(rf"\b(?:{pattern})") for language, pattern in _NO_END.items()}
"""Where sentencex sees the end of a sentence and there is none: titles before names, abbreviations before numbers,
ordinals of German."""
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
    no_end = NO_END.get(language)
    return _joined(no_end, text, sentences) if no_end and sentences[1:] else sentences


def _joined(no_end: re.Pattern[str], text: str, sentences: list[str]) -> list[str]:
    """`sentences`, which join to `text`, without the ends that are none."""
    wrong = {found.end() for found in no_end.finditer(text)}
    joined, end = [""], 0
    for sentence in sentences:
        joined[-1] += sentence
        end += len(sentence)
        if end not in wrong:
            joined.append("")
    return [sentence for sentence in joined if sentence]
