"""Months as German dates have them behind the ordinal of a day, *3. Oktober*, *24. Dez. 2023*; time zones."""

from __future__ import annotations

from model_store.contract.calendar import MONTHS

_SHORT = r"(?:Jan|Febr?|M\u00e4r|Apr|Jun|Jul|Aug|Sept?|Okt|Nov|Dez)\."
MONTH = rf"(?:(?:{'|'.join(MONTHS['de'])})\b|{_SHORT})"
"""A month, whole or shortened, as a regular expression."""
ZONE = (
    r"(?:A[CEKW]?[DS]?T|[BEHIJKMPSC][SD]T|[CEMP]T|GMT|CES?T|EES?T|NZ[DS]?T|SAST|SGT|WES?T|UTC|MSK|WIB)\b(?<!\bAT)"
    r"(?!\s[A-Z]{2})"
)
"""The name of a time zone, as *EST*."""
NO_MONTH_BEFORE = "".join(rf"(?<!\b{month} )" for name in MONTHS["en"] for month in {name, name[:3], name[:3] + "."})
"""Not behind an English month: *December 5 - 8 pm* is no *5 pm*."""
