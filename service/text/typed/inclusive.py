"""Words with a further ending, which no model has read: *étudiant·e*, *message(s)*, *Leser:innen*.

Words of both genders are read as one of them, words of both numbers as a plural.
"""

from __future__ import annotations

import re

from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.stretches import as_capital

DOT = r"[\xb7\u2022\u2027]"
FEMININE = (
    r"(?:e|ne|le|te|ve|se|re|che|que|sse|ale|\xe8re|i\xe8re|eure|euse|rice|trice|esse|elle|enne|ienne|onne|ive|ette)"
)
ENDING = re.compile(rf"(?<=[^\W\d_]){DOT}(?:{FEMININE}(?:{DOT}?s)?|s)(?!\w|{DOT})")
"""The further ending of a word: *·e* of *étudiant·e*, *·rice·s* of *acteur·rice·s*."""


PLURAL = {
    "en": re.compile(r"(?<=[a-z]{3})\((?P<kept>e?s)\)(?!\w)"),
    "fr": re.compile(r"(?<=[^\W\d_]{2})\((?P<kept>s|(?<=u\()x)\)(?!\w)"),
    "de": re.compile(r"(?<=[a-z\u00df-\u00ff]{3})\((?P<kept>en|n|e|er|s)\)(?!\w)"),
}
"""An ending of the plural in brackets: *file(s)*, *lieu(x)*, *Nachricht(en)*."""
GENDER = {
    "fr": re.compile(rf"(?<=[^\W\d_])\({FEMININE}(?P<kept>s?)\)(?P<kept_behind>s?)(?!\w)"),
    "de": re.compile(
        r"(?<=[a-z\u00df-\u00ff])(?:[*:_]|/-?)(?:innen|in)\b|(?<=[a-z\u00df-\u00ff])\((?:innen|in)\)(?!\w)"
    ),
}
"""An ending of the feminine: *élu(e)s*, *Kund*innen*, *Lehrer/innen*."""
MASCULINE = re.compile(
    r"(?:(?<=[a-z\u00df-\u00ff]e)/-?(?P<kept>n)\b|\b(?:[Ee]in|[Jj]ed|[Kk]ein|[Dd]ies|[Ll]ieb|[Mm]ein|[Uu]nser)e"
    r"(?P<all>/-?(?P<kept_r>r)\b|\((?P<kept_behind>r)\)(?!\w)))"
)
"""An ending of the masculine behind a German word in the feminine: *eine/n*, *Jede(r)*."""
ARTICLES = re.compile(r"(?<!/)\b(?P<first>[Dd])(?:er/[Dd]ie|ie/[Dd]er)\b(?!/)")
"""Both articles of a German noun."""

_PAIRS = (
    "le/la|la/le|le/les|la/les|un/une|une/un|un/des|une/des|du/de la|de la/du|du/des|au/\u00e0 la|\u00e0 la/au|au/aux"
    "|son/sa|sa/son|son/ses|sa/ses|mon/ma|ma/mon|mon/mes|ma/mes|ton/ta|ta/ton|ton/tes|ta/tes|ce/cet|ce/cette|cet/cette"
    "|cette/ce|cette/cet|ce/ces|cette/ces|votre/vos|notre/nos|leur/leurs|tous/toutes|toutes/tous|chacun/chacune"
    "|chacune/chacun|celui/celle|celle/celui|ceux/celles|celles/ceux|aucun/aucune|quel/quelle|quels/quelles"
)
DETERMINERS = re.compile(
    rf"(?<![\w/'\u2019-])(?i:(?=(?:{_PAIRS})\s)(?P<first>\w+(?: la)?)/(?P<last>de la|\u00e0 la|\w+))(?=\s)(?!\s/)"
    r"(?P<both>\s[^\W\d_]+[(/\xb7])?"
)
"""Two determiners of a French noun; `both`: the noun has both genders, too."""
PRONOUNS = re.compile("c(?:eux|elui|hacun)|tous|aucun", re.IGNORECASE)
"""Masculine ones of such pairs, which may stand without a noun."""
FEMININES = frozenset(
    ("la", "une", "de la", "\u00e0 la", "sa", "ma", "ta", "cette", "toutes", "chacune", "celle", "celles", "aucune")
)


def with_one_ending(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text with one ending of words that have two: *messages* for *message(s)*, *Leser* for *Leser:innen*."""
    text = normalised.text
    if "(" not in text and not (("in" in text and language == "de") or ("/" in text and language != "en")):
        return normalised  # as most texts
    found: dict[tuple[int, int], str] = {}
    if language in PLURAL:
        found |= {match.span(): match["kept"] for match in PLURAL[language].finditer(text)}
    if language in GENDER:
        found |= {match.span(): _masculine(match, language) for match in GENDER[language].finditer(text)}
    if language == "de" and ("/" in text or "(" in text):
        for match in MASCULINE.finditer(text):
            found[match.span("all" if match["all"] else 0)] = match["kept"] or "r"
        found |= {match.span(): f"{match['first']}er" for match in ARTICLES.finditer(text)}
    if language == "fr" and "/" in text:
        found |= {(match.start(), match.end("last")): _determiner(match) for match in DETERMINERS.finditer(text)}
    return replaced(normalised, sorted(found), [found[span] for span in sorted(found)]) if found else normalised


def _masculine(match: re.Match[str], language: str) -> str:
    """What stands for a feminine ending: the plural's s in French; in German *en* where the word is no whole one."""
    if language == "fr":
        return match["kept"] or match["kept_behind"]
    is_plural = "innen" in match.group()
    return "en" if is_plural and not match.string[: match.start()].endswith("er") else ""


def _determiner(match: re.Match[str]) -> str:
    """One of two determiners: the one beside the noun; the masculine one where that has both genders or there is
    none."""
    first, last = match["first"], match["last"]
    is_for_both = match["both"] is not None or PRONOUNS.match(first) or PRONOUNS.match(last)
    word = first if is_for_both and last.lower() in FEMININES else last
    return as_capital(word, first)


def without_further_endings(normalised: NormalisedText) -> NormalisedText:
    """The text without the second gender of its words: *étudiant·e·s* becomes *étudiants*.

    The letter before an ending stands for it too, or for all but the plural's s.
    """
    endings = list(ENDING.finditer(normalised.text))
    if not endings:
        return normalised
    text, starts, ends = normalised.text, list(normalised.starts), list(normalised.ends)
    for match in reversed(endings):
        first, last = match.span()
        if text[last - 1] == "s" and text[first - 1] not in "sx":
            last -= 1
        ends[first - 1] = ends[last - 1]
        text = text[:first] + text[last:]
        del starts[first:last], ends[first:last]
    return NormalisedText(text, starts, ends)
