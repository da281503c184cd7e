"""Sentences of a text, by sentencex (Wikimedia): rules for some 300 languages, compiled, no model files.

Its time grows with the square of the length on hostile text (100 ms for 5,000 characters was the worst found), so it
sees a window of the text at a time. It drops nothing: its sentences join to its input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain

import sentencex

from model_store.contract.calendar import WEEKDAYS
from service.text.expressions.dates import MONTH, ZONE
from service.text.sentences.abbreviations import any_abbreviation
from service.text.sentences.emoji_ends import at_emoji
from service.text.sentences.wrapped import with_wrapped_lines_joined
from service.text.spans.normalise import without_surrogates
from service.text.spans.patterns import ADDRESS, EXPRESSION, FORMULA, PATH

_WEEKDAY = "|".join(WEEKDAYS["en"])
_DETERMINER = (
    r"(?i:der|die|das|dem|den|des|am|im|vom|bis|zum|zur|beim"
    r"|(?:ein|kein|mein|dein|sein|ihr|unser|eur|jed|dies)(?:e[mnrs]?)?|euer)"
)
_BEGINS = (
    r"(?:Aber|Alle|Alles|Als|Also|Am|An|Auch|Auf|Aus|Bei|Bis|Da|Dabei|Daher|Damals|Damit|Danach|Dann|Darum|Das|Dass"
    r"|De[mnr]|Denn|Deshalb|Die|Diese[mnrs]?|Doch|Dort|Du|Eine?[mnrs]?|Er|Es|F\u00fcr|Hat|Heute|Hier|Ich|Ihre?[mnrs]?"
    r"|Im|In|Ist|Ja|Jetzt|Keine?[mnrs]?|Man|Meine?[mnrs]?|Mit|Nach|Nein|Noch|Nun|Nur|Ob|Oder|Schon|Seine?[mnrs]?|Seit"
    r"|Sie|Sind|So|Sp\u00e4ter|Trotzdem|\u00dcber|Und|Unsere?[mnrs]?|Unter|Vielleicht|Vom|Von|Vor|Wann|War|Warum|Was"
    r"|Weil|Wenn|Wer|Wie|Wir|Wird|Wo|Zu|Zuerst|Zum|Zur)\b"
)
_ZONE = (
    rf"{ZONE}|(?:Eastern|Pacific)\b(?=[,.;)]|\s(?:[Tt]ime|on|at|to|and|today|tomorrow)\b|\s*\Z)"
    r"|(?!(?:A|Any|Bed|Dinner|Each|Every|First|Good|Her|His|Last|Long|Lunch|My|Next|No|Our|Some|That|The|Their|This"
    r"|What|Which|Whose|Your)\b)"
    r"[A-Z]\w+(?:\s[A-Z]\w+){0,2}\s[Tt]ime\b(?!\s(?:was|is|has|had|ever|to)\b)"
)
"""What says behind a time of day where it is that time: *EST*, *Paris time*."""
FRENCH_MONTHS = "janv|f\u00e9vr|mars|avr|mai|juin|juil|ao\u00fbt|sept|oct|nov|d\u00e9c"
_NUMBERED = (
    "Klasse|Platz|Liga|Bundesliga|Runde|Spieltag|Auflage|Advent|Semester|Quartal|Halbjahr|Mahnung|Staffel|Weltkrieg|Rang"
    "|Geburtstag|Jahrestag|Hochzeitstag"
)
"""German nouns that have an ordinal before them, also without an article: *wir fahren 2. Klasse*."""
_NO_END = {
    "en": r"(?:Ms|Messrs|Mx)\.\s*(?=\w)|(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\.\s*(?=[a-z\d])|c\.\s*(?=\d)"
    r"|(?i:no|nos|nr|tel|approx|ca|vols?|pp?|ch|chap|sec|art|figs?|eqs?|eqn|ref|ext)\.\s*(?=[+\d])"
    r"|(?i:inc|incl|excl|ex)\.\s*(?=VAT\b)"
    rf"|(?i:[ap]\.m)\.\s*(?=(?:{_WEEKDAY})\b(?!\s+(?:is|was|will|has|had|came|would)\b)"
    rf"|\(?(?:{_ZONE}))",
    "fr": r"(?i:art)\.\s*(?=[LRD]\.|\d)|[LRD]\.\s*(?=\d)|(?:MM?|Mme|Mlle|Dr|Pr|Me|Mgr|St|Ste)\.\s*(?=\w)"
    r"|(?i:nos?|nr|t\u00e9l|env|vol|pp?|chap|sect|art|fig|r\u00e9f|bd|av)\.\s*(?=[+\d])"
    r"|(?i:janv|f\u00e9vr|avr|juil|sept|oct|nov|d\u00e9c)\.\s*(?=\d|[a-z\u00df-\u00ff])"
    r"|c\.?-\u00e0-d\.\s*(?=\w)|(?i:\u00e0) l'attn?\.\s*(?=d[eu]\b)|[IVX]+e\s?s\.\s*(?=[a-z\u00df-\u00ff])"
    r"|(?:c|cuil)\.\s*(?=\u00e0[\s.]*(?:[sc]|soupe|caf\u00e9)\b)"
    r"|\u00e0[\s.]*[sc]\.\s*(?=[a-z\u00df-\u00ff])|(?i:lun|mar|ven|sam|dim)\.\s*(?=[a-z\u00df-\u00ff\d])"
    r"|(?i:mer|jeu)\.\s*(?=[a-z\u00df-\u00ff]|\d\d?(?:er)?(?:\s*(?:[.,;:)/\u2013-]|\Z)|\s(?:et|ou|au|\u00e0)\b"
    rf"|\s(?i:{FRENCH_MONTHS})))",
    "de": r"(?i:mio|mrd|tsd|bzw|ca|evtl|exkl|ggf|inkl|zzgl|[zu]\.\s?a|[zu]\.\s?b|v\.\s?a|z\.\s?t|d\.\s?h"
    r"|i\.\s?d\.\s?r|m \u00fc|z\.\s?hd|bis sp\u00e4t)\.\s*(?=\w)"
    rf"(?!{_BEGINS})|(?:Hr|Nr|Pckg?|Pkg)\.\s*(?=[A-Z\d])"
    rf"|(?:{_DETERMINER}|(?i:ab|seit|und|oder))\s+\d{{1,3}}\.(?:\s?\d{{1,2}}\.)?\s*(?=[^\W\d_])(?!{_BEGINS})"
    rf"|\d{{1,2}}\.\s*(?={MONTH}|(?:OG|UG|DG|Stock|Etage|Obergeschoss)\b)"
    rf"|(?<=[\w,:] )\d{{1,2}}\.\s*(?=(?:{_NUMBERED})\b)"
    r"|\d{1,2}\.\s?\d{1,2}\.\s*(?=[a-z\u00df-\u00ff])",
}
_GOES_ON = {
    "en": r"[^\W\dA-Z_]|[\d(&]",
    "fr": r"[^\W\dA-Z\u00c0-\u00de_]|[\d(&]",
    "de": rf"(?!{_BEGINS}|Bitte\b)[\w(&]",
}
"""What stands behind an abbreviation that ends no sentence."""
NO_END = {
    language: re.compile(rf"\b(?:{pattern}|(?:{any_abbreviation(language)})\.\s*(?={_GOES_ON[language]}))")
    for language, pattern in _NO_END.items()
}
"""Where sentencex sees the end of a sentence and there is none: titles before names, abbreviations before numbers,
ordinals of German."""
NO_END_ANYWHERE = (
    re.compile(
        r"(?<!(?:av|pr)\.\s)(?<!(?:av|pr)\.)(?<!avant\s)(?<!apr\u00e8s\s)"  # before J.-C. Then a sentence may end
        r"\b[A-Z]\.[-\u2010\u2011][A-Z]\.\s*(?=[^\W\d_])"
    ),
    re.compile(r"\w\.[-\u2010\u2011\u2013]\w+\.\s*(?=[a-z\u00df-\u00ff])"),
    re.compile(r"\w\.(?=[-\u2010\u2011\u2013]\w)"),
    re.compile(r"\w\.\s?(?=:)"),
    re.compile(r"[\d\u00bc-\u00be]\s*(?i:mins?|std|hrs?|se[ck]s?|tbsp?s?|tsps?|oz|lbs?)\.\s*(?=[a-z\u00df-\u00ff])"),
    re.compile(r"/\s?(?i:pers|std|hr|wk|sem|stk)\.\s*(?=[a-z\u00df-\u00ff])"),
    re.compile(r"[^\W\d_]\.(?=[A-Z]{2}|[A-Z]\w*(?:[A-Z(]|\.\w))"),
)
"""The same in every language, of each kind that may overlap others: initials with a hyphen, abbreviations with one
(*Mon.-Fri. until noon*), units behind a number or a slash, and names such as ASP.NET."""
INSIDE = re.compile(rf"{ADDRESS}|{PATH}|{FORMULA}|{EXPRESSION}")
"""What no sentence ends inside of."""
TAG = re.compile(r"</?[A-Za-z][^<>]*>")
CLOSING = re.compile(r"(?:</[A-Za-z][^<>]*>|\[/[A-Za-z]\w*\]|[*_~]{1,3}(?=[\s.,;:!?)]|\Z)|'{1,5}(?=\s|\Z))+\s*")
"""Marks that close right behind the end of a sentence."""
LINE_BREAK = re.compile(r"[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")
"""What `str.splitlines` takes for the end of a line."""
WINDOW = 1000
"""Code points that sentencex is given at once; a longer sentence is cut at white space."""


ENDS = re.compile(r"[.!?\u2026\u3002\uff01\uff1f]+\s|\n")
"""What ends most sentences."""


def about_num_sentences(text: str) -> int:
    """About how many sentences a text has, told in microseconds; 0 for a blank one."""
    inner = text.strip()
    return len(ENDS.findall(inner)) + 1 if inner else 0


def sentence_spans(text: str, language: str, within: Iterable[tuple[int, int]] | None = None) -> list[tuple[int, int]]:
    """Where the sentences of `text` lie: ordered, disjoint, no white space at their ends, all other text inside them.

    A line break ends a sentence, but for one inside a tag of HTML and for those of wrapped lines, see `wrapped.py`.
    `language` is a code such as `en`; one that sentencex does not know gets its general rules. None lies outside of the
    stretches `within`, if these are given.
    """
    if within is not None:
        return [
            (first + start, first + end)
            for first, last in within
            for start, end in sentence_spans(text[first:last], language)
        ]
    if "<" in text:
        text = TAG.sub(lambda tag: LINE_BREAK.sub(" ", tag.group()), text)
    text = with_wrapped_lines_joined(text, language)
    spans = []
    start = 0
    for line in without_surrogates(text).splitlines(keepends=True):
        for sentence in chain.from_iterable(at_emoji(found, language) for found in _sentences(line, language)):
            end = start + len(sentence)
            if inner := sentence.strip():
                first = start + len(sentence) - len(sentence.lstrip())
                spans.append((first, first + len(inner)))
            start = end
    return spans


def _sentences(line: str, language: str) -> Iterator[str]:
    """Sentences that join to `line`. The last one in a window may go on, so the next window begins with it."""
    while len(line) > WINDOW:
        found = _segment(line[:WINDOW], language)
        whole = found[:-1] or [line[: line.rfind(" ", 0, WINDOW) + 1] or line[:WINDOW]]
        yield from whole
        line = line[sum(map(len, whole)) :]
    yield from _segment(line, language)


def _segment(text: str, language: str) -> list[str]:
    sentences: list[str] = sentencex.segment(language, text) if text.strip() else [text]
    if "".join(sentences) != text:
        return [text]  # a release that drops or changes text must cost quality, not text
    return _joined(text, sentences, language) if sentences[1:] else sentences


def _joined(text: str, sentences: list[str], language: str) -> list[str]:
    """`sentences`, which join to `text`, without the ends that are none, and with the marks that close in them."""
    wrong = _no_ends(text, language)
    joined, end = [""], 0
    for sentence in _with_closing_marks(sentences):
        joined[-1] += sentence
        end += len(sentence)
        if end not in wrong:
            joined.append("")
    return [sentence for sentence in joined if sentence]


def _with_closing_marks(sentences: list[str]) -> list[str]:
    """`sentences` with the tags and marks of Markdown that stand right behind their ends: `<b>Done!</b>`."""
    moved = sentences[:1]
    for sentence in sentences[1:]:
        closing = None if moved[-1][-1].isspace() else CLOSING.match(sentence)
        at = closing.end() if closing else 0
        moved[-1] += sentence[:at]
        if at < len(sentence):
            moved.append(sentence[at:])
    return moved


def _no_ends(text: str, language: str) -> set[int]:
    """The places of `text` that cannot end a sentence; also those inside of addresses and paths."""
    patterns = [*NO_END_ANYWHERE, *([NO_END[language]] if language in NO_END else [])]
    found = {match.end() for pattern in patterns for match in pattern.finditer(text)}
    for match in INSIDE.finditer(text):
        found.update(range(match.start() + 1, match.end()))
    return found
