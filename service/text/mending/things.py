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
    r"\A(?:[^,.]{1,20}, )?(?:[Jj]['\u2019]|(?:[Jj]e|[Nn]ous|[Oo]n|[Tt]u|[Vv]ous|[Vv]oici|[Oo]\xf9 est) )(?!\w+ dit\b)"
)
"""How a sentence begins in which it is an object, or is asked for."""
OWNER = re.compile(r"\b(?:[Ss]on|[Ss]a|[Ss]es|[Ll]eurs?)\b")
"""What says that it is somebody's, who may be meant."""
SOMEBODY = re.compile(
    r" (?:(?:ne |n['\u2019]|m['\u2019]|me |te |t['\u2019]|nous |vous |y |s['\u2019]|se )*(?:adore|aime|appelle"
    r"|attend|boit|croit|demande|dit|dort|esp\xe8re|habite"
    r"|joue|mange|parle|pense|pr\xe9f\xe8re|rate|regarde|rentre|r\xe9pond|rit|sait|travaille|vend|veut|viendra|vient"
    r"|vit"
    r"|voulait|va (?:rater|venir|rentrer|\xeatre en retard))"
    r"|(?:\w+ ){1,3}(?:adorable|contente?|d'accord|gentil(?:le)?|sympa|malade|fatigu\xe9e?|triste|f\xe2ch\xe9e?"
    r"|furieu(?:x|se)|heureu(?:x|se)|n\xe9e?"
    r"|mari\xe9e?|ravie?|d\xe9\xe7ue?))\b"
)
"""What is behind a pronoun that is somebody."""


GOES_ON = re.compile(
    r" (?:(?:ne |n['\u2019])?(?:est|\xe9tait|sera|a|avait|aura)(?: pas| plus| d\xe9j\xe0| encore| toujours)?+"
    r"(?! (?:\xe9t\xe9 (?:content|renvers|malade)|adore|adopt|ador\xe9|aim\xe9|all\xe9|arriv\xe9|bu|content|cri\xe9"
    r"|cru|d'accord|demand\xe9|dit|dormi|en (?:cong|train|vacances|r\xe9union|retard)|fait|fini|gagn\xe9|gentil"
    r"|l\xe0(?!-)|lu|mang\xe9|mort|oubli\xe9"
    r"|parti|pay\xe9|pens\xe9|perdu|plu|pleur\xe9|pris|pr\xeat|rentr\xe9|rest\xe9|revenu|r\xe9pondu|ri|sorti|s\xfbr"
    r"|sympa|toujours|tomb\xe9|trouv\xe9|venu|voulu|vu|\d))"
    r"|(?:ne |n['\u2019])?(?:(?:peut|doit|devra|pourra|va) \xeatre|co\xfbte(?:ra)?|commence(?:ra)?|dure(?:ra)?"
    r"|expire(?:ra)?|ferme(?:ra)?|ouvrira|rouvrira"
    r"|fonctionne|marche|contient|comprend|mesure|p\xe8se|vous attend"
    r"|t['\u2019]attend|se (?:bloque|ferme|trouve)|s['\u2019](?:allume|arr\xeate|\xe9teint|ouvre))\b)"
)
"""How a further sentence goes on that begins with its pronoun."""
GREETING = re.compile(r"\A(?:Bonjour|Bonsoir|Coucou|Salut)(?:,| !) (?=[lL])")
NAMED_ALONE = re.compile(r"\A[^.!?,]{1,40}\s?\?\s*\Z")
"""A question that only names a thing: *Le g\xe2teau ?*"""


def with_things(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], original: str, before: str = ""
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of the French `original` with *it* for what can be nothing but a thing there. What stands
    `before` it tells, too."""
    if languages != ("fr", "en") or HE_OR_SHE.search(text) is None:
        return text, spans  # as most texts
    changes = {
        match.span(): "It" if match["first"].isupper() else "it"
        for gender, pronoun, written in KINDS
        if written.search(text) is not None and _is_thing(original, before, gender, pronoun)
        for match in written.finditer(text)
    }
    found = sorted(changes)
    return rewritten(text, spans, found, [changes[span] for span in found]) if found else (text, spans)


def _is_thing(original: str, before: str, gender: str, pronoun: re.Pattern[str]) -> bool:
    """Whether the pronouns of a gender stand behind a sentence about a thing, and nothing that may be somebody has that
    gender."""
    pronouns = list(pronoun.finditer(original))
    if not pronouns or any(SOMEBODY.match(original, each.end()) for each in pronouns):
        return False
    start = pronouns[0].start()
    if start == 0:
        return GOES_ON.match(original, pronouns[0].end()) is not None and _is_about_thing(before, gender, pronoun)
    if CLAUSE.search(original[max(0, start - MOST_BEFORE) : start]) is None:
        return False
    until = original[: pronouns[-1].start()]
    if OWNER.search(original, 0, start) or may_name_somebody(before + until) or named(before, gender) is None:
        return False
    found = named(until, gender)
    if not found or found[0] > start:
        return False
    return (found[0] == 0 and VERB.search(original, 0, start) is not None) or OBJECT.match(original) is not None


def _is_about_thing(before: str, gender: str, pronoun: re.Pattern[str]) -> bool:
    """Whether a text is about a thing of a gender, and names nothing that may be somebody of that gender."""
    if not before or OWNER.search(before) or pronoun.search(before) or may_name_somebody(before):
        return False
    found = named(before, gender)
    if not found:
        return False
    if OBJECT.match(before) is not None:
        return True
    greeting = GREETING.match(before)
    return found[0] == (greeting.end() if greeting else 0) and (
        VERB.search(before) is not None or NAMED_ALONE.match(before) is not None
    )
