"""Formality: whether a translation says *tu* or *vous*, *du* or *Sie*, and the marks that ask a model for either.

English has one *you*, French and German have two. A mark is a private-use code point of the vocabulary at the end of
a source; training puts it behind pairs whose target shows its formality (side constraints, Sennrich et al. 2016,
N16-1005). French *vous* to several friends counts as formal, since nothing tells it from the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

Formality = Literal["formal", "informal"]
FORMALITY_MARKS: dict[Formality, str] = {"formal": "\ue010", "informal": "\ue011"}
"""What stands at the end of a source."""
MARKED_LANGUAGES = frozenset({"fr", "de"})
"""Targets that have the choice."""


def _words(words: str) -> str:
    """A pattern of any of `words`, with or without capitals."""
    return f"(?i:{'|'.join(words.split())})"


_VOUS, _TU = "vous votre vos", "tu te toi ta tes"
_SIE = "Sie Ihnen Ihr Ihre Ihren Ihrem Ihrer Ihres"
_DU = "du dich dir dein deine deinen deinem deiner deines euch"
_YOU = re.compile(rf"\b{_words('you your yours yourself')}\b")
_START = r"(?:^|(?<=[.!?:;…] )|(?<=[.!?…]  )|(?<=[\"«„“(]))\W*"
"""Where a sentence begins."""
_NO_VERBS = r"(?!(?i:chez|assez|nez|rez)\b)"
_FRENCH_ORDERS = _words(
    "va viens fais prends dis mets sois aie attends écoute regarde laisse donne ferme ouvre arrête appelle envoie "
    "essaie oublie reviens apporte arrose réponds éteins achète choisis cherche préviens"
)
_GERMAN_ORDERS = _words(
    "mach komm geh sei lass gib nimm hilf sieh schau lies iss vergiss sprich wirf triff halt bleib hör sag frag denk "
    "warte ruf setz bring zieh schreib kauf versuch öffne schließ zeig stell leg hol pass meld beeil"
)
"""What a sentence to somebody addressed by *tu* or *du* may begin with."""
_FRENCH_FORMAL = re.compile(
    rf"\b{_words(_VOUS + ' vôtres?')}\b|\b{_NO_VERBS}[a-zéèêîôû]{{2,}}ez\b"
    rf"|{_START}(?:{_NO_VERBS}[A-ZÉÈÊ][a-zéèêîôû]+ez|Faites|Dites)\b(?!,)"
)
_FRENCH_INFORMAL = re.compile(
    rf"\b{_words(_TU + ' tiens? tiennes?')}\b|\b[Tt]'\w|(?<!\b[Ll]e )(?<!\b[UuCcDd][une] )\b[Tt]on\b"
    r"|\b(?!\w+tes-|\w+ons-)[A-Za-zéÉèê]+[esa]-(?:moi|toi|les?|la|lui|leur|nous|y|en)\b"
    rf"|{_START}(?:Ne |N')?{_FRENCH_ORDERS}\b(?! (?:de|des|du|d'))"
)
_GERMAN_FORMAL = re.compile(rf"(?<=[\w,-] )(?:{_SIE.replace(' ', '|')})\b")
_GERMAN_FIRST_YOU = re.compile(rf"\b(?!Ihr \w+t\b)(?:{_SIE.replace(' ', '|')})\b")
"""At a sentence's start it may be *she* or *they*: formal where the source says *you*."""
_GERMAN_INFORMAL = re.compile(
    rf"\b{_words(_DU + ' euer eure[nmrs]? habt seid werdet könn(?:te)?t wollt(?:et)?')}\b"
    rf"|\b{_words('müsst(?:et)? solltet dürft wisst wäre?t hättet würdet')}\b|, ihr \w+t\b|{_START}{_GERMAN_ORDERS}e?\b"
)
_PATTERNS: dict[str, dict[Formality, re.Pattern[str]]] = {
    "fr": {"formal": _FRENCH_FORMAL, "informal": _FRENCH_INFORMAL},
    "de": {"formal": _GERMAN_FORMAL, "informal": _GERMAN_INFORMAL},
}
_PRONOUNS: dict[tuple[str, Formality], str] = {
    ("fr", "formal"): _VOUS,
    ("fr", "informal"): f"{_TU} ton",  # which may be a tone
    ("de", "formal"): _SIE,
    ("de", "informal"): _DU,
}
"""Words that are of one formality alone, but for *they* and *she* at the beginning of a German sentence."""
_VERB_END = re.compile(r"(?!.?(?:chez|assez|nez|rez)$)\W?\w*ez", re.IGNORECASE)
"""A piece of a vocabulary that ends a French verb of *vous*."""
_SPACE = "\u2581"
"""Begins the pieces of a vocabulary that begin a word."""


def pieces_of(formality: Formality, language: str, pieces: Sequence[str]) -> list[int]:
    """The numbers of those of a vocabulary's `pieces` that make a French or German translation of that formality."""
    words = set(_PRONOUNS.get((language, formality), "").split())
    if (language, formality) != ("de", "formal"):  # whose words are capital ones
        words |= {word.capitalize() for word in words}
    found = {_SPACE + word for word in words} | ({"vous"} & words)  # `-vous` follows a hyphen
    ends_verbs = (language, formality) == ("fr", "formal")
    return [i for i, piece in enumerate(pieces) if piece in found or (ends_verbs and _VERB_END.fullmatch(piece))]


def ways_of(translation: str, language: str, source: str = "") -> set[Formality]:
    """In which ways a French or German `translation` addresses its reader: none, where it does not or does not show it,
    or one, or both. `source` is the English text, where it is known."""
    if language not in MARKED_LANGUAGES:
        return set()
    found: set[Formality] = {way for way, pattern in _PATTERNS[language].items() if pattern.search(translation)}
    if language == "de" and not found and _YOU.search(source) and _GERMAN_FIRST_YOU.search(translation):
        return {"formal"}
    return found


def formality_of(translation: str, language: str, source: str = "") -> Formality | None:
    """The one way of `ways_of`; None where there are none or both."""
    found = ways_of(translation, language, source)
    return found.pop() if len(found) == 1 else None
