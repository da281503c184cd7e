"""Devices and programs whose names are words, and the words."""

from __future__ import annotations

import pytest

from service.text.names.literal import devices


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It runs on Android 14 and iOS 18.2.", {"Android 14", "iOS 18.2"}),
        ("Windows 10 is old.", {"Windows 10"}),
        ("Please restart Windows. Install Chrome!", {"Windows", "Chrome"}),
        ("Get it from the App Store. My Kindle is broken.", {"App Store", "Kindle"}),
        ("Clean the windows. The Windows of the house, for Windows and Doors", set()),
        ("Chrome 20% off, a Safari 3,5 km long", set()),
    ],
)
def test_devices_and_programs_stand_for_themselves(text: str, found: set[str]) -> None:
    assert {text[start:end] for start, end in devices(text, "en")} == found
    assert devices(text, "de") == []
