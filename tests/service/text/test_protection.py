"""What is protected becomes a placeholder and comes back as it was."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.normalise import normalise
from service.text.protection import (
    Finder,
    Protector,
    cells,
    inner_stretch,
    lost_numbers,
    number_stretches,
    translatable,
)
from service.text.restoring import put_back, restore

KNOWN = set("éèàçôûïœßüöä«»“”’–—…€")
PROTECTOR = Protector(PLACEHOLDERS, KNOWN.__contains__)


def copies(text: str, further: Finder | None = None) -> list[str]:
    return [copy for _, copy in PROTECTOR.protect(normalise(text), text, further).copies]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Write to jo.doe+x@mail.example.org, please.", ["jo.doe+x@mail.example.org"]),
        ("See https://example.com/a?b=c&d=%20#e.", ["https://example.com/a?b=c&d=%20#e"]),
        ("(see www.example.fr/x)", ["www.example.fr/x"]),
        ("It costs $1,249.99 or 30 €.", ["$1,249.99", "30 €"]),
        ("Run `rm -rf /` now", ["`rm -rf /`"]),
        ("On 22/11/2026 at 14:05.", ["22/11/2026", "14:05"]),
        ("Flight AF-1234, gate B12.", ["AF-1234", "B12"]),
        ("Order #A-1042 for @anna, see #42.", ["#A-1042", "@anna", "#42"]),
        ("Call +33 6 12 34 56 78.", ["+33 6 12 34 56 78"]),
        ("I \u2764\ufe0f you \U0001f469\u200d\U0001f4bb!", ["\u2764\ufe0f", "\U0001f469\u200d\U0001f4bb"]),
        ("Привет means hello.", ["Привет"]),
        ("Open /usr/local/bin. Then stop.", ["/usr/local/bin"]),
        ("Hello {name}, <b>welcome</b>", ["{name}, <b>", "</b>"]),
        ("my_variable is 1234567", ["my_variable", "1234567"]),
        (f"The key {'Ab' * 60} is new.", ["Ab" * 60]),
        ("A \ue003 sign", ["\ue003"]),
        ("He said \u2014 no.", ["\u2014"]),
        ("\u00bfQu\u00e9?", ["\u00bf"]),
        ("10 \u00b1 2", ["\u00b1"]),
        ("Q&A with the R&D team about A/B tests", ["Q&A", "R&D", "A/B"]),
        ("They met in N.Y. yesterday.", ["N.Y."]),
    ],
)
def test_what_must_not_change_is_found(text: str, kept: list[str]) -> None:
    assert copies(text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "I was born in 1990.",
        "The 2nd door, 5km away, at 7pm",
        "café, naïve, 20 men",
        "Yes/no and so on...",
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft!",
        "It's 25% off",
        "The U.S. and the U.K. met, P.S. I know",
        "Tom & Mary",
        "\u00abOui\u00bb, he \u201csaid\u201d\u2026",
    ],
)
def test_what_a_model_can_translate_is_left_to_it(text: str) -> None:
    assert copies(text) == []


def test_every_number_is_protected_when_that_is_asked_for() -> None:
    assert copies("In 1990 he had 3 cats.", number_stretches) == ["1990", "3"]


@given(st.text(st.sampled_from("ab .,@/:0123456789-_é\u2764\ufe0fП\ue000\u2019\t"), max_size=60))
def test_what_was_protected_comes_back_as_it_was(text: str) -> None:
    normalised = normalise(text)
    read = PROTECTOR.protect(normalised, text)
    assert len(read.normalised.text) == len(read.normalised.starts) == len(read.normalised.ends)
    spans = [(i, i + 1) for i in range(len(read.normalised.text))]
    restored = restore(read.normalised.text, spans, read.copies, PLACEHOLDERS)
    assert not restored.lost
    pieces = [text[a:b] for a, b in zip(read.normalised.starts, read.normalised.ends, strict=True)]
    expected = [piece if c in PLACEHOLDERS else c for c, piece in zip(read.normalised.text, pieces, strict=True)]
    assert restored.text == "".join(expected)
    assert [restored.text[a:b] for a, b in restored.spans] == expected


def test_more_stretches_than_placeholders_come_back_in_order() -> None:
    text = " then ".join(f"a{i}@b.org" for i in range(11))
    read = PROTECTOR.protect(normalise(text), text)
    assert len(read.copies) == 11
    assert restore(read.normalised.text, [], read.copies, PLACEHOLDERS).text == text


def test_strays_go_and_lost_copies_are_put_where_they_are_wanted() -> None:
    one, two = PLACEHOLDERS[:2]
    restored = restore(f"Le {one} et {one}.", [(0, 2), (3, 4), (8, 9)], [(one, "x@y.org"), (two, "B12")], PLACEHOLDERS)
    assert restored.text == "Le x@y.org et."
    assert restored.lost == (1,)
    text, spans = put_back(restored, [(one, "x@y.org"), (two, "B12")], lambda number, found: len(found.text) - 1)
    assert text == "Le x@y.org et B12."
    assert [text[a:b] for a, b in spans] == ["Le", "x@y.org", ""]


@pytest.mark.parametrize(
    ("text", "inner"),
    [
        ("- buy milk", "buy milk"),
        ("3. Open the door", "Open the door"),
        ("\U0001f600 Thank you! \U0001f389\U0001f389", "Thank you!"),
        ("Thank you - good night", "Thank you - good night"),
        ("\u2764\ufe0f", ""),
        ("-5 degrees", "-5 degrees"),
        ("## Opening hours", "Opening hours"),
        ("**Note**", "Note"),
        ("- __Never again!__ \U0001f389", "Never again!"),
        ("2 * 3 * 4", "2 * 3 * 4"),
        ("**One** and **two**", "**One** and **two**"),
    ],
)
def test_emoji_and_signs_of_lists_around_a_sentence_stay_outside(text: str, inner: str) -> None:
    start, end = inner_stretch(text)
    assert text[start:end] == inner


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("| Name | Age |", ["Name", "Age"]),
        ("Name\tAge\t\tCity", ["Name", "Age", "City"]),
        ("a || b", ["a", "b"]),
        ("a|b", ["a|b"]),
        ("no table", ["no table"]),
        (" | ", []),
    ],
)
def test_tabs_and_bars_separate_cells(text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in cells(text, 0, len(text))] == found


def test_text_without_letters_has_nothing_to_translate() -> None:
    assert not translatable(f"12:30 {PLACEHOLDERS[0]} !", PLACEHOLDERS)
    assert translatable("a", PLACEHOLDERS)


def test_numbers_are_compared_whatever_their_order() -> None:
    assert not lost_numbers("3 of 12", "12 dont 3")
    assert lost_numbers("3 of 12", "12")
    assert lost_numbers("none", "1")
