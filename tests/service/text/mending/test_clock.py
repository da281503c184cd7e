"""What translations of English say about times of day."""

from __future__ import annotations

import pytest

from service.text.mending.clock import as_lost, with_times

A = "\ue000"


@pytest.mark.parametrize(
    ("target", "copy", "text", "read", "expected"),
    [
        ("de", "", "Es sind 7 Uhr; gehen wir.", "It's 7 o'clock; let's go.", "Es ist 7 Uhr; gehen wir."),
        ("de", "", "Es sind zwei Uhren.", "There are two clocks.", "Es sind zwei Uhren."),
        ("fr", "", "Il fait 7 heures ; allons-y.", "It's 7 o'clock; let's go.", "Il est 7 heures ; allons-y."),
        ("fr", "", "Il fait 7 heures de sport.", "He does 7 hours of sports.", "Il fait 7 heures de sport."),
        ("fr", "19h", f"dîner de {A}.", f"dinner from {A}.", f"dîner à partir de {A}."),
        ("fr", "19h", f"ouvert à partir de {A}", f"open from {A}", f"ouvert à partir de {A}"),
        ("fr", "19h", f"dîner de {A} à minuit", f"dinner from {A} to midnight", f"dîner de {A} à minuit"),
        ("de", "19:00", f"Abendessen von {A} Uhr.", f"Dinner from {A}.", f"Abendessen ab {A} Uhr."),
        ("de", "19:00", f"Essen von {A} Uhr an", f"Dinner from {A} on", f"Essen von {A} Uhr an"),
        ("de", "200\xb0C", f"um {A} Uhr backen", f"bake at {A}", f"bei {A} backen"),
        ("de", "\xa338.50", f"um {A} Uhr", f"for {A}", f"um {A}"),
        ("de", "9:30", f"um {A} Uhr", f"at {A}", f"um {A} Uhr"),
        ("de", "19:30", f"am Freitag noch am {A}, oder", f"on for {A}", f"am Freitag noch um {A} Uhr, oder"),
        ("de", "19:30", f"am {A}. Mai", f"on {A} May", f"am {A}. Mai"),
        ("de", "6:45", f"wurde nach {A} verlegt", f"was moved to {A}", f"wurde auf {A} Uhr verlegt"),
        ("de", "6:45", f"nach {A} Uhr", f"after {A}", f"nach {A} Uhr"),
        ("de", "York", f"Er kommt von {A}.", f"He comes from {A}.", f"Er kommt von {A}."),
    ],
)
def test_times_are_told(target: str, copy: str, text: str, read: str, expected: str) -> None:
    copies = [(A, copy)] if copy else []
    assert with_times(text, [], ("en", target), read, copies)[0] == expected
    assert with_times(text, [], ("xx", target), read, copies)[0] == text


def test_a_time_that_was_lost_comes_back_with_its_preposition() -> None:
    assert as_lost((A, "9:00"), ("en", "de"), f"We left at {A}.") == (A, "um 9:00 Uhr")
    assert as_lost((A, "9:00"), ("en", "de"), f"until {A}") == (A, "9:00")
    assert as_lost((A, "9:00"), ("en", "fr"), f"at {A}") == (A, "9:00")
    assert as_lost((A, "York"), ("en", "de"), f"at {A}") == (A, "York")
