"""Sentences about what a corpus of short everyday sentences leaves out: programs, shops, offices, travel, health, news.

`sentences.tsv` has a line for each, with a column for each language. They were written for Attendant. The aligner links
them together with the corpus, and they are varied like its pairs.
"""

from __future__ import annotations

from model_store.contract.normalisation import normalise
from model_store.data.corpus import NOTHING, ParallelText
from model_store.data.tables import read_table


def read_sentences(languages: tuple[str, str]) -> ParallelText:
    """The sentences of a source and a target language; none where the file lacks one of them.

    A source text stands once, with the translation of its first line: "car" has a line for "voiture", and one further
    down for "auto", which is for those who read French. Several words are the same text in other capitals, too; one
    word is not: "Open" is a button, "open" says how a door is.
    """
    lines = read_table("sentences.tsv")
    if not lines or not set(languages) <= lines[0].keys():
        return NOTHING
    source, target = languages
    pairs: dict[str, tuple[str, str]] = {}
    for line in lines:
        text = normalise(line[source])
        pairs.setdefault(text.lower() if " " in text else text, (text, normalise(line[target])))
    sources, targets = zip(*pairs.values(), strict=True)
    return ParallelText(list(sources), list(targets))
