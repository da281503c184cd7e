"""Documents in pieces, and joined again."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.documents import QUOTED, joined, pieces
from service.text.formats.quoting import DOUBLE
from service.text.formats.strings import strings_of

LETTER = "Dear Ann,\n\nIt works.\n\n```sh\nmake\n```\n\nBye,\nTom\n"


def test_what_stands_between_blocks_of_code_is_asked_for() -> None:
    found = pieces(LETTER, 100)
    assert [piece.text for piece in found] == ["Dear Ann,\n\nIt works.\n\n", "\n\nBye,\nTom\n"]
    assert joined(LETTER, found, ["A", "B"]) == "A```sh\nmake\n```B"


def test_a_long_text_is_cut_between_paragraphs_lines_sentences_and_words() -> None:
    text = "One two. Three\nfour\n\nfive"
    for most, expected in ((22, ["One two. Three\nfour\n\n", "five"]), (16, ["One two. Three\n", "four\n\nfive"])):
        assert [piece.text for piece in pieces(text, most)] == expected
    assert [piece.text for piece in pieces(text, 10)] == ["One two. ", "Three\n", "four\n\nfive"]
    assert [piece.text for piece in pieces("abcdef", 4)] == ["abcd", "ef"]


def test_strings_of_a_file_are_asked_for_as_strings() -> None:
    document = json.dumps({"a": 'He said "yes".', "id": "x_1"})
    (piece,) = pieces(document, 100)
    asked = piece.text
    strings = strings_of(asked)
    assert strings is not None
    assert [asked[start:end] for start, end in strings.stretches] == ['He said \\"yes\\".']
    assert joined(document, [piece], [asked.replace("yes", "oui")]) == document.replace("yes", "oui")


def test_strings_of_yaml_keep_the_marks_that_they_stand_in() -> None:
    document = "en:\n  menu:\n    quit: 'Don''t quit'\n    save: Save it\n    open: \"Open\"\n"
    found = pieces(document, 100)
    assert [piece.text for piece in found] == ["Don't quit", "Save it", '"text" = "Open";']
    answers = ["N'arr\u00eatez pas", "L'enregistrer", '"text" = "Ouvrir";']
    assert joined(document, found, answers) == (
        "en:\n  menu:\n    quit: 'N\u2019arr\u00eatez pas'\n    save: L'enregistrer\n    open: \"Ouvrir\"\n"
    )


@pytest.mark.parametrize("most", [30, 100])
@given(st.text(st.sampled_from('ab .\n`{}":,= ')) | st.dictionaries(st.text(), st.text()).map(json.dumps))
def test_pieces_are_short_enough_and_unchanged_they_are_the_document(most: int, document: str) -> None:
    found = pieces(document, most)
    texts = [piece.text for piece in found]
    assert all(0 < len(text) <= most for text in texts)
    assert joined(document, found, texts) == document


def test_what_makes_a_string_of_a_piece_is_a_file_of_strings() -> None:
    found = strings_of("Hello".join(QUOTED))
    assert found is not None
    assert found.quotes == [DOUBLE]


PO = """msgid ""
msgstr ""
"Language: fr\\n"

#: main.c:3
msgid "Save"
msgstr ""

msgid "Open"
msgstr "Ouvrir"

msgid ""
"A long "
"line.\\n"
msgstr ""

msgid "%d file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""
"""


def test_empty_translations_of_a_catalogue_are_filled() -> None:
    found = pieces(PO, 100)
    assert [piece.inner for piece in found] == ["Save", "A long line.\\n", "%d file", "%d files"]
    filled = joined(PO, found, [answer.join(QUOTED) for answer in ("A", "B", "C", "D")])
    assert 'msgid "Save"\nmsgstr "A"\n' in filled
    assert '"line.\\n"\nmsgstr "B"\n' in filled
    assert 'msgstr[0] "C"\nmsgstr[1] "D"\n' in filled
    assert filled.startswith('msgid ""\nmsgstr ""\n"Language')
    assert len(filled) == len(PO) + 4


XLIFF = """<xliff version="1.2"><file source-language="en"><body>
  <trans-unit id="1">
    <source>Save <g id="1">all</g></source>
    <target state="new"></target>
  </trans-unit>
  <trans-unit id="2">
    <source>Open</source>
    <target>Ouvrir</target>
  </trans-unit>
  <trans-unit id="3">
    <source>Close</source>
  </trans-unit>
  <trans-unit id="4"><source/><target/></trans-unit>
  <trans-unit id="5"><source xml:lang="en">Q&amp;A</source><target/></trans-unit>
</body></file></xliff>
"""
FILLED = """<xliff version="1.2"><file source-language="en"><body>
  <trans-unit id="1">
    <source>Save <g id="1">all</g></source>
    <target state="new">A</target>
  </trans-unit>
  <trans-unit id="2">
    <source>Open</source>
    <target>Ouvrir</target>
  </trans-unit>
  <trans-unit id="3">
    <source>Close</source>
    <target>B</target>
  </trans-unit>
  <trans-unit id="4"><source/><target/></trans-unit>
  <trans-unit id="5"><source xml:lang="en">Q&amp;A</source><target>C</target></trans-unit>
</body></file></xliff>
"""


def test_empty_targets_of_xliff_are_filled() -> None:
    found = pieces(XLIFF, 100)
    assert [piece.text for piece in found] == ['Save <g id="1">all</g>', "Close", "Q&amp;A"]
    assert joined(XLIFF, found, ["A", "B", "C"]) == FILLED


def test_unfinished_translations_of_qt_are_filled() -> None:
    document = '<TS version="2.1"><message><source>Save</source><translation type="unfinished"/></message></TS>'
    found = pieces(document, 100)
    filled = document.replace('"unfinished"/>', '"unfinished">A</translation>')
    assert joined(document, found, ["A"]) == filled


@pytest.mark.parametrize(
    "document",
    [
        "<TS><message><source>Open</source><comment>verb</comment><translation>Ouvrir</translation></message></TS>",
        "<xliff><trans-unit><source>A b</source><seg-source>A b</seg-source><target>X</target></trans-unit></xliff>",
        '<xliff><trans-unit id="1" translate="no"><source>Open</source></trans-unit></xliff>',
    ],
)
def test_a_translation_that_is_there_stays(document: str) -> None:
    assert pieces(document, 100) == []


def test_a_page_about_xliff_is_a_page() -> None:
    assert [piece.text for piece in pieces("Write `<xliff>` first.", 100)] == ["Write `<xliff>` first."]
