"""Pairs as words with links, and the file that keeps what the aligner found."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.normalisation import normalise
from model_store.data.corpus import CorpusError, ParallelText
from model_store.data.linked import HALF, SURE, LinkedPair, join, spaced_words
from model_store.data.linking import linked_pairs, read_links, write_links

LINKS = st.lists(st.tuples(st.integers(0, 99), st.integers(0, 99), st.sampled_from([SURE, HALF])), max_size=8)


@given(st.text(max_size=60))
def test_the_words_of_a_text_join_to_it(text: str) -> None:
    normal = normalise(text)
    assert "".join(spaced_words(normal, "fr")) == normal


@given(LINKS)
def test_links_are_read_as_they_were_written(links: list[tuple[int, int, float]]) -> None:
    assert list(read_links(write_links(links))) == links


def test_joined_pairs_keep_their_words_and_links() -> None:
    first = LinkedPair(("I", " see", "."), ("Je", " vois", "."), ((0, 0, SURE), (1, 1, SURE), (2, 2, SURE)))
    second = LinkedPair(("Go",), ("Va", "!"), ((0, 0, HALF),))
    joined = join([first, second], (",", " ,"))
    assert joined.texts == ("I see., Go", "Je vois. , Va!")
    assert joined.links[-2:] == ((3, 3, SURE), (4, 4, HALF))


def test_links_of_other_text_are_refused(tmp_path: Path) -> None:
    kept = tmp_path / "links.txt"
    kept.write_text("0-0\n")
    with pytest.raises(CorpusError, match=r"links of 1 pairs, the text has 2; remove the file"):
        linked_pairs(ParallelText(["a", "b"], ["c", "d"]), ("en", "fr"), kept)


def test_the_aligner_links_words_that_come_together(tmp_path: Path) -> None:
    pytest.importorskip("eflomal", reason="needs the extra `align`")
    words = {"red": "rouge", "big": "grand", "cat": "chat", "dog": "chien", "sun": "soleil"}
    names = list(words)
    lines = [[names[(i + j) % 5] for j in range(3)] for i in range(40)]
    text = ParallelText([" ".join(line) for line in lines], [" ".join(words[w] for w in line) for line in lines])
    found = linked_pairs(text, ("en", "fr"), tmp_path / "links.txt")
    right = sum({(s, t) for s, t, _ in pair.links} == {(0, 0), (1, 1), (2, 2)} for pair in found)
    assert right >= 36
    assert linked_pairs(text, ("en", "fr"), tmp_path / "links.txt") == found
