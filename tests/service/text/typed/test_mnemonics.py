"""The sign of a menu's mnemonic is taken out of what a model reads, and marks its word."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.spans.word_sets import word_set
from service.text.typed.mnemonics import without_any_mnemonic, without_mnemonic

WORDS = word_set(
    "file exit save as open don't show hidden files next print help more week end weekend salt pepper database data",
    "base rd ms fichier l'aide \u00f6ffnen \u00fcber day days",
)


class Known:
    """The words of a vocabulary, without regard to case."""

    def __contains__(self, word: object) -> bool:
        return str(word).lower() in WORDS


@pytest.mark.parametrize(
    ("text", "read", "opening", "word"),
    [
        ("&File", "File", "&", "&File"),
        ("E&xit", "Exit", "&", "E&xit"),
        ("Save &As...", "Save As...", "&", "&As"),
        ("&Don't show this", "Don't show this", "&", "&Don't"),
        ("Find &amp;next", "Find next", "&amp;", "&amp;next"),
        ("_File", "File", "_", "_File"),
        ("&OK", "OK", "&", "&OK"),
        ("Pr_int\u2026", "Print\u2026", "_", "Pr_int"),
        ("\u00d6&ffnen", "\u00d6ffnen", "&", "\u00d6&ffnen"),
        ("  Show  &hidden files:", "Show hidden files:", "&", "&hidden"),
        ("Week&end", "Weekend", "&", "Week&end"),
    ],
)
def test_the_sign_of_a_mnemonic_marks_its_word(text: str, read: str, opening: str, word: str) -> None:
    plain, marks = without_mnemonic(normalise(text), text, Known())
    assert plain.text == read
    assert [(mark.opening, mark.closing) for mark in marks] == [(opening, "")]
    assert text[marks[0].start : marks[0].end] == word


@pytest.mark.parametrize(
    "text",
    [
        "R&D", "R&d", "AT&T", "Q&A", "M&Ms", "M&s", "B&B", "Salt & Pepper", "Salt&Pepper", "salt &pepper", "A&amp;B",
        "&amp; more", "&nbsp;", "&File;", "https://a.org/?x=y&file=z", "https://a.org/?&file", "Open `&file`",
        "Open &file and &save", "Search && Replace", "&Garbl", "Week_end", "data_base", "_file", "__file__",
        "The _file_ is", "my_file", "Open &More here. It is there.",
        "Open the files of the day &next to the one as the more of it all",
        "Tom &Jerry", 'MENUITEM "&Open"',
    ],
)  # fmt: skip
def test_other_signs_stay(text: str) -> None:
    assert without_mnemonic(normalise(text), text, Known()) == (normalise(text), ())


def test_nothing_is_a_mnemonic_where_no_words_are_known() -> None:
    assert without_mnemonic(normalise("&File"), "&File", None) == (normalise("&File"), ())


def test_a_translation_loses_the_sign_whatever_its_word_is() -> None:
    assert without_any_mnemonic(normalise("Ga&rbl all"), "Ga&rbl all").text == "Garbl all"
    assert without_any_mnemonic(normalise("R&D"), "R&D").text == "R&D"
