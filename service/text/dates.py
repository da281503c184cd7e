"""Months as German dates have them behind the ordinal of a day: *3. Oktober*, *24. Dez. 2023*."""

from __future__ import annotations

from model_store.contract.calendar import MONTHS

_SHORT = r"(?:Jan|Febr?|M\u00e4r|Apr|Jun|Jul|Aug|Sept?|Okt|Nov|Dez)\."
MONTH = rf"(?:(?:{'|'.join(MONTHS['de'])})\b|{_SHORT})"
"""A month, whole or shortened, as a regular expression."""
