"""Placeholders: code points of the vocabulary that stand for a stretch of text which must not change.

They are private-use code points of Unicode, so no text means anything by them. Training exchanges names, numbers and
the like for them on both sides of a pair; a server that protects an e-mail address writes one in its place, and puts
the address back where the model wrote it. There are two for each kind of text, since a translation depends on the kind:
*at 14:30* is *um 14:30 Uhr* in German, and *at info@example.org* is *unter info@example.org*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ADDRESS = "\ue000\ue001"
"""Where somebody or a page is found: e-mail addresses, addresses of pages, telephone numbers, streets."""
TIME = "\ue002\ue003"
"""Times of day."""
NUMBER = "\ue004\ue005"
"""Numbers, amounts and dates in digits."""
THING = "\ue006\ue007"
"""Everything else: names, codes, files, emoji, words in letters that a vocabulary lacks."""
PLACEHOLDERS = ADDRESS + TIME + NUMBER + THING
"""Distinct ones, so that several in a sentence keep apart."""

ENDINGS = "com|org|net|edu|gov|io|ai|app|dev|info|eu|fr|de|uk|us|ca|ch|be|es|it|nl|pl|se|at|jp|cn|ru|br|in"
"""The last part of addresses of pages."""
TELEPHONE = r"\+\d[\d ().-]{6,}\d|\(\d{2,4}\)[ -]?\d[\d -]{4,}\d|\b\d{2,4}(?:[ .-]\d{2,4}){3,}\b"
GROUPED = r"\d{1,3}(?:[ .,]\d{3})+"
"""A number with a separator every three digits."""

STREET = (
    r"\d{1,5}[A-Za-z]?(?:-\d+)?(?: ?(?:bis|ter))?,? "
    r"(?:(?:rue|avenue|av\.|boulevard|bd|place|impasse|chemin|quai|all\u00e9e|cours|square)\b"
    r"|(?:[A-Z]\S* ){1,3}(?:Street|Road|Avenue|Lane|Drive|Square|Boulevard|Court|Place|St|Rd|Ave)\b)"
)
"""A number and the name of an English or French street."""

IS_ADDRESS = re.compile(
    rf"\w+://|www\.|[^\s@]+@[\w-]+\.\w|[\w-]+(?:\.[\w-]+)*\.(?:{ENDINGS})\b(?![.\w])|(?!{GROUPED}$)(?:{TELEPHONE})(?!\w)|{STREET}"
    r"|(?:P\.O\. Box|BP|Postfach) \d"
)
CLOCK = r"\d{1,2}(?::\d{2}(?::\d{2})?|h(?:\d{2})?)"
IS_TIME = re.compile(rf"{CLOCK}(?:\s?[-\u2013/]\s?{CLOCK})?")
UNITS = (
    r"km/h|(?:[mk]?g|[mcd]?l|[mck]?m[\u00b2\u00b3]?|[KMGT]B)(?:/(?:k?g|[mcd]?l|h|s|min|m[\u00b2\u00b3]))?"
    r"|kWh|[kMG]Hz|\u00b0[CF]"
)
"""Of measurement, which languages write alike."""
CURRENCIES = "USD|EUR|GBP|CHF|CAD|AUD|NZD|HKD|SGD|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|TRY|BRL|MXN|ZAR"
"""Codes of ISO 4217."""
AMOUNT = (
    rf"(?:[^\w\s#]*|(?:{CURRENCIES}))\s?\d(?:[\d.,:/'\u2019\s-]*\d)?"
    rf"(?:(?:bn|mn?|tn|[kKMB])?\s?(?:[%\u2030]|\$?(?:US|CA|AU|NZ|HK)|[^\w\s#]){{0,2}}|\s?(?:{UNITS}|{CURRENCIES}))"
)
"""Digits with separators between signs such as those of currencies."""
LENGTH = r"\d{1,3}(?:,\d)? (?:h(?: \d\d? min)?|min(?: \d\d? s)?|hours?|Stunden?)"
"""A length of time."""
COUNT = r"#|%(?:\d+\$|\(\w+\))?l{0,2}[di]|[{%]?\{(?:count|n|num|number|total)\}?\}"
"""A number in a template or a message."""
SPELLED = r"[^\W\d_][^\W\d_ -]*(?:[ -][^\W\d_]+){0,6} \(\d{1,3}\)|\d{1,3} \([^\W\d_][^\d()]*\)"
"""A number in words and digits."""
IS_NUMBER = re.compile(rf"{AMOUNT}(?:\s?[-\u2013/]\s?{AMOUNT})?|{LENGTH}|{COUNT}|{SPELLED}")


def kind_of(text: str) -> str:
    """The placeholders of the kind of thing that `text` is."""
    if IS_ADDRESS.match(text):
        return ADDRESS
    if IS_TIME.fullmatch(text):
        return TIME
    return NUMBER if IS_NUMBER.fullmatch(text) else THING


def take_placeholder(text: str, unused: list[str]) -> str:
    """The first of the `unused` placeholders, of which there is one, that is of the kind of `text`; the last where none
    is. It is no longer among them."""
    kind = kind_of(text)
    sign = next((sign for sign in unused if sign in kind), unused[-1])
    unused.remove(sign)
    return sign


def placeholders_for(texts: Sequence[str], available: str) -> list[str]:
    """A placeholder for each of `texts`, out of those `available`, each of its kind and used once while there are."""
    found: list[str] = []
    unused: list[str] = []
    for text in texts:
        unused = unused or list(available)
        found.append(take_placeholder(text, unused))
    return found
