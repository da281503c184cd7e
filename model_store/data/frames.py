"""Sentences with a hole in quotation marks or brackets, which training fills: *She said, "…"*, *Click "…"*.

`frames.tsv` has a line for each, with a column for each language and one hole in each column. The aligner links them
together with the corpus. A hole is a private-use character there.
"""

from __future__ import annotations

from model_store.contract.normalisation import normalise
from model_store.data.changes import begun
from model_store.data.corpus import NOTHING, ParallelText
from model_store.data.linked import LinkedPair
from model_store.data.tables import read_table

SENTENCE, BARE, TERM = "\ue010", "\ue011", "\ue012"
"""What goes in: a sentence with its final sign, one without its full stop, a term or a label."""
HOLES = {"{S}": SENTENCE, "{s}": BARE, "{T}": TERM}
"""How the file writes them."""


def read_frames(languages: tuple[str, str]) -> ParallelText:
    """The frames of a source and a target language; none where the file lacks one of them."""
    lines = read_table("frames.tsv")
    if not set(languages) <= lines[0].keys():
        return NOTHING
    sides = [[_with_hole(line[language]) for line in lines] for language in languages]
    return ParallelText(*sides)


def _with_hole(text: str) -> str:
    for written, hole in HOLES.items():
        text = text.replace(written, hole)
    return normalise(text)


def hole_of(pair: LinkedPair) -> str | None:
    """The hole of a frame; None where `pair` is none."""
    return next((word.strip() for word in pair.source if word.strip() in HOLES.values()), None)


def filled(frame: LinkedPair, content: LinkedPair) -> LinkedPair:
    """`frame` with `content` in its hole, both with their links."""
    source, target = _place_of(frame.source), _place_of(frame.target)
    more = len(content.source) - 1, len(content.target) - 1
    outside = [
        (s + more[0] * (s > source), t + more[1] * (t > target), strength)
        for s, t, strength in frame.links
        if s != source and t != target
    ]
    inside = [(s + source, t + target, strength) for s, t, strength in content.links]
    return LinkedPair(
        _with(frame.source, source, content.source),
        _with(frame.target, target, content.target),
        tuple(sorted([*outside, *inside])),
    )


def _place_of(words: tuple[str, ...]) -> int:
    return next(at for at, word in enumerate(words) if word.strip() in HOLES.values())


def _with(words: tuple[str, ...], at: int, content: tuple[str, ...]) -> tuple[str, ...]:
    return (*words[:at], *begun(content, words[at]), *words[at + 1 :])
