"""Who is charged, in German."""

from __future__ import annotations

import pytest

from service.text.mending.charges import with_charged

A = "\ue000"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"Sie werden {A} berechnet.", f"Ihnen werden {A} berechnet."),
        (f"Ich wurde {A} zweimal berechnet.", f"Mir wurden {A} zweimal berechnet."),
        (f"Am Montag wurde ich {A} berechnet.", f"Am Montag wurden mir {A} berechnet."),
        ("sonst werden Sie 50 % des Preises berechnet.", "sonst werden Ihnen 50 % des Preises berechnet."),
        (f"Wir werden {A} bezahlen.", None),
        ("Sie werden neu berechnet.", None),
    ],
)
def test_the_payer_is_no_subject(text: str, expected: str | None) -> None:
    assert with_charged(text, [], "de", [(A, "£5")])[0] == (expected or text)
    assert with_charged(text, [], "fr", [(A, "£5")])[0] == text
