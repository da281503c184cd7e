"""Words that the models of one language pair alone need otherwise: English *However, ...* is *Egal* to German ones."""

from __future__ import annotations

import re

from service.text.spans.normalise import NormalisedText, replaced

CHANGES = {
    ("en", "de"): (
        (re.compile(r"\AHowever,(?= \w)"), "But"),
        (
            re.compile(r"\A(?:[Dd]on't|[Dd]o not) hesitate to(?= (?:call|ask|ring|phone) (?:me|us)\b| ask\s*[.!]?\Z)"),
            "Please",
        ),
        (
            re.compile(
                r"(?:(?<=\bis )|(?<=\bare ))right(?= (?:on|at|by) the "
                r"(?:beach|coast|harbour|lake|river|sea|seafront)\b)"
            ),
            "directly",
        ),
        (re.compile(r"(?<=\b[Ii]t )takes(?= (?:coins|cards|cash)\b)"), "accepts"),
        (re.compile(r"(?<=\bthe )very (?=next (?:day|morning|week|evening)\b)"), ""),
        (re.compile(r"\A[Ww]ell done on(?= (?:finishing|getting|passing|winning)\b)"), "Congratulations on"),
        (re.compile(r"(?<=\bforecast )says(?= (?:rain|snow|sun|storms|showers)\b)"), "predicts"),
        (re.compile(r"(?<=left in stock [-\u2013\u2014] )order(?= soon\b)"), "please order"),
        (re.compile(r"\bin case(?= you get lost\b)"), "if"),
        (re.compile(r"(?<=refrigerated after opening and )use(?= within\b)"), "consume"),
        (re.compile(r"\bbrought up(?= (?:the|that|this) (?:subject|topic|matter)\b)"), "mentioned"),
    ),
}
"""By the languages of text and translation: a pattern, and the words for it."""
HINTS = {("en", "de"): (
        "However", "hesitate to", " right ", "t takes c", " very next ", "ell done on", "forecast says",
        "order soon", "in case you get lost", "after opening and use", "brought up",
    )
}  # fmt: skip
"""One is in every text with one of them."""


def may_have_paired(text: str, source: str, target: str) -> bool:
    """Whether `with_paired` may change a text, found quickly."""
    return any(map(text.__contains__, HINTS.get((source, target), ())))


def with_paired(normalised: NormalisedText, source: str, target: str) -> NormalisedText:
    """A `source` text in words that the models of this `target` know."""
    if not may_have_paired(normalised.text, source, target):
        return normalised  # as most texts
    found = {
        match.span(): words for pattern, words in CHANGES[source, target] for match in pattern.finditer(normalised.text)
    }
    spans = sorted(found)
    return replaced(normalised, spans, [found[span] for span in spans])
