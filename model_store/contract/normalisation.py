"""The form of text that models are trained on, and that a server gives them."""

from __future__ import annotations

import unicodedata
from typing import Final

FORM: Final = "NFC"
"""Unicode normalisation form."""
APOSTROPHES = {"\u2019": "'"}
"""Characters that become others, one for one."""
_TABLE = str.maketrans(APOSTROPHES)


def normalise(text: str) -> str:
    """Unicode NFC, single spaces, none at the ends, ASCII apostrophes."""
    return " ".join(unicodedata.normalize(FORM, text).translate(_TABLE).split())
