"""Ages as people type them, *my 5yo*, *she is 3 y/o*, *she turned 90*, with the words that models have read."""

from __future__ import annotations

import re

from service.text.spans.normalise import NormalisedText, replaced

_SHORT = r"(?P<short>[ -]?y/?o)\b"
_CHILD = (
    r"(?:aunt|babies|baby|boys?|brothers?|cats?|child|children|cousins?|dad|daughters?|dogs?|father|girls?|grandchild|granddaughters?"
    r"|grandfather|grandma|grandmother|grandpa|grandsons?|horses?|husband|kids?|kittens?|man|men|mom|mother|mum|neighbou?rs?|nephews?|nieces?|pup|puppy|sisters?|sons?|students?|toddlers?|twins?"
    r"|uncle|wife|woman|women|car|house|laptop|phone)\b"
)
BEFORE_NOUN = re.compile(rf"(?<![\w.,/$\u20ac\xa3-])\d{{1,3}}{_SHORT}(?=\s{_CHILD})")
"""*My 5yo son*."""
OF_SOMEBODY = re.compile(
    r"(?:\b(?:am|are|be|is|turned|turns|was|were)|'(?:m|re|s))\s(?:about |almost |just |now |only )?"
    rf"\d{{1,3}}{_SHORT}(?!\s{_CHILD})"
)
"""*She is 3 y/o*."""
ALONE = re.compile(
    r"\b(?i:an?|and|for|her|his|my|our|their|the|this|with|your)\s(?:1[0-7]|[1-9])"
    rf"{_SHORT}(?=\s*(?:[.,;:!?)]|\Z)|\s(?:and|at|can|can't|could|didn't|does|doesn't|eats|for|goes|had|has|hates|in|is|isn't"
    r"|just|keeps|likes|loves|needs|on|or|plays|said|says|sleeps|still|thinks|to|wants|was|who|will|with|won't|would)\b)"
)
"""*My 5yo loves*: a child, if it is no grown-up."""
BIRTHDAY = re.compile(
    r"\b(?:turned|turns|turning|(?:(?<=to )|(?<=ll )|(?<=will ))turn) (?P<age>[1-9]|[1-9]\d|1[01]\d)"
    r"(?=\s*(?:[,;!?)]|\.(?!\d)|\Z)|\s(?:and|at|but|in|last|next|on|soon|this|today|tomorrow|when|while|yesterday)\b)"
)
"""*She turned 90 last week*."""
HINT = re.compile(r"\d[ -]?y/?o\b|\b[Tt]urn(?:s|ed|ing)? \d")
WRITTEN = ((BEFORE_NOUN, "-year-old"), (OF_SOMEBODY, " years old"), (ALONE, "-year-old child"))


def with_ages(normalised: NormalisedText, language: str) -> NormalisedText:
    """An English text with its ages written out."""
    text = normalised.text
    if language != "en" or not ("yo" in text or "y/o" in text or "turn" in text) or HINT.search(text) is None:
        return normalised  # as most texts
    found = {match.span("short"): words for pattern, words in WRITTEN for match in pattern.finditer(text)}
    found |= {match.span("age"): f"{match['age']} years old" for match in BIRTHDAY.finditer(text)}
    spans = sorted(found)
    return replaced(normalised, spans, [found[span] for span in spans]) if found else normalised
