"""German sentences whose object comes first."""

from __future__ import annotations

import time

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.objects_first import with_subject_first


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das Handy hat mein Bruder gefunden.", "Mein Bruder hat das Handy gefunden."),
        ("Das hat mir mein Bruder geschenkt", "Mein Bruder hat mir das geschenkt"),
        ("Die Heizung repariert morgen der Hausmeister.", "Der Hausmeister repariert morgen die Heizung."),
        ("Die Kosten muss der Mieter tragen.", "Der Mieter muss die Kosten tragen."),
        ("Das Paket hat der Nachbar angenommen, oder?", None),
        ("Das ist mein Bruder.", None),
        ("Das wird ein Hund sein.", None),
        ("Das Medikament hat der Mutter geholfen.", None),
        ("Die Frau hat der Vater des Kindes gesehen.", None),
        ("Das Essen hat der Koch und seine Frau gemacht.", None),
        ("Die Frau hat ein Mann mit Hut gesehen.", None),
        ("Das Haus hat ein K\xf6nig gebaut, der lange tot ist.", None),
        ("Die Suppe hat mein Vater gekocht, den Kuchen meine Mutter.", None),
        ("Die Firma hat ihr Fahrer geschickt.", None),
        ("Die Firma hat ihr Angebote geschickt.", None),
        ("Mein Nachbar hat sein Haus renoviert.", None),
        ("Die Katze hat mein Sofa ruiniert.", None),
    ],
)
def test_men_behind_the_verb_are_its_subject(text: str, expected: str | None) -> None:
    assert with_subject_first(normalise(text), "de").text == (expected or text)
    assert with_subject_first(normalise(text), "en").text == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Den Salat hat Tante Inge gemacht.", "Tante Inge hat den Salat gemacht."),
        ("Den Hund f\xfcttert die Nachbarin.", "Die Nachbarin f\xfcttert den Hund."),
        ("Den Schl\xfcssel hat die Nachbarin.", "Die Nachbarin hat den Schl\xfcssel."),
        ("Den Brief hat Frau Weber geschrieben.", "Frau Weber hat den Brief geschrieben."),
        ("Ihren Brief hat der Chef gelesen.", "Der Chef hat Ihren Brief gelesen."),
        ("Den Kindern macht das Spa\xdf.", None),
        ("Den Leuten hat das Essen geschmeckt.", "Das Essen hat den Leuten geschmeckt."),
        ("Den Salat hat Papa gemacht.", "Papa hat den Salat gemacht."),
        ("Die Torte hat Tante Erna gebacken.", "Tante Erna hat die Torte gebacken."),
        ("Den Film hat Tom schon gesehen.", "Tom hat den Film schon gesehen."),
        ("Den Salat hat Zwiebel gemacht.", None),
        ("Der Hund hat die Nachbarin gebissen.", None),
        ("Dieses Bett hat meine Mutter gebaut.", "Meine Mutter hat dieses Bett gebaut."),
        ("Das hat Anna gemalt.", "Anna hat das gemalt."),
        ("Das Bett hat meine Mutter gest\xf6rt.", None),
        ("Das Kind hat meine Mutter vergessen.", None),
    ],
)
def test_anything_is_a_subject_behind_an_accusative_and_behind_a_thing_that_is_made(
    text: str, expected: str | None
) -> None:
    assert with_subject_first(normalise(text), "de").text == (expected or text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Am Donnerstag kommt zwischen 8:00 und 12:00 der Monteur.",
            "Der Monteur kommt am Donnerstag zwischen 8:00 und 12:00.",
        ),
        ("Heute Abend beginnt um 20 Uhr die Sitzung", "Die Sitzung beginnt heute Abend um 20 Uhr"),
        ("Am Donnerstag kommt um 8 Uhr keiner.", None),
        ("Am Donnerstag hilft um 8 Uhr der Mutter.", None),
    ],
)
def test_a_subject_behind_a_day_and_a_time_comes_first(text: str, expected: str | None) -> None:
    assert with_subject_first(normalise(text), "de").text == (expected or text)


def test_each_word_covers_what_it_covered() -> None:
    text = "Das Handy hat mein Bruder gefunden."
    read = with_subject_first(normalise(text), "de")
    for word, start, end in (
        ("Mein", 14, 18),
        (" hat", 10, 13),
        (" das", 0, 3),
        (" Handy", 4, 9),
        (" gefunden", 26, 34),
    ):
        at = read.text.index(word)
        covered = read.original_span(at, at + len(word))
        assert covered in ((start, end), (start - 1, end))


def test_long_texts_take_no_time() -> None:
    started = time.perf_counter()
    with_subject_first(normalise("Die Heizung hat der Mann " + "immer noch nicht " * 3000), "de")
    with_subject_first(normalise("Den " + "a" * 30000 + "en " * 3000), "de")
    assert time.perf_counter() - started < 1
