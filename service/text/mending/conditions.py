"""Two conditions in an English translation: *If it hurts or if you have a fever*, not *or whether*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

SECOND = re.compile(r"\A[Ii]f\b[^.!?]*? or (?P<word>whether)\b")


def with_conditions(text: str, spans: Sequence[Stretch], language: str) -> tuple[str, Sequence[Stretch]]:
    """A translation with the word before its second condition."""
    match = SECOND.match(text) if language == "en" and " or whether " in text else None
    return (text, spans) if match is None else rewritten(text, spans, [match.span("word")], ["if"])
