"""Streets without a number: *the library on Station Road*, *rue des Tilleuls*. They stand as they are; a model
translates their words."""

from __future__ import annotations

import re

from service.text.spans.patterns import DIGIT
from service.text.spans.stretches import Stretch

KINDS = {
    "en": ("Avenue", "Boulevard", "Crescent", "Lane", "Road", "Street", "Terrace"),
    "fr": ("rue ", "avenue ", "boulevard ", "quai "),
}
_WORD = r"[A-Z\u00c0-\u00de][^\W\d_]*(?:['\u2019-][^\W\d_]+)*"
STREET = {
    "en": re.compile(
        r"\b(?:in|on|at|to|from|of|near|along|down|up|off|behind|opposite|and|onto|into|via|corner of|between"
        r"|[Tt]ake|[Ff]ollow|[Cc]ross) "
        r"(?!(?:The|This|That|My|Our|Your|A|An|One|Each|Every|Another|Sesame|Next|Some) |(?:Mr|Mrs|Ms|Miss|Dr"
        r"|Prof|Professor|Sir|Lady|Lord|Judge|Captain|Doctor|President)\b)"
        rf"(?P<name>(?:(?:[A-Z][\w'\u2019.-]*\s){{1,3}}|\d{{1,3}}(?:st|nd|rd|th)\s)(?:{'|'.join(KINDS['en'])}))\b"
        r"(?!\s[A-Z][a-z]+s?\b)"
    ),
    "fr": re.compile(
        r"\b(?<!\d )(?<!\d, )(?<!\b[Uu]ne )(?<!\b[Uu]n )(?<!\b[Cc]ette )(?<!\b[Cc]e )(?<!\b[Cc]haque )(?<!\b[Dd]es )"
        rf"(?P<name>(?:{'|'.join(KINDS['fr'])})(?:(?:de la |de l'|des |du |de |d')?{_WORD})"
        rf"(?:[ -](?:(?:de la |de l'|des |du |de |d')?{_WORD})){{0,3}})"
    ),
}
"""English ones behind a preposition or what one does with them: what follows with a capital may be the noun that the
name belongs to. French ones without a number before them, with which they are an address."""

FOREIGN = re.compile(
    r"\b\d{1,4}(?: ?(?:bis|ter|[a-zA-Z]))?,? "
    r"(?i:rue|avenue|boulevard|place|impasse|chemin|quai|all\u00e9e|cours|square)"
    rf" (?:du |des |de la |de l['\u2019]|de |d['\u2019]){_WORD}(?:[ -](?:(?:de la|de|du|des|la|le) )?{_WORD})*"
    r"|\b(?:Calle|Avenida|Plaza|Paseo|Carrer|Via|Viale|Piazza|Corso|Rua)"
    rf" (?:(?:de la|de los|de las|del|de|della|dei|di) )?{_WORD}(?: {_WORD}){{0,2}},? \d{{1,4}}(?=\s*(?:[,;)]|\.?\Z))"
)
"""French, Spanish and Italian ones with their numbers, in texts of other languages."""
FOREIGN_HINT = re.compile(r"[a-z\u00e9] d[eu'\u2019]|(?:le|za|nida|eo|rer|ia|sso|Rua) [A-Zd]")


def streets(text: str, source: str) -> list[Stretch]:
    """Where names of streets stand in a `source` text."""
    found = []
    if source != "fr" and DIGIT.search(text) is not None and FOREIGN_HINT.search(text) is not None:
        found = [match.span() for match in FOREIGN.finditer(text)]
    if source not in STREET or not any(map(text.__contains__, KINDS[source])):
        return found  # as most texts
    return found + [match.span("name") for match in STREET[source].finditer(text)]
