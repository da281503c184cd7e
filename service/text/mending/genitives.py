"""German genitives of names that end with *s*, *x* or *z*: *James' Auto*, not *Jamess Auto*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.common_names import everyday_names
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

OWNER = re.compile(r"\b(?P<name>[A-Z][a-z]+s)'s (?=[a-z])")
DOUBLED = re.compile(r"\b(?P<name>[A-Z][a-z]+[sxz])(?P<s>s)\b")


def with_genitives(
    text: str, spans: Sequence[Stretch], language: str, read: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """A German translation of a text that was `read` with apostrophes for the *s* behind such names, also where the
    model wrote none. `copies` are each placeholder that it may have, and the text that it stands for."""
    if language != "de":
        return text, spans
    signs = "".join({sign for sign, copy in copies if copy[-1:] in "sxz" and copy[:1].isupper()})
    found = [match.span() for match in re.finditer(rf"(?<=[{re.escape(signs)}])s\b", text)] if signs else []
    if "ss" in text or "xs" in text or "zs" in text:
        given = everyday_names("de", "de").given
        found += [match.span("s") for match in DOUBLED.finditer(text) if match["name"] in given]
    for owner in OWNER.finditer(read) if "s's " in read else ():
        found += [(match.end(), match.end()) for match in re.finditer(rf"\b{owner['name']}(?= [A-Z])", text)]
    found.sort()
    return rewritten(text, spans, found, ["'"] * len(found))
