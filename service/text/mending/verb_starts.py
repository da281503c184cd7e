"""German main clauses behind a clause that is translated apart: *Als er kam, | sah ich ...*, not *ich sah*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.moving import moved
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

_LOW = r"[a-z\xdf-\xff]"
_SHORT = "bin|ist|hat|kann|muss|will|soll|darf|mag|war|kam|ging|fand|gab|sah|nahm|lag|rief|lie\xdf|blieb|bekam|traf"
SUBJECT = re.compile(
    rf"(?P<subject>(?:ich|er|sie|es|man) )"
    rf"(?P<verb>(?:(?!alle\b|beide\b|{_LOW}*(?:ein|dies|ihr)e\b|heute\b|gerne?\b){_LOW}+(?:e|te)"
    rf"|(?!nicht\b|jetzt\b|erst\b|dort\b|oft\b|fast\b|mit\b|seit\b|sonst\b|selbst\b){_LOW}{{2,}}t|{_SHORT})\b)"
    r"|(?P<they>(?:wir|sie|Sie) )(?P<plural>"
    rf"(?:(?!(?:{_LOW}*(?:ein|ihn|dies)|all|beid|d|geg|jed|morg|neb|ob|unt|wen[ig]+)en\b)"
    rf"{_LOW}+(?:en|ern|eln)|sind)\b)"
    r"|(?P<please>bitte )(?P<order>[a-z\xdf-\xff]+en Sie)"
)


def with_verb_first(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], is_behind_clause: bool
) -> tuple[str, Sequence[Stretch]]:
    """A German translation of a main clause with its verb first, if it stands behind another clause."""
    found = SUBJECT.match(text[:1].lower() + text[1:]) if is_behind_clause and languages == ("en", "de") else None
    if found is None:
        return text, spans
    if text[0].isupper() and not text.startswith("Sie "):
        text = text[0].lower() + text[1:]
    start, end = next(found.span(name) for name in ("verb", "plural", "order") if found[name])
    text, spans = moved(text, spans, (start, end), 0)
    size = end - start
    return rewritten(text, spans, [(size, size), (end - 1, end)], [" ", ""])
