"""Months as regular expressions, also as German dates have them (*3. Oktober*, *24. Dez. 2023*), and time zones."""

from __future__ import annotations

from model_store.contract.calendar import MONTHS

SHORT_MONTHS = {
    "en": "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec",
    "fr": "janv|f\u00e9vr?|avr|juill?|sept|oct|nov|d\u00e9c",
    "de": "Jan|Febr?|M\u00e4r|Apr|Jun|Jul|Aug|Sept?|Okt|Nov|Dez",
}
"""Shortened, without a full stop, as a regular expression."""
MONTH = rf"(?:(?:{'|'.join(MONTHS['de'])})\b|(?:{SHORT_MONTHS['de']})\.)"
"""A month, whole or shortened, as a regular expression."""
ZONE = (
    r"(?:A[CEKW]?[DS]?T|[BEHIJKMPSC][SD]T|[CEMP]T|GMT|CES?T|EES?T|NZ[DS]?T|SAST|SGT|WES?T|UTC|MSK|WIB)\b(?<!\bAT)"
    r"(?!\s[A-Z]{2})"
)
"""The name of a time zone, as *EST*."""
NO_MONTH_BEFORE = "".join(rf"(?<!\b{month} )" for name in MONTHS["en"] for month in (name, name[:3], f"{name[:3]}."))
"""Not behind an English month: *December 5 - 8 pm* is no *5 pm*."""
