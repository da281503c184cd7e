"""*It* for things, in English translations of French: *The train is late, it will arrive at 18:42*, not *he*.

*Il* and *elle* are things as well as people. Where a text names nothing of the gender but things, they are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.things import FEMININE, MASCULINE, may_name_somebody, named
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

HE_OR_SHE = re.compile(r"\b(?:[Hh]e|[Ss]he)\b")
KINDS = (
    (MASCULINE, re.compile(r"\b[Ii]l\b"), re.compile(r"\b(?P<first>[Hh])e\b")),
    (FEMININE, re.compile(r"\b[Ee]lle\b"), re.compile(r"\b(?P<first>[Ss])he\b")),
)
"""Each gender, its French pronoun and the English one of people."""
CLAUSE = re.compile(r"(?:,(?: mais| et| car)?| :| ;| mais| et| car) \Z")
"""What stands before a pronoun that begins a clause."""
MOST_BEFORE = 8
"""Code points before a pronoun that are looked at."""
VERB = re.compile(
    r"\b(?:est|\xe9tait|sera|serait|a|avait|aura|va|arrive|co\xfbte|commence|comprend|contient|doit|dure|existe|fait"
    r"|ferme"
    r"|finit|fonctionne|fuit|manque|marche|ouvre|para\xeet|part|permet|peut|plaira|pla\xeet|reste|semble|sent|tient"
    r"|vaut)\b"
)
"""What a thing does, where it is a subject."""
OBJECT = re.compile(
    r"\A(?:[^,.]{1,20}, )?(?:[Jj]['\u2019]|(?:[Jj]e|[Nn]ous|[Oo]n|[Tt]u|[Vv]ous|[Vv]oici) )(?!\w+ dit\b)"
)
"""How a sentence begins in which it is an object."""
OWNER = re.compile(r"\b(?:[Ss]on|[Ss]a|[Ss]es|[Ll]eurs?)\b")
"""What says that it is somebody's, who may be meant."""
SOMEBODY = re.compile(
    r" (?:(?:ne |n['\u2019]|m['\u2019]|me |te |t['\u2019]|nous |vous |y |s['\u2019]|se )*(?:adore|aime|appelle"
    r"|attend|boit|croit|demande|dit|dort|esp\xe8re|habite"
    r"|joue|mange|parle|pense|pr\xe9f\xe8re|rate|regarde|rentre|r\xe9pond|rit|sait|travaille|vend|veut|viendra|vient"
    r"|vit"
    r"|voulait|va (?:rater|venir|rentrer|\xeatre en retard))"
    r"|(?:\w+ ){1,3}(?:contente?|malade|fatigu\xe9e?|triste|f\xe2ch\xe9e?|furieu(?:x|se)|heureu(?:x|se)|n\xe9e?"
    r"|mari\xe9e?|ravie?|d\xe9\xe7ue?))\b"
)
"""What is behind a pronoun that is somebody."""


def with_things(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], original: str
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of the French `original` with *it* for what can be nothing but a thing there."""
    if languages != ("fr", "en") or HE_OR_SHE.search(text) is None or may_name_somebody(original):
        return text, spans  # as most texts
    changes = {
        match.span(): "It" if match["first"].isupper() else "it"
        for gender, pronoun, written in KINDS
        if written.search(text) is not None and _is_thing(original, gender, pronoun)
        for match in written.finditer(text)
    }
    found = sorted(changes)
    return rewritten(text, spans, found, [changes[span] for span in found]) if found else (text, spans)


def _is_thing(original: str, gender: str, pronoun: re.Pattern[str]) -> bool:
    """Whether the pronouns of a gender stand behind a sentence about a thing, and nothing that may be somebody has that
    gender."""
    pronouns = list(pronoun.finditer(original))
    if not pronouns or any(SOMEBODY.match(original, each.end()) for each in pronouns):
        return False
    start = pronouns[0].start()
    if CLAUSE.search(original[max(0, start - MOST_BEFORE) : start]) is None or OWNER.search(original, 0, start):
        return False
    found = named(original, gender)
    if not found or found[0] > start:
        return False
    return (found[0] == 0 and VERB.search(original, 0, start) is not None) or OBJECT.match(original) is not None
