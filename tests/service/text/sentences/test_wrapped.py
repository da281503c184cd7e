"""Wrapped lines: sentences go on in the next line, and keep their line breaks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.sentences.splitting import sentence_spans
from service.text.sentences.wrapped import with_breaks, with_wrapped_lines_joined, wrapped_breaks


@pytest.mark.parametrize(
    ("language", "text", "num_joined"),
    [
        ("en", "I am writing to tell you that the package which you sent us last\nweek has arrived.", 1),
        ("en", "Hello, I was wondering\nif you could help me.", 1),
        (
            "en",
            "He told me that his brother had moved to the old part of the\nCity of London, and that he liked it.",
            1,
        ),
        ("en", "> You wrote to us on Monday that the old\n> machine is broken.", 1),
        ("en", "> > You wrote to us on Monday that the old\n> machine is broken.", 0),
        ("en", "You wrote to us on Monday that the old\n> machine is broken.", 0),
        ("en", "It was late.\nand dark.", 0),
        ("en", "Hi everybody, i have a question\nmy computer is broken and i need some help", 0),
        ("en", "Milk\neggs\nbread", 0),
        ("en", "whole wheat bread from the bakery\ntwo eggs from the farm next door\nand milk", 0),
        ("en", "12 High Street\nLondon\nUnited Kingdom", 0),
        ("en", "Roses are red,\nViolets are blue,\nSugar is sweet,\nAnd so are you.", 0),
        (
            "en",
            "How to translate a book with a small model in an hour\nWhy people of the world love old dictionaries",
            0,
        ),
        ("en", "Things that I have to bring along:\nwater and bread for five days.", 0),
        ("en", "| Name of the chair | Price of it |\n| chair of the old man | five |", 0),
        ("en", "# A heading that is long enough to go on\nbut does not go on.", 0),
        ("en", "The first paragraph ends without a sign\n\nand the second one begins in lower case.", 0),
        ("en", "- The first item of this list is a long one that\n  goes on in the next line.\n- Another item", 1),
        (
            "fr",
            "Je vous dis que le colis que vous nous avez envoy\u00e9 la\nsemaine derni\u00e8re est arriv\u00e9.",
            1,
        ),
        (
            "de",
            "Wir teilen Ihnen hiermit sehr gerne mit, dass die\nLieferung am Montag kommt, wenn jemand im Haus\nist.",
            2,
        ),
    ],
)
def test_a_sentence_goes_on_where_a_line_was_full(language: str, text: str, num_joined: int) -> None:
    joined = with_wrapped_lines_joined(text, language)
    assert len(joined) == len(text)
    assert text.count("\n") - joined.count("\n") == num_joined
    assert "".join(joined.replace(">", "").split()) == "".join(text.replace(">", "").split())


@given(st.text(st.sampled_from("ab AB.,>#-|\n\r\t ")), st.sampled_from(["en", "fr", "de", "xx"]))
def test_breaks_are_white_space_with_one_line_break(text: str, language: str) -> None:
    text = text + " and this is a line which is long enough to be wrapped\nbefore its end"
    for start, end in wrapped_breaks(text, language):
        assert text[start:end].replace(">", "").isspace()
        assert text[start:end].count("\n") == 1
    spans = sentence_spans(text, language)
    assert all(text[start:end].strip() == text[start:end] != "" for start, end in spans)


def test_a_translation_has_the_line_breaks_of_its_source() -> None:
    source = "The old man who lives\n  next door told me\nthat he is ill."
    text = "Le vieil homme qui vit \u00e0 c\u00f4t\u00e9 m'a dit qu'il est malade."
    spans = [(0, 2), (text.index("m'a"), len(text))]
    written, moved = with_breaks(text, spans, source)
    assert written == "Le vieil homme qui vit\n  \u00e0 c\u00f4t\u00e9 m'a dit\nqu'il est malade."
    assert [written[start:end] for start, end in moved] == ["Le", "m'a dit\nqu'il est malade."]
    assert with_breaks("Bonjour", [], "Good\nmorning") == ("Bonjour", [])


@given(st.text(st.sampled_from("ab !<>\u00ab\n")), st.text(st.sampled_from("ab\n <>"), min_size=1))
def test_nothing_but_spaces_becomes_a_line_break(text: str, source: str) -> None:
    written, _ = with_breaks(text, [], source)
    assert "".join(written.replace(">", "").split()) == "".join(text.replace(">", "").split())
