"""German compounds with hyphens are read with spaces, where the model knows their parts alone."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.hyphens import with_parts

KNOWN = frozenset((
    "Online", "Formular", "Zimmer", "Wohnung", "Karte", "S", "Bahn", "Linie", "S-Bahn", "PDF-Datei", "PDF", "Datei",
    "Anna", "Koch", "Peter", "Lena", "Straße", "Kinder", "Betreuung", "Kinderbetreuung",
))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das Online-Formular fehlt.", "Das Online Formular fehlt."),
        ("eine 3-Zimmer-Wohnung, ein 3-Karten-Formular", "eine 3-Zimmer-Wohnung, ein 3-Karten-Formular"),
        ("DIN-A4-Formular, Herr Zimmer-Karte", "DIN-A4-Formular, Herr Zimmer-Karte"),
        ("mit der EC-Karte", "mit der EC Karte"),
        ("Die S-Bahn-Linie 7", "Die S-Bahn Linie 7"),
        ("Die Kinder-Betreuung, die Kinder-Karte", "Die Kinderbetreuung, die Kinder Karte"),
        ("das USB-C-Formular, Karten-S-Formular", "das USB-C Formular, Karten-S-Formular"),
        ("eine Karte-S-Bahn", "eine Karte S Bahn"),
        ("die S-Bahn, die PDF-Datei", "die S-Bahn, die PDF-Datei"),  # it was trained on these
        ("Anna-Lena Koch-Peter", "Anna-Lena Koch-Peter"),
        ("das Zimmer-Dingsbums", "das Zimmer-Dingsbums"),  # who knows
        ("https://a.de/Online-Formular, a@Online-Formular.de", "https://a.de/Online-Formular, a@Online-Formular.de"),
        ("Online- und Papierformular, ein-Zimmer", "Online- und Papierformular, ein-Zimmer"),
        ("Ober-/Unterhitze, Vor- / Nachname", "Ober- und Unterhitze, Vor- und Nachname"),
        ("A-/B-Haus, ein-/aus, /home/a-/Bcd", "A-/B-Haus, ein-/aus, /home/a-/Bcd"),
    ],
)
def test_a_compound_is_read_closed_or_apart(text: str, expected: str) -> None:
    read = with_parts(normalise(text), KNOWN)
    assert read.text == expected
    assert len(read.starts) == len(read.ends) == len(read.text)


def test_parts_stand_for_their_own_originals() -> None:
    read = with_parts(normalise("Das USB-C-Formular fehlt."), KNOWN)
    assert [read.original_span(4, 9), read.original_span(10, 18)] == [(4, 9), (10, 18)]
    read = with_parts(normalise("die Kinder-Betreuung"), KNOWN)
    assert read.original_span(4, 10) == (4, 20)
