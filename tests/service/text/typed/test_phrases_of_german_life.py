"""What Germans write of parcels, contracts, fires and dough, in words that models know."""

from __future__ import annotations

import pytest

from service.text.spans.normalise import normalise
from service.text.typed.shorthand import written_out


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Er hat sich riesig gefreut.", "Er hat sich sehr gefreut."),
        ("Wir haben uns über den Brief gefreut.", "Wir haben uns über den Brief sehr gefreut."),
        ("Wir haben uns über den Brief sehr gefreut.", None),
        ("Mein Chef hat mir gekündigt.", "Mein Chef hat mich entlassen."),
        ("Er hat mir den Vertrag gekündigt.", None),
        ("Es entstand ein Sachschaden von rund 900 Euro.", "Der Schaden beträgt rund 900 Euro."),
        ("Dabei entstand ein Schaden von 900 Euro.", "Dabei beträgt der Schaden 900 Euro."),
        ("Geben Sie bei Rückfragen immer Ihre Kundennummer an.", "Geben Sie bei Fragen Ihre Kundennummer an."),
        ("Schwarze Katze, hört auf Mimi.", "Schwarze Katze, heißt Mimi."),
        ("Er ist klug, hört auf Mama und mich.", None),
        ("Zimmer gesucht, bis 400 €", "Zimmer gesucht, bis zu 400 €"),
        ("Von 10 bis 60 €", None),
        ("10 € bis 60 €", None),
        ("Bis 8 Uhr", None),
        ("Frau Doktor Weiß", "Frau Weiß"),
        ("Dann den Reis zugeben.", "Dann den Reis hinzufügen."),
        ("Er muss den Fehler zugeben.", None),
        ("Alles verrühren.", "Alles vermischen."),
        ("Preis-Leistung stimmt.", "Das Preis-Leistungs-Verhältnis ist gut."),
        ("Katze entlaufen!", "Katze vermisst!"),
        ("Das Paket trifft voraussichtlich am 3. Mai ein.", "Das Paket kommt voraussichtlich am 3. Mai an."),
        ("Es regnet gegen Abend.", "Es regnet am Abend."),
        ("Ich verspäte mich um 20 Minuten.", "Ich komme 20 Minuten zu spät."),
        ("Sonnig, gegen Abend Schauer", "Sonnig, abends Schauer"),
        ("Zum Schluss mit Petersilie bestreuen.", "Am Ende mit Petersilie bestreuen."),
        ("Wir haben uns sehr wohlgefühlt.", "Wir haben uns sehr wohl gefühlt."),
        ("Heute ist Ruhetag.", "Heute ist geschlossen."),
    ],
)
def test_german_phrases_are_in_words_that_models_know(text: str, read: str | None) -> None:
    assert written_out(normalise(text), "de").text == (read or text)


def test_a_number_to_call_keeps_its_place() -> None:
    text = "Ich stehe wenn nötig bereit. Für Fragen stehe ich Ihnen gerne unter 0171 2345678 zur Verfügung."
    assert "erreichen Sie mich unter 0171 2345678" in written_out(normalise(text), "de").text
