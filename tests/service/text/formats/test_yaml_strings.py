"""Values of YAML: what of them is for people, and what is no YAML."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.parts import parts_of
from service.text.formats.quoting import SINGLE, escaped
from service.text.formats.strings import strings_of
from service.text.formats.yaml_strings import front_matter, yaml_values

LOCALE = """# messages
---
en:
  title: Welcome back  # shown first
  login:
    button: "Sign in"
    forgot: 'It''s lost'
    icon_url: img
  errors:
    - Enter your name.
    - "No: try again"
    - one: One
      other: Two
  count: 5
  is_new: true
  names: [a, b]
  text: |
    One line.

    And another.
  last: End
"""


def found(text: str) -> list[str] | None:
    strings = strings_of(text)
    return None if strings is None else [text[start:end] for start, end in strings.stretches]


def test_values_for_people_are_found_in_yaml() -> None:
    assert found(LOCALE) == [
        "Welcome back", "Sign in", "It''s lost", "Enter your name.", "No: try again", "One", "Two",
        "One line.", "And another.", "End",
    ]  # fmt: skip
    strings = strings_of(LOCALE)
    assert strings is not None
    assert list(strings.quotes) == ["", '"', "'", "", '"', "", "", "", "", ""]


@pytest.mark.parametrize(
    ("text", "strings"),
    [
        ("title: Welcome back\nerror_message: It failed.", ["Welcome back", "It failed."]),
        ("cancel: Cancel\nsignIn: Sign in\n", ["Cancel", "Sign in"]),
        ("title: Welcome back\nbutton: Sign in", None),
        ("Title: Welcome back\nerror_message: It failed.", None),
        ("error_message: It failed.\nThat is all.", None),
        ("tom_92: Hello.\nann: Hi!\ntom_92: How are you?", None),
        ("john_doe: hi there\nmary_k: 100% sure", None),
        ("tom_9: is it the #1 song?\nann: is it #1?", None),
    ],
)
def test_mappings_that_do_not_nest_are_yaml_by_a_name_of_a_program(text: str, strings: list[str] | None) -> None:
    assert found(text) == strings


@pytest.mark.parametrize(
    "text",
    [
        "ingredients:\n  - 2 eggs\n  - flour",
        "Name: Tom\nAddress:\n  City: Reading\n  Street: 5 High Street\n",
        "Note:\n\nThis is text.",
        "to do:\n  today:\n  tomorrow:\n",
        "title: One\nbody: Two\n",
        "he said:\n  hello\n",
        "ingredients:\n  flour: two cups\n  sugar: one cup\n  eggs: three\n",
        "liste:\n  pain: deux baguettes\n  lait: un litre\n",
        "",
    ],
)
def test_lists_and_notes_of_people_are_no_yaml(text: str) -> None:
    assert yaml_values(text) is None


KEYS = st.text(st.sampled_from("abcd"), min_size=1, max_size=4)
VALUES = st.sampled_from(["Good day", "It's ours", 'He said "yes"', "Save: all", "- no", "5", "# no", "a\nb", ""])
NESTED = st.dictionaries(
    KEYS, VALUES | st.dictionaries(KEYS, VALUES | st.dictionaries(KEYS, VALUES, max_size=2), max_size=2), max_size=3
)


def shape(value: Any) -> Any:
    """The keys of a document."""
    return {key: shape(inner) for key, inner in value.items()} if isinstance(value, Mapping) else None


@given(NESTED, st.sampled_from(['"', "'", None]))
def test_a_translated_document_has_the_same_keys(document: Any, style: str | None) -> None:
    text = yaml.safe_dump(document, default_style=style, width=1000)
    strings = strings_of(text)
    pairs = list(zip(strings.stretches, strings.quotes, strict=True)) if strings else []
    pairs = [pair for pair in pairs if any(map(str.isalpha, text[slice(*pair[0])]))]  # all that is ever translated
    for (start, end), quote in reversed(pairs):
        written = "L'eau" + ' "\\' * (quote != "")
        text = text[:start] + (escaped(written, (), quote)[0] if quote else written) + text[end:]
    assert shape(yaml.safe_load(text)) == shape(document)
    assert SINGLE not in {quote for _, quote in pairs} or "L\u2019eau" in text


def test_a_page_begins_with_its_front_matter() -> None:
    page = "---\ntitle: My post\ntags: [a]\n---\n# Hello\n"
    matter = front_matter(page)
    assert matter is not None
    assert page[slice(*matter[0])] == "---\ntitle: My post\ntags: [a]\n---"
    assert [page[value.start : value.end] for value in matter[1]] == ["My post"]
    assert parts_of("---\ntitle: 'It''s'\nlayout: post\n---\nHello.") == (
        [(12, 17), (35, 42)],
        ["'", ""],
    )
    code = "---\ntitle: Hello\n---\n```\nls\n```"
    assert [code[start:end] for start, end in parts_of(code).stretches or ()] == ["Hello", "\n"]
    for text in (
        "---\nFrom: Tom\nSubject: Hello\n---\n",
        "---\nA line.\n---\n",
        "---\n---\n",
        "title: My post\n---\n",
        "---\n- One\n- Two\n---\n",
    ):
        assert front_matter(text) is None


@pytest.mark.parametrize(
    "unit", ["a: b\n", "  a:\n    b: c\n", "- ", " ", "# a ", "; a ; ", "'", '"', "\\", "|\n", "---\n"]
)
@pytest.mark.parametrize("first", ["en:\n  a:\n    b: c\n  d: e", "[a]\n; b\n", "---\na: b\n", "\\section{"])
def test_long_texts_are_read_once(first: str, unit: str) -> None:
    text = f"{first}{unit * 20_000}x"
    found = parts_of(text)
    assert all(0 <= start <= end <= len(text) for start, end in found.stretches or ())
    assert not found.quotes or len(found.quotes) == len(found.stretches or ())


@given(
    st.text(st.sampled_from("ab:- \n'\"#|>[]{}=\\;%$~_")),
    st.sampled_from(["", "a:\n  b: c\n", "[a]\nb = c\n", "---\n"]),
)
def test_parts_are_in_order_and_apart(text: str, first: str) -> None:
    text = first + text
    stretches = parts_of(text).stretches or ()
    places = [place for stretch in stretches for place in stretch]
    assert places == sorted(places)
    assert not places or 0 <= places[0] <= places[-1] <= len(text)


def test_a_value_whose_translation_may_need_marks_stays() -> None:
    text = "de:\n  menu:\n    delete: Delete %{name}\n    yes: Oui\n    all: '%{name} and all'\n    save: Save it\n"
    assert found(text) == ["%{name} and all", "Save it"]
    assert found(text.replace("\n", "\r\n")) == ["%{name} and all", "Save it"]


def test_keys_behind_a_block_are_keys() -> None:
    assert found("en:\n  a:\n    - text: |\n        Hello there.\n      title: Good day\n") == [
        "Hello there.",
        "Good day",
    ]
