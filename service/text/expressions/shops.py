"""What price tags, recipes, appliances and adverts say in few words: *incl. VAT*, *serves 4*, *fan oven*."""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS

_VAT = r"VAT\b(?! (?:(?!and (?:delivery|postage|service|shipping)\b)[a-z]|[A-Z]{2}))"
_NUMBERS = r"(?P<number>\d+(?:\s?[-\u2013]\s?\d+)?)"
_ALONE = r"(?=\s*(?:[.,;!?)]|\Z))"
SHOPS = (
    (re.compile(rf"\b[Ii]nc(?:l\.|luding|\.)? {_VAT}"), {"fr": "TTC"}),
    (re.compile(rf"\b[Ii]nc(?:l\.|luding|\.)? {_VAT}(?:\.(?=\s*\Z))?"), {"de": "inkl. MwSt."}),
    (re.compile(rf"(?:\b[Ee]x(?:cl\.|cluding|\.)?|\+|\b[Pp]lus) {_VAT}"), {"fr": "HT"}),
    (re.compile(rf"(?:\b[Ee]x(?:cl\.|cluding|\.)?|\+|\b[Pp]lus) {_VAT}(?:\.(?=\s*\Z))?"), {"de": "zzgl. MwSt."}),
    (re.compile(r"\AVAT(?= ?\(?\d|\s?:)"), {"fr": "TVA", "de": "MwSt."}),
    (
        re.compile(
            rf"(?P<amount>[$\u20ac\u00a3]\s?\d+(?:[.,]\d+)*|(?<![\w.,])\d+(?:[.,]\d+)*\s?[\u20ac\u00a3$]) each{_ALONE}"
        ),
        {"fr": "{amount} pi\u00e8ce", "de": "je {amount}"},
    ),
    (
        re.compile(rf"(?:\A|(?<=[.!?] ))Serves {_NUMBERS}(?: people)?{_ALONE}"),
        {"fr": "Pour {number} personnes", "de": "F\u00fcr {number} Personen"},
    ),
    (
        re.compile(rf"(?:(?<=, )|(?<=\())serves {_NUMBERS}(?: people)?{_ALONE}"),
        {"fr": "pour {number} personnes", "de": "f\u00fcr {number} Personen"},
    ),
    (
        re.compile(rf"(?:\A|(?<=, )|(?<=[.!?] ))[Ss]leeps {_NUMBERS}(?: people)?{_ALONE}"),
        {"fr": "{number} couchages", "de": "{number} Schlafpl\u00e4tze"},
    ),
    (
        re.compile(r"(?:(?<=\bpepper )|(?<=\bsalt ))to taste\b(?! (?:the|it|a|this)\b)"),
        {"fr": "selon votre go\xfbt"},
    ),
    (re.compile(r"(?<=\d minutes )until golden(?: brown)?\b"), {"fr": "jusqu'\xe0 coloration", "de": "goldbraun"}),
    (
        re.compile(rf"(?:\A|(?<=[.!?] ))Use within (?P<number>\d{{1,2}}) days of opening{_ALONE}"),
        {"de": "Nach dem \xd6ffnen innerhalb von {number} Tagen verbrauchen"},
    ),
    (
        re.compile(r"(?:\A|(?<=[.!?] ))Save up to (?P<amount>\d{1,2}\s?%)"),
        {"fr": "Jusqu'\xe0 {amount} de r\xe9duction"},
    ),
    (re.compile(rf"(?:\A|(?<=[.!?] ))Save up to (?P<amount>\d{{1,2}}\s?%){_ALONE}"), {"de": "Bis zu {amount} sparen"}),
    (
        re.compile(rf"\A[Bb]uy (?P<number>[2-9]),? get (?:1|one) free{_ALONE}"),
        {"fr": "{number} achet\xe9s, 1 offert", "de": "{number} kaufen, 1 gratis"},
    ),
    (
        re.compile(rf"(?:\A|(?<=[.!?] ))You must be (?P<number>\d\d?) (?:or|and) (?:above|older|over){_ALONE}"),
        {"fr": "Il faut avoir au moins {number} ans", "de": "Man muss mindestens {number} Jahre alt sein"},
    ),
    (re.compile(rf"(?<=\d )(?:or nearest offer|o\.n\.o|ono){_ALONE}"), {"fr": "\xe0 d\xe9battre", "de": "VB"}),
    (re.compile(rf"(?<=\b[Ii]n )(?P<number>\d{{1,3}})s{_ALONE}"), {"fr": "{number} s", "de": "{number} s"}),
    (
        re.compile(
            r"\AWas (?P<amount>[$\u20ac\u00a3]\s?\d+(?:[.,]\d+)*|\d+(?:[.,]\d+)*\s?\u20ac)(?=,? (?:[Nn]ow|reduced)\b)"
        ),
        {"fr": "Avant {amount}", "de": "Statt {amount}"},
    ),
    (re.compile(rf"(?<=, )cancel (?:at )?any ?time{_ALONE}"), {"fr": "r\u00e9siliable \u00e0 tout moment"}),
    (re.compile(rf"(?<=, )cancel (?:at )?any ?time{_ALONE}"), {"de": "jederzeit k\u00fcndbar"}),
    (re.compile(r"\bfan(?:[ -]assisted)? oven\b"), {"fr": "four \u00e0 chaleur tournante"}),
    (re.compile(r"\AFan(?:[ -]assisted)? oven\b"), {"fr": "Four \u00e0 chaleur tournante", "de": "Umluftofen"}),
    (re.compile(r"(?<=\d\u00b0C )fan\b(?! [a-z])"), {"fr": "\u00e0 chaleur tournante", "de": "Umluft"}),
    (
        re.compile(r"(?<![\w.,/])(?P<number>\d+(?:[.,]\d{3})?)\s?rpm\b"),
        {"fr": "{number} tr/min", "de": "{number} U/min"},
    ),
    (re.compile(r"\bare we still on for\b"), {"fr": "\u00e7a tient toujours pour"}),
    (re.compile(r"\AAre we still on for\b"), {"fr": "\u00c7a tient toujours pour"}),
    (
        re.compile(
            r"\b(?:[A-Z][a-z]+ [A-Z][\w'-]+|[Ww]oman|[Mm]an|[Bb]oy|[Gg]irl|[Dd]river|[Tt]eenager|[Ff]ather|[Mm]other"
            r"|[Ss]tudent|[Tt]eacher|[Aa]ctor|[Aa]ctress|[Ss]inger|[Pp]ensioner|[Cc]yclist|[Vv]ictim), "
            r"(?P<what>(?P<number>[1-9]\d|1[01]\d))"
            r"(?=, (?:was|has|had|is|died|dies|wins?|won|told|said|says|from|who|will)\b)"
        ),
        {"fr": "{number} ans"},
    ),
    (
        re.compile(r"(?P<number>\d{1,2})\s?% off selected (?:items|lines|products|styles)\b"),
        {
            "fr": "{number} % de r\u00e9duction sur une s\u00e9lection d'articles",
            "de": "{number} % Rabatt auf ausgew\u00e4hlte Artikel",
        },
    ),
    *(
        (re.compile(rf"\A{how} value for money(?=,? (?:and|but)\b|, )"), {"fr": french, "de": german})
        for how, french, german in (
            ("Good", "Bon rapport qualit\xe9-prix", "Gutes Preis-Leistungs-Verh\xe4ltnis"),
            ("Very good", "Tr\xe8s bon rapport qualit\xe9-prix", "Sehr gutes Preis-Leistungs-Verh\xe4ltnis"),
            ("(?:Excellent|Great)", "Excellent rapport qualit\xe9-prix", "Tolles Preis-Leistungs-Verh\xe4ltnis"),
        )
    ),
    (re.compile(r"\AStudent discount\b"), {"fr": "Remise \u00e9tudiants", "de": "Studentenrabatt"}),
    (re.compile(r"\bhalf a mile\b"), {"fr": "un demi-mile", "de": "eine halbe Meile"}),
    (re.compile(r"\bal dente\b"), {"fr": "al dente", "de": "al dente"}),
    (re.compile(r"\AMostly cloudy\b"), {"fr": "Plut\u00f4t nuageux", "de": "Meist bew\u00f6lkt"}),
    (re.compile(r"\AMostly sunny\b"), {"fr": "Plut\u00f4t ensoleill\u00e9", "de": "Meist sonnig"}),
    (re.compile(r"\AMostly dry\b"), {"fr": "Plut\u00f4t sec", "de": "Meist trocken"}),
)
"""English of price tags, recipes and rooms to let; a full stop may end a German abbreviation and the text."""
FRENCH_SHOPS = (
    (re.compile(rf"(?P<amount>\d+(?:[.,]\d+)?\s?\u20ac) (?:la )?pi\xe8ce{_ALONE}"), {"en": "{amount} each"}),
    (
        re.compile(rf"(?<=, )\xe0 (?:enlever|prendre|retirer|r\xe9cup\xe9rer|venir chercher) sur place{_ALONE}"),
        {"en": "collection only"},
    ),
    (
        re.compile(
            r"\A(?:Tr\u00e8s )?(?:[Bb]elles|[Bb]onnes|[Jj]oyeuses) f\u00eates(?: de fin d'ann\u00e9e)?(?= \u00e0 )"
        ),
        {"en": "Happy holidays"},
    ),
    (
        re.compile(r"\bde (?:tr\u00e8s )?(?:belles|bonnes|joyeuses) f\u00eates(?: de fin d'ann\u00e9e)?\b"),
        {"en": "happy holidays"},
    ),
    (re.compile(r"\bal dente\b"), {"en": "al dente"}),
    (re.compile(r"\b[Tt]ickets?[- ][Rr]estaurants?\b"), {"en": "meal vouchers"}),
    (re.compile(r"\ben CDI\b"), {"en": "on a permanent contract"}),
    (re.compile(r"\ben CDD\b"), {"en": "on a fixed-term contract"}),
    (re.compile(r"\b(?:four \u00e0 )?chaleur tournante\b"), {"en": "fan oven"}),
    (re.compile(r"\AChaleur tournante\b"), {"en": "Fan oven"}),
    (
        re.compile(r"(?<![\w.,/])(?P<number>\d+(?:[ .\u00a0\u202f]\d{3})?)\s?(?:tr|tours)/min(?:ute)?\b"),
        {"en": "{number} rpm"},
    ),
    (re.compile(r"\AD\u00e9part diff\u00e9r\u00e9(?= d[e']| :)"), {"en": "Delayed start"}),
    (re.compile(r"\b(?:l['\u2019]|de l['\u2019]|d['\u2019])?eau de [Jj]avel\b"), {"en": "bleach"}),
    (
        re.compile(rf"\b(?:{'|'.join(MONTHS['fr'])}|20\d\d) (?P<what>inclus)(?=\s*(?:[.,;)]|\Z))"),
        {"en": "inclusive"},
    ),
)
"""The same in French."""
