"""German families, whose names have the *s* of a plural: *bei den M\xfcllers*. Models take such a name for a word, as
every noun has a capital."""

from __future__ import annotations

import re

from service.text.names.common_names import everyday_names
from service.text.spans.stretches import Stretch
from service.text.spans.word_sets import word_set

FAMILY = re.compile(
    r"[Dd](?<!\w[Dd])(?:ie|en|er) (?P<name>(?P<one>[A-Z\xc4\xd6\xdc][a-z\xe4\xf6\xfc\xdf]{2,30})s)"
    r"(?![\w-]| [A-Z\xc4\xd6\xdc])"
)
ENDS = re.compile(r"(?:(?<!v)er|mann|berg|ski|stein|hoff)s\Z")
"""Of surnames. German nouns with such an end have no *s* in the plural."""
LOANS = word_set(
    "Sneakers Crackers Followers Users Gamers Burgers Hamburgers Computers Pullovers Boxers Knickers Bowlers"
)
"""English ones that people write with an *s*."""


def families(text: str, source: str) -> list[Stretch]:
    """Where names of families stand behind an article in a German `text`; none in other languages."""
    if source != "de" or "s" not in text:
        return []
    found = []
    for match in FAMILY.finditer(text):
        is_ended = ENDS.search(match["name"]) is not None and match["name"] not in LOANS
        if is_ended or match["one"] in everyday_names("de", "de").surnames:
            found.append(match.span("name"))
    return found
