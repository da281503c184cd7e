"""Words that a name may follow."""

from __future__ import annotations

import pytest

from service.text.names.addressed import is_title, particled_names, titled_names


@pytest.mark.parametrize(
    ("word", "expected"),
    [("M", True), ("Mr", True), ("Herr", True), ("Mme", True), ("Milk", False), ("", False)],
)
def test_a_title_is_told_from_other_words(word: str, expected: bool) -> None:
    assert is_title(word) is expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Frau von der Leyen und Herr zu Guttenberg kamen.", ["von der Leyen", "zu Guttenberg"]),
        ("Mr. da Silva met Ms. dos Santos.", ["da Silva", "dos Santos"]),
        ("Ich brachte meiner Frau das Fahren bei. Die Freundin meiner Frau zu Besuch", []),
        ("Die Frau von Peter ist nett.", []),
        ("Dass der Professor das Buch liest, dass ihr Herr zu Hause ist", []),
    ],
)
def test_names_that_begin_with_a_small_word(text: str, names: list[str]) -> None:
    assert [text[start:end] for start, end in particled_names(text)] == names


def test_an_office_behind_a_title_is_no_name() -> None:
    assert titled_names("Herr Ober, zahlen bitte. Frau Ministerin und Frau Schmidt") == ["Schmidt"]
