"""Names of buttons and menus behind *Click* and *Press*: *Click Save to continue*.

A model takes such a word for a verb, and loses it. Between quotation marks it knows what is meant. So it reads the word
as if it stood between them, and they are taken out of its translation again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from model_store.contract.quotation import MARKS
from service.text.names.common_names import everyday_names
from service.text.spans.fixed import free
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.stretches import Stretch

_CAPITALISED = r"[A-Z\u00c0-\u00de][^\W\d_]*(?:-[^\W\d_]+)*"
_KEYS = (
    "Enter|Entr\u00e9e|Return|Esc|Escape|\u00c9chap|Echap|Tab|Ctrl|Strg|Alt|AltGr|Shift|Umschalt|Maj|Cmd|Command|Option"
    "|Space|Spacebar|Espace|Leertaste|Eingabe|Eingabetaste|Backspace|Del|Entf|Suppr|Home|End|Ende|Pos1|Page|Up|Down|Left"
    "|Right|Caps|Print Screen|Windows|F\\d+|[A-Z]"
)
_NO_NAMES = (
    "I|It|The|A|An|Any|Each|Every|One|Two|Three|This|That|These|Those|Here|There|My|Your|Our|Its|Their|Him|Her|Them|Us"
    "|Me|You|What|Which|Who|How|If|When|And|Or|On|In|At|To|For|From|Both|Either|Between|Wisely|Carefully|Life|OK|Mr|Mrs|Ms|Dr"
    "|Ici|Le|La|Les|L|Un|Une|Votre|Vos|Ce|Cet|Cette|Ces|Celui|Celle|Valider"
    "|Sie|Ihr|Ihre|Ihren|Ihrem|Ihrer|Den|Dem|Der|Die|Das|Ein|Eine|Einen|Einem|Hier|Uns|Mich|Ihn|Es"
)
_BEFORE = (
    r"(?:\A|(?<=[.!?:;,)>\u2022-] )|(?<=\d\) )|(?<=\b(?:or|to|et|ou) )|(?<=\b(?:and|now|und|you|Now) )"
    r"|(?<=\b(?:[Tt]hen|[Jj]ust|[Pp]uis|[Dd]ann|oder) )|(?<=\b(?:[Pp]lease|simply) )"
    r"|(?<=\b[Ee]nsuite )|(?<=\b[Bb]itte ))"
)
"""A verb stands where a sentence or a part of one begins."""
_VERBS = {
    "en": (
        r"(?:(?:[Cc]lick|[Tt]ap)(?: on)?|[Pp]ress|[Ss]elect|[Cc]hoose"
        r"|(?P<hit>[Hh]it(?= (?:OK|Save|Send|Submit|Start|Play|Next|Stop|Reply)\b)))",
        r"to|and|or|then|from|in|on|at|again|below|above|twice|when|once|if|after|before|button|instead|next|now",
    ),
    "fr": (
        r"(?:(?:[Cc]liquez|[Aa]ppuyez|[Tt]apez|[Cc]liquer|[Aa]ppuyer|[Cc]lique|[Aa]ppuie) sur|[Ss]\u00e9lectionnez"
        r"|[Cc]hoisissez)",
        r"pour|puis|et|ou|dans|en|sur|\u00e0|afin|depuis|du|ensuite|quand|lorsque|si|apr\u00e8s|avant|maintenant",
    ),
    "de": (
        r"(?:[Kk]licken Sie auf|[Tt]ippen Sie auf|[Dd]r\u00fccken Sie(?: auf)?|[Ww]\u00e4hlen Sie|[Kk]lick(?:e|en)? auf"
        r"|[Tt]ipp(?:e|en)? auf)",
        r"um|und|oder|dann|im|in|aus|auf|unter|wenn|sobald|zum|am|jetzt|klicken|tippen|dr\u00fccken",
    ),
}
"""By language: the verbs, and words that may follow the name."""
_MARK = r"(?:\*{1,3}|__?|<(?:b|strong|em|i)>)"
_ALONE = r"(?:\*|_|</|\]|\s|[.,;:!?)]|\Z)"
_INNER = rf"(?!(?i:{_KEYS}|{_NO_NAMES}|\w+ly){_ALONE})[^\W\d_][\w' -]{{1,40}}(?<=\w)"
_MARKED = rf"(?P<marked>{_MARK}{_INNER}(?:\*{{1,3}}|__?|</\w+>)|\[{_INNER}\]\([^()\s]+\))"
_NAMES = rf"(?:(?:Sign|Log|Check|Opt) (?:up|in|out|on|off)\b|{_CAPITALISED}(?: {_CAPITALISED}){{0,2}})"
_INFINITIVES = {"de": rf"|\b[Aa]uf(?= {_NAMES} (?:klicken|tippen|dr\u00fccken)\b)"}
"""German has the verb behind the name, too: *auf Speichern klicken*."""
CONTROL = {
    language: re.compile(
        rf"(?:{_BEFORE}{verb}{_INFINITIVES.get(language, '')}) (?:{_MARKED}|(?!(?:{_KEYS}|{_NO_NAMES}){_ALONE})"
        rf"(?P<name>{_NAMES}))"
        rf"(?=\s*(?:[.,;:!?)]|\Z)|\s(?:{following})\b)"
    )
    for language, (verb, following) in _VERBS.items()
}
"""A name behind a verb; in bold, or as a link, it may have small letters where something is clicked."""
CLICK = re.compile(r"(?i:click|tap|cliqu|k?lick|tipp)")
HEADING = re.compile(
    r"Press (?:Agency|Association|Briefing|Cent(?:er|re)|Club|Conference|Contact|Freedom|Kit|Office|Officer|Pass|Photo"
    r"|Release|Review|Room|Secretary|Statement)\b|Tap (?:Danc\w+|Room|Shoes|Water)\b"
    r"|Select (?:Committee|Comfort|Edition|Few|Members?)\b"
    r"|(?:[Ss]elect|[Cc]hoose|w\u00e4hlen Sie) \w+ (?:or|oder|und|and)\b"
)
"""What begins like a button and is none: *Press Release*, *Choose Tea or Coffee*."""
HINTS = {
    "en": ("lick ", "Tap ", "tap ", "ress ", "elect ", "hoose ", "Hit ", "hit ", "lick on "),
    "fr": ("quez sur ", "yez sur ", "pez sur ", "quer sur ", "yer sur ", "ique sur ", "uie sur ", "nnez ", "sissez "),
    "de": ("licke", "lick auf ", "ippe", "ipp auf ", "cken Sie ", "hlen Sie "),
}
"""Every text with such a verb has one of these."""
KEY = re.compile(
    r"\b(?:(?:[Cc]lick|[Tt]ap)(?:s|ing)?(?: on)?|(?i:press|hit)(?:ing)?|[Ss]elect|[Cc]hoose|(?i:hold)(?:ing)?(?: down)?"
    r"|(?:[Cc]liquez|[Aa]ppuyez|[Tt]apez|[Cc]liquer|[Aa]ppuyer) sur|(?:[Kk]licken|[Tt]ippen|[Dd]r\u00fccken) Sie"
    r"(?: auf)?)"
    r" (?:\*{1,3}|__?|<\w+>)?(?P<key>OK|Esc|Tab|F\d\d?|Enter|Shift|Ctrl|Alt)(?![^\W_])(?! [Kk]ey\b|-)"
)
"""Keys, and the button that is no word."""
KEY_HINTS = ("OK", "Enter", "Esc", "Tab", "F", "Shift", "Ctrl", "Alt")
WORD = re.compile(r"(?<![\w<])(?<!</)[^\W\d_]+|(?<=_)[^\W\d_]+")
QUOTED = re.compile('<[A-Za-z][^<>]*>|(?P<mark>["\u201c\u201d\u201e\u00ab\u00bb])')
"""A text that has these outside of tags is left alone: nobody could say which of the translation's to take out."""
ADDED = re.compile(r"\u00ab[\s\u00a0\u202f]*|[\s\u00a0\u202f]*\u00bb|[\"\u201c\u201d\u201e]")
"""Quotation marks of a translation, with the spaces that French has inside them."""


