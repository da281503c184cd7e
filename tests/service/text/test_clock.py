"""Times of day, in digits and in words, as another language writes them."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.placeholders import PLACEHOLDERS, TIME
from service.text.clock import times
from service.text.normalise import normalise
from service.text.protection import Protector


@pytest.mark.parametrize(
    ("text", "target", "found"),
    [
        ("The meeting is at 3 pm.", "fr", {"3 pm": "15h"}),
        ("Call me at 5:30 pm tomorrow.", "de", {"5:30 pm": "17:30"}),
        ("Be here by 8.15 a.m. on Monday.", "fr", {"8.15 a.m.": "8h15"}),
        ("Dinner is at 7 p.m.", "de", {"7 p.m": "19:00"}),  # the full stop ends the sentence, too
        ("12 am and 12PM", "de", {"12 am": "0:00", "12PM": "12:00"}),
        ("at 14:30, for $5 pm, 13 pm, B5 am, I am 3, chapter 5 am I right, the 5 PMs", "de", {}),
        ("from 5 to 6 pm", "fr", {"5": "17h", "6 pm": "18h"}),
        ("9-11 am or 9 to 5:30 pm", "de", {"9": "9:00", "11 am": "11:00", "5:30 pm": "17:30"}),
        ("9am-5pm", "fr", {"9am": "9h", "5pm": "17h"}),
        ("11-1 pm", "fr", {"11": "11h", "1 pm": "13h"}),
        ("a quarter to ten people, a quarter to two of them, a quarter to one charities", "de", {}),
        ("Half past six or quarter to one", "de", {"Half past six": "6:30", "quarter to one": "12:45"}),
        ("Half past six or quarter to one", "fr", {}),
        ("It's 3 pm.", "pl", {}),
    ],
)
def test_english_times(text: str, target: str, found: dict[str, str]) -> None:
    assert {text[time.start : time.end]: time.translated for time in times(text, "en", target)} == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("La réunion est à 15 h.", {"15 h": "15:00"}),
        ("Ouvert de 9h à 12h et de 14h à 18h30", {"9h": "9:00", "12h": "12:00", "14h": "14:00", "18h30": "18:30"}),
        ("9h-12h", {"9h": "9:00", "12h": "12:00"}),
        ("Rendez-vous lundi, 8 h 15", {"8 h 15": "8:15"}),
        ("Fermé jusqu'à 22 heures", {"22 heures": "22:00"}),
        ("à 14 h ou 16 h", {"14 h": "14:00", "16 h": "16:00"}),
        ("jusqu'à 24h avant l'arrivée, dure entre 1h30 et 2h, limitée à 2h, de 6h à 8h par jour, à 7h et quart", {}),
        ("après 2 h de route, à 2 heures de Paris, dans 3 h, un film de 2h30, à 8 heures du soir", {}),
    ],
)
def test_french_times(text: str, found: dict[str, str]) -> None:
    assert {text[time.start : time.end]: time.translated for time in times(text, "fr", "en")} == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Wir öffnen um 9 Uhr.", {"9": "9:00"}),
        ("von 9 bis 18 Uhr oder 10-12.30 Uhr", {"9": "9:00", "18": "18:00", "10": "10:00", "12.30": "12:30"}),
        ("um halb 8 Uhr, Viertel nach 8, um 8 Uhr 30", {"halb 8 Uhr": "7:30", "Viertel nach 8": "8:15"}),
        ("Mo–Fr 8:00–18:00 Uhr, Sa 9 Uhr", {"8:00": "8:00", "18:00 Uhr": "18:00", "9 Uhr": "9:00"}),
        ("um 8 Uhr abends, 3 Uhren, in 9 Stunden", {}),
        ("Um halb acht, um Viertel vor eins", {"halb acht": "7:30", "Viertel vor eins": "12:45"}),
        ("halb voll, ein Viertel vor drei Monaten, halb zwei Meter", {}),
    ],
)
def test_german_times(text: str, found: dict[str, str]) -> None:
    assert {text[time.start : time.end]: time.translated for time in times(text, "de", "en")} == found


@pytest.mark.parametrize(
    ("text", "languages", "copies"),
    [
        ("Call me at 5:30\u00a0pm.", ("en", "fr"), ["17h30"]),
        ("Open 9am - 5pm, mail a@b.org", ("en", "fr"), ["9h - 17h", "a@b.org"]),
        ("Call me at 5:30 pm.", ("", ""), ["5:30"]),  # nothing but the digits is sure to be the same
        ("Um halb acht", ("de", "en"), ["7:30"]),
    ],
)
def test_a_time_is_one_placeholder_of_its_kind(text: str, languages: tuple[str, str], copies: list[str]) -> None:
    protected = Protector(PLACEHOLDERS, lambda character: True, languages).protect(normalise(text), text)
    assert [copy for _, copy in protected.copies] == copies
    assert protected.copies[0][0] in TIME or " - " in copies[0]


@given(st.text("0123456789:.hapm -UhrÀàeuszviertlnb", max_size=60), st.sampled_from(["en", "fr", "de"]))
def test_times_are_in_order_and_apart(text: str, source: str) -> None:
    for target in {"en", "fr", "de"} - {source}:
        found = times(text, source, target)
        assert all(one.end <= other.start for one, other in pairwise(found))
        assert all(text[time.start : time.end].strip() for time in found)
