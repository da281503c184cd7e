"""Months and days of the week: words with a capital that are translated, unlike names."""

from __future__ import annotations

MONTHS = {
    "en": [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
        "November", "December",
    ],
    "fr": [
        "janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre",
        "novembre", "décembre",
    ],
    "de": [
        "Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober",
        "November", "Dezember",
    ],
}  # fmt: skip
WEEKDAYS = {
    "en": [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ],
    "fr": [
        "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche",
    ],
    "de": [
        "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag",
    ],
}  # fmt: skip
"""By language, in order."""

CALENDAR = frozenset(
    word.lower() for names in (MONTHS, WEEKDAYS) for words in names.values() for word in words if word[0].isupper()
)
"""Those of languages that write them with a capital, in lower case."""
