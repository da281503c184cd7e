"""Expressions of notices and price tags that no model has read: *24/7*, *7j/7*, *24h/24*, *TTC*, *HT*, *2h 45m*; and
words beside digits, which are a number to a model whatever they mean: *on 14/12*, *9 out of 10*."""

from __future__ import annotations

import re

from service.text.expressions.ordinals import ordinal
from service.text.expressions.shops import FRENCH_SHOPS, SHOPS
from service.text.expressions.wordings import ENGLISH, GERMAN
from service.text.spans.stretches import Translated

_PRICE = r"(?:\u20ac|[Ee]uros?|[Pp]rix|[Mm]ontant|[Tt]otal|[Tt]arifs?|[Bb]udget)\s"
_DAY, _MONTH = r"(?:3[01]|[12]\d|0?[1-9])", r"(?:1[0-2]|0?[1-9])"
_DATE = (
    rf"(?P<date>{_DAY}(?:/{_DAY}(?:/(?:\d{{4}}|\d\d))?|\.{_MONTH}\.\d{{4}}))"
    r"(?![\w%\u20ac/]|[.,:]\d|\s(?:of|de)\b|\s?[%\u20ac])"
)
_GERMAN_DATE = rf"(?P<date>{_DAY}\.{_MONTH}\.(?:\d{{4}}|\d\d)?)(?!\d|\s?[%\u20ac])"
_ENGLISH_DAY = r"(?P<day>[12]?\d|3[01])(?:st|nd|rd|th)(?=\s*[,;:)])"
_GERMAN_DAY = r"(?P<day>[12]\d|3[01]|[1-9])(?:\.(?=\s[a-z\u00df-\u00ff(]|\s*[,;!?)])|(?=\.\s*\Z))"
"""The day of a date without its month, not what has a number: *on the 3rd floor*."""
_DURATION = re.compile(
    r"\b(?P<hours>\d{1,2}) ?(?:h|hrs?) ?(?P<minutes>[0-5]?\d) ?m(?:ins?)?\b(?!\.?\d)",
)
_SHORT_DURATION = re.compile(r"\b(?P<minutes>\d{1,3}) ?min(?:s|utes)? (?P<seconds>[0-5]?\d) ?s(?:ecs?|econds)?\b")
_STRANGERS = {"en": "Dear Sir or Madam", "fr": "Madame, Monsieur", "de": "Sehr geehrte Damen und Herren"}
"""How a letter to nobody in particular begins."""
_YOURS = {"en": "Yours faithfully", "de": "Mit freundlichen Gr\u00fc\u00dfen"}
_REGARDS = r"agr\u00e9er\b[^.!?]*\b(?:salutations|sentiments|consid\u00e9ration)\b[^.!?]*(?=[.!?]|\Z)"
"""How a French letter ends, in a sentence."""
GERMAN_UNITS = {
    "Sterne": "star", "Zimmer": "room", "G\u00e4nge": "course", "Gang": "course", "Stunden": "hour", "Tage": "day",
    "Tages": "day", "Minuten": "minute", "Wochen": "week", "Monats": "month", "Jahres": "year", "Liter": "litre",
    "Euro": "euro", "Meter": "metre", "Kilometer": "kilometre", "Seiten": "page", "Personen": "person", "Zoll": "inch",
    "Kilo": "kilo", "Punkte": "point", "Bett": "bed", "Cent": "cent", "Prozent": "percent", "Grad": "degree",
}  # fmt: skip
"""Units of German compounds with a number, and how English has them before a noun."""
_ASKED = {
    "faire": "do", "manger": "eat", "visiter": "visit", "voir": "see", "offrir": "give", "cuisiner": "cook",
    "lire": "read", "porter": "wear", "choisir": "choose", "acheter": "buy", "boire": "drink", "retenir": "remember",
}  # fmt: skip
"""Infinitives of French questions, *Que faire en cas d'incendie ?*, of which models lose the *to*."""
_WHOSE = {"mes": "my", "tes": "your", "vos": "your", "nos": "our", "leurs": "their"}
_CASES = (
    "si|en|quand|lorsque|pour|contre|face|\xe0|au|aux|apr\xe8s|avant|avec|sans|dans|pendant|ce|cet|cette|ces|sur"
    "|chez|ici|aujourd'hui|demain"
)
"""What stands behind them, and is no object."""
_TIMES = "(?:second|minute|hour|day|week|month|year|decade|lesson|step)s"
_PER = {
    "nuit": "a night", "journ\xe9e": "a day", "semaine": "a week", "s\xe9ance": "a session", "pi\xe8ce": "each",
    "douzaine": "a dozen", "barquette": "a punnet", "botte": "a bunch", "kilo": "a kilo", "kg": "a kilo",
    "litre": "a litre", "m\xe8tre": "a metre", "mois": "a month", "heure": "an hour", "unit\xe9": "each",
    "Nacht": "a night", "Woche": "a week", "Stunde": "an hour", "Flasche": "a bottle", "Packung": "a packet",
    "St\xfcck": "each", "Kilo": "a kilo", "Liter": "a litre", "Glas": "a jar", "Paar": "a pair",
}  # fmt: skip
"""What a price is for."""
_NO_PER = (
    r"(?! (?:derni|proch|suivant|pr\xe9c\xe9d|pass\xe9|de\b|d'|du\b|o\xf9|vor|nach|davor|zuvor|darauf"
    r"|[A-Z\xc4\xd6\xdc]))"
)
_QUESTIONS = r"(?:Bei|F\xfcr) (?:(?:weitere|eventuelle|etwaige|sonstige|allf\xe4llige)n? )?(?:R\xfcckf|F)ragen"
_GLADLY = r"(?:(?:selbstverst\xe4ndlich|nat\xfcrlich|jederzeit|gerne?|immer|auch) ){0,3}zur Verf\xfcgung(?=[.!]|\s*\Z)"
_DATE_VARIABLE = r"\$?\{\{?(?:\w*_)?(?:date|day)\}\}?"
"""A variable of a program's text that is a date."""
EXPRESSIONS = {
    "en": (
        (re.compile(r"\ADear (?:Sirs|(?:Sir|Madam)(?: or |/)(?:Madam|Sir))(?=[,:]|\s*\Z)"), _STRANGERS),
        (re.compile(r"\bUntil then\b(?! [A-Z])"), {"fr": "Jusque-l\u00e0"}),
        (re.compile(r"\buntil then\b"), {"fr": "jusque-l\u00e0"}),
        (re.compile(r"\bwhat time it is\b"), {"fr": "quelle heure il est"}),
        (re.compile(r"\ANice try(?=[!.,]|\s*\Z)"), {"fr": "Bien essay\u00e9", "de": "Netter Versuch"}),
        (re.compile(r"\Anice try(?=[!.,]|\s*\Z)"), {"fr": "bien essay\u00e9", "de": "netter Versuch"}),
        (re.compile(r"(?<![\d/])24/7(?![\d/])"), {"fr": "24h/24 et 7j/7", "de": "rund um die Uhr"}),
        (re.compile(rf"\bon(?= {_DATE_VARIABLE})"), {"fr": "le", "de": "am"}),
        (re.compile(r"(?<=\} )of(?= \$?\{)|(?<=%[dis] )of(?= %)"), {"fr": "sur", "de": "von"}),
        (re.compile(rf"(?<![Ss]ee you )\bon {_DATE}"), {"fr": "le {date}", "de": "am {date}"}),
        (re.compile(rf"\bOn {_DATE}"), {"fr": "Le {date}"}),
        (
            re.compile(r"\bof (?P<date>\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d\d-\d\d)\b"),
            {"fr": "du {date}", "de": "vom {date}"},
        ),
        (
            re.compile(r"\b(?P<part>\d+) out of (?P<whole>\d+)\b"),
            {"fr": "{part} sur {whole}", "de": "{part} von {whole}"},
        ),
        (
            re.compile(
                r"(?<![\d.,] )\b(?P<part>1) in (?P<whole>\d{1,3})"
                rf"(?= (?!{_TIMES})(?:[a-z]+s|people|children|women|men)\b)"
            ),
            {"fr": "{part} sur {whole}", "de": "{part} von {whole}"},
        ),
        (re.compile(r"\ALast updated\b(?! in\b)"), {"fr": "Derni\xe8re mise \xe0 jour", "de": "Zuletzt aktualisiert"}),
        (re.compile(r"\AWell\s?\.\.\.(?!\.)"), {"fr": "Eh bien...", "de": "Na ja ..."}),
        (re.compile(rf"\bon the {_ENGLISH_DAY}"), {"de": "am {day}."}),
        (_DURATION, {"fr": "{hours} h {minutes} min", "de": "{hours} h {minutes} min"}),
        (_SHORT_DURATION, {"fr": "{minutes} min {seconds} s", "de": "{minutes} min {seconds} s"}),
        *SHOPS,
        *ENGLISH,
        (re.compile(r"\bTicket(?= #\d)"), {"fr": "Ticket"}),
        (re.compile(r"\bon startup\b"), {"fr": "au d\xe9marrage", "de": "beim Start"}),
    ),
    "fr": (
        *FRENCH_SHOPS,
        (re.compile(rf"\b\xe0 (?P<whose>{'|'.join(_WHOSE)})(?: propres)? frais\b"), {"en": "at {whose} own expense"}),
        (re.compile(r"\bsous (?P<number>\d{1,3})\s?h(?:eures)?\b(?!\s?\d)"), {"en": "within {number} hours"}),
        (re.compile(r"\AInterdit aux moins de (?P<number>\d\d?) ans"), {"en": "No one under {number}"}),
        (re.compile(rf"\ble(?= {_DATE_VARIABLE})"), {"en": "on"}),
        (re.compile(r"(?<=[Pp]rix )s'entendent (?:toutes taxes comprises|TTC)\b"), {"en": "include VAT"}),
        (re.compile(r"(?<=[Pp]rix )s'entendent (?:hors taxes?|HT)\b"), {"en": "exclude VAT"}),
        (re.compile(r"\bsur(?= \$?\{\{?(?:total|count|max)\b)"), {"en": "of"}),
        (re.compile(r"\AMadame, Monsieur(?=,)"), _STRANGERS),
        (re.compile(r"\ACher Monsieur(?=,)"), {"en": "Dear Sir"}),
        (re.compile(r"\ACh\xe8re Madame(?=,)"), {"en": "Dear Madam"}),
        (re.compile(r"\ADerni\xe8re mise \xe0 jour(?= (?!de\b|d'|du\b|des\b)|\s?:)"), {"en": "Last updated"}),
        (re.compile(r"(?<=\u20ac )\xe0 d\xe9battre\b"), {"en": "negotiable"}),
        (
            re.compile(r"\A(?:(?!\bsoit\b).)*?, (?P<what>soit)(?= (?:environ |pr\xe8s de |plus de )?\d)(?!.*\bsoit\b)"),
            {"en": "that is"},
        ),
        (
            re.compile(rf"(?<=\u20ac\s)(?:l[ae] |l')(?P<per>{'|'.join(filter(str.islower, _PER))})\b{_NO_PER}"),
            {"en": "{per}"},
        ),
        (re.compile(rf"\AQue (?P<verb>{'|'.join(_ASKED)})(?= (?:{_CASES})\b| s')"), {"en": "What to {verb}"}),
        (
            re.compile(r"\AQue faire de(?= (?:[mts](?:on|a|es)|[nv]o(?:s|tre)|leurs?|ce|cet|cette|ces|la)\b)"),
            {"en": "What to do with"},
        ),
        (
            re.compile(
                r"\A(?:(?:Je|Nous) vous pri(?:e|ons) d'|Veuillez )agr\u00e9er"
                r"(?:, (?i:madame|monsieur|mesdames|messieurs|ch[e\u00e8]re? \w+))*(?=,?\s*\Z)"
            ),
            _YOURS,
        ),
        (re.compile(rf"\A(?:(?:Je|Nous) vous pri(?:e|ons) d'|Veuillez ){_REGARDS}"), _YOURS),
        (
            re.compile(rf"(?<=, )(?:(?:je|nous) vous pri(?:e|ons) d'|veuillez ){_REGARDS}"),
            {language: yours[0].lower() + yours[1:] for language, yours in _YOURS.items()},
        ),
        (
            re.compile(r"(?<![\d/])24\s?h(?:eures?)?\s?(?:/|sur\s)\s?24(?:\s?h)?(?![\w/])"),
            {"en": "24 hours a day", "de": "rund um die Uhr"},
        ),
        (
            re.compile(r"(?<![\d/])7\s?j(?:ours)?\s?(?:/|sur\s)\s?7(?:\s?j)?(?![\w/])"),
            {"en": "7 days a week", "de": "an 7 Tagen die Woche"},
        ),
        (
            re.compile(rf"(?:(?<=\u20ac\s)|{_PRICE})(?P<what>TTC)\b"),
            {"en": "incl. VAT", "de": "inkl. MwSt."},
        ),
        (re.compile(rf"(?:(?<=\u20ac\s)|{_PRICE})(?P<what>HT)\b"), {"en": "excl. VAT", "de": "zzgl. MwSt."}),
        (re.compile(rf"\b(?i:avant|depuis|apr\u00e8s|pour|d\u00e8s|d'ici)\s(?P<what>le {_DATE})"), {"en": "{date}"}),
        (
            re.compile(rf"(?<!vant )(?<!epuis )(?<!pr\u00e8s )(?<!our )(?<!\u00e8s )(?<!'ici )\ble {_DATE}"),
            {"en": "on {date}"},
        ),
        (re.compile(rf"\bLe {_DATE}"), {"en": "On {date}"}),
        (re.compile(rf"(?<!partir )\bdu {_DATE}(?!\s(?:au\b|\u00e0\s\d+/))"), {"en": "of {date}"}),
    ),
    "de": (
        (
            re.compile(rf"\b(?P<number>\d+(?:,\d+)?)-(?P<unit>{'|'.join(GERMAN_UNITS)})(?=-[A-Z\u00c4\u00d6\u00dc])"),
            {"en": "{number}-{unit}"},
        ),
        (re.compile(r"(?<=\} )von(?= \$?\{)|(?<=%[dis] )von(?= %)"), {"en": "of"}),
        (re.compile(r"\bErsatzverkehr mit Bussen\b"), {"en": "rail replacement bus service"}),
        (re.compile(r"\ASehr geehrte Damen und Herren(?=[,:]|\s*\Z)"), _STRANGERS),
        (
            re.compile(rf"(?<=\u20ac\s)(?:die|das|der) (?P<per>{'|'.join(_PER)})\b{_NO_PER}"),
            {"en": "{per}"},
        ),
        (re.compile(r"\bab(?= \d[\d.,]{0,10}\s?\u20ac)"), {"en": "from"}),
        (re.compile(r"\bAb(?= \d[\d.,]{0,10}\s?\u20ac)"), {"en": "From"}),
        (
            re.compile(rf"\A{_QUESTIONS} stehe(?P<we>n wir| ich) (?:Ihnen|dir|euch) {_GLADLY}"),
            {"en": "Please don't hesitate to contact {us} if you have any questions"},
        ),
        (
            re.compile(
                r"\A(?:Ich|Wir) stehe(?P<we>n)? (?:Ihnen|dir|euch) (?:bei|f\xfcr) (?:weiteren? )?"
                rf"(?:R\xfcckf|F)ragen {_GLADLY}"
            ),
            {"en": "Please don't hesitate to contact {us} if you have any questions"},
        ),
        (
            re.compile(rf"\A{_QUESTIONS} melden Sie sich(?: (?:bitte|gerne?|jederzeit|einfach)){{0,3}}(?=[.!]|\s*\Z)"),
            {"en": "Please get in touch if you have any questions"},
        ),
        (re.compile(r"(?<=, )melden Sie sich (?:jederzeit )?gerne?(?=[.!]|\s*\Z)"), {"en": "please get in touch"}),
        (re.compile(r"\AStimmt(?=, )"), {"en": "That's right"}),
        (re.compile(r"\AZuletzt aktualisiert\b"), {"en": "Last updated"}),
        (re.compile(r"(?<=\u20ac )(?:VB|VHB|Verhandlungsbasis)\b"), {"en": "negotiable"}),
        (re.compile(r"(?<!er )(?<!ie )\b(?P<day>[12])\. Klasse(?=\s*(?:[,;:.!?)]|\Z))"), {"en": "{nth} class"}),
        (
            re.compile(r"\bverbleiben? (?:ich |wir )?mit (?:freundlichen|besten|herzlichen) Gr\xfc\xdfen"),
            {"en": "remain with kind regards"},
        ),
        (re.compile(rf"\bam {_GERMAN_DAY}"), {"en": "on the {nth}"}),
        (
            re.compile(r"(?<![\w:.,])(?P<part>\d{1,3}) zu (?P<whole>\d{1,3})(?![\w:.,%]\d|\s?[%\u20ac]|\s?Uhr)\b"),
            {"en": "{part} to {whole}"},
        ),
        (re.compile(r"\b(?P<number>[2-9])er-WG\b"), {"en": "flatshare for {number}"}),
        (re.compile(r"\bi\. ?[AV]\.(?= [A-Z\u00c4\u00d6\u00dc][a-z\u00df-\u00ff])"), {"en": "p.p."}),
        (re.compile(r"(?<=[a-z\u00df-\u00ff]{2}in )Frau(?= [A-Z\u00c4\u00d6\u00dc][a-z\u00df-\u00ff])"), {"en": "Ms"}),
        (re.compile(rf"\bam {_GERMAN_DATE}"), {"en": "on {date}"}),
        (re.compile(rf"\bAm {_GERMAN_DATE}"), {"en": "On {date}"}),
        (re.compile(rf"(?<![Aa]m )(?<![\w.,:/-]){_GERMAN_DATE}"), {"en": "{date}"}),
        (re.compile(r"\AH\u00e4(?=\s?[,.!?])"), {"en": "Huh", "fr": "Hein"}),
        *GERMAN,
    ),
}
"""What to look for in each language, and how others write it."""


def expressions(text: str, source: str, target: str) -> list[Translated]:
    """The expressions of a `source` text as `target` writes them; none of languages that are not known."""
    return [
        Translated(*match.span("what" if "what" in pattern.groupindex else 0), _written(match, written[target]))
        for pattern, written in EXPRESSIONS.get(source, ())
        if target in written
        for match in pattern.finditer(text)
    ]


def _written(match: re.Match[str], form: str) -> str:
    """`form` with the date of a match; the full stop of a German one may end the text, too."""
    parts = match.groupdict()
    if parts.get("day"):
        parts["nth"] = ordinal(int(parts["day"]))
    if parts.get("per"):
        parts["per"] = _PER[parts["per"]]
    if "we" in parts:
        parts["us"] = "us" if (parts["we"] or "").startswith("n") else "me"
    if "verb" in parts:
        parts["verb"] = _ASKED[parts["verb"]]
    if "whose" in parts:
        parts["whose"] = _WHOSE[parts["whose"]]
    if "unit" in parts:
        parts["unit"] = GERMAN_UNITS[parts["unit"]]
    if match.end() < len(match.string):
        parts["date"] = parts.get("date", "").rstrip(".")
    return form.format(**parts)
