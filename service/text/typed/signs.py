"""Signs that people type, or paste unseen, in place of those that a model knows.

*it´s* (an acute accent) and *geht`s* (a grave one) have an apostrophe; *co-operation* from a page may have a soft
hyphen that nobody sees. A model knows none of these signs: it would copy the whole word, and a negation with it. It
knows one form of quotation marks for each language, a double one, and a hyphen where people have a dash between parts
of a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_store.contract.calendar import WEEKDAYS
from model_store.contract.quotation import quotation_changes
from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch
from service.text.typed.disguised import with_plain_letters

APOSTROPHE = re.compile(r"(?<=[^\W\d_])[\u00b4\u2018\u201b\u02bc\u02b9\u2032\uff07](?=[^\W\d_])")
"""Between two letters these can be nothing else."""
GRAVE = re.compile(r"(?<=[^\W\d_])`(?=[^\W\d_])")
"""So can a grave accent that is the only one: two enclose code."""
_CUT = (
    "tis|twas|til|em|im|er|cause|cos|course|bout|round|nuff|fraid|ere|sup|burbs|hood|scuse|n|s|d|ll|re|ve|m|t"
    "|ne|nen|nem|ner|nes|rein|raus|rauf|ran|rum|runter|mal"
)
"""Words that lost their beginning."""
SINGLE = re.compile(
    rf"(?<![^\s(\[/\u2013\u2014\"\u201c\u201e\u00ab-])(?P<opening>['\u2018\u201a\u2039\u203a])(?!(?i:{_CUT})\b)"
    r"(?=[^\W\d_])[^'\u2018\u2019\u2039\u203a\"\n]*(?:(?<=\w)['\u2019](?=\w)[^'\u2018\u2019\u2039\u203a\"\n]*)*"
    r"(?<=[\w.!?,\u2026)])(?P<closing>['\u2019\u2018\u2039\u203a])(?!\w)"
)
"""Words between single quotation marks; apostrophes stand between letters."""
DOUBLE = re.compile('["\u201c\u201e\u00ab]')
"""Where these quote, single ones stand within them, or are apostrophes."""
POSSESSIVE = re.compile(r"\b(?i:the|my|your|our|his|her|their|these|those|of|and|two|three|four|five|six|\d+)\s\w+s\Z")
"""What ends in a plural possessive, if a word follows: *two weeks' notice*."""
IS_CODE = re.compile(r"\w\('|=\s?'|'\s*:\s*'|','|\[['\"]|;\s*\Z|\s--?\w+\s'|\|\s\w+|&&")
"""Text of programs, whose quotation marks are no punctuation."""
HYPHEN_LIKE = re.compile(
    r"(?<=\w)[\u2010\u2011\u2043\ufe63\uff0d](?=\w|\s\w)|(?P<dash>(?<=[^\W\d_]{2})[\u2012\u2013](?=[a-z\xdf-\xff]{2}))"
)
"""A hyphen that no line is broken behind, and others of a word: *e\u2011mail*, *a doctor\u2013patient relationship*."""
BESIDE_DASH = re.compile(
    r"[\u2012\u2013](?:which|who|that|he|she|it|we|they|you|and|but|or|if|so|not|no|the|an?|at|in|never|especially"
    r"|qui|que|il|elle|on|et|mais|ou|o\xf9|tr\xe8s|surtout|der|die|das|er|sie|ich|wir|und|aber|oder|nicht|nie|vor)\b"
)
"""A dash that has no spaces and stands between parts of a sentence."""
NUMERO = "\u2116"
UNSEEN = re.compile(r"\u00ad|(?<=\w)[\u2060\ufeff](?=\w)|(?<=[^\W\d_])[\ufe0e\ufe0f]")
"""A soft hyphen; what joins words; a selector of a letter's form."""
SHORTER = {"\u2014": "\u2013", "&mdash;": "&ndash;", "\\u2014": "\\u2013"}
"""What German has for a long dash, also where it is an entity or an escape."""
DASHES = "\u2012\u2013\u2014\u2015"
_DAYS = "|".join(name for names in WEEKDAYS.values() for name in names)
DASH = re.compile(rf"(?<=[^\s\d] )[{DASHES}](?= (?!(?i:{_DAYS})\b)\S)|(?<=\d )[{DASHES}](?= (?!(?i:{_DAYS})\b)[^\s\d])")
"""One between parts of a sentence, not between numbers or before a day of the week."""
HYPHEN = re.compile(r"(?<=\S )-(?= \S)")
"""What stands for one, or was typed in its place."""


