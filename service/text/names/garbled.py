"""Names that a small model may garble: rare ones, everyday ones, those that somebody is addressed by or signs with."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import chain

from model_store.contract.calendar import CALENDAR
from service.text.names.acronyms import ACRONYM, COUNTERPARTS, is_acronym
from service.text.names.addressed import CONTRACTION, NAME, TITLE, TITLES, addressed_name, is_title, titled_names
from service.text.names.common_names import common_names, everyday_names, has_further_capitals, is_common_name
from service.text.names.common_words import is_common_word, may_be_translated
from service.text.names.forms import form_of
from service.text.spans.word_sets import word_set

Encode = Callable[[str], Sequence[int]]

CAPITALISED = re.compile(r"\b(?![a-z\u00df-\u00ff])[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
"""Words that may begin with a capital."""
PARTS = re.compile(r"['\u2019-]")
MOST_WORDS = 16384
"""Words with a capital about which it is kept whether they may be names."""
MIN_LETTERS, MIN_PIECES, MIN_LOWER_PIECES = 4, 3, 3
"""Shortest rare name, in letters, in subwords, and in subwords of its lower-case form."""
MIN_FIRST_PIECES = 4
"""Shortest one at the beginning of a text or behind punctuation, where any word may have a capital, in subwords."""
BEGINS = re.compile(r"(?:^|[^\w\s])\s*\Z")
"""What stands before such a place."""
COMMON_PIECES = 2
"""A word of at most so many subwords is a common one."""
CAPITAL_NOUNS = ("de",)
"""Languages that write nouns with a capital."""
ELISION = re.compile(r"\A(?:[cdjlmnst]|(?:jus|lors|puis|quel|quoi)?qu)['\u2019](?=\w)", re.IGNORECASE)
"""A French word before a vowel, as in *L'organisation*."""
BEFORE_PLACE = {"en": r"\b(?:in|to|from|near|at) ", "fr": r"\b(?:\u00e0|en|vers|de) ", "de": r"(?!)"}
"""What stands before a place, by language; in German any noun has a capital."""
LIKE_A_COPY = 0.84
"""Likeness of two words, 0 to 1, from which one of them is taken for a copy of the other with a slip."""
ENDING = re.compile(r"[aeiouy\u00e9]+\Z")
MOST_OF_NAMES, LEAST_OF_A_HEADING = 4, 3
"""Words of names alone, more of which make a heading: *Art Forger Sentenced to Four Years*; longer words of one."""
FULL_NAME = re.compile(r"\b[^\W\d_a-z][^\W\d_A-Z]+(?: [^\W\d_a-z][^\W\d_A-Z]+)+\b")
"""Words in a row that may begin with a capital and go on without."""
PLACE = re.compile(r"\b(?:in|from|to|near|at) (?P<first>[A-Z][a-z]+) (?P<second>[A-Z][a-z]+)\b(?! [A-Z])")
"""A place of two words, in English."""
KINDS_OF_PLACES = word_set(
    "abbey academy airport avenue bank bay beach bridge building campus canal castle cathedral center centre church",
    "city college company council county district falls farm festival forest gallery garden gardens group hall harbour",
    "hospital hotel house inn institute island islands lake lane library mall market middle mountain mountains museum",
    "palace park peninsula pier plaza port prison province region republic reserve river road school sea square",
    "stadium state station street terminal theatre tower town township university valley village way zoo",
)
"""Words of such names that are translated."""
BEFORE, AFTER = re.compile(rf"\b{NAME} \Z"), re.compile(rf" {NAME}")
"""A word beside a place."""


