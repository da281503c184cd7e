"""*It* for things, in English translations of French: *The train is late, it will arrive at 18:42*, not *he*.

*Il* and *elle* are things as well as people. Where a text names nothing of the gender but things, they are none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.names.things import FEMININE, MASCULINE, NAMED, VAGUE, may_name_somebody, named, things
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
    r"|attend(?! (?:en|au|\xe0|chez|dans)\b)|boit|croit|demande|dit|dort|esp\xe8re|habite"
    r"|joue|mange|parle|pense|pr\xe9f\xe8re|rate|regarde|rentre|r\xe9pond|rit|sait|travaille|vend|veut|viendra|vient"
    r"|vit"
    r"|voulait|va (?:rater|venir|rentrer|\xeatre en retard))"
    r"|(?:\w+ ){1,3}(?:adorable|contente?|d'accord|gentil(?:le)?|sympa|malade|fatigu\xe9e?|triste|f\xe2ch\xe9e?"
    r"|furieu(?:x|se)|heureu(?:x|se)|n\xe9e?"
    r"|amoureu(?:x|se)|assise?|bless\xe9e?|debout|enceinte|endormie?|inqui(?:et|\xe8te)|jalou(?:x|se)|nerveu(?:x|se)"
    r"|seule?|timide|mari\xe9e?|ravie?|d\xe9\xe7ue?))\b"
)
"""What is behind a pronoun that is somebody."""


GOES_ON = re.compile(
    r" (?:(?:ne |n['\u2019])?(?:est|\xe9tait|sera|a|avait|aura)(?: pas| plus| d\xe9j\xe0| encore| toujours)?+"
    r"(?! (?:\xe9t\xe9 (?:content|renvers|malade)|adore|adopt|ador\xe9|aim\xe9|all\xe9"
    r"|arriv\xe9(?!e? (?:ab\xeem|cass|endommag|incompl|ray|rapidement))|bu|content|cri\xe9"
    r"|cru|d'accord|demand\xe9|dit|dormi|en (?:cong|train|vacances|r\xe9union|retard)|fait|fini|gagn\xe9|gentil"
    r"|l\xe0(?!-)|lu|mang\xe9|mort|oubli\xe9"
    r"|parti|pay\xe9|pens\xe9|perdu|plu|pleur\xe9|pris"
    r"|pr\xeat(?!e? (?:\xe0|dans|demain|vers) )|rentr\xe9|rest\xe9(?!e? (?:allum|au garage|bloqu|coinc|ferm|ouvert))"
    r"|revenu|r\xe9pondu|ri|sorti|s\xfbr"
    r"|d\xe9croch|raccroch|rat\xe9|entr|mont\xe9|descend|travers|saut|cour|march\xe9 (?!\d|deux|trois|un)|chant"
    r"|dans\xe9|nag|ferm\xe9 les yeux"
    r"|appel|t\xe9l\xe9phon|\xe9cri|achet|vend|choisi|essay|regard|\xe9cout|cherch|mis\b|pos\xe9|laiss|quitt"
    r"|rencontr|souri"
    r"|hoch|hauss|lev\xe9|reconnu|accept|refus|d\xe9cid|promis|expliqu|racont|ramass|saisi|sursaut|attendu|entendu"
    r"|sympa|toujours|tomb\xe9|trouv\xe9|venu|voulu|vu|\d))"
    r"|(?:ne |n['\u2019])?(?:(?:peut|doit|devra|pourra|va) \xeatre|co\xfbte(?:ra)?|commence(?:ra)?(?! \xe0)|dure(?:ra)?"
    r"|expire(?:ra)?|ferme(?:ra)?(?! (?:l[ae]s?|une?|des)\b| l')|ouvrira|rouvrira"
    r"|chauffe|consomme|\xe9claire|rouille|grince|fuit|clignote|d\xe9borde"
    r"|fonctionne|marche(?! (?:dans|vite|lentement|vers|le long|jusqu))"
    r"|contient|comprend|mesure|p\xe8se|vous attend|te va|lui va|doit avoir"
    r"|taille (?:un peu |tr\xe8s |trop )?(?:grand|petit)|(?:(?:me|nous) )?pla\xeet"
    r"|fai(?:t|sait) (?:(?:un|trop de|beaucoup de|peu de|du|pas de) )?(?:bruit|des (?:bruits|traits|taches))|existe en"
    r"|t['\u2019]attend|se (?:bloque|ferme|lit|nettoie|trouve|vend)|s['\u2019](?:allume|arr\xeate|\xe9teint|ouvre))\b)"
)
"""How a further sentence goes on that begins with its pronoun."""
GREETING = re.compile(r"\A(?:Bonjour|Bonsoir|Coucou|Salut)(?:,| !) (?=[lL])")
BARE = re.compile(
    r"\A(?:(?:Tr\xe8s |Vraiment )?(?:[Bb]eau|[Bb]el|[Bb]elle|[Bb]on|[Bb]onne|[Ee]xcellente?|[Gg]rande?|[Jj]olie?"
    r"|[Mm]agnifique|[Pp]etite?|[Ss]uper|[Ss]uperbe|[Tt]r\xe8s|[Vv]ieux|[Vv]ieille) ){1,3}(?P<noun>[\w-]+)"
)
"""What a review begins with: *Tr\xe8s bon aspirateur.*"""
NOT_ABOUT = re.compile(r"\b(?:je|j['\u2019]|tu|nous|vous|on|ils|elles|lui|eux|qui)\b|[:;\n]")
"""What is in a text that may be about somebody, though it begins with a thing."""
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
        goes_on = GOES_ON.match(original, pronouns[0].end()) is not None and OWNER.search(original) is None
        return goes_on and _is_about_thing(before, gender, pronoun)
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
    bare = BARE.match(before)
    names = before[bare.start("noun") :] if bare else before
    if not before or OWNER.search(before) or pronoun.search(before) or may_name_somebody(names):
        return False
    found = named(before, gender)
    if bare is not None and found is not None:
        return bare["noun"] in things()[gender]
    if not found:
        return False
    if OBJECT.match(before) is not None:
        return True
    greeting = GREETING.match(before)
    start = greeting.end() if greeting else 0
    if found[0] != start or NOT_ABOUT.search(before) is not None:
        return found[0] == start and NAMED_ALONE.match(before) is not None
    subject = NAMED.match(before, start)
    is_vague = subject is not None and (subject["noun"] or subject["elided"]).lower() in VAGUE
    return not is_vague or VERB.search(before) is not None
