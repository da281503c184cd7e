"""English nouns behind the number one."""

from __future__ import annotations

import pytest

from service.text.mending.singulars import with_singular_verbs, with_singulars


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("Adults take 1 tablets every 6 hours.", "Adults take 1 tablet every 6 hours."),
        ("1 adults, 1 children, for 1 hrs", "1 adult, 1 child, for 1 hr"),
        ("11 tablets, 0.1 hours, 2/1 days", "11 tablets, 0.1 hours, 2/1 days"),
        ("0 to 1 days, level 1 items, Level 1 items", "0 to 1 days, level 1 items, Level 1 items"),
        ("1 days' notice, 1 news, 1 glass", "1 days' notice, 1 news, 1 glass"),
    ],
)
def test_one_thing_is_in_the_singular(text: str, written: str) -> None:
    assert with_singulars(text, [], "en") == (written, [])
    assert with_singulars(text, [], "fr") == (text, [])


def test_spans_follow() -> None:
    written, spans = with_singulars("take 1 tablets now", [(0, 4), (5, 6), (7, 14), (15, 18)], "en")
    assert [written[start:end] for start, end in spans] == ["take", "1", "tablet", "now"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("There are too much noise and too many cars.", "There is too much noise and too many cars."),
        ("I think there were so much of it.", "I think there was so much of it."),
        ("There are many. Much is there.", "There are many. Much is there."),
        ("Jules don't want to play.", "Jules doesn't want to play."),
        ("Thomas no longer live here.", "Thomas no longer lives here."),
        ("Lucas have a dog.", "Lucas has a dog."),
        ("Thomas are ill.", "Thomas is ill."),
        ("Jules, don't go. Thomas lives here.", "Jules, don't go. Thomas lives here."),
        ("Cats don't bark. Lisa and Thomas have a dog.", "Cats don't bark. Lisa and Thomas have a dog."),
    ],
)
def test_a_name_with_an_s_is_one_person(text: str, written: str) -> None:
    assert with_singular_verbs(text, [], "en") == (written, [])
    assert with_singular_verbs(text, [], "fr") == (text, [])
