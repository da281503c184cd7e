"""A word that models write for another one, in a translation of a certain subject."""

from __future__ import annotations

import re
from typing import NamedTuple


class Term(NamedTuple):
    """What `terms.py` mends."""

    hint: str
    """What is in every translation with the wrong word."""
    read: re.Pattern[str]
    """What was read where the word is wrong."""
    wrong: re.Pattern[str]
    right: str
