"""Attributes of HTML: which of them are text, and which tags stand round a segment."""

from __future__ import annotations

import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.attributes import attribute_values, may_have_attributes, without_outer_tags
from service.text.formats.quoting import ATTRIBUTE, SINGLE, escaped


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<img src="cat.png" alt="A black cat">', ["A black cat"]),
        ("<img alt='A cat' src=x>", ["A cat"]),
        ('<input placeholder="Your name" aria-label="Name" value="x">', ["Your name", "Name"]),
        ('<input type="submit" value="Send" name="send">', ["Send"]),
        ('<meta name="description" content="Fresh bread."><meta name="robots" content="none">', ["Fresh bread."]),
        ('<p title="One. Two." class="big">', ["One.", "Two."]),
        ('<p title="One" translate="no">', []),
        ('<x-card title="One">', ["One"]),
        ('```\n<img alt="A cat">\n```\n<pre><img alt="A cat"></pre>', []),
        ('Use `<img alt="A cat">` here', []),
        ('<!-- <img alt="A cat"> -->', []),
        ('<a data-title="x" href="title">', []),
        ("<p title=word>", []),
        ('a < b and c > d title="x"', []),
    ],
)
def test_attributes_for_people_are_found(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end, _ in attribute_values(text, [], "en")] == expected


def test_a_tag_inside_of_a_segment_keeps_its_attributes() -> None:
    text = 'Read the <a title="Help">page</a>. <img alt="A cat">'
    assert [text[start:end] for start, end, _ in attribute_values(text, [(0, 34)], "en")] == ["A cat"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<a title="Home"><b title="x">Go home</b></a>', "Go home"),
        ('<button title="Save">Save</button>', "Save"),
        ('Name: <input placeholder="Your name">', "Name:"),
        ('<b title="x">one</b> and <b title="y">two</b>', '<b title="x">one</b> and <b title="y">two</b>'),
        ('<a href="x">Go home</a>', '<a href="x">Go home</a>'),
        ('Read the <a title="Help">page</a>', 'Read the <a title="Help">page</a>'),
        ('<img alt="x">', '<img alt="x">'),
    ],
)
def test_tags_round_a_whole_text_are_no_part_of_it(text: str, expected: str) -> None:
    start, end = without_outer_tags(text, 0, len(text))
    assert text[start:end] == expected
    assert may_have_attributes(text)


@pytest.mark.parametrize(
    "text", ['<img alt="x" ' + "a" * 20_000 + ">", "<!--" * 5000, "<?xml " * 5000 + '<b title="x">']
)
def test_long_texts_are_read_in_a_moment(text: str) -> None:
    started = time.process_time()
    list(attribute_values(text, [], "en"))
    assert time.process_time() - started < 0.5


@given(st.text(alphabet="ab \"'", max_size=20), st.sampled_from([(ATTRIBUTE, '"'), (SINGLE, "'")]))
def test_a_translation_stays_inside_of_its_attribute(translation: str, quoting: tuple[str, str]) -> None:
    quote, mark = quoting
    written, _ = escaped(translation, (), quote)
    found: list[tuple[str, str | None]] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.extend(attrs)

    Reader().feed(f"<img alt={mark}{written}{mark} src={mark}x{mark}>")
    assert found == [("alt", translation.replace("'", "\u2019") if quote == SINGLE else translation), ("src", "x")]
