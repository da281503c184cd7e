"""Names in fields of forms are kept, headers of letters are translated by rule."""

from __future__ import annotations

import pytest

from service.text.names.fields import field_values, headers, with_known_header
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("en", "Last name: Carpenter", "Carpenter"),
        ("en", "Surname: Shoemaker", "Shoemaker"),
        ("en", "City: Reading", "Reading"),
        ("en", "Patient: Hope Miller", "Hope Miller"),
        ("en", "Doctor: Dr. Wood", "Dr. Wood"),
        ("en", "Manager: J. Cook", "J. Cook"),
        ("en", "City: **Reading**", "Reading"),
        ("fr", "Nom : Delacroix", "Delacroix"),
        ("fr", "Pr\u00e9nom : Olivier", "Olivier"),
        ("fr", "Nom : de la Fontaine", "de la Fontaine"),
        ("fr", "Ville : Villeneuve", "Villeneuve"),
        ("de", "Name: Koch", "Koch"),
        ("de", "Nachname: Schneider", "Schneider"),
        ("de", "Ort: Essen", "Essen"),
        ("de", "Ansprechpartnerin: Frau Sch\u00e4fer", "Sch\u00e4fer"),
    ],
)
def test_the_value_of_a_field_is_kept(language: str, text: str, value: str) -> None:
    target = "fr" if language == "en" else "en"
    assert [text[start:end] for start, end in field_values(text, language, target)] == [value]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Name: required"),
        ("en", "Name: Required"),
        ("en", "Client: The new one"),
        ("en", "Contact: Sales"),
        ("en", "Teacher: Good morning"),
        ("en", "Teacher: Sit down!"),
        ("en", "City: Munich"),
        ("en", "Colour: Brown"),
        ("en", "The name: Carpenter"),
        ("fr", "Ville : Londres"),
        ("fr", "Nom : obligatoire"),
        ("de", "Ort: Turnhalle"),
        ("de", "Stadt: K\u00f6ln"),
        ("it", "Name: Koch"),
    ],
)
def test_other_values_are_translated(language: str, text: str) -> None:
    assert field_values(text, language, "fr" if language == "en" else "en") == []


@pytest.mark.parametrize(
    ("source", "target", "text", "written"),
    [
        ("fr", "en", "De : Paul Lemoine", "From:"),
        ("fr", "de", "\u00c0 : Jean Dupont", "An:"),
        ("fr", "en", "Cc : Marie Petit", "Cc:"),
        ("en", "de", "From: Paul Young", "Von:"),
        ("en", "de", "To: Sales", "An:"),
        ("en", "de", "From: <jo@example.org>", "Von:"),
        ("de", "fr", "An: Eva Koch", "\u00c0\u00a0:"),
        ("de", "en", "Von: Sabine Koch", "From:"),
        ("de", "en", "An: max@example.org, Eva", "To:"),
    ],
)
def test_headers_of_letters(source: str, target: str, text: str, written: str) -> None:
    assert headers(text, source, target) == [(0, text.index(":") + 1, written)]


@pytest.mark.parametrize("text", ["From: Monday", "To: do it", "De : Paul Lemoine", "From Paul: hello", "To: 5"])
def test_other_words_are_no_headers(text: str) -> None:
    assert headers(text, "en", "de") == []


def test_models_know_french_headers_for_english_ones() -> None:
    assert headers("From: Paul Young", "en", "fr") == []


def test_several_fields_on_a_line() -> None:
    text = "Name: Mary Baker, City: Reading; Age: 30"
    assert [text[start:end] for start, end in field_values(text, "en", "fr")] == ["Mary Baker", "Reading"]
    assert field_values("Contact: Fast, reliable", "en", "fr") == []


def test_a_reply_is_read_in_small_letters() -> None:
    assert with_known_header(normalise("RE: Quote")).text == "Re: Quote"
    assert with_known_header(normalise("RE: QUOTE")).text == "RE: QUOTE"
    assert with_known_header(normalise("REST: a")).text == "REST: a"
