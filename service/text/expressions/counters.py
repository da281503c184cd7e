"""Wordings at counters and desks that models do not know as a whole: how goods are stored, doors and gates that open,
lines that are busy, small ads, names with an initial."""

from __future__ import annotations

import re

_ENDS = r"(?=\s*(?:[.,;:!?)]|\Z))"

ENGLISH = (
    (re.compile(r"\AStore (?:below|at|under) (?P<degrees>\d{1,2}) ?\xb0C\b"), {"de": "Unter {degrees} \xb0C lagern"}),
    (
        re.compile(r"\A(?:Do not|Don't) store above (?P<degrees>\d{1,2}) ?\xb0C\b"),
        {"de": "Nicht \xfcber {degrees} \xb0C lagern"},
    ),
    (re.compile(r"\ADoors open(?= (?:at|from) \d)"), {"de": "Einlass"}),
    (
        re.compile(r"\bis now boarding at gate (?P<gate>[A-Z]?\d{1,3}[A-Z]?)\b"),
        {"de": "steht jetzt an Flugsteig {gate} zum Einsteigen bereit"},
    ),
    (
        re.compile(rf"\A(?:All (?:of )?our|Our) lines are (?:currently |all )?busy(?: at the moment)?{_ENDS}"),
        {"de": "Alle Leitungen sind zurzeit belegt"},
    ),
    (
        re.compile(r"\bplease give (?:us )?at least (?P<number>\d{1,2}) hours['\u2019]? notice\b"),
        {"de": "bitte mindestens {number} Stunden vorher Bescheid geben"},
    ),
    (
        re.compile(
            r"(?:(?<=\bfrom )|(?<=\bwith )|(?<=\bby )|(?<=\bto )|(?<=\bDear ))"
            r"(?P<name>[A-Z]\. ?(?:[A-Z]\. ?)?[A-Z][a-z]+(?:-[A-Z][a-z]+)?)\b(?<!\. The)(?<!\. It)(?<!\. He)(?<!\. She)"
        ),
        {"de": "{name}"},
    ),
    (re.compile(r"\b[Aa] competitive salary\b"), {"de": "ein attraktives Gehalt"}),
    *(
        (re.compile(rf"(?<![Aa]ll )\b[Yy]ear (?P<number>\d{{1,2}}) {who}\b"), {"de": f"{german} der Klasse {{number}}"})
        for who, german in (("parents", "Eltern"), ("pupils", "Sch\xfcler"), ("students", "Sch\xfcler"))
    ),
    (
        re.compile(r"(?:(?<=\bis )|(?<=\bare )|(?<='s ))in [Yy]ear (?P<number>\d{1,2})\b(?! (?:of|two|one|\d))"),
        {"de": "in der {number}. Klasse"},
    ),
    (
        re.compile(
            r"\A[Yy]ear (?P<number>\d{1,2})(?= (?:is|are|will be) (?:visiting|going|learning|performing|swimming)\b)"
        ),
        {"de": "Klasse {number}"},
    ),
    (re.compile(r"\bon high(?:er)? ground\b"), {"de": "in h\xf6heren Lagen"}),
    (re.compile(r"\AJust to let you know,(?= )"), {"de": "Nur zur Info:"}),
    (re.compile(r"(?<=[a-z] )you've got this(?=\W*\Z)"), {"de": "du schaffst das"}),
)
"""English ones, as German has them."""

GERMAN = (
    (re.compile(r"\bWunschtermin\b"), {"en": "preferred date"}),
    (re.compile(r"\bNicht \xfcber (?P<degrees>\d{1,2}) ?\xb0C lagern\b"), {"en": "Do not store above {degrees} \xb0C"}),
    (re.compile(r"\bUnter (?P<degrees>\d{1,2}) ?\xb0C lagern\b"), {"en": "Store below {degrees} \xb0C"}),
    (
        re.compile(r"\bweist (?:nicht gen\xfcgend|keine ausreichende|nicht ausreichend|keine) Deckung auf\b"),
        {"en": "has insufficient funds"},
    ),
    (re.compile(r"(?<=\bTagen )ohne Abzug\b|(?<=\bnetto )ohne Abzug\b"), {"en": "without deduction"}),
    (re.compile(r"\bSpenden (?:sind )?erw\xfcnscht\b"), {"en": "donations welcome"}),
    (re.compile(r"\bDessertkarte\b"), {"en": "dessert menu"}),
    (re.compile(r"\bGetr\xe4nkekarte\b"), {"en": "drinks menu"}),
    (
        re.compile(r"\bw\xfcnsch(?:t|en)(?: (?:Ihnen|dir|euch))?(?: die)? Familie (?P<name>[A-Z]\w+)(?=\W*\Z)"),
        {"en": "from the {name} family"},
    ),
    (re.compile(r"\b(?:befindet sich|ist) in (?:der )?Zustellung\b"), {"en": "is out for delivery"}),
    (
        re.compile(r"\AAntworten Sie mit (?P<word>STOPP?), um sich abzumelden\b"),
        {"en": "Reply {word} to unsubscribe"},
    ),
    (re.compile(r"\bausgeschriebenen? Stelle\b"), {"en": "advertised position"}),
    (re.compile(r"\bin h\xf6heren Lagen\b"), {"en": "on higher ground"}),
    (re.compile(r"\AWir bitten um (?:etwas |Ihre )?Geduld\b"), {"en": "Please be patient"}),
    (re.compile(r"\bdu (?:packst|schaffst) das(?=\W*\Z)"), {"en": "you can do it"}),
    (re.compile(r"\bviel erfolg\b"), {"en": "good luck"}),
)
"""German ones, as English has them."""

HINTS = {
    "en": ("lines are", ". ", "ompetitive salary", " ground", "Just to let", "got this"),
    "de": (
        "Wunschtermin", "Deckung auf", "ohne Abzug", "Spenden ", "rtkarte", "ekarte", " Familie ",
        "Zustellung", "STOP", "ausgeschrieben", "heren Lagen", "Geduld", "st das", "viel erfolg",
    ),
}  # fmt: skip
"""One is in every text with such a wording that has neither digits nor signs."""
