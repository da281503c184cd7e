"""Each text that must not change has a placeholder of its kind, as training and serving see it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.placeholders import (
    ADDRESS,
    NUMBER,
    PLACEHOLDERS,
    THING,
    TIME,
    kind_of,
    placeholders_for,
)
from model_store.data import entities

TEXTS = {
    ADDRESS: [
        "anna@zorbel.org", "https://x.org/a?b=1", "www.zorbel.com", "zorbel.fr", "zorbel.de/a/b", "+49 30 1234567",
        "(030) 1234567", "01 23 45 67 89", "a@x.org, b@x.org", "ftp://files.org", "P.O. Box 12", "BP 7",
    ],
    TIME: ["14:30", "9:05", "9:00-17:00", "14:05:59", "9:00 - 17:00"],
    NUMBER: [
        "3", "1990", "$30", "30 \u20ac", "\u20ac1,249.99", "$2.5bn", "2.50", "22/11/2026", "2026-11-22", "12 000 000",
        "12 000 000 000", "1:0", "25%", "3.5GB", "500 g", "20 °C", "$30 - $40", "5 $US",
        "USD 20", "1,500.00 EUR", "50+",
    ],
    THING: [
        "B12", "AF-1234", "#204", "@anna", "v2.1", "report.pdf", "node.js", "\u2764\ufe0f", "\u041f\u0440",
        "`ls`", "Anna", "{name}", "sunny-day-42", "/usr/bin", "", "site.de.txt",
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in TEXTS.items() for text in texts])
def test_the_kind_of_a_text(kind: str, text: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("make", "kind"),
    [(entities.address, ADDRESS), (entities.telephone, ADDRESS), (entities.time, TIME), (entities.amount, NUMBER),
     (entities.date, NUMBER), (entities.thousands, NUMBER), (entities.name, THING), (entities.code, THING)],
)  # fmt: skip
def test_what_training_makes_up_is_of_its_kind(make: entities.Kind, kind: str) -> None:
    chance = Random(1)
    assert {kind_of(make(chance)) for _ in range(200)} == {kind}


@given(st.lists(st.sampled_from([text for texts in TEXTS.values() for text in texts]), max_size=20))
def test_placeholders_are_of_their_kind_and_apart_while_there_are(texts: list[str]) -> None:
    found = placeholders_for(texts, PLACEHOLDERS)
    assert len(found) == len(texts)
    assert len(set(found[: len(PLACEHOLDERS)])) == min(len(texts), len(PLACEHOLDERS))
    if all(sum(kind_of(text) == kind for text in texts) <= len(kind) for kind in TEXTS):
        assert all(sign in kind_of(text) for sign, text in zip(found, texts, strict=True))


@given(st.text(max_size=200))
def test_any_text_has_a_kind(text: str) -> None:
    assert kind_of(text) in TEXTS