def as_known(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with apostrophes and hyphens for what stands for them, and without unseen signs."""
    text = normalised.text
    if text.isascii() and "`" not in text:
        return normalised  # as most texts
    normalised = with_plain_letters(normalised)
    text = normalised.text
    apostrophes = [match.span() for match in APOSTROPHE.finditer(text)]
    if text.count("`") == 1:
        apostrophes += [match.span() for match in GRAVE.finditer(text)]
    known = dict.fromkeys(apostrophes, "'") | {match.span(): "" for match in UNSEEN.finditer(text)}
    hyphens = list(HYPHEN_LIKE.finditer(text))
    num_dashes = sum(match["dash"] is not None for match in hyphens)
    are_parts = num_dashes > 1 or (num_dashes == 1 and BESIDE_DASH.search(text) is not None)
    known |= {match.span(): " - " if match["dash"] and are_parts else "-" for match in hyphens}
    known |= {match.span(): "No." for match in re.finditer(NUMERO, text)}
    found = sorted(known)
    return replaced(normalised, found, [known[span] for span in found]) if found else normalised


def with_double_marks(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with double quotation marks for single ones, which a model takes for apostrophes: *Press 'Next'*."""
    text = normalised.text
    if not any(map(text.__contains__, "'\u2018\u201a\u2039\u203a")) or IS_CODE.search(text):
        return normalised
    matches = [match for match in SINGLE.finditer(text) if not is_possessive(match)]
    signs = [span for match in matches for span in (match.span("opening"), match.span("closing"))]
    if not signs or not all(free(text, signs)) or DOUBLE.search(text):
        return normalised  # as most texts
    return replaced(normalised, signs, ['"'] * len(signs))


def is_possessive(match: re.Match[str]) -> bool:
    """Whether the last sign of a match of SINGLE is the apostrophe of a plural."""
    inside, behind = match.string[match.end("opening") : match.start("closing")], match.string[match.end() :][:2]
    return behind[:1] == " " and behind[1:].islower() and POSSESSIVE.search(inside) is not None


def with_own_quotation_marks(normalised: NormalisedText, language: str) -> NormalisedText:
    """`normalised` with the quotation marks that its `language` has, outside of addresses, code and tags."""
    changes = quotation_changes(normalised.text, language)
    if not changes:
        return normalised
    are_free = free(normalised.text, [change[:2] for change in changes])
    found = [change for change, is_free in zip(changes, are_free, strict=True) if is_free]
    return replaced(normalised, [change[:2] for change in found], [change[2] for change in found])


def with_hyphens(normalised: NormalisedText) -> NormalisedText:
    """`normalised` with hyphens for dashes between parts of a sentence: models take a placeholder for a conjunction."""
    text = normalised.text
    if text.isascii():
        return normalised  # as most texts
    found = [match.span() for match in DASH.finditer(text)]
    return replaced(normalised, found, ["-"] * len(found)) if found else normalised


def with_dashes(
    text: str, spans: Sequence[Stretch], read: NormalisedText, source: str, language: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation with the dashes of its `source`, of which `read` has hyphens: see `with_hyphens`. German has no
    long ones."""
    if " - " not in text:
        return text, spans  # as most texts
    found = [match.span() for match in HYPHEN.finditer(text)]
    places = (read.original_span(*match.span()) for match in HYPHEN.finditer(read.text))
    signs = [source[start:end] for start, end in places]
    if language == "de":
        signs = [SHORTER.get(sign, sign) for sign in signs]
    if not signs:
        return text, spans
    signs += signs[-1:] * (len(found) - len(signs))
    return rewritten(text, spans, found, signs[: len(found)])
