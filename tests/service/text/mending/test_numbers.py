"""Numbers with the separators of the target language, where they can be read in one way only."""

from __future__ import annotations

import pytest

from service.text.mending.numbers import localised, with_cardinal


@pytest.mark.parametrize(
    ("copy", "languages", "expected"),
    [
        ("1,249.99", ("en", "fr"), "1\u202f249,99"),
        ("$1,249.99", ("en", "fr"), "$1\u202f249,99"),
        ("12,000,000", ("en", "de"), "12.000.000"),
        ("3.5", ("en", "de"), "3,5"),
        ("1 249,99 €", ("fr", "en"), "1,249.99 €"),
        ("1.249,99", ("de", "en"), "1,249.99"),
        ("1.249", ("en", "de"), "1.249"),
        ("22/11/2026", ("en", "fr"), "22/11/2026"),
        ("14:05", ("en", "fr"), "14:05"),
        ("192.168.0.1", ("en", "fr"), "192.168.0.1"),
        ("a@b.org", ("en", "fr"), "a@b.org"),
        ("3.5", ("en", "ja"), "3.5"),
        ("001,234", ("en", "fr"), "001,234"),
        ("$1,249.99, $3,400.50", ("en", "fr"), "$1\u202f249,99, $3\u202f400,50"),
        ("1,000-2,000", ("en", "de"), "1.000-2.000"),
        ("1,249.99 / 14:05", ("en", "fr"), "1,249.99 / 14:05"),
        ("2026-11-22", ("en", "fr"), "2026-11-22"),
    ],
)
def test_numbers_change_only_where_that_is_certain(copy: str, languages: tuple[str, str], expected: str) -> None:
    assert localised(copy, *languages) == expected


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("Install Python ", "3.11"),
        ("See section ", "3.11"),
        ("It weighs ", "3,11"),
        ("", "3,11"),
        ("over 9 kg: ", "3,11"),
    ],
)
def test_a_version_or_a_chapter_is_no_number(before: str, expected: str) -> None:
    assert localised("3.11", "en", "fr", before) == expected
    assert localised("$3.11", "en", "fr", before) == "$3,11"


@pytest.mark.parametrize(
    ("language", "read", "text", "expected"),
    [
        ("fr", "1 missed call from Mum", "1er appel de maman", "1 appel de maman"),
        ("fr", "1 June is free", "1er juin est libre", "1er juin est libre"),
        ("fr", "1st call", "1er appel", "1er appel"),
        ("fr", "late by 1 hour", "en retard de 1 heures", "en retard de 1 heure"),
        ("fr", "I slept 21 hours", "21 heures, 1 1 heures", "21 heures, 1 1 heures"),
        ("de", "1 call", "1er Anruf", "1er Anruf"),
    ],
)
def test_one_thing_is_not_the_first(language: str, read: str, text: str, expected: str) -> None:
    assert with_cardinal(text, [], language, read)[0] == expected
