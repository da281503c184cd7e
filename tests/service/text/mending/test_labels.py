"""French labels that are infinitives."""

from __future__ import annotations

import pytest

from service.text.mending.labels import without_to


@pytest.mark.parametrize(
    ("label", "text", "written"),
    [
        ("R\xe9diger un avis", "To write a review", "Write a review"),
        ("Voir", "to see", "see"),
        ("Partir \xe0 temps.", "To leave in time.", "To leave in time."),
        ("Beurrer un moule.", "To grease a tin.", "Grease a tin."),
        ("Apprendre une langue demande du temps.", "To learn takes time.", "To learn takes time."),
        ("\xcatre heureux", "To be happy", "To be happy"),
        ("Pour commencer", "To begin with", "To begin with"),
        ("Vers Paris", "To Paris", "To Paris"),
        (
            "Manger ou boire : il faut choisir",
            "To eat or drink: you have to choose",
            "To eat or drink: you have to choose",
        ),
    ],
)
def test_labels_are_orders(label: str, text: str, written: str) -> None:
    assert without_to(text, [], "fr", "en", label) == (written, [])
    assert without_to(text, [], "de", "en", label) == (text, [])


@pytest.mark.parametrize(
    ("label", "text", "written"),
    [
        ("Die Zwiebeln anbraten.", "To fry the onions.", "Fry the onions."),
        ("Den Akku vor dem Gebrauch aufladen", "To charge the battery", "Charge the battery"),
        ("Um zu gewinnen, trainieren.", "To win, train.", "To win, train."),
        ("Nicht mehr als acht einnehmen.", "To take not more than eight.", "Take not more than eight."),
        ("Ohne dich leben", "To live without you", "To live without you"),
        ("Alle wollen gehen.", "To go", "To go"),
        ("Nach Paris", "To Paris", "To Paris"),
    ],
)
def test_german_steps_are_orders(label: str, text: str, written: str) -> None:
    assert without_to(text, [], "de", "en", label) == (written, [])


def test_spans_follow() -> None:
    written, spans = without_to("To see it", [(0, 2), (3, 6), (7, 9)], "fr", "en", "Voir")
    assert [written[start:end] for start, end in spans] == ["", "See", "it"]
