"""French infinitives that are about whoever reads them: *Comment choisir son v\xe9lo ?*, *Modifier son mot de passe*.

*Son* is the reader's there. Models take it for that of a man who is not mentioned.
"""

from __future__ import annotations

import re

from service.text.spans.normalise import NormalisedText, replaced

_INFINITIVE = r"(?!hier\b|notre\b|votre\b|leur\b|autre\b)[a-z\xe0-\xff]{1,20}(?:er|ir|re)"
_OWN = r"(?P<own>son|sa|ses)(?= [a-z\xe0-\xff])"
_BEFORE = (
    r"(?:ne pas |toujours |bien |mieux |vite |ne plus |faire |laisser |pouvoir |savoir |r\xe9ussir \xe0 |\xe9viter de )"
)
ASKED = re.compile(
    r"\A(?:[Ii]l (?:faut|suffit de|vaut mieux) "
    r"|[Ii]l est (?:\w{1,15}ment )?(?:important|possible|conseill\xe9|recommand\xe9|facile) de "
    rf"|(?:[Cc]omment|[Pp]ourquoi|[O\xd4o]\xf9|[Qq]uand|[Qq]ue) |(?:\d{{1,3}}|[Nn]os|[Qq]uelques|[Mm]es|[Ll]es) "
    rf"(?:\w{{1,12}} )?(?:conseils|astuces|id\xe9es|fa\xe7ons|r\xe8gles|\xe9tapes|raisons|erreurs|gestes|trucs|outils) "
    rf"(?:pour|de|d'|\xe0 \xe9viter pour) ?){_BEFORE}{{0,3}}{_INFINITIVE} {_OWN}"
)
"""A question or a heading with an infinitive, and its object."""
LABEL = re.compile(rf"\A(?=[A-Z\xc0-\xde])(?i:{_BEFORE}{{0,2}}(?:apprendre \xe0 )?{_INFINITIVE}) {_OWN}")
"""A label that begins with an infinitive."""
SENTENCE = re.compile(
    r"\.(?!\s*\Z)|[!;]|\b(?:a|ont|est|sont|\xe9tait|fut|peut|doit|sera|serait|avait"
    r"|devient|rend|reste|co\xfbte|demande|permet|fait|il|elle|on|ils|elles|qui|je|tu|lui|c'|l'a|n')\b"
)
"""What a label has that is a sentence, which may be about somebody."""
MOST_OF_A_LABEL = 60
"""Code points."""
YOURS = {"son": "votre", "sa": "votre", "ses": "vos"}


def with_readers_own(normalised: NormalisedText, language: str) -> NormalisedText:
    """A French text with *votre* and *vos* for the possessive of an infinitive that has no subject."""
    text = normalised.text
    if language != "fr" or " s" not in text:
        return normalised  # as most texts
    match = ASKED.match(text)
    if match is None and len(text) <= MOST_OF_A_LABEL and SENTENCE.search(text) is None:
        match = LABEL.match(text)
    return normalised if match is None else replaced(normalised, [match.span("own")], [YOURS[match["own"]]])
