"""One way to address the reader within a German sentence: *Ich dr\u00fccke dir die Daumen f\u00fcr Ihre Pr\u00fcfung*.

English *your* says neither *dein* nor *Ihr*, and models mix them. The pronouns decide: verbs go with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

YOUR = re.compile(r"\b[Yy]our\b")
INFORMAL = re.compile(r"\b(?:[Dd]u|[Dd]ir|[Dd]ich)\b")
FORMAL = re.compile(r"(?<=[\w,;] )(?:Sie|Ihnen)\b")
"""Within a sentence; at its beginning they may be *she*, *they* and *them*."""
INFORMAL_YOUR = re.compile(r"(?<=[\w,;] )dein(?P<ending>e[nmrs]?)?\b")
FORMAL_YOUR = re.compile(r"(?<=[\w,;] )Ihr(?P<ending>e[nmrs]?)?\b(?! (?:alle|beide|habt|seid|k\u00f6nnt|wisst)\b)")
FIRST = re.compile(r"(?P<stem>Dein|Ihr)(?P<ending>e[nmrs]?)?\b")
"""At the beginning, where a capital says nothing."""


def with_one_register(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A German translation of the English text that was `read`, with possessives that address the reader as its
    pronouns do. `languages` are those of the text and of its translation."""
    if languages != ("en", "de") or YOUR.search(read) is None:
        return text, spans
    is_informal, is_formal = INFORMAL.search(text) is not None, FORMAL.search(text) is not None
    if is_informal == is_formal:
        return text, spans
    pattern, stem = (FORMAL_YOUR, "dein") if is_informal else (INFORMAL_YOUR, "Ihr")
    found = list(pattern.finditer(text))
    words = [stem + (match["ending"] or "") for match in found]
    first = FIRST.match(text) if read.startswith("Your ") else None
    if first is not None and (first["stem"] == "Ihr") == is_informal:
        found, words = [first, *found], [stem.capitalize() + (first["ending"] or ""), *words]
    return rewritten(text, spans, [match.span() for match in found], words)