def with_marked_controls(normalised: NormalisedText, language: str) -> tuple[NormalisedText, bool]:
    """`normalised` with quotation marks round the names of buttons and menus, and whether it has any.

    A button that is hit is pressed.
    """
    text = normalised.text
    if (text[1:].islower() and not any(map(text.__contains__, "*<["))) or language not in CONTROL:
        return normalised, False  # as most texts
    if not any(map(text.__contains__, HINTS[language])):
        return normalised, False
    if any(match["mark"] for match in QUOTED.finditer(text)):
        return normalised, False
    matches = [match for match in CONTROL[language].finditer(text) if _is_control(match)]
    names = [match.span("name" if match["name"] else "marked") for match in matches]
    words = [WORD.search(text, *name) for name in names]
    if not names or not all(free(text, [word.span() for word in words if word])):
        return normalised, False
    hits = [match.span("hit") for match in matches if match.groupdict().get("hit")]
    ends = [place for start, end in names for place in ((start, start + 1), (end - 1, end))]
    opening, closing = MARKS[language]
    signs = [sign for start, end in names for sign in (opening + text[start], text[end - 1] + closing)]
    verbs = [("P" if text[start] == "H" else "p") + "ress" for start, _ in hits]
    found = sorted(zip([*ends, *hits], [*signs, *verbs], strict=True))
    return replaced(normalised, [place for place, _ in found], [sign for _, sign in found]), True


def _is_control(match: re.Match[str]) -> bool:
    """Whether a match of CONTROL is a button: no heading, and nobody's name."""
    word = (match["name"] or "").partition(" ")[0]
    marked = WORD.search(match["marked"] or "")
    if marked and marked.group().islower() and CLICK.match(match.group()) is None:
        return False  # Press **hard**
    names = everyday_names("en", "en")
    return HEADING.match(match.string, match.start()) is None and word not in names.given - names.words


def without_added_marks(text: str, spans: Sequence[Stretch]) -> tuple[str, Sequence[Stretch]]:
    """A translation without its quotation marks, and what each subword covers of it then."""
    pieces: list[str] = []
    at, length, places = 0, 0, [0] * (len(text) + 1)
    for start, end in [*(match.span() for match in ADDED.finditer(text)), (len(text), len(text))]:
        places[at:start] = range(length, length + start - at)
        length += start - at
        places[start : end + 1] = [length] * (end + 1 - start)
        pieces.append(text[at:start])
        at = end
    return "".join(pieces), [(places[start], places[end]) for start, end in spans]


def keys(text: str, target: str) -> list[Stretch]:
    """Where keys stand that are pressed, and OK; of these French has another word for *Enter*."""
    if not any(map(text.__contains__, KEY_HINTS)):
        return []  # as most texts
    return [match.span("key") for match in KEY.finditer(text) if match["key"] != "Enter" or target != "fr"]
