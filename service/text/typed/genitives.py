"""Genitives of names that end with *s*: *James' car* is read as *James's car*. A model takes *James'* for *James*."""

from __future__ import annotations

import re

from service.text.names.common_names import everyday_names
from service.text.spans.normalise import NormalisedText, replaced

GENITIVE = re.compile(r"\b(?P<name>[A-Z][a-z]+s)(?P<sign>['\u2019])(?= [a-z])")
OPENING = re.compile(r"(?<!\w)['\u2018]\w")
"""A text with one may have quotation marks behind a name."""


def with_whole_genitives(normalised: NormalisedText, language: str) -> NormalisedText:
    """An English text with an *s* behind the apostrophe of such names."""
    text = normalised.text
    if language != "en" or ("s' " not in text and "s\u2019 " not in text) or OPENING.search(text) is not None:
        return normalised  # as most texts
    names = everyday_names("en", "en")
    known = names.given | names.surnames | names.families
    found = [match.span("sign") for match in GENITIVE.finditer(text) if match["name"] in known]
    return replaced(normalised, found, ["'s"] * len(found)) if found else normalised
