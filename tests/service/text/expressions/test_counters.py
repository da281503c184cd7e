"""Wordings at counters and desks."""

from __future__ import annotations

import pytest

from service.text.expressions.notices import expressions
from service.text.expressions.translated import may_have_translated
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Store below 25 \xb0C, store below", "Unter 25 \xb0C lagern, store below"),
        ("Do not store above 25\xb0C.", "Nicht \xfcber 25 \xb0C lagern."),
        ("Just to let you know, I'm late.", "Nur zur Info: I'm late."),
        ("good luck you've got this", "good luck du schaffst das"),
        ("We offer a competitive salary.", "We offer ein attraktives Gehalt."),
        ("Year 9 parents, all Year 9 pupils", "Eltern der Klasse 9, all Year 9 pupils"),
        ("He is in Year 6. It is in year 2 of it", "He is in der 6. Klasse. It is in year 2 of it"),
        ("Year 4 is visiting us, year 4 is hard", "Klasse 4 is visiting us, year 4 is hard"),
        ("Snow on high ground, on the ground", "Snow in h\xf6heren Lagen, on the ground"),
        ("Doors open at 7 pm, doors open", "Einlass at 7 pm, doors open"),
        ("It is now boarding at gate B14.", "It steht jetzt an Flugsteig B14 zum Einsteigen bereit."),
        ("Our lines are busy at the moment.", "Alle Leitungen sind zurzeit belegt."),
        ("If so, please give at least 24 hours' notice.", "If so, bitte mindestens 24 Stunden vorher Bescheid geben."),
        ("\xa320 from J. Carter", "\xa320 from J. Carter"),
    ],
)
def test_an_english_wording_is_what_german_says(text: str, expected: str) -> None:
    assert rewritten(text, expressions(text, "en", "de")) == expected
    assert may_have_translated(text, "en") or any(map(str.isdigit, text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ihr Wunschtermin, Nicht \xfcber 25 \xb0C lagern.", "Ihr preferred date, Do not store above 25 \xb0C."),
        ("Wir bitten um etwas Geduld, danke.", "Please be patient, danke."),
        ("viel erfolg, du packst das", "good luck, you can do it"),
        ("Ihr Paket ist in der Zustellung.", "Ihr Paket is out for delivery."),
        ("Antworten Sie mit STOP, um sich abzumelden.", "Reply STOP to unsubscribe."),
        ("um die ausgeschriebene Stelle", "um die advertised position"),
        ("Schnee f\xe4llt in h\xf6heren Lagen.", "Schnee f\xe4llt on higher ground."),
        ("Es weist keine Deckung auf.", "Es has insufficient funds."),
        ("in 14 Tagen ohne Abzug, ohne Abzug", "in 14 Tagen without deduction, ohne Abzug"),
        ("Frohes Fest w\xfcnscht Familie Huber", "Frohes Fest from the Huber family"),
        ("Er w\xfcnscht Familie Huber alles Gute.", ""),
    ],
)
def test_a_german_wording_is_what_english_says(text: str, expected: str) -> None:
    assert rewritten(text, expressions(text, "de", "en")) == (expected or text)
    assert may_have_translated(text, "de") or any(map(str.isdigit, text))


def test_a_name_with_an_initial_stays() -> None:
    text = "A letter from J. Carter, with vitamin C. The rest is from A. The end"
    assert [text[each.start : each.end] for each in expressions(text, "en", "de")] == ["J. Carter"]
