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
    rf"\b{_words('vous votre vos vôtres? vôtre')}\b|\b{_NO_VERBS}[a-zéèêîôû]{{2,}}ez\b"
    rf"|{_START}(?:{_NO_VERBS}[A-ZÉÈÊ][a-zéèêîôû]+ez|Faites|Dites)\b(?!,)"
)
_FRENCH_INFORMAL = re.compile(
    rf"\b{_words('tu te toi ta tes tiens? tiennes?')}\b|\b[Tt]'\w|(?<!\b[Ll]e )(?<!\b[UuCcDd][une] )\b[Tt]on\b"
    r"|\b(?!\w+tes-|\w+ons-)[A-Za-zéÉèê]+[esa]-(?:moi|toi|les?|la|lui|leur|nous|y|en)\b"
    rf"|{_START}(?:Ne |N')?{_FRENCH_ORDERS}\b(?! (?:de|des|du|d'))"
)
_GERMAN_FORMAL = re.compile(r"(?<=[\w,-] )(?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)\b")
_GERMAN_FIRST_YOU = re.compile(r"\b(?:Sie|Ihnen|Ihre[nmrs]?|Ihr(?! \w+t\b))\b")
"""At a sentence's start it may be *she* or *they*: formal where the source says *you*."""
_GERMAN_INFORMAL = re.compile(
    rf"\b{_words('du dich dir dein(?:e[nmrs]?)? euch euer eure[nmrs]? habt seid werdet könn(?:te)?t wollt(?:et)?')}\b"
    rf"|\b{_words('müsst(?:et)? solltet dürft wisst wäre?t hättet würdet')}\b|, ihr \w+t\b|{_START}{_GERMAN_ORDERS}e?\b"
)
_WORDS: dict[tuple[str, Formality], frozenset[str]] = {
    ("fr", "formal"): frozenset({"vous", "votre", "vos"}),
    ("fr", "informal"): frozenset({"tu", "te", "toi", "ton", "ta", "tes"}),
    ("de", "formal"): frozenset({"Sie", "Ihnen", "Ihr", "Ihre", "Ihren", "Ihrem", "Ihrer", "Ihres"}),
    ("de", "informal"): frozenset(
        {"du", "dich", "dir", "dein", "deine", "deinen", "deinem", "deiner", "deines", "euch"}
    ),
}
"""Words that are of one formality alone, but for *they* and *she* at the beginning of a German sentence."""
_VERB_END = re.compile(r"(?!.?(?:chez|assez|nez|rez)$)\W?\w*ez", re.IGNORECASE)
"""A piece of a vocabulary that ends a French verb of *vous*."""
SPACE = "\u2581"
"""Begins the pieces of a vocabulary that begin a word."""


def pieces_of(formality: Formality, language: str, pieces: Sequence[str]) -> list[int]:
    """The numbers of those of a vocabulary's `pieces` that make a French or German translation of that formality."""
    words = _WORDS.get((language, formality), frozenset())
    if (language, formality) != ("de", "formal"):  # whose words are capital ones
        words |= {word.capitalize() for word in words}
    found = {SPACE + word for word in words} | ({"vous"} & words)  # `-vous` follows a hyphen
    ends_verbs = (language, formality) == ("fr", "formal")
    return [i for i, piece in enumerate(pieces) if piece in found or (ends_verbs and _VERB_END.fullmatch(piece))]


def formality_of(translation: str, language: str, source: str = "") -> Formality | None:
    """How a French or German `translation` addresses its reader; None where it does not, does both, or does not show
    it. `source` is the English text, where it is known."""
    formal, informal = _found(translation, language, source)
    if formal == informal:
        return None
    return "formal" if formal else "informal"


def is_mixed(translation: str, language: str) -> bool:
    """Whether a French or German `translation` addresses its reader in both ways."""
    return all(_found(translation, language, ""))


def _found(translation: str, language: str, source: str) -> tuple[bool, bool]:
    """Whether something in it is formal, and whether something is informal."""
    if language == "fr":
        return _FRENCH_FORMAL.search(translation) is not None, _FRENCH_INFORMAL.search(translation) is not None
    if language != "de":
        return False, False
    formal, informal = (way.search(translation) is not None for way in (_GERMAN_FORMAL, _GERMAN_INFORMAL))
    if not formal and not informal and _YOU.search(source):
        formal = _GERMAN_FIRST_YOU.search(translation) is not None
    return formal, informal
