"""Stretches of a source that must come out as they are, and the placeholders that a model sees in their place.

Addresses, code, emoji, numbers with separators and letters that the vocabulary lacks are never left to chance: each
becomes one placeholder of the vocabulary, which the model has learnt to carry over, and is put back where the model
wrote it (`service/text/restoring.py`). A bundle without placeholders reads such text as any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from itertools import compress
from typing import NamedTuple

from model_store.contract.placeholders import placeholders_for
from service.text.expressions.amounts import amounts
from service.text.expressions.clock import may_have_words, times
from service.text.expressions.compounds import compounds, with_nouns_first
from service.text.expressions.date_ranges import date_ranges
from service.text.expressions.day_cells import day
from service.text.expressions.genders import genders
from service.text.expressions.hours import hours
from service.text.expressions.lengths import lengths
from service.text.expressions.measures import measures
from service.text.expressions.notices import expressions
from service.text.expressions.phrases import phrases
from service.text.expressions.rates import rates
from service.text.expressions.references import references
from service.text.expressions.spelled_numbers import spelled_numbers
from service.text.expressions.translated import translated
from service.text.names.borrowed import borrowed
from service.text.names.called import relatives
from service.text.names.common_names import everyday_names
from service.text.names.countries import countries
from service.text.names.country_articles import FRENCH
from service.text.names.famous import famous
from service.text.names.literal import PRODUCTS, inches, lettered
from service.text.names.standing import standing
from service.text.ruled import may_have_rules
from service.text.spans.fixed import free
from service.text.spans.kept import kept_elements
from service.text.spans.normalise import NormalisedText, normalise, replaced
from service.text.spans.patterns import (
    CENSORED,
    CODE,
    LEAST_LONG,
    LETTERS,
    LONG_RUN,
    PATTERN,
    PLAIN,
    SUSPECT,
    WITHOUT_CAPITALS,
)
from service.text.spans.stretches import Stretch, Translated
from service.text.typed.paired import may_have_paired, with_paired

Finder = Callable[[str], Sequence[Stretch]]
"""Finds stretches of a text."""

NUMBER = re.compile(r"\d+(?:[.,:/'\u2019-]\d+)*")
WORD = re.compile(r"[^\s\x00-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f\xa1\xa7\xb1\xb7\xbf\xd7\u2000-\u206f]+")
GERMAN_QUOTE = "\u201e"
"""Opens quotes in German; a model that has it in its vocabulary writes those of its target."""
COMPOUNDED = re.compile(rf"{CODE}|USB-[ABC]|\d+(?:,\d+)?-[^\W\d_]+")
ARROW = " -> "
"""Models into English write a dash for it; others leave it, and read a subordinate clause behind what stands for it."""
HYPHEN = re.compile(r"-(?=[^\W\d_])")
"""A hyphen before a word."""
BETWEEN = re.compile(r"[\s,;/|+&-]{1,3}")
"""What may lie between two stretches that are then protected as one."""
OF_NUMBERS = (date_ranges, times, hours, lengths, measures, amounts, compounds, spelled_numbers)
"""Find what rules translate in texts that may have numbers."""


class ProtectedText(NamedTuple):
    """What a model reads of a segment. A tuple, because every segment makes some."""

    normalised: NormalisedText
    """The text with placeholders in it."""
    copies: tuple[tuple[str, str], ...] = ()
    """Each placeholder and what it stands for in the translation, in the order of the source: the source's text, but
    those of rules as the target language writes them."""
    has_ruled: bool = False
    """Whether rules translate some of them."""


class Protector:
    """Finds what must not change, for one vocabulary."""

    def __init__(
        self,
        placeholders: str,
        knows: Callable[[str], bool],
        languages: tuple[str, str] = ("", ""),
        known: Container[str] | None = None,
    ) -> None:
        """`placeholders` are those of the vocabulary, maybe none; `knows` says whether it has a character. `languages`
        are those of the texts and of their translations, `known` the words that the model was trained on."""
        self._known_words = known
        self._placeholders = placeholders
        self._knows = knows
        self.languages = languages
        self._known: dict[str, bool] = {}

    def protect(self, normalised: NormalisedText, original: str, further: Finder | None = None) -> ProtectedText:
        """`normalised`, the normal form of `original`, with placeholders, also for stretches that `further` finds."""
        normalised = with_paired(with_nouns_first(normalised, *self.languages), *self.languages)
        text = normalised.text
        found, ruled = self._found(text, further)
        if not found:
            return ProtectedText(normalised)
        copies = [_copied(normalised, original, stretch, ruled) for stretch in found]
        signs = placeholders_for([normalise(copy).text for copy in copies], self._placeholders)
        read = replaced(_with_compounds_apart(normalised, found), found, signs)
        return ProtectedText(read, tuple(zip(signs, copies, strict=True)), bool(ruled))

    def leaves(self, text: str, has_capitals: bool = False) -> bool:
        """Whether `protect` would leave this PLAIN_SENTENCE, or one that `has_capitals`, as it is, found quickly."""
        source, target = self.languages
        if has_capitals and self._stands(text):
            return False
        return not self._placeholders or not (
            may_have_words(text, source, target)
            or may_have_paired(text, source, target)
            or text.startswith(PRODUCTS)
            or borrowed(text, source)
            or may_have_rules(text, source, target, text.isascii() and not has_capitals)
        )

    def _stands(self, text: str) -> bool:
        """Whether anything of a sentence with capitals stands for itself."""
        if not text.isascii() and not all(self._is_readable(match.group()) for match in WORD.finditer(text)):
            return True
        return bool(standing(text, *self.languages, self._known_words, is_plain=False))

    def day(self, text: str) -> ProtectedText:
        """A short weekday that is all of a cell, or a row of them, as a placeholder."""
        written = day(text, *self.languages)
        (sign,) = placeholders_for([written], self._placeholders)
        return ProtectedText(NormalisedText(sign, [0], [len(text)]), ((sign, written),), True)

    def stretches(self, text: str, further: Finder | None = None) -> list[Stretch]:
        """What `protect` would put placeholders for in a normalised `text`."""
        return self._found(text, further)[0]

    def _found(self, text: str, further: Finder | None) -> tuple[list[Stretch], list[Translated]]:
        """Those, and what of them rules translate; both in order."""
        source, target = self.languages
        is_plain = len(text) <= LEAST_LONG and WITHOUT_CAPITALS.fullmatch(text) is not None
        has_arrow = target == "en" and ARROW in text
        may_have_times = has_arrow or may_have_words(text, source, target) or (not is_plain and may_be_protected(text))
        found = standing(text, source, target, self._known_words, is_plain)
        if not self._placeholders or not (
            may_have_times or further or found or may_have_rules(text, source, target, is_plain)
        ):
            return [], []  # as in most texts
        ruled = self._ruled(text, may_have_times)
        found += [(each.start, each.end) for each in ruled]
        others = further(text) if further else []
        found += others
        if may_have_times:
            found += [
                *(match.span() for match in PATTERN.finditer(text)),
                *kept_elements(text),
                *inches(text),
                *lettered(text),
            ]
            found += [match.span() for match in CENSORED.finditer(text)] if "*" in text else []
        if not text.isascii():
            if not self._is_known(GERMAN_QUOTE):
                found += [m.span() for m in re.finditer(GERMAN_QUOTE, text)]
            found += [m.span() for m in WORD.finditer(text) if not self._is_readable(m.group())]
        apart = set()
        if others and source == "de":  # subject and object: Mag Tom Maria?
            given = everyday_names(source, target).given
            apart = {each for each in others if text[slice(*each)] in given}
        if target == "fr":  # each has an article
            apart |= {(each.start, each.end) for each in ruled if each.translated in FRENCH}
        return _united(text, found, apart), ruled

    def _ruled(self, text: str, may_have_times: bool) -> list[Translated]:
        """What rules translate, in order, the longest first of those that begin alike; nothing inside of addresses,
        paths and code."""
        source, target = self.languages
        finders = expressions, phrases, translated, rates, references, genders, countries, famous, relatives
        found = [each for find in finders for each in find(text, source, target)]
        if may_have_times:
            found += [each for find in OF_NUMBERS for each in find(text, source, target)]
        are_free = free(text, [(each.start, each.end) for each in found])
        return sorted(compress(found, are_free), key=lambda each: (each.start, -each.end))

    def _is_readable(self, word: str) -> bool:
        """Whether the vocabulary has all letters of `word`, and it is no name in letters of another language that the
        model never saw: *Ond\u0159ej*, not *T\u014dky\u014d*."""
        if word.isascii() or (self._known_words is not None and word in self._known_words):
            return True
        if not all(map(self._is_known, word)):
            return False
        own = LETTERS.get(self.languages[0])
        is_name = word[0].isupper() and word[1:].islower() and self._known_words is not None
        return own is None or not is_name or not any(c > "\x7f" and c.lower() not in own for c in word)

    def _is_known(self, character: str) -> bool:
        if character.isascii():
            return True
        known = self._known.get(character)
        if known is None:
            known = self._known[character] = character not in self._placeholders and self._knows(character)
        return known


def _copied(normalised: NormalisedText, original: str, stretch: Stretch, ruled: Sequence[Translated]) -> str:
    """What a translation has for a stretch: its original text, with those of `ruled` translated."""
    pieces, (at, end) = [], stretch
    for each in ruled:
        if at <= each.start and each.end <= end:
            pieces += [_original(normalised, original, at, each.start), each.translated]
            at = each.end
    return "".join([*pieces, _original(normalised, original, at, end)])


def _original(normalised: NormalisedText, original: str, start: int, end: int) -> str:
    if start == end:
        return ""
    first, last = normalised.original_span(start, end)
    return original[first:last]


def may_be_protected(text: str) -> bool:
    """Whether anything of `text` may have to be protected, found quickly."""
    if len(text) <= LEAST_LONG and PLAIN.fullmatch(text):
        return False
    return SUSPECT.search(text) is not None or LONG_RUN.search(text) is not None


def also(further: Finder | None, stretches: Sequence[tuple[int, int]]) -> Finder | None:
    """A finder of what `further` finds and of `stretches`."""
    if not stretches:
        return further
    return lambda text: [*(further(text) if further else ()), *stretches]


def protect_alike(normalised: NormalisedText, copies: Sequence[tuple[str, str]]) -> ProtectedText:
    """`normalised`, the normal form of a translation, with the placeholders of its source for the same `copies`."""
    found: list[tuple[Stretch, tuple[str, str]]] = []
    for sign, copy in copies:
        plain = normalise(copy).text
        at = normalised.text.find(plain) if plain else -1
        while at >= 0 and any(start < at + len(plain) and at < end for (start, end), _ in found):
            at = normalised.text.find(plain, at + 1)
        if at >= 0:
            found.append(((at, at + len(plain)), (sign, copy)))
    if not found:
        return ProtectedText(normalised)
    found.sort()
    stretches, alike = zip(*found, strict=True)
    return ProtectedText(replaced(normalised, stretches, [sign for sign, _ in alike]), alike)


def _with_compounds_apart(normalised: NormalisedText, stretches: Sequence[Stretch]) -> NormalisedText:
    """`normalised` with a space for the hyphen between a code of `stretches` and a word: *CO2 Emissionen*.

    Models know the word by itself, and hardly ever behind a hyphen.
    """
    text = normalised.text
    for start, end in stretches:
        if HYPHEN.match(text, end) and COMPOUNDED.fullmatch(text, start, end):
            text = f"{text[:end]} {text[end + 1 :]}"
    return NormalisedText(text, normalised.starts, normalised.ends)


def _united(text: str, stretches: Sequence[Stretch], apart: Container[Stretch] = ()) -> list[Stretch]:
    """In order, those that overlap or have next to nothing between them as one, but for two that stay `apart`."""
    united: list[Stretch] = []
    for start, end in sorted(stretches):
        between = text[united[-1][1] : start] if united else None
        stay = (start, end) in apart and united and united[-1] in apart
        if between is not None and (start <= united[-1][1] or (not stay and BETWEEN.fullmatch(between))):
            united[-1] = united[-1][0], max(united[-1][1], end)
        else:
            united.append((start, end))
    return united


def number_stretches(text: str) -> list[Stretch]:
    """Where the numbers of `text` stand."""
    return [match.span() for match in NUMBER.finditer(text)]


def translatable(text: str, placeholders: str) -> bool:
    """Whether `text` has a letter that is no placeholder."""
    if text[:1].isascii() and text[:1].isalpha():
        return True  # as most texts
    return any(character.isalpha() and character not in placeholders for character in text)