@dataclass(frozen=True)
class NameFinder:
    """Finds the names of texts that one model translates."""

    encode: Encode
    """Subword ids of a word."""
    languages: tuple[str, str]
    """Of the texts and of their translations."""
    known: Container[str] | None = None
    """The words that the model was trained on; None where a bundle does not say."""
    may_be_name: Callable[[str], bool] = field(init=False, repr=False, compare=False)
    """Whether a word with a capital may be a name by itself; what it found is kept."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "may_be_name", lru_cache(MOST_WORDS)(self._may_be_name))

    def suspects(self, text: str) -> list[str]:
        """The words of `text` that may be names, found quickly: each name that `names` and `sure` find is one of them
        or part of one."""
        if text[1:].islower():  # as half of all texts
            first = CAPITALISED.match(text)
            return [first[0]] if first is not None and self.may_be_name(first[0]) else []
        words = CAPITALISED.findall(text)
        found = [word for word in words if self.may_be_name(word)]
        may_be_addressed = "," in text and text[text.rindex(",") + 1 :].lstrip()[:1].isupper()
        return words if may_be_addressed or any(map(is_title, found)) else found

    def certain(self, text: str) -> list[str]:
        """What is a name whatever the model makes of it: an everyday one that both languages write alike, one behind a
        title, side by side with another one that the model was not trained on either, or an acronym."""
        common = common_names(text, *self.languages)
        if not has_further_capitals(text):
            return common  # the others need two capitals
        if self.known is None:
            return _further(common, titled_names(text))
        acronyms = (
            [] if text.isupper() else [w for w in ACRONYM.findall(text) if is_acronym(w, self.encode, self.known)]
        )
        if _is_heading(text):
            return _further(common, titled_names(text), acronyms)
        places = self._places(text) if self.languages[0] == "en" else []
        return _further(common, titled_names(text), full_names(text, self.known), places, acronyms)

    def sure(self, text: str) -> list[str]:
        """Those of `certain`, the one that somebody is addressed by at the end, and words with a capital that the model
        was trained on in no form."""
        return self._sure(text) if self.suspects(text) else []

    def names(self, text: str) -> list[str]:
        """The rare names of `text`, in order, then those of `sure`.

        A word that the model was trained on is none where any word has a capital: where a text begins, and everywhere
        in a language that writes nouns with one.
        """
        return _further(self._rare(text), self._sure(text)) if self.suspects(text) else []

    def may_be_garbled(self, suspects: Sequence[str], target: str) -> bool:
        """Whether one of a text's `suspects` is missing in its translation `target`, found quickly."""
        return not set(CAPITALISED.findall(target)).issuperset(suspects)

    def garbled(self, names: Sequence[str], source: str, target: str) -> list[str]:
        """Those of the `names` of `source` that `target` has not, unless it has as many common names for them.

        Switzerland becomes Suisse, which is a common word; Mbappe becomes Mbape, which is none. A name that the model
        was trained on may become another: Sweden is Suède. In a language that writes nouns with a capital there is no
        telling, so every other missing name is garbled, as those of `certain` are in every language. A genitive's s is
        allowed.
        """
        missing = [name for name in names if not re.search(rf"\b{re.escape(name)}s?\b", target)]
        missing = [name for name in missing if COUNTERPARTS.get(name, frozenset()).isdisjoint(ACRONYM.findall(target))]
        known = self.known
        shorter = CAPITALISED.findall(target)  # Hollande is Holland
        missing = [n for n in missing if known is None or n not in known or ENDING.sub("", n) not in shorter]
        missing = [name for name in missing if form_of(name, source, target) is None]
        if not missing:
            return []
        certain = self.certain(source)
        unseen = [name for name in missing if known is None or name not in known or name in certain]
        if self.languages[1] in CAPITAL_NOUNS:
            return unseen
        later = (match.group() for match in CAPITALISED.finditer(target) if match.start() > 0)
        own = [word for word in later if word[0].isupper() and word not in source]
        common = [word for word in own if len(self.encode(word)) <= COMMON_PIECES]
        if len(common) >= len(missing):
            return [name for name in missing if name in certain or ACRONYM.fullmatch(name)]
        others = [word for word in own if not any(_resembles(word, name) for name in missing)]
        return unseen if len(others) >= len(missing) else missing

    def _places(self, text: str) -> list[str]:
        """The second words of places whose first ones the model was not trained on: *in Tunbridge Wells*."""
        return [
            match["second"]
            for match in PLACE.finditer(text)
            if self.known is not None and match["first"] not in self.known and match["first"].lower() not in self.known
            and match["second"].lower() not in KINDS_OF_PLACES | TITLES | CALENDAR
        ]  # fmt: skip

    def _sure(self, text: str) -> list[str]:
        addressed = addressed_name(text)
        if addressed and self.known is not None and self.languages[0] in CAPITAL_NOUNS and addressed in self.known:
            addressed = None  # a noun, or a name that the model knows
        return _further(self.certain(text), [addressed] if addressed else [], self._unseen(text))

    def _may_be_name(self, word: str) -> bool:
        if self.known is None or is_title(word):
            return True
        base = CONTRACTION.sub("", word)
        negated = word.endswith(("n't", "n\u2019t"))
        parts = [] if negated else [part for part in PARTS.split(word) if len(part) > 1 and part[0].isupper()]
        return (
            any(each not in self.known for each in (base, *parts))
            or is_common_name(base, *self.languages)
            or any(is_acronym(part, self.encode, self.known) for part in parts)
            or any(self._has_pieces(each, MIN_PIECES) for each in {base, *parts} if len(each) >= MIN_LETTERS)
        )

    def _rare(self, text: str) -> list[str]:
        found, source = [], self.languages[0]
        if source not in CAPITAL_NOUNS and _is_heading(text):
            return []
        for word, begins in self._capitalised(text):
            if self.known is not None and word in self.known and (begins or not self._is_place(text, word)):
                continue
            if self._has_pieces(word, MIN_FIRST_PIECES if begins else MIN_PIECES):
                found.append(word)
        return found

    def _is_place(self, text: str, word: str) -> bool:
        """Whether `word` stands where places do; other words that the model knows it may translate as it likes."""
        before = BEFORE_PLACE.get(self.languages[0])
        return before is None or re.search(rf"{before}{re.escape(word)}\b", text) is not None

    def _unseen(self, text: str) -> list[str]:
        """The words with a capital that the model was trained on in no form; none where nouns have one, too."""
        if self.known is None or self.languages[0] in CAPITAL_NOUNS or _is_heading(text):
            return []
        return [
            word
            for word, begins in self._capitalised(text)
            if word not in self.known and word.lower() not in self.known
            and word.removesuffix("s") not in self.known and not may_be_translated(word, self.languages[0])
            and (not begins or self._has_pieces(word, MIN_PIECES))
        ]  # fmt: skip

    def _capitalised(self, text: str) -> Iterator[tuple[str, bool]]:
        """The longer words of `text` with a first capital, and whether each begins something, so that it may be any."""
        words = everyday_names(*self.languages).words  # their place tells, see `common_names`
        for match in CAPITALISED.finditer(text):
            word = CONTRACTION.sub("", match.group())
            word = ELISION.sub("", word) if self.languages[0] == "fr" else word
            if len(word) < MIN_LETTERS or not word[0].isupper() or word.isupper() or word.lower() in CALENDAR:
                continue
            if word in words and self.languages[0] not in CAPITAL_NOUNS:
                continue
            begins = _may_be_no_name(text, match)
            if not is_common_word(match, word, self.languages[0], self.known, begins):
                yield word, begins

    def _has_pieces(self, word: str, least: int) -> bool:
        return len(self.encode(word)) >= least and len(self.encode(word.lower())) >= MIN_LOWER_PIECES


