"""Letters, words and numbers that stand for themselves, which takes the words around them to see.

*Plan B* has a letter that is a name, *Reply STOP* a word that is sent as it stands, *a Word document* the name of a
program, *a 15" screen* a number of inches.
"""

from __future__ import annotations

import re
from collections.abc import Container

from service.text.spans.patterns import DIGIT
from service.text.spans.stretches import Stretch

ENGLISH_NOUNS = (
    "appendix|block|building|class|gate|grade|group|hall|hepatitis|level|option|part|plan|platform|point|room|section"
    "|team|terminal|type|vitamin|zone"
)
"""Words that a letter numbers, also in headings."""
_NOUNS = (
    rf"{ENGLISH_NOUNS}|bolt|column|exit|figure|screw|step|version|wing"
    "|annexe|b\u00e2timent|bloc|classe|colonne|\u00e9quipe|groupe|h\u00e9patite|niveau|porte|quai|salle|sortie|vitamine"
    "|abschnitt|anhang|ausgang|buchstabe|geb\u00e4ude|gleis|gruppe|halle|klasse|raum|spalte|stufe|tarif|taste|teil|typ"
)
LETTER = re.compile(
    rf"(?<!\w)(?i:{_NOUNS})s?\s(?P<letter>[A-HJ-Z]|I(?!\s[a-zA-Z(]|,\s[a-z]))"
    r"(?:(?:\s(?:or|and|ou|et|oder|und|&)\s|\s?[/+]\s?)(?P<other>[A-HJ-Z]|I(?!\s[a-zA-Z(]|,\s[a-z])))?(?![\w'\u2019]|\.\w)"
    r"|\b(?i:reply(?:ing)?|text|send|antworten sie|r\u00e9pondez|envoyez)\s(?:(?:with|mit|par)\s)?"
    r"(?!(?:ALL|ANY|BACK|EVERYTHING|HERE|HIM|HER|MORE|NOTHING|NOW|ONLY|THEM|THIS|TODAY|TOUS|TOUT|VITE|YOU)\b)"
    r"(?P<word>[A-Z]{3,}|OK|NO(?=\s*(?:[.,;!?]|\Z)|\s(?:to|if)\b))\b(?!\s[A-Z]{2})"
    r"|(?<=\s)\((?P<enclosed>[A-HJ-Z]|DF|GF|NF|V[EG])\)"
)
"""Alone, *A* is an article to a model."""
PRODUCTS = ("Word", "Excel", "Teams", "Outlook")
_OF_A_PRODUCT = (
    r"(?:document|file|template|spreadsheet|sheet|table|formula|macro|add-in|calendar|account|channel|chat|call)s?\b"
    r"|meetings?\b"
)
PRODUCT = re.compile(
    rf"\b(?P<first>(?!Teams)(?:{'|'.join(PRODUCTS)})|(?<=[\w,]\s)(?<!\b[Oo]ur\s)Teams)(?=\s(?:{_OF_A_PRODUCT})"
    r"(?!\s(?:the|their|its|for|on|of|in|weekly|names?)\b))"
    r"|\b(?:document|fichier|feuille|tableau|mod\u00e8le|r\u00e9union|appel|calendrier)s?\s"
    rf"(?P<last>{'|'.join(PRODUCTS)})\b"
    r"|\b(?:in|into|with|via|using|from|dans|avec|sur|sous|depuis|mit|\u00fcber|per|aus|Microsoft)\s"
    rf"(?P<used>(?!Teams)(?:{'|'.join(PRODUCTS)})\b(?!\sand\s(?:Sacrament|[a-z])))"
    r"|\b(?:via|per|using|Microsoft)\s(?P<told>Teams)\b"
)
"""Programs whose names are words: *an Excel file*, *open it in Word*."""
VERSION = re.compile(
    r"\b(?:Android|iOS|iPadOS|macOS|Windows|Ubuntu|Debian|Fedora|Python|Java|PHP|Node|iPhone|iPad|Galaxy [A-Z]?|Pixel"
    r"|PlayStation|Xbox|Firefox|Chrome|Safari|Bluetooth|Photoshop|Office|MacBook) ?\d{1,4}(?:\.\d+)*\b"
    r"(?! ?[%\u20ac$\xa3]|[.,:]\d)"
)
"""Programs and devices with their version, of which models move the number."""
DEVICE = re.compile(
    r"\b(?:App Store|Play Store|Google (?:Play|Maps|Drive|Docs|Pay|Meet|Home|Chrome)|Apple (?:Watch|TV|Pay|Music)"
    r"|Prime Video|Fire (?:TV|Stick)|Amazon Prime|Microsoft (?:Edge|Office|Word|Teams)|Windows (?:Update|Defender)"
    r"|Nintendo Switch|Steam Deck|Echo Dot|Adobe (?:Reader|Acrobat)|Kindle)\b"
    r"|\b(?:on|with|for|under|using|use|uses|run|runs|running|[Ii]nstall|[Rr]einstall|[Rr]estart|[Uu]pdate|[Oo]pen)"
    r" (?P<name>Windows|Chrome)\b"
    r"(?! (?:[A-Z]|and [A-Z]))"
)
"""Devices, programs and shops whose names are words."""
BANK = re.compile(
    r"\b(?:(?P<word>BIC|SWIFT)(?:/(?:BIC|SWIFT))?|(?:BIC|SWIFT)(?:/(?:BIC|SWIFT))?[ -](?:[Cc]ode|Nummer|[Nn]umber))"
    r"(?: is| est| ist| lautet)?\s?:?\s(?P<code>[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?!\w)"
)
"""The code of a bank."""
RANGE = re.compile(
    r"(?<![\w'\u2019./-])(?P<range>[A-Z](?:-| ?\u2013 ?)[A-Z]|[a-z](?:\u2013|(?<=\d [a-z])-)[a-z])"
    r"(?![\w'\u2019/-]|\.\w)"
    r"|(?<!\w)(?P<plug>USB-[ABC])\b"
)
"""From one letter to another; a plug that has a letter."""
RANGE_HINT = re.compile(r"[\u2013-] ?[A-Za-z](?!\w)")
HINT = re.compile(r"\w\s[A-Z](?![a-z])|\s\([A-Z]{1,2}\)")
"""Every text with such a letter or word has one of these."""
_GLUED = "(?:he|our|his|here|nd|or|ith|ou|e|t|n|s|er|ie|as|a|es|ous)"
"""Words without their first letter, before which a space may be missing: *SummaryThe*."""
MIXED = re.compile(rf"(?<![\w.@#/-])[A-Za-z]*[a-z]{{2}}[A-Z](?!n(?:nen\w*)?\b|s\b|{_GLUED}\b)[a-z]\w*")
"""A word with a capital inside: *TypeError*, no *LehrerInnen*, no *SummaryThe company*."""
MIXED_HINT = re.compile(r"[a-z][A-Z]")
LETTERED = re.compile(r"(?<![\w.,:/$\u20ac\xa3-])[1-9]\d{0,2}[ab](?![\w'\u2019/-])")
"""A number with a letter, which models write with a capital: *Fig. 2b*, *Klasse 3a*."""
INCHES = re.compile(r"(?P<number>\b\d+(?:[.,]\d+)?)?\"")


