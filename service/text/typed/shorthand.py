"""Shorthand of chats and notes, written out: *thx*, *gonna*, *bcp*, *vllt*. Models have read the words, not these.

Ages, days and shares have rules of their own.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from model_store.contract.calendar import MONTHS
from service.text.names.common_names import everyday_names
from service.text.spans.hints import Hints
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.patterns import DIGIT
from service.text.spans.stretches import disjoint

FILE = "shorthand.toml"
WORD = re.compile(r"(?<![\w'\u2019.@/#=(-])\w+(?![\w'\u2019@/=(-]|\.\w|\s\d)")
NOUN_BEFORE = re.compile(r"\b(?i:the|an?|letter|key|press|type|let)\s\Z")
"""What makes a single letter behind it no shorthand: *the letter u*."""
MOST_BEFORE = 12
"""Code points before a word that are looked at."""
MOST_SHOUTED = 2
"""A text of so many words in capitals is a label: MSG and TY are no shorthand there."""
SIGNS = ("", ".", ",", "!", "?", "!!", "!!!", "??", "...", "?!", ":", ";")
"""What may stand behind a word, for a quick look."""
BEHIND_DAY = r"(?:(?<=\d\s)|(?<=\d\.\s)|(?<=\d(?:st|nd|rd|th)\s))(?:{month})\b(?:\.(?=,|\s+[a-z\u00df-\u00ff\d]))?"
BEFORE_DAY = (
    r"|\b(?:{month})\b\.?(?=\s(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?"
    r"(?:[,)]|\s\d{{4}}\b|\s?[-\u2013]|[.;!?](?:\s|\Z)|\Z|\s(?:at|we|to|through|is|the|and|or|for|in|by|I)\b))"
)
"""A short month; its full stop may end the sentence. Only English has the month before its day, as *Jan 5 people* has
not."""
BEFORE_YEAR = r"|(?:{before})(?:{month})\b\.?(?=\s(?:19|20)\d\d\b(?![-/.,]?\d))"
"""A short month before a year, behind one of BEFORE_MONTH."""
BEFORE_MONTH = {
    "en": ("in", "since", "until", "till", "from", "to", "by", "of", "early", "late", "before", "after"),
    "fr": ("en", "depuis", "d\u00e9but", "fin", "de", "\u00e0", "avant", "apr\u00e8s"),
    "de": ("im", "seit", "Anfang", "Mitte", "Ende"),
}
SHORT_MONTHS = {
    "en": ("Jan", "Feb", "Mar", "Apr", "", "Jun", "Jul", "Aug", "Sep Sept", "Oct", "Nov", "Dec"),
    "fr": ("janv", "f\u00e9v f\u00e9vr", "", "avr", "", "", "juil", "", "sept", "oct", "nov", "d\u00e9c"),
    "de": ("Jan", "Feb", "M\u00e4r", "Apr", "", "Jun", "Jul", "Aug", "Sep Sept", "Okt", "Nov", "Dez"),
}
"""By language, in order; nothing where a month is short already."""


CAPITALS = re.compile(r"[A-Z\u00c4\u00d6\u00dc]\.?\s?[A-Z]")
"""What is in texts that may have a phrase whose hint is in capitals."""
_HOUR = "(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
PARTS = {
    "begins": r"(?:Das|Die|Der|Den|Dem|Ein|Eine|Wir|Ich|Er|Sie|Es|Wo|Was|Wann|Wer|Wie|Dann|Danach|Aber|Und|Im|In|Am"
    r"|Bitte|Du|Ihr|Man|Nun|Jetzt|Heute|Morgen|Mein|Unser)\b",
    "no_noun": r"(?<![\w'\u2019-])(?<!\b(?i:a)\s)(?<!\b(?i:my|an|by)\s)(?<!\b(?i:the|our|via|his|her|per)\s)"
    r"(?<!\b(?i:your|this|that)\s)(?<!\b(?i:their)\s)",
    "first": r"(?:\A|(?<=[.!?:]\s))",
    "or_verb": r"[a-z]+(?:, [a-z]+){0,3},? or "
    r"(?!(?:an?|any|at|do|else|he|in|is|it|my|not|on|she|the|they|to|we|you|your)\b)[a-z]",
    "somebody": r"(?:me|us|him|her)\b",
    "thing": r"(?:an?|the|your|my|our|it|this|that|these|those|some|all|any|details|pictures|photos)\b",
    "program": r"(?:the|an?|this|these|all|your)\s(?:tests?|commands?|scripts?|programs?|scan|query|queries|installer"
    r"|build|analysis|setup|migrations?|code|file)\b(?! (?:for|by|of)\b)",
    "does": r"(?:(?<=\bI )|(?<='ll )|(?<=\bwill )|(?<=\bwould )|(?<=\bshould )|(?<=\bcan )|(?<=\bam )|(?<=\bis )"
    r"|(?<=\bare )|(?<='s )|(?<='m )|(?<='re )|(?<=\bwe )|(?<=\byou )|(?<=\bthey )|(?<=\bshe )|(?<=\bhe )|(?<=\bit ))",
    "address": r"[\w.+-]+@\w",
    "signed": r"(?=,\s*(?:\Z|(?!(?:I|That|The|This|Sir|Mine|Thanks|Worst|Everyone|All|Mate|Guys|Folks|Grandma"
    r"|Grandpa|Mum|Mom|Dad)\b)[A-Z][\w'\u2019-]*(?:\s(?:and\s)?[A-Z][\w'\u2019-]*){0,2}\.?\s*\Z))",
    "several": r"(?<=\d\s)(?<![^\d.,]1\s)(?<!\A1\s)",
    "no_limit": r"(?!\s\d|\W+\d*\s?[Mm]ax)",
    "noun": r"(?!(?:is|has|had|was|will|and|or|in|to|for|on|with|did|does|can|could|would|should|may|must|said|says"
    r"|wants|won|lost|at|from|by|after|before|as|if|but|of|about|then|also|now|who|that|which|because|when|while)\b)"
    r"[a-z]",
    "at": rf"\b(?:[Aa]t|[Bb]y|[Uu]ntil|[Tt]ill|[Bb]efore|[Aa]fter|[Ff]rom|[Bb]etween|[Ii]t(?:'s| is| was)"
    rf"|{_HOUR} (?:and|to|or)) ",
    "hour": rf"(?= {_HOUR}(?:\s*(?:[.,;:!?)]|\Z)|\s(?:after|and(?! half (?!{_HOUR}\b))|at|because|before|but|by|every"
    r"|for|he|I|if|in|is|near|on|or|outside|she|sharp|so|then|they|this|to|today|tomorrow|tonight|until|was|we|when|with"
    r"|you)\b))",
    "headed": r"(?:[Gg]overnment|[Cc]ouncil|[Mm]inister|[Pp]resident|[Ss]chools?|[Aa]irlines?|[Bb]anks?|[Ss]hops?"
    r"|[Cc]ompany|[Ss]upermarkets?|[Cc]ity|[Pp]olice|[Pp]arliament|[Hh]ospitals?) (?=to [a-z]+ (?!.*[.!?]\Z))",
    "by": r"\s(?:as soon|at|before|by|if|no later|online|to|until|with)\b",
    "not_is": r"\b(?<!\best )(?<!\bsont )(?<!\b\xeatre )(?<!\b\xe9tait )(?<!\b\xe9taient )",
    "is": r"(?:(?<=\bis )|(?<=\bare )|(?<='s )|(?<=: )|(?<=\())",
    "no_name": r"(?=\s*(?:[.,;!?)]|\Z)|\s(?:and|as|at|because|but|by|for|in|later|on|so|soon|until|yet)\b)",
    "count": r"(?<![\w$\u20ac\xa3.,-])(?<![A-Z]{3} )\d+(?:[.,]\d+)*",
    "noun_behind": r"(?:\d|l['\u2019]|(?:ces?|cette|cinq|des?|deux|du|eux|las?|les?|leurs?|lui|lundi|mardi|mercredi"
    r"|jeudi|vendredi|samedi|dimanche|ma|mes|moi|mon|nos|notre|quatre|sa|ses|six|son|toi|tous|toutes|trois|une?|vos|votre)\b)",
    "given": r"(?P<given>[^\W\d_][\w-]*)(?:\s[A-Z\u00c4\u00d6\u00dc][^\W\d_]+)?[.!]?\s*\Z",
    "asked": r"\A(?:Bitte|Bringen|Rufen|Schicken|Senden|Geben|Nehmen|Fragen|Melden|Beachten)\b[^.!?]{0,80}?\s",
}
"""What patterns of FILE share: words that begin a German sentence behind a full stop, which is then none of an
abbreviation; verbs that must not be done, *drive or drink*, of which models let the second be done; what stands
round the verb *e-mail*; what is run on computers; what stands before an adverb; the comma and the name behind the
closing of a letter; behind a number that is not one; not before a maximum, as in *5 min, 10 max*; a word that may be a
noun; what a British time of day such as *half seven* stands between; when to reply; no French *is* before a word; what
stands round *TBA*; a number
without a currency; what stands before a noun; the first name that ends a text, with or without
a surname, which must be an everyday one; how a German request begins.
"""


class _Phrase(NamedTuple):
    hint: str
    pattern: str
    """What to look for where a text has the hint, for `compiled`."""
    words: str
    sign: re.Pattern[str] | None
    """What its texts have beside the hint, found quickly."""


class _Shorthand(NamedTuple):
    words: dict[str, str]
    capitals: frozenset[str]
    lower: frozenset[str]
    phrases: tuple[_Phrase, ...]
    hints: Hints
    """Those of the phrases, in order."""
    months: tuple[tuple[str, re.Pattern[str], str], ...]
    """Each short month, what it is beside a number, and the whole one."""
    forms: frozenset[str]
    """All words as they may stand between spaces."""


def written_out(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text of a `language` with its shorthand written out; each word stands for the whole of its shorthand."""
    known, text = _shorthand(language), normalised.text
    hinted = _hinted(text, known)
    if not hinted and known.forms.isdisjoint(text.split(" ")):
        return normalised  # as most texts
    found = {
        match.span("read" if "read" in match.re.groupindex else 0): words
        for _, pattern, words, _ in hinted
        for match in compiled(pattern).finditer(text)
        if "given" not in match.re.groupindex or match["given"] in everyday_names("de", "de").given
    }
    if any(map(str.isdigit, text)):
        found |= {
            match.span(): month
            for short, pattern, month in known.months
            if short in text
            for match in pattern.finditer(text)
        }
    taken = {at for span in found for at in range(*span)}
    for match in WORD.finditer(text):
        words = _words(match, known)
        if words is not None and match.start() not in taken:
            found[match.span()] = words
    if not found:
        return normalised
    for (start, end), words in list(found.items()):
        if not words:  # what is left out belongs to the code point before it
            found[start - 1, end] = text[start - 1]
            del found[start, end]
    spans = disjoint(found)
    return replaced(normalised, spans, [found[span] for span in spans])


