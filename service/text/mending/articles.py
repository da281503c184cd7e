"""English *a* and *an* as the sound behind them asks: *an Audi*, *an allowance*.

A model that reads a placeholder, or spells a word, does not know how that begins, and writes *a*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

ARTICLE = re.compile(
    r"(?:(?<=[a-z,;:(\"\u201c\u2013-] )|(?<=[(\"\u201c])|\A)(?<!\bvitamin )(?<!\bplan )(?<!\boption )(?<!\bgroup )"
    r"(?<!\bclass )(?<!\btype )(?<!\bgrade )(?<!\bpoint )(?<!\bletter )(?<!\bto )(?<!\bteam )(?<!\bside )"
    r"(?:an?|An?(?= [^A-Z])|A(?= [A-Z][\w-]+ [a-z]))(?= (?P<word>[^\s.,;:!?)]+))"
)
"""The article behind a word in lower case or a sign, or at the beginning; what a letter may number is left alone."""
MAY_BE_WRONG = re.compile(r"[Aa](?<!\w[Aa])(?: (?:[^b-gj-np-tv-zB-DF-HJ-NP-TV-Z\d\s]|8|1[18]\b)|n [^aeioAEIO])")
"""Found quickly in every text with an article that does not fit."""
NO_NOUN = re.compile(
    r"(?:and|or|is|are|in|on|at|as|of|if|it|its|either|else|equals|also|above|after|all|am|an|any|into|onto|over|under"
    r"|until|unless|upon|our|us|about|across|along|around|away|again|off|out|up|only|even|instead|der|die|den|dem)\b"
)
"""Words that no article stands before: *a* is a letter there, or *an* is German."""
VOWEL = re.compile(
    r"(?:[aioAIO](?!ne\b|ne-|nce\b|uija)|[eE](?!u[a-z]|w[ae])"
    r"|[uU](?:n(?!i|es?c)|nin|nim|nid|p[a-z]|m|g[lh]|l[tc]|rb|rg|tt|sh))[\w-]|8|11(?!\d)|18(?!\d)|h(?:our|onest|onou?r|eir)"
)
"""How what has *an* begins for certain."""
CONSONANT = re.compile(
    r"(?:[bcdfgjklmnpqrstvwyz][a-z]*[aeiou]|[BCDFGJKLMNPQRSTVWYZ](?:[aeiouy]|[lrhwn][aeiouy]))[a-z]{2}"
)
"""How what has *a* begins: words, not letters that are spelt as in *an FBI agent* and *an mp3*."""


def with_sounds(
    text: str, spans: Sequence[Stretch], language: str, copies: Sequence[tuple[str, str]]
) -> tuple[str, Sequence[Stretch]]:
    """An English translation with *an* before vowels and *a* before consonants; others as they are. `copies` are each
    placeholder that it may have, and the text that it stands for."""
    if language != "en" or MAY_BE_WRONG.search(text) is None:
        return text, spans  # as most texts
    changes = [change for match in ARTICLE.finditer(text) if (change := _changed(match, copies)) is not None]
    return rewritten(text, spans, *zip(*changes, strict=True)) if changes else (text, spans)


def _changed(match: re.Match[str], copies: Sequence[tuple[str, str]]) -> tuple[Stretch, str] | None:
    """Where an article stands that does not fit what follows, and the one that does."""
    word = match["word"].lstrip("\"'\u201c\u2018(")
    words = [copy for sign, copy in copies if word[:1] == sign] or [word]
    article = match.group()
    is_an = article.endswith("n")
    pattern = CONSONANT if is_an else VOWEL
    if NO_NOUN.match(word) or not all(pattern.match(each) for each in words):
        return None
    return match.span(), article[0] if is_an else article + "n"
