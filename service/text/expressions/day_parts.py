"""What the times of day of all languages are made of."""

from __future__ import annotations

import re

HOUR, MINUTE = r"(?P<hour>[01]?\d|2[0-4])", r"(?P<minute>[0-5]\d)"
LINK = re.compile(r"\s(?:\u00e0|et|ou|bis|und)\s|\s?[-\u2013]\s?")
"""What joins two times of which both are times of day, or neither is."""
AFTERNOON = dict.fromkeys(("nachmittags", "abends", "soir", "apr\u00e8s-midi"), range(1, 12))
AFTERNOON |= {"mittags": range(1, 6), "nachts": range(6, 12)}
"""The hours of each part of the day that are 12 hours later in 24 hours: *10 Uhr nachts* is 22:00."""
MOST_BEFORE = 40
"""Code points before a time that say what it is."""
Found = tuple[tuple[int, int], int, int]
"""The code points of a time, its hour and its minute."""


def in_24_hours(hour: int, part: str) -> int:
    """The hour of a part of the day, in 24 hours."""
    return hour + 12 if hour in AFTERNOON.get(part, ()) else hour


def hour_before(hour: int, minute: int, part: str, last_hour: int, last_minute: int) -> int:
    """The hour of a time, in 24 hours, from which it goes on to the last one, whose part of the day is known."""
    first = in_24_hours(hour, part)
    is_later = part != "nachts" and (first, minute) >= (last_hour, last_minute)
    return (first + 12) % 24 if is_later and hour < 12 else first
