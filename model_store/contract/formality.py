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

_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_START = r"(?:^|(?<=[.!?:;\u2026] )|(?<=[.!?\u2026]  )|(?<=[\"\u00ab\u201e\u201c(]))\W*"
"""Where a sentence begins."""

_FRENCH_FORMAL = re.compile(
    r"\b(?:[Vv]ous|[Vv]otre|[Vv]os|v\u00f4tres?)\b"
    r"|\b(?!chez\b|assez\b|nez\b|rez\b)[a-z\u00e9\u00e8\u00ea\u00ee\u00f4\u00fb]{2,}ez\b"
    rf"|{_START}(?:(?!Chez\b|Assez\b|Nez\b)[A-Z\u00c9\u00c8\u00ca][a-z\u00e9\u00e8\u00ea\u00ee\u00f4\u00fb]+ez|Faites|Dites)\b(?!,)"
)
_FRENCH_INFORMAL = re.compile(
    r"\b(?:[Tt]u|[Tt]e|[Tt]oi|[Tt]a|[Tt]es|[Tt]ien(?:ne)?s?)\b|\b[Tt]'\w|(?<!\b[Ll]e )(?<!\b[UuCcDd][une] )\b[Tt]on\b"
    r"|\b(?!\w+tes-|\w+ons-)[A-Za-z\u00e9\u00c9\u00e8\u00ea]+[esa]-(?:moi|toi|les?|la|lui|leur|nous|y|en)\b"
    rf"|{_START}(?:Ne |N')?(?:[Vv]a|[Vv]iens|[Ff]ais|[Pp]rends|[Dd]is|[Mm]ets|[Ss]ois|[Aa]ie|[Aa]ttends"
    r"|[\u00c9\u00e9]coute|[Rr]egarde|[Ll]aisse|[Dd]onne|[Ff]erme|[Oo]uvre|[Aa]rr\u00eate|[Aa]ppelle|[Ee]nvoie|[Ee]ssaie|[Oo]ublie|[Rr]eviens"
    r"|[Aa]pporte|[Aa]rrose|[Rr]\u00e9ponds|[\u00c9\u00e9]teins|[Aa]ch\u00e8te|[Cc]hoisis|[Cc]herche|[Pp]r\u00e9viens)\b"
    r"(?! (?:de|des|du|d'))"
)
_GERMAN_FORMAL = re.compile(r"(?<=[\w,-] )(?:Sie|Ihnen|Ihr(?:e[nmrs]?)?)\b")
_GERMAN_FIRST_YOU = re.compile(r"\b(?:Sie|Ihnen|Ihre[nmrs]?|Ihr(?! \w+t\b))\b")
"""At a sentence's start it may be *she* or *they*: formal where the source says *you*."""
_GERMAN_INFORMAL = re.compile(
    r"\b(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[nmrs]?)?|[Ee]uch|[Ee]uer|[Ee]ure[nmrs]?"
    r"|[Hh]abt|[Ss]eid|[Ww]erdet|[Kk]\u00f6nn(?:te)?t|[Ww]ollt(?:et)?|[Mm]\u00fcsst(?:et)?|[Ss]olltet|[Dd]\u00fcrft|[Ww]isst|[Ww]\u00e4re?t|[Hh]\u00e4ttet|[Ww]\u00fcrdet)\b|, ihr \w+t\b"
    rf"|{_START}(?:[Mm]ach|[Kk]omm|[Gg]eh|[Ss]ei|[Ll]ass|[Gg]ib|[Nn]imm|[Hh]ilf|[Ss]ieh|[Ss]chau|[Ll]ies|[Ii]ss|[Vv]ergiss"
    r"|[Ss]prich|[Ww]irf|[Tt]riff|[Hh]alt|[Bb]leib|[Hh]\u00f6r|[Ss]ag|[Ff]rag|[Dd]enk|[Ww]arte|[Rr]uf|[Ss]etz|[Bb]ring"
    r"|[Zz]ieh|[Ss]chreib|[Kk]auf|[Vv]ersuch|[\u00d6\u00f6]ffne|[Ss]chlie\u00df|[Zz]eig|[Ss]tell|[Ll]eg|[Hh]ol|[Pp]ass|[Mm]eld|[Bb]eeil)e?\b"
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
