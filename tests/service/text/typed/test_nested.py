"""Quotations inside quotations are read as brackets, and come out with the marks of the language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.spans.normalise import normalise
from service.text.typed.nested import with_inner_marks, with_inner_quotations_apart


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "\u201cShe said \u2018come home\u2019 and left,\u201d he said.",
            "\u201cShe said (come home) and left,\u201d he said.",
        ),
        ("\"She said 'come home' and left,\" he said.", '"She said (come home) and left," he said.'),
        ("\u2018She said \u201ccome\u201d and left,\u2019 he said.", '"She said (come) and left," he said.'),
        (
            "\u201eEr rief \u201akomm\u2018 und ging\u201c, sagte sie.",
            "\u201eEr rief (komm) und ging\u201c, sagte sie.",
        ),
        (
            "\u201eEr rief \u201ekomm\u201c und ging\u201c, sagte sie.",
            "\u201eEr rief (komm) und ging\u201c, sagte sie.",
        ),
        ("\xbbEr rief \u203akomm\u2039 laut\xab, sagte sie.", "\xbbEr rief (komm) laut\xab, sagte sie."),
        ("\xab Il dit \u201cviens\u201d et part \xbb, dit-elle.", "\xab Il dit (viens) et part \xbb, dit-elle."),
        ("\xab Il dit \xab viens \xbb et part \xbb, dit-elle.", "\xab Il dit (viens) et part \xbb, dit-elle."),
    ],
)
def test_inner_marks_are_read_as_brackets(text: str, expected: str) -> None:
    assert with_inner_quotations_apart(normalise(text)).text == expected


@pytest.mark.parametrize(
    "text",
    [
        "He called it \"odd\" and 'strange' too.",
        '"Foo" und "Bar"',
        "A 5\" screen and the 'best' one.",
        '"I don\'t know the dogs\' bowls," she said, "nor the cats\' food."',
        '\u201eHallo", sagte er und las "Die Welt".',
        "\xab Il dit \u201cviens\u201d (hier) \xbb",
        '{"a": "it is \'x\' here"}',
        '1,"The ""big"" one"',
        "\"Rock 'n' roll,\" he said.",
        "Plain text.",
    ],
)
def test_other_marks_stay(text: str) -> None:
    assert with_inner_quotations_apart(normalise(text)).text == text


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", 'Oui "a (b) c"'.replace("(", "'").replace(")", "'")),
        ("fr", 'Oui "a \u201cb\u201d c"'),
        ("de", 'Oui "a \u201ab\u2018 c"'),
        ("it", 'Oui "a (b) c"'),
    ],
)
def test_a_translation_has_inner_marks_of_its_language(language: str, expected: str) -> None:
    source = "\"x 'y' z\""
    read = with_inner_quotations_apart(normalise(source))
    text = 'Oui "a (b) c"'
    spans = [(0, 3), (7, 10)]
    assert with_inner_marks(text, spans, read, source, language) == (expected, spans)


def test_brackets_of_the_source_stay() -> None:
    source = "It (maybe) works."
    assert with_inner_marks("Es (vielleicht) geht.", [], normalise(source), source, "de")[0] == "Es (vielleicht) geht."


@given(st.text(st.sampled_from("ab '\"\u2018\u2019\u201c\u201d\u201e\xab\xbb,."), max_size=40))
def test_what_is_read_stands_for_the_original(text: str) -> None:
    plain = normalise(text)
    read = with_inner_quotations_apart(plain)
    assert len(read.text) == len(read.starts) == len(read.ends)
    assert list(read.starts) == sorted(read.starts)
    assert read.text.count("(") == read.text.count(")")
    assert [c for c in read.text if c.isalpha()] == [c for c in plain.text if c.isalpha()]
