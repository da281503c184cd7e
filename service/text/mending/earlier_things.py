"""*La* for an English *it* that stands for a thing of the sentence before: *The door is open. Close it.*

A model reads one sentence at a time, and takes *le*. Nothing is changed unless the text before names one thing, and
nobody, and the French name of the thing is feminine whatever the model chose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.typed.antecedents import gender_of_only_thing

TABLE = "en_fr"
FEMININE = "f"
ENDED = re.compile(r"[.!?] ?\Z")
_VERB = (
    r"(?:bought|borrow(?:ed)?|bring|brought|buy|carry|change|charge|check|clean(?:ed)?|close|collect|cut|decorate"
    r"|deliver(?:ed)?|drop(?:ped)?|dry|empty|find|fix(?:ed)?|fold|forgot|found|fill|hang|heat|install|iron|keep|leave"
    r"|left|lock|lose|lost|mend|move|open|ordered|pack|paint|park|pay|paid|post|print|pull|push|put|received?"
    r"|remove|repair(?:ed)?|replaced?|return(?:ed)?|sell|send|sent|serve|shut|sign|sold|stir|store|swap|taste|throw"
    r"|turn|unplug|warm|wash(?:ed)?|water|wear|wipe|wore)"
)
THING = re.compile(rf"\b{_VERB} it\b(?!'|\u2019)", re.IGNORECASE)
"""An *it* that can be nothing but a thing."""
IT = re.compile(r"\b[Ii]t(?:s|self)?\b")
OTHERS = re.compile(
    r"\b(?:an?|any|each|her|his|my|no|our|she|he|they|them|him|some|that|the|their|these|this|those|your)\b",
    re.IGNORECASE,
)
"""What another thing or somebody may stand behind, before an *it*."""
LE = re.compile(
    r"[a-z\xe0-\xff](?:e|s|z)-(?P<order>le)\b(?!-?l[\xe0a])"
    r"|(?<!-)\b(?:[Nn]e|n'y|[Jj]e|[Tt]u|[Oo]n|[Nn]ous|[Vv]ous|[Mm]e|[Tt]e|qui|[Ii]ls?|[Ee]lles?) (?P<object>le)"
    r" (?=[a-z\xe0-\xff]+)"
    r"|\b(?:de|\xe0|pour|sans|[Vv]euillez|devons|devez|veux|voulons|voulez|peux|peut|pouvons|pouvez|dois|doit|faut"
    r"|vais|vas|va|allons|allez|faire|pourriez|pourrais|[A-Za-z]+-(?:vous|tu|je|on|nous|il|elle)) "
    r"(?P<infinitive>le) (?=[a-z\xe0-\xff]+(?:er|ir|re|oir)\b)"
    r"|\b[Ll]['\u2019](?:ai|as|a|avons|avez|ont|avais|aviez|avait)(?:-(?:vous|tu|nous|elle|il))?"
    r"(?: (?:pas|bien|d\xe9j\xe0|jamais|toujours|encore|vraiment|trop|mal))* "
    r"(?!eu\b|fait\b)[a-z\xe0-\xff]+(?:\xe9|u|is|ert)(?P<participle>)(?![\w'\u2019-])"
)
"""A pronoun that stands for *it*, or the participle behind one."""


def with_feminine_things(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str, before: str
) -> tuple[str, Sequence[Stretch]]:
    """A French translation of the English sentence that was `read`, with objects of the gender of the only thing that
    stands `before` it."""
    thing = THING.search(read) if languages == ("en", "fr") and before else None
    if thing is None or ENDED.search(before) is None or OTHERS.search(read, 0, thing.start()):
        return text, spans  # as most texts
    if len(IT.findall(read)) != len(THING.findall(read)) or gender_of_only_thing(before, TABLE) != FEMININE:
        return text, spans
    found = list(LE.finditer(text))
    places = [match.span(match.lastgroup or 0) for match in found]
    return rewritten(text, spans, places, ["e" if start == end else "la" for start, end in places])
