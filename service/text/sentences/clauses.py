"""Long sentences in parts, cut at clauses: a model that has learnt from short ones loses the thread of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.sentences.splitting import sentence_spans
from service.text.spans.patterns import PATTERN
from service.text.spans.stretches import Stretch

END = re.compile(r"(?:[,;:\u2013\u2014\]]|(?<!\d)\))\s+|[\u3001\uff0c\uff1b\uff1a]\s*")
"""What ends a clause. A comma within a number ends none, nor does a number in brackets: *thirty (30) days*."""
MARKS = '"()[]\u00ab\u00bb\u2018\u2019\u201c\u201d\u201e\u2039\u203a'
"""Quotes and brackets, within which sentencex ends no sentence."""
BLANK = str.maketrans(MARKS, " " * len(MARKS))
REACH = 0.3
"""How far from the middle a sentence is cut, in its length."""
BEGINNINGS = {
    language: frozenset(words.split())
    for language, words in {
        "en": "and but so yet for because although though while whereas when if unless until since after before as "
        "once which who whose where i you he she it we they there this that these those then however therefore",
        "fr": "et mais donc car puis parce bien tandis alors quand lorsque si puisque depuis après avant pendant dès "
        "afin qui que dont où je j' tu il elle on nous vous ils elles ce c' cela ça cet cette ces ensuite pourtant",
        "de": "und aber denn sondern doch weil obwohl während als wenn falls bis seit nachdem bevor sobald damit dass "
        "da der die das den dem dessen deren welche welcher wo ich du er sie es wir ihr man dies diese dann deshalb",
    }.items()
}
"""Words with which a clause begins, by language. What goes on with another word may be the next of a list (*to buy
bread, visit the doctor or bring*), and alone it would be read as an order."""
RELATIVE = re.compile(r"(?:which|who|whom|whose)\b")
"""What models that read a part by itself take for a question."""
INTRODUCED = re.compile(
    r"(?:After|Although|As|Because|Before|Even though|If|In order to|Once|Since|Though|Unless|Until|When|Whenever"
    r"|While)\b[^,;:()]+(?:, (?:(?:in|of|to|for|with) )?(?:which|who|whom|whose|where)\b[^,;:()]+)?,\Z"
)
"""An English clause that a sentence begins with, all of it."""
OWN_SUBJECT = re.compile(r"(?:I|he|it|please|she|they|we|you)\b")
"""How an English main clause begins whose German verb is found."""
WORD = re.compile(r"[^\W\d_]+'?")


def clause_spans(text: str, start: int, end: int, most_words: int, language: str, target: str = "") -> list[Stretch]:
    """The parts of the sentence `text[start:end]`, without white space at the cuts; itself if it need not be cut.

    A part of more than `most_words` words is cut in two, nearest to its middle, if there is a place about there: at the
    end of a sentence within quotes or brackets, else where a clause ends and another begins, else where one ends; never
    inside of what is protected. No limit is 0. Parts for a German `target` begin with no *who* or *which* if another
    place is near: they would be questions.
    """
    sentence = text[start:end]
    if not most_words or len(sentence) < 2 * most_words or len(sentence.split()) <= most_words:
        return [(start, end)]
    protected = [match.span() for match in PATTERN.finditer(sentence)]
    ends = [match.end() for match in END.finditer(sentence)]
    sure = [at for at in ends if RELATIVE.match(sentence, at) is None] if target == "de" else ends
    wanted = [
        [start + at for at in places if 0 < at < len(sentence) and not any(a < at < b for a, b in protected)]
        for places in (
            _inner_sentences(sentence, language),
            [at for at in sure if _begins(sentence, at, language)],
            sure,
            [at for at in ends if _begins(sentence, at, language)],
            ends,
        )
    ]
    return _cut(text, start, end, most_words, wanted)


def _begins(sentence: str, at: int, language: str) -> bool:
    """Whether a clause seems to begin there."""
    word = WORD.match(sentence, at)
    return word is not None and word[0].lower() in BEGINNINGS.get(language, ())


def _inner_sentences(sentence: str, language: str) -> list[int]:
    """Where sentences begin within the quotes and brackets of `sentence`, with the marks that open them."""
    places = []
    for at, _ in sentence_spans(sentence.translate(BLANK), language)[1:]:
        while not sentence[at - 1].isspace() and sentence[at - 1] in MARKS:
            at -= 1
        places.append(at)
    return places


def _cut(text: str, start: int, end: int, most_words: int, wanted: Sequence[Sequence[int]]) -> list[Stretch]:
    """The parts of `text[start:end]`, cut at a place of the first of `wanted` that has one near the middle."""
    if len(text[start:end].split()) <= most_words:
        return [(start, end)]
    middle, reach = (start + end) / 2, REACH * (end - start)
    near = ([at for at in places if abs(at - middle) <= reach] for places in wanted)
    found = next((places for places in near if places), None)
    if found is None:
        return [(start, end)]
    at = min(found, key=lambda at: abs(at - middle))
    left = start + len(text[start:at].rstrip())
    return [*_cut(text, start, left, most_words, wanted), *_cut(text, at, end, most_words, wanted)]


def is_introduced(before: str, text: str) -> bool:
    """Whether an English `text` is the main clause behind all of `before`, so that German has its verb first."""
    return OWN_SUBJECT.match(text) is not None and INTRODUCED.match(before) is not None