def letters(text: str) -> list[Stretch]:
    """Where letters stand that are names, and words to send."""
    if text[1:].islower() or HINT.search(text) is None:
        return []  # as in most texts
    groups = ("letter", "other", "word", "enclosed")
    return [match.span(name) for match in LETTER.finditer(text) for name in groups if match[name] is not None]


def products(text: str) -> list[Stretch]:
    """Where names of programs stand that are words."""
    if not any(map(text.__contains__, PRODUCTS)):
        return []  # as in most texts
    groups = ("first", "last", "used", "told")
    return [match.span(name) for match in PRODUCT.finditer(text) for name in groups if match[name] is not None]


def devices(text: str, source: str) -> list[Stretch]:
    """Where programs and devices stand in an English text, alone or with the number of their version: *Windows*,
    *Android 14*. Models of French and German know them, and lose *has* before what stands for one."""
    if source != "en":
        return []
    found = list[Stretch]()
    if not text[1:].islower():
        found += [match.span("name" if match["name"] else 0) for match in DEVICE.finditer(text)]
    return found + [match.span() for match in VERSION.finditer(text)] if DIGIT.search(text) else found


def inches(text: str) -> list[Stretch]:
    """Where numbers stand with a sign of inches that closes no quotation."""
    found, is_open = [], False
    for match in INCHES.finditer(text):
        if match["number"] and not is_open:
            found.append(match.span())
        else:
            is_open = not is_open
    return found


def lettered(text: str) -> list[Stretch]:
    """Where numbers stand with a letter."""
    return [match.span() for match in LETTERED.finditer(text)]


def mixed(text: str, known: Container[str] | None) -> list[Stretch]:
    """Where words stand that are written as programs write names, but for those `known` to the model: *YouTube*."""
    if MIXED_HINT.search(text) is None:
        return []  # as in most texts
    return [match.span() for match in MIXED.finditer(text) if known is None or match.group() not in known]


def codes(text: str) -> list[Stretch]:
    """Where codes of banks, ranges of letters and plugs stand."""
    has_hyphen = "-" in text or "\u2013" in text
    found = [match.span() for match in RANGE.finditer(text)] if has_hyphen and RANGE_HINT.search(text) else []
    if "BIC" in text or "SWIFT" in text:
        found += [match.span(name) for match in BANK.finditer(text) for name in ("word", "code") if match[name]]
    return found
