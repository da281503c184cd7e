"""The beginning, the middle or the end of a month."""

from __future__ import annotations

import pytest

from service.text.expressions.month_parts import month_parts


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en", "fr"), "We open in early October.", ["d\u00e9but octobre"]),
        (("en", "de"), "In late May 1990, by mid-June", ["Ende Mai 1990", "bis Mitte Juni"]),
        (("en", "fr"), "from mid-May to the end of June", ["de mi-mai", "\u00e0 fin juin"]),
        (("en", "de"), "At the beginning of March we move.", ["Anfang M\u00e4rz"]),
        (("en", "fr"), "Back mid July, since late August", ["mi-juillet", "depuis fin ao\u00fbt"]),
        (("en", "fr"), "The end of May is near. A late May afternoon, the early March sun", []),
        (("en", "de"), "It is late. March on! He is early, June.", []),
        (("fr", "en"), "Fin mai, tout est pr\u00eat.", ["In late May"]),
        (("fr", "en"), "avant fin novembre, d'ici mi-juin 2025", ["late November", "by mid-June 2025"]),
        (("fr", "en"), "de d\u00e9but mai \u00e0 fin juin", ["from early May", "to late June"]),
        (("fr", "de"), "\u00e0 la mi-ao\u00fbt, jusqu'\u00e0 fin mai", ["Mitte August", "bis Ende Mai"]),
        (("fr", "en"), "la fin mai, le d\u00e9but de mai", []),
        (
            ("fr", "en"),
            "D\u00e9but avril a \u00e9t\u00e9 froid. En fin mai, notre fin mars",
            ["Early April", "late May", "late March"],
        ),
        (("fr", "en"), "Jusqu'\u00e0 fin mai je travaille.", ["Until late May"]),
        (("fr", "en"), "De la mi-mars \u00e0 la mi-juin, La fin mars", ["From mid-March", "to mid-June"]),
        (("en", "fr"), "We arrived late May 5, 2024, late April 3rd, too late March", []),
        (("de", "en"), "Mitte Mai", []),
    ],
)
def test_parts_of_months(languages: tuple[str, str], text: str, expected: list[str]) -> None:
    assert [each.translated for each in month_parts(text, *languages)] == expected
