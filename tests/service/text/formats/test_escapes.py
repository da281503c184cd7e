"""Escapes of properties, of strings of Android and of calendars: read as characters, written as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.calendars import calendar_parts
from service.text.formats.documents import joined, pieces
from service.text.formats.escapes import ANDROID, ASCII, CALENDAR
from service.text.formats.parts import as_read, parts_of, unfolded_for
from service.text.formats.quoting import ASCII_DOUBLE, DOUBLE, escaped, unescaped
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("kind", "written", "read"),
    [
        (ASCII, "Sch\\u00f6n \\ud83d\\ude00, a\\nb", "Sch\u00f6n \U0001f600, a\\nb"),
        (DOUBLE, "It\\u2019s", "It's"),
        (ASCII_DOUBLE, 'Caf\\u00e9 \\"x\\"', 'Caf\u00e9 "x"'),
        (ANDROID, 'Don\\\'t say \\"no\\" \\u00e9', 'Don\'t say "no" \u00e9'),
        (CALENDAR, "Tea\\, cake\\; a\\\\b", "Tea, cake; a\\b"),
    ],
)
def test_escapes_are_read_as_characters(kind: str, written: str, read: str) -> None:
    assert unescaped(normalise(written), kind).text == read


@pytest.mark.parametrize(
    ("kind", "text", "written"),
    [
        (ASCII, "\u00c0 bient\u00f4t \U0001f600", "\\u00c0 bient\\u00f4t \\ud83d\\ude00"),
        (ASCII_DOUBLE, '\u00ab\u00a0Oui\u00a0\u00bb "x"', '\\u00ab\\u00a0Oui\\u00a0\\u00bb \\"x\\"'),
        (ANDROID, "L'\u00e9t\u00e9, <a href=\"x\">l\\'eau</a>", "L\\'\u00e9t\u00e9, <a href=\"x\">l\\'eau</a>"),
        (CALENDAR, "Th\u00e9, g\u00e2teau; a\\, b", "Th\u00e9\\, g\u00e2teau\\; a\\, b"),
    ],
)
def test_translations_get_the_escapes_of_their_file(kind: str, text: str, written: str) -> None:
    assert escaped(text, [(0, 1)], kind)[0] == written


@given(st.text(st.sampled_from("ab ,;\\'\u00e9\U0001f600")), st.sampled_from([ASCII, CALENDAR, ANDROID]))
def test_spans_stay_round_their_words(text: str, kind: str) -> None:
    written, spans = escaped(f"{text}word", [(len(text), len(text) + 4)], kind)
    assert [written[start:end] for start, end in spans] == ["word"]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ('{"a": "Caf\\u00e9", "b": "Tea"}', [ASCII_DOUBLE, ASCII_DOUBLE]),
        ('{"a": "Caf\\u00e9", "b": "Th\u00e9"}', [DOUBLE, DOUBLE]),
        ('{"a": "Tab\\u0009 here", "b": "A C:\\\\u00e9"}', [DOUBLE, DOUBLE]),
        ("hello=Caf\\u00e9 owner", [ASCII]),
        ("I don\\'t know.", [ANDROID]),
        ("Voil\u00e0 ce qu\\'il dit", [ANDROID]),
        ("\\textbf{d\\'eja} caf\\'e, l\\'eger, s\\'ejour", []),
        ("C:\\'Temp", []),
    ],
)
def test_the_kind_is_told_by_the_file(text: str, kinds: list[str]) -> None:
    assert list(parts_of(text).quotes) == kinds


def test_strings_of_android_are_cut_at_their_breaks() -> None:
    text = '<resources><string name="a">One\\nTwo</string></resources>'
    found = parts_of(text)
    assert [text[start:end] for start, end in found.stretches or ()] == [
        '<resources><string name="a">One', "Two</string></resources>",
    ]  # fmt: skip
    assert set(found.quotes) == {ANDROID}


CARD = (
    'BEGIN:VCALENDAR\r\nSUMMARY;LANGUAGE=en:Team\\, all\r\nUID:a b\r\nX-A;B="c:d":SUMMARY\r\n'
    "DESCRIPTION:Bring te\r\n a.\\n\\nAnd\r\n  cake\r\nitem1.NOTE:Hello\r\nEND:VCALENDAR\r\n"
)


def test_of_a_calendar_what_people_read_is_translated() -> None:
    parts = calendar_parts(CARD)
    assert parts is not None
    assert [as_read(CARD[start:end], kind).text for start, end, kind in parts] == [
        "Team, all", "Bring tea.", "And cake", "Hello",
    ]  # fmt: skip
    read = unfolded_for(CARD, parts_of(CARD))
    assert len(read) == len(CARD)
    assert "Bring te\u2060\u2060\u2060a." in read


@pytest.mark.parametrize(
    "text",
    ["BEGIN:VALUES are good", "BEGIN:VEVENT\nThis is prose.\nSUMMARY:No", "SUMMARY:Team", "", "A\nBEGIN:VCARD\nNOTE:A"],
)
def test_other_texts_are_no_calendars(text: str) -> None:
    assert calendar_parts(text) is None


@pytest.mark.parametrize(
    ("document", "answers", "expected"),
    [
        ("a.b=Caf\\u00e9\nc.d=Tea", ["Caf\u00e9 noir", "Th\u00e9"], "a.b=Caf\\u00e9 noir\nc.d=Th\\u00e9"),
        ('{"a": "Caf\\u00e9"}', ['"text" = "Th\u00e9";'], '{"a": "Th\\u00e9"}'),
        ("BEGIN:VCARD\nNOTE:Tea\\, cake\n", ["Th\u00e9, g\u00e2teau"], "BEGIN:VCARD\nNOTE:Th\u00e9\\, g\u00e2teau\n"),
    ],
)
def test_documents_keep_their_escapes(document: str, answers: list[str], expected: str) -> None:
    found = pieces(document, 100)
    assert joined(document, found, answers) == expected


@pytest.mark.parametrize("unit", ['A;"b', "A:\n ", "\\n", "\n ", "A;;;", "\\u00e9", "BEGIN:V\n"])
def test_long_files_take_no_time(unit: str) -> None:
    text = "BEGIN:VCARD\n" + unit * (20_000 // len(unit))  # pytest's own limit ends what hangs
    assert len(unfolded_for(text, parts_of(text))) == len(text)
