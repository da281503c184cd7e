"""*Le* and *la* for an English *it*, as the thing wants it that a French translation has named: *Imprimez
l'\xe9tiquette et collez-la*, not *collez-le*.

English says nothing of the gender, and models take *le* where the verb is an order or an infinitive.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.things import FEMININE, MASCULINE, genders_before
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

IT = re.compile(r"\b[Ii]t\b")
PEOPLE = re.compile(r"\b(?:[Hh]e|[Hh]im|[Hh]er|[Ss]he)\b")
SAME = re.compile(
    r"\b(?:[Cc]lean|[Cc]ook|[Cc]over|[Dd]ry|[Ff]old|[Kk]nead|[Pp]ut|[Rr]inse|[Rr]oll|[Ss]tir|[Ww]ash|[Ww]rap) it"
    r"(?: (?:in|into|on|over|under|up|with|for|from|until|at) [a-z ]{1,40}?)?,? (?:and|then) (?:then )?"
    r"(?:bake|cook|cover|cut|dry|fold|hang|keep|knead|leave|let|place|put|roll|rinse|serve|stir|store|wrap) it\b"
)
"""Two steps with one thing."""
STEPS = re.compile(r"[a-z\xe0-\xff](?:e|s|z)-(?P<pronoun>l[ea])\b(?!-?l[\xe0a])")
HINT = re.compile(
    r"-l[ea]\b|\b(?:de|\xe0|veuillez|devons|devez|veux|voulons|peux|peut|pouvons|pouvez|dois|doit"
    r"|faut) l[ea] |\bl'(?:ai|as|avons|avez) "
)
_FACTS = r"(?:dire|savoir|croire|faire|r\xe9p\xe9ter|prouver|refaire|comprendre|voir|permettre)"
_ORDERS = (
    r"(?:[Dd]i(?:s|tes)|[Ff]ai(?:s|tes)|[Ss]ach(?:e|ez|ons)|[Cc]roi(?:s|yez)"
    r"|[Rr]\xe9p\xe8te|[Rr]\xe9p\xe9tez|[Dd]isons|[Ff]aisons|[Rr]efai(?:s|tes)|[Vv]o(?:is|yez)|[Pp]rouvez?)"
)
SITE = re.compile(
    rf"(?!{_ORDERS}-)\b[\w]+(?:e|s|z)-(?P<order>l[ea])\b(?!-?l[\xe0a])"
    rf"|\b(?:de|\xe0|veuillez|[Vv]euillez|devons|devez|veux|voulons|peux|peut|pouvons"
    r"|pouvez|dois|doit|faut) "
    rf"(?P<object>le) (?!{_FACTS}\b)(?P<verb>[a-z\xe9\xe8]+(?:er|ir|re|oir))\b"
    r"|\bavant de (?P<wrong>la) (?=[a-z\xe9\xe8]+(?:er|ir|re|oir)\b)"
    r"|\bl'(?:ai|as|avons|avez) (?:d\xe9j\xe0 |bien |toujours |pas )?"
    r"(?!p[ar]ss\xe9 )[a-z\xe9\xe8]+\xe9(?P<participle>)(?![\w'-])"
)
"""Where a translation has a pronoun that stands for *it*, or a participle behind one."""
SUBJECT = re.compile(
    r"(?:, (?:mais |et |car )?| mais | et | car |qu['\u2019]|quand |lorsqu['\u2019]"
    r"|une fois qu['\u2019])(?P<pronoun>elle|il)"
    r" (?:n['\u2019]|ne )?(?:est|\xe9tait|sera|serait|soit|a \xe9t\xe9|avait \xe9t\xe9)(?: pas| plus"
    r"| jamais)?(?: encore| d\xe9j\xe0| bien)? "
    r"(?P<participle>[a-z\xe0-\xff]{3,}[\xe9iu])(?P<ending>e?)(?![\w'\u2019-])(?! (?:que|de)\b| qu['\u2019]"
    r"| d['\u2019])"
)
"""A thing as a subject, with what agrees with it."""
SUBJECTS = {"elle": (FEMININE, "e", "il", ""), "il": (MASCULINE, "", "elle", "e")}
"""By pronoun: its gender and ending, and those of the other gender."""
GENDER = {"le": MASCULINE, "la": FEMININE, "": MASCULINE}
OTHER = {"le": "la", "la": "le", "": "e"}
NO_INFINITIVE = frozenset(
    ("livre", "verre", "d\xeener", "d\xe9jeuner", "papier", "dossier", "fichier", "panier", "titre")
)


def with_pronouns_of_things(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A French translation of the English text that was `read`, with object pronouns of the gender of the only thing
    that stands before them."""
    if languages != ("en", "fr") or IT.search(read) is None or PEOPLE.search(read) is not None:
        return text, spans  # as most texts
    changes = _subjects(text) + _steps(text, read)
    if not changes and HINT.search(text) is None:
        return text, spans
    for match in SITE.finditer(text):
        group = next(name for name in ("order", "object", "wrong", "participle") if match[name] is not None)
        pronoun = match[group]
        if (match.span(group), "la") in changes:
            continue
        if match["verb"] not in NO_INFINITIVE and _is_other(text, match.start(), GENDER[pronoun]):
            changes.append((match.span(group), OTHER[pronoun]))
    changes.sort()
    return rewritten(text, spans, *zip(*changes, strict=True)) if changes else (text, spans)


def _steps(text: str, read: str) -> list[tuple[Stretch, str]]:
    """The second pronoun of two steps with one thing, the first of which is *la*, as no model has it for nothing."""
    found = list(STEPS.finditer(text))
    is_one = len(found) == 2 and [match["pronoun"] for match in found] == ["la", "le"]
    return [(found[1].span("pronoun"), "la")] if is_one and SAME.search(read) else []


def _subjects(text: str) -> list[tuple[Stretch, str]]:
    """What is wrong of subjects and their participles."""
    changes = []
    for match in SUBJECT.finditer(text):
        gender, ending, other, other_ending = SUBJECTS[match["pronoun"]]
        if match["ending"] == ending and _is_other(text, match.start("pronoun"), gender):
            changes += [(match.span("pronoun"), other), (match.span("ending"), other_ending)]
    return changes


def _is_other(text: str, end: int, gender: str) -> bool:
    """Whether all nouns before `end` have the other gender, and one of them is a thing that may be meant."""
    found = genders_before(text, end)
    if found is None:
        return False
    return all(each != gender for each, _ in found) and any(is_thing for _, is_thing in found)
