"""Quotation marks become those of a language, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from model_store.contract.quotation import MARKS, with_own_quotation_marks


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "The \u201cSave\u201d button", 'The "Save" button'),
        ("fr", 'Le bouton "Enregistrer"', "Le bouton \u00ab Enregistrer \u00bb"),
        ("fr", "Le bouton \u00abEnregistrer\u00bb.", "Le bouton \u00ab Enregistrer \u00bb."),
        ("de", 'Er sagte: "Macht\'s gut", und ging.', "Er sagte: \u201eMacht's gut\u201c, und ging."),
        ("de", "\u00bbJa\u00ab, sagte sie.", "\u201eJa\u201c, sagte sie."),
        ("fr", 'Il a dit "oui" et "non".', "Il a dit \u00ab oui \u00bb et \u00ab non \u00bb."),
        ("de", 'ein 5" langes Rohr und ein 6" langes', 'ein 5" langes Rohr und ein 6" langes'),
        ("fr", '{"key": "value", "other": "one"}', '{"key": "value", "other": "one"}'),
        ("fr", '<a href="x">lien</a>', '<a href="x">lien</a>'),
        ("fr", "\u00bb et \u00aboui\u00bb", "\u00bb et \u00ab oui \u00bb"),
        ("fr", 'un seul " signe', 'un seul " signe'),
        ("de", '"Ja"/"Nein"', "\u201eJa\u201c/\u201eNein\u201c"),
        ("de", '"save": "Speichern",', '"save": "Speichern",'),
        ("de", 'print("Hallo Welt")', 'print("Hallo Welt")'),
        ("it", 'Il pulsante "Salva"', 'Il pulsante "Salva"'),
    ],
)
def test_a_quotation_has_the_marks_of_its_language(language: str, text: str, expected: str) -> None:
    assert with_own_quotation_marks(text, language) == expected
    assert with_own_quotation_marks(expected, language) == expected


@example("fr", "\u00bb(\u00aba\u00bb")
@given(st.sampled_from(sorted(MARKS)), st.text(st.sampled_from('ab .,("\u201c\u201d\u201e\u00ab\u00bb')))
def test_letters_stay_and_a_second_time_changes_nothing(language: str, text: str) -> None:
    found = with_own_quotation_marks(text, language)
    assert [c for c in found if c in "ab.,("] == [c for c in text if c in "ab.,("]
    assert with_own_quotation_marks(found, language) == found
