"""Elements of HTML that are not to be translated."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.protection import Protector
from service.text.segments import Segmenter
from service.text.spans.kept import kept_elements, with_words_for_kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('<p translate="no">A.</p><p>B.</p>', ['<p translate="no">A.</p>']),
        ("<ul><li translate=no>A<li>B</ul>", ["<li translate=no>A"]),
        ("<p translate='no'>A\n<p>B</p>", ["<p translate='no'>A\n"]),
        ("<b translate=no>A", []),
        ('<string name="a" translatable="false">A</string>', ['<string name="a" translatable="false">A</string>']),
        ('A <b class=\\"x notranslate\\">B</b>', ['<b class=\\"x notranslate\\">B</b>']),
        ("<SPAN Translate=NO>A</span>", ["<SPAN Translate=NO>A</span>"]),
        ('<i title="a > b" translate="no"><i>A</i> B</i> C', ['<i title="a > b" translate="no"><i>A</i> B</i>']),
        ('<x translate="no">A <x-y>B</x-y> C</x>', ['<x translate="no">A <x-y>B</x-y> C</x>']),
        ('<i translate="no">\n<!-- <i> -->A</i> B', ['<i translate="no">\n<!-- <i> -->A</i>']),
        ('<i title=\' translate="no"\'>A</i> <b class=notranslate-me>B</b> <b translate="no-op">C</b>', []),
        ('<!-- <i translate="no">A</i> --> <img translate="no"> `<b translate="no">` B </b>', []),
    ],
)
def test_elements_that_are_not_to_be_translated_are_found(text: str, kept: list[str]) -> None:
    assert [text[start:end] for start, end in kept_elements(text)] == kept


PIECES = '<p translate="no">', "<b class=notranslate>", "<p>", "</p>", "</b>", "<!--", "-->", "`", "A"


@given(st.lists(st.sampled_from(PIECES)))
def test_a_text_keeps_its_length_and_what_is_outside(pieces: list[str]) -> None:
    text = "".join(pieces)
    read, kept = with_words_for_kept(text), kept_elements(text)
    assert len(read) == len(text)
    assert all(start < end for start, end in kept)
    assert all(end <= start for (_, end), (start, _) in pairwise(kept))
    inside = {at for start, end in kept for at in range(start, end)}
    assert all(one == other for at, (one, other) in enumerate(zip(read, text, strict=True)) if at not in inside)


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ('<p translate="no">A pen.</p><p>A cat.</p>', ["A cat."]),
        ('<ul><li class="notranslate">A pen</li><li>A cat</li></ul>', ["A cat"]),
        ('It is <b translate="no">12 A<br>B. C</b> now. Go!', ['It is <b translate="no">12 A<br>B. C</b> now.', "Go!"]),
        ('I met <b translate="no">Yahoo!</b> in it.', ['I met <b translate="no">Yahoo!</b> in it.']),
        ('A <b\nclass="notranslate">pen\nor so</b> is.', ['A <b\nclass="notranslate">pen\nor so</b> is.']),
        ("Copy <source> to <target> now.", ["Copy <source> to <target> now."]),
        ('<a>\n <source>Pay <x id="1"/> now</source>\n</a>', ['Pay <x id="1"/> now']),
        ('<label>First name <input name="a"></label>', ["First name"]),
        ("Remind me in <input name=n> days.", ["Remind me in <input name=n> days."]),
        ('{"a": "<p translate=\'no\'>A pen.</p>", "b": "A cat."}', ["A cat."]),
        ('<div translate="no">\n<img alt="A pen">\nA pen.\n</div>\nA cat.', ["A cat."]),
    ],
)
def test_sentences_read_them_as_words(text: str, segments: list[str]) -> None:
    placeholders = "".join(map(chr, range(0xE000, 0xE020)))
    protector = Protector(placeholders, lambda sign: True, ("en", "fr"))
    segmenter = Segmenter("en", lambda read: list(map(ord, read)), 999, None, placeholders, protector)
    assert [segment.text for segment in segmenter.segment(text).segments] == segments
