"""Pairs of dates, which German models lose, and what looks like one."""

from __future__ import annotations

import pytest

from service.text.expressions.date_ranges import date_ranges
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("closed from Monday 3 to Wednesday 5 June.", "closed von Montag, 3., bis Mittwoch, 5. Juni."),
        ("closed Monday 3 to Wednesday 5 June", "closed von Montag, 3., bis Mittwoch, 5. Juni"),
        ("Opening: Saturday 12 to Sunday 20 May", "Opening: Samstag, 12., bis Sonntag, 20. Mai"),
        ("from Saturday, 12 May to Sunday, 3 June 2027", "von Samstag, 12. Mai, bis Sonntag, 3. Juni 2027"),
        ("from June 3 to June 5", "vom 3. Juni bis 5. Juni"),
        ("Roadworks from March 3 to 7.", "Roadworks vom 3. bis 7. M\xe4rz."),
        ("from July 28, 1914 to November 11, 1918", "vom 28. Juli 1914 bis 11. November 1918"),
        ("from the 3rd to the 5th of June", "vom 3. bis 5. Juni"),
        ("closed 3\u20135 June", "closed vom 3. bis 5. Juni"),
        ("Conference, 3-5 June 2027", "Conference, 3.\u20135. Juni 2027"),
        ("Holidays: July 28 \u2013 August 4", "Holidays: 28. Juli \u2013 4. August"),
        ("on Tuesday 9 and Thursday 11 May", "am Dienstag, 9., und Donnerstag, 11. Mai"),
        ("between Monday 9 and Friday 13 May", "zwischen Montag, 9., und Freitag, 13. Mai"),
        ("from Sept 3rd through Oct. 5th", "vom 3. September bis 5. Oktober"),
        # a model knows these, or turns the sentence round behind them
        ("from 3 to 5 June", "from 3 to 5 June"),
        ("From Monday 3 to Wednesday 5 June we rest.", "From Monday 3 to Wednesday 5 June we rest."),
        # and these are none
        ("The 3\u20135 June conference", "The 3\u20135 June conference"),
        ("Chapters 3-5 May be read", "Chapters 3-5 May be read"),
        ("on Monday 3 people and 5 dogs", "on Monday 3 people and 5 dogs"),
        ("Monday to Friday, 10 to 6", "Monday to Friday, 10 to 6"),
        ("at 10:30 to 5 June", "at 10:30 to 5 June"),
        ("The 3rd of 5 rooms", "The 3rd of 5 rooms"),
    ],
)
def test_two_dates_are_written_as_german_has_them(text: str, expected: str) -> None:
    assert rewritten(text, date_ranges(text, "en", "de")) == expected


def test_models_of_french_need_none() -> None:
    assert date_ranges("from Monday 3 to Wednesday 5 June", "en", "fr") == []
