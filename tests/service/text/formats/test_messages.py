"""ICU messages: the branches of those that stand by themselves are texts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.messages import with_branches
from service.text.formats.parts import parts_of
from service.text.formats.quoting import DOUBLE, MESSAGE, escaped, unescaped
from service.text.spans.normalise import normalise


def texts(text: str) -> list[str] | None:
    found = with_branches(text, [(0, len(text), "")])
    return None if found is None else [text[start:end] for start, end, quote in found if quote == MESSAGE]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{n, plural, =0 {None} one {# item} other {# items}}", ["None", "# item", "# items"]),
        ("{n,plural,offset:1 one{an item}other{items}}", ["an item", "items"]),
        ("{sex, select,\n  female {She came}\n  other {They came}\n}", ["She came", "They came"]),
        ("A title\n{n, plural, one {day} other {days}}\nThe end", ["day", "days"]),
        ("- {n, plural, one {day} other {days}}.", ["day", "days"]),
        ("{n, plural, one {It''s of {name}} other {days}}", ["It''s of {name}", "days"]),
        ("{n, plural, one {Use '{one}' here} other {days}}", None),
        ("{a, select, x {{b, plural, one {day} other {days}}} other {none}}", ["", "day", "days", "", "none"]),
        ("{a, select, x {In {b, plural, other {days}}} other {none}}", ["In {b, plural, other {days}}", "none"]),
        ("You have {n, plural, one {# item} other {# items}}.", None),
        ("{n, plural, one {# item} other {# items}", None),
        ("{n, plural, one # item}", None),
        ("{n, number, integer}", None),
        ("a, plural, form", None),
    ],
)  # fmt: skip
def test_branches_of_a_message_that_stands_by_itself(text: str, expected: list[str] | None) -> None:
    assert texts(text) == expected


def test_strings_of_a_file_may_be_messages_in_their_own_quotation_marks() -> None:
    text = '{"cart": "{n, plural, one {# book} other {# books}}", "name": "The folder"}'
    found = parts_of(text)
    assert found.stretches is not None
    read = [text[start:end] for start, end in found.stretches]
    assert [each for each in read if each] == ["# book", "# books", "The folder"]
    assert set(found.quotes) == {DOUBLE}


def test_an_apostrophe_quotes_no_brace() -> None:
    assert unescaped(normalise("It''s here"), MESSAGE).text == "It's here"
    assert escaped("l'{name}, l'ami '#", [(0, 2)], MESSAGE) == ("l\u2019{name}, l'ami \u2019#", [(0, 2)])


@given(
    st.text(st.sampled_from("{}', a#\n"), max_size=60).map(lambda inner: "{n, plural, one {" + inner + "} other {b}}")
)
def test_stretches_are_in_order_and_apart(text: str) -> None:
    found = with_branches(text, [(0, len(text), "")]) or []
    places = [place for start, end, _ in found for place in (start, end)]
    assert places == sorted(places)


@pytest.mark.parametrize("piece", ["{n, plural, one {", "{n, plural, one {a} other {b}} ", "'{", "{n,select,a{b}}\n"])
def test_time_grows_with_the_length(piece: str) -> None:
    begun = time.process_time()
    parts_of(piece * (10_000 // len(piece)))
    assert time.process_time() - begun < 2.0
