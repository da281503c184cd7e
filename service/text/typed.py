"""Signs that people type, or paste unseen, in place of those that a model knows.

*it´s* (an acute accent) and *geht`s* (a grave one) have an apostrophe; *co-operation* from a page may have a soft
hyphen that nobody sees. A model knows none of these signs: it would copy the whole word, and a negation with it. It
knows one form of quotation marks for each language.
"""

from __future__ import annotations

import re

from model_store.contract.quotation import quotation_changes
from service.text.fixed import free
from service.text.normalise import NormalisedText, replaced

APOSTROPHE = re.compile(r"(?<=[^\W\d_])[\u00b4\u2018\u201b\u02bc\u02b9\u2032\uff07](?=[^\W\d_])")
"""Between two letters these can be nothing else."""
GRAVE = re.compile(r"(?<=[^\W\d_])`(?=[^\W\d_])")
"""So can a grave accent that is the only one: two enclose code."""
SINGLE = re.compile(
    r"(?<![^\s(\[/\u2013\u2014-])(?P<opening>['\u2018])(?!(?i:tis|twas|til|em|cause|bout|round|n|s|d|ll|re|ve|m|t)\b)"
    r"(?=[^\W\d_])[^'\u2018\u2019\"\n]*(?:(?<=\w)['\u2019](?=\w)[^'\u2018\u2019\"\n]*)*"
    r"(?<=[\w.!?,\u2026)])(?P<closing>['\u2019])(?!\w)"
)
"""Words between single quotation marks; apostrophes stand between letters."""
IS_CODE = re.compile(r"\w\('|=\s?'|'\s*:\s*'|','")
"""Text of programs, whose quotation marks are no punctuation."""
UNSEEN = re.compile(r"\u00ad|(?<=[^\W\d_])[\ufe0e\ufe0f]")
"""A soft hyphen; a selector of a letter's form."""


def as_known(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with apostrophes for what stands for them, and without unseen signs."""
    text = normalised.text
    if text.isascii() and "`" not in text:
        return normalised  # as most texts
    apostrophes = [match.span() for match in APOSTROPHE.finditer(text)]
    if text.count("`") == 1:
        apostrophes += [match.span() for match in GRAVE.finditer(text)]
    found = sorted([*apostrophes, *(match.span() for match in UNSEEN.finditer(text))])
    if not found:
        return normalised
    signs = ["'" if span in apostrophes else "" for span in found]
    return replaced(normalised, found, signs)


def with_double_marks(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with double quotation marks for single ones, which a model takes for apostrophes: *Press 'Next'*."""
    text = normalised.text
    if ("'" not in text and "\u2018" not in text) or IS_CODE.search(text):
        return normalised
    signs = [span for match in SINGLE.finditer(text) for span in (match.span("opening"), match.span("closing"))]
    if not signs or not all(free(text, signs)):
        return normalised  # as most texts
    return replaced(normalised, signs, ['"'] * len(signs))


def with_own_quotation_marks(normalised: NormalisedText, language: str) -> NormalisedText:
    """`normalised` with the quotation marks that its `language` has, outside of addresses, code and tags."""
    changes = quotation_changes(normalised.text, language)
    if not changes:
        return normalised
    are_free = free(normalised.text, [change[:2] for change in changes])
    found = [change for change, is_free in zip(changes, are_free, strict=True) if is_free]
    return replaced(normalised, [change[:2] for change in found], [change[2] for change in found])