def _is_heading(text: str) -> bool:
    """Whether all longer words of `text` have a capital, so that this says nothing: *How to Declutter Your Home*."""
    words = text.split(" ")
    longer = [word for word in words[1:] if len(word) >= MIN_LETTERS]
    return len(words) > MOST_OF_NAMES and len(longer) >= LEAST_OF_A_HEADING and all(w[0].isupper() for w in longer)


def _further(found: list[str], *others: Iterable[str]) -> list[str]:
    """`found`, and the names of `others` that are not among them."""
    return list(dict.fromkeys(chain(found, *others)))


def full_names(text: str, known: Container[str]) -> list[str]:
    """The words of full names: two or more in a row, each with a capital and none of them `known`."""
    found: list[str] = []
    for match in FULL_NAME.finditer(text):
        words = [word for word in match.group().split(" ") if not TITLE.fullmatch(word)]
        if words and words[0] in known:  # the beginning of a sentence: *Ask Aldous Lindholm*
            del words[0]
        if len(words) > 1 and not any(word in known or word.lower() in CALENDAR for word in words):
            found += words
    return found


def _may_be_no_name(text: str, match: re.Match[str]) -> bool:
    """Whether a word has its capital because something begins with it, and no other capital follows."""
    if BEGINS.search(text, 0, match.start()) is None:
        return False
    following = AFTER.match(text, match.end())
    return following is None or not following["name"].istitle()


def _resembles(word: str, name: str) -> bool:
    """Whether `word` is `name` with a slip, as Fitzgeralde is; Bulgarie, with another ending, is none of Bulgaria."""
    ends, other_ends = ENDING.search(word), ENDING.search(name)
    if ends and other_ends and word[: ends.start()] == name[: other_ends.start()]:
        return False
    return SequenceMatcher(None, word, name, autojunk=False).ratio() >= LIKE_A_COPY


def stretches_of(names: Collection[str], source: str = "") -> Callable[[str], list[tuple[int, int]]]:
    """A finder of all places where one of `names` stands in a text as a word.

    Names side by side are one: Sigrid goes with Mbappe in *Sigrid Mbappe*, unless the `source` language writes nouns
    with a capital.
    """
    if not names:
        return lambda text: []
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names, key=len, reverse=True)))
    if source in CAPITAL_NOUNS:
        return lambda text: [match.span() for match in pattern.finditer(text)]
    return lambda text: _merged(_grown(text, *match.span()) for match in pattern.finditer(text))


def _grown(text: str, start: int, end: int) -> tuple[int, int]:
    """A name's place, and those of the names beside it."""
    while (left := BEFORE.search(text, 0, start)) and _is_beside(text, left):
        start = left.start("name")
    while (right := AFTER.match(text, end)) and _is_beside(text, right):
        end = right.end("name")
    return start, end


def _is_beside(text: str, match: re.Match[str]) -> bool:
    word = match["name"]
    begins = BEGINS.search(text, 0, match.start("name")) is not None
    return word.istitle() and not begins and not TITLE.fullmatch(word) and word.lower() not in CALENDAR | TITLES


def _merged(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in places:
        if merged and start <= merged[-1][1] + 1:  # the space between them at most
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged
