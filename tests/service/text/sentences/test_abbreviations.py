"""Abbreviations with a full stop are written out, and end no sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.sentences.abbreviations import any_abbreviation, without_abbreviations
from service.text.sentences.splitting import sentence_spans
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("de", "bis einschl. Samstag geöffnet", "bis einschließlich Samstag geöffnet"),
        ("de", "Lt. Fahrplan ist die Abt. Vertrieb z. Zt. zu.", "Laut Fahrplan ist die Abteilung Vertrieb zurzeit zu."),
        (
            "de",
            "3 Stk. ab 18 J., S. 12, im 19. Jh. gebaut",
            "3 Stück ab 18 Jahren, S. 12, im 19. Jahrhundert gebaut",
        ),
        ("de", "Gr. 38, S. Paulo, J. Koch, die Gr. Linde", "Größe 38, S. Paulo, J. Koch, die Gr. Linde"),
        ("de", "mail@abt.de, www.lt.de, 5.tgl.", "mail@abt.de, www.lt.de, 5.tgl."),
        ("en", "The Dept. of Health, Rm. 12, pp. 27–31", "The Department of Health, Room 12, pages 27–31"),
        (
            "en",
            "Bring max. 5 kg. I met Max. 3 left, 9 max. 5 came.",
            "Bring maximum 5 kg. I met Max. 3 left, 9 max. 5 came.",
        ),
        ("en", "It holds approx. half, approx. 5", "It holds approximately half, approximately 5"),
        (
            "de",
            "Bücher o. Ä. und Wasser o.ä. mit, vgl. dort",
            "Bücher oder Ähnliches und Wasser oder Ähnliches mit, siehe dort",
        ),
        ("fr", "4 pers., 3e ét., Réf. : 45", "4 personnes, 3e étage, Référence : 45"),
    ],
)
def test_an_abbreviation_is_written_out_beside_what_it_needs(language: str, text: str, read: str) -> None:
    assert without_abbreviations(normalise(text), language).text == read


def test_a_full_stop_that_ends_the_text_stays_but_for_a_labels() -> None:
    assert without_abbreviations(normalise("2 pers."), "fr").text == "2 personnes"
    assert without_abbreviations(normalise("See the dept."), "en").text == "See the department."
    assert without_abbreviations(normalise("Wir öffnen tgl. "), "de").text.rstrip() == "Wir öffnen täglich."


def test_the_words_stand_for_all_of_the_abbreviation() -> None:
    text = "die Abt. Vertrieb"
    found = without_abbreviations(normalise(text), "de")
    at = found.text.index("Abteilung")
    assert text[slice(*found.original_span(at, at + 9))] == "Abt."


@pytest.mark.parametrize(
    ("language", "text", "sentences"),
    [
        ("de", "Bis einschl. Samstag zu. Danach offen.", ["Bis einschl. Samstag zu.", "Danach offen."]),
        ("de", "Wir öffnen tgl. Bitte klingeln.", ["Wir öffnen tgl.", "Bitte klingeln."]),
        ("en", "Your appt. is today. Got your msg. Thanks.", ["Your appt. is today.", "Got your msg.", "Thanks."]),
        ("fr", "Le prof. de maths. Il est là.", ["Le prof. de maths.", "Il est là."]),
        ("fr", "Qté. : 12", ["Qté. : 12"]),
        ("en", "Attn.: J. Smith", ["Attn.: J. Smith"]),
    ],
)
def test_an_abbreviation_ends_no_sentence(language: str, text: str, sentences: list[str]) -> None:
    assert [text[start:end] for start, end in sentence_spans(text, language)] == sentences


@given(st.sampled_from(["en", "fr", "de"]), st.lists(st.sampled_from(["z. Zt.", "Abt.", "12", "p.", "a", " ", "."])))
def test_offsets_stay_those_of_the_text(language: str, parts: list[str]) -> None:
    text = "".join(parts)
    found = without_abbreviations(normalise(text), language)
    assert len(found.starts) == len(found.ends) == len(found.text)
    assert all(start < end <= len(text) for start, end in zip(found.starts, found.ends, strict=True))


def test_other_languages_have_none() -> None:
    assert any_abbreviation("it") == ""
    assert without_abbreviations(normalise("via Abt. 5"), "it").text == "via Abt. 5"