def _hinted(text: str, known: _Shorthand) -> list[_Phrase]:
    """The phrases whose hint `text` has, in order."""
    phrases = map(known.phrases.__getitem__, known.hints.found_in(text))
    return [each for each in phrases if each.sign is None or each.sign.search(text)]


def _words(match: re.Match[str], known: _Shorthand) -> str | None:
    """The words for a match of WORD, with a capital where it has one; None where it is no shorthand."""
    word, start, text = match.group(), match.start(), match.string
    words = known.words.get(word.lower())
    if words is None or (len(word) == 1 and NOUN_BEFORE.search(text[max(0, start - MOST_BEFORE) : start])):
        return None
    if word.islower():
        return words
    if word.isupper() and len(word) > 1:
        if text.isupper() and text.count(" ") >= MOST_SHOUTED:
            return words.upper()
        if word.lower() not in known.capitals:
            return None  # an acronym
    elif start > 0 or word.lower() in known.lower:
        return None  # a name
    return words if start > 0 else words[0].upper() + words[1:]


@lru_cache
def _shorthand(language: str) -> _Shorthand:
    """The shorthand of a language, from FILE; none of others."""
    tables = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    table = tables.get(language, {"words": {}, "capitals": [], "lower": [], "phrases": {}})
    words, capitals, lower = table["words"], frozenset(table["capitals"]), frozenset(table["lower"])
    found = []
    for hint, each in table["phrases"].items():
        sign = DIGIT if "digits" in each else CAPITALS if CAPITALS.search(hint) else None
        found.append(_Phrase(hint, each["pattern"], each["words"], sign))
    found.sort(key=lambda phrase: (None, DIGIT, CAPITALS).index(phrase.sign))
    months = {
        short: month
        for shorts, month in zip(SHORT_MONTHS.get(language, ()), MONTHS.get(language, ()), strict=True)
        for short in shorts.split()
    }
    beside = BEHIND_DAY + (BEFORE_DAY if language == "en" else "") + BEFORE_YEAR
    before = "|".join(rf"(?<=\b(?i:{word}) )" for word in BEFORE_MONTH.get(language, ()))
    patterns = (
        (short, re.compile(beside.format(month=short, before=before)), month) for short, month in months.items()
    )
    cased = [*words, *map(str.capitalize, words), *map(str.upper, words), *months]
    forms = frozenset(word + sign for word in cased for sign in SIGNS)
    return _Shorthand(
        words, capitals, lower, tuple(found), Hints([each.hint for each in found]), tuple(patterns), forms
    )


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern of FILE, made when a text first has its hint: all of them take half a second."""
    for name, part in PARTS.items():
        pattern = pattern.replace(f"<{name}>", part)
    return re.compile(pattern)
