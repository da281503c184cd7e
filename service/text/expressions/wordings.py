"""Wordings of parcels, shops, recipes, leaflets, weather and sport of which a model knows the words, but not what they
mean together: *ready for collection*, *true to size*, *until light and fluffy*, *faellt klein aus*."""

from __future__ import annotations

import re

from service.text.expressions import counters

_ENDS = r"(?=\s*(?:[.,;:!?)]|\Z))"
_BEGINS = r"(?:\A|(?<=[.!?] ))"
_WHEN = r"(?=\s*(?:[.,;!?)]|\Z)| (?:at|from|in|on|today|now|tomorrow|until|and|between)\b)"
_BE = r"(?:(?<=\bis )|(?<=\bare )|(?<=\bbe )|(?<=\bnow ))"
_DEGREES = r"(?: degrees|\xb0C?)?(?! (?:to|and) \d|\d|[.,]\d)"
_TEAMS = {
    "": "", "growing ": "wachsendes ", "friendly ": "freundliches ", "dynamic ": "dynamisches ", "small ": "kleines ",
    "young ": "junges ", "busy ": "", "great ": "tolles ",
}  # fmt: skip
"""Adjectives of job adverts before *team*, and before *Team* as an object."""
_FOLDED = {"flour": "Das Mehl", "egg whites": "Das Eiwei\xdf", "cream": "Die Sahne"}
_SIZES = {"small": "klein", "large": "gro\xdf", "big": "gro\xdf"}
_GERMAN_SIZES = {"klein": "small", "gro\xdf": "large", "kleiner": "small", "gr\xf6\xdfer": "large"}
_HOW = {"": "", "etwas ": "a bit ", "sehr ": "very ", "eher ": "rather ", "leider ": "", "ziemlich ": "rather "}
_HIGHS, _LOWS = (rf"{kind}(?:werte|temperaturen)" for kind in ("(?:Tagesh|H)\xf6chst", "Tiefst"))
_ASIDE = r"(?=.*\b(?:Abholung|abgeholt|abholen|abholbereit|Apotheke|Praxis|eingel\xf6st|verschrieben|Medikament)\b)"

ENGLISH = (
    *counters.ENGLISH,
    (
        re.compile(
            rf"{_BE}ready (?:for (?:collection|pick-?up)\b(?! of\b)|to (?:collect|be (?:collected|picked up)){_WHEN})"
        ),
        {"de": "abholbereit"},
    ),
    (re.compile(r"(?<=[a-z] )(?P<number>[2-9]|[1-9]\d) stops away\b"), {"de": "noch {number} Stopps entfernt"}),
    (re.compile(r"(?<=[a-z] )(?P<number>1) stop away\b"), {"de": "noch {number} Stopp entfernt"}),
    (
        re.compile(r"\bto (?:the|your) (?:phone |mobile )?number ending (?:in|with) (?P<number>\d{2,4})\b"),
        {"de": "an die Nummer mit den Endziffern {number}"},
    ),
    (
        re.compile(r"(?:(?<=\bphone )|(?<=\bcard ))ending (?:in|with) (?P<number>\d{2,4})\b"),
        {"de": "mit den Endziffern {number}"},
    ),
    (
        re.compile(
            rf"{_BEGINS}(?:Thanks|Thank you)(?: so much| very much)? for"
            rf" (?:reaching out|getting in touch|contacting us)(?: to us| with us)?{_ENDS}"
        ),
        {"de": "Danke f\xfcr Ihre Nachricht"},
    ),
    (
        re.compile(
            rf"{_BEGINS}Reply (?P<yes>[A-Z]{{1,8}}) to confirm(?:,| or|, or)"
            rf" (?P<no>[A-Z]{{1,8}}) to (?:cancel|decline){_ENDS}"
        ),
        {"de": "Antworten Sie mit {yes}, um zuzusagen, oder mit {no}, um abzusagen"},
    ),
    (
        re.compile(rf"{_BEGINS}Reply (?P<word>[A-Z]{{1,8}}) to confirm{_ENDS}"),
        {"de": "Zum Best\xe4tigen mit {word} antworten"},
    ),
    (
        re.compile(rf"{_BEGINS}Reply (?P<word>[A-Z]{{1,8}}) to cancel{_ENDS}"),
        {"de": "Zum Absagen mit {word} antworten"},
    ),
    (re.compile(r"\bon Sundays and (?:bank|public) holidays\b"), {"de": "an Sonn- und Feiertagen"}),
    (re.compile(r"\b(?:fits|runs|is) true to size\b"), {"de": "f\xe4llt gr\xf6\xdfengerecht aus"}),
    (re.compile(r"\b(?:fit|run|are) true to size\b"), {"de": "fallen gr\xf6\xdfengerecht aus"}),
    (re.compile(r"\A(?:Fits|Runs|Is|True) (?:true )?to size\b"), {"de": "F\xe4llt gr\xf6\xdfengerecht aus"}),
    *(
        (re.compile(rf"\bruns (?:a (?:bit|little) |very |quite )?{size}{_ENDS}"), {"de": f"f\xe4llt {german} aus"})
        for size, german in _SIZES.items()
    ),
    *(
        (re.compile(rf"\ARuns (?:a (?:bit|little) |very |quite )?{size}{_ENDS}"), {"de": f"F\xe4llt {german} aus"})
        for size, german in _SIZES.items()
    ),
    (
        re.compile(
            r"\A(?:Cream|Beat|Whisk) (?:together )?(?:the )?butter and (?:the )?sugar(?: together)?"
            rf"(?: until (?:(?:light|pale) and )?(?:fluffy|creamy))?{_ENDS}"
        ),
        {"de": "Butter und Zucker schaumig schlagen"},
    ),
    (
        re.compile(rf"(?<=[a-z] )(?<!sugar )(?<!together )until (?:light|pale) and (?:fluffy|creamy){_ENDS}"),
        {"de": "bis alles hell und schaumig ist"},
    ),
    *(
        (re.compile(rf"\A(?:Gently |Carefully )?[Ff]old in the {food}{_ENDS}"), {"de": f"{german} unterheben"})
        for food, german in _FOLDED.items()
    ),
    (
        re.compile(r"(?<=\b[Bb]ring )a large (?:pan|pot|saucepan) of (?:lightly |well-?)?salted water\b"),
        {"de": "einen gro\xdfen Topf Salzwasser"},
    ),
    (re.compile(r"\b(?:until )?al dente\b"), {"de": "bissfest"}),
    (re.compile(rf"{_BEGINS}Leave to cool{_ENDS}"), {"de": "Abk\xfchlen lassen"}),
    (re.compile(rf"{_BEGINS}(?:Leave|Allow) to cool completely\b"), {"de": "Vollst\xe4ndig abk\xfchlen lassen"}),
    (
        re.compile(rf"(?<=, )(?:[Cc]ollection|[Pp]ick-?up) only{_ENDS}"),
        {"de": "nur Abholung", "fr": "\xe0 retirer sur place"},
    ),
    (
        re.compile(rf"(?<=, )true to size{_ENDS}"),
        {"de": "f\xe4llt gr\xf6\xdfengerecht aus", "fr": "taille normalement"},
    ),
    (re.compile(r"\bin straight sets\b"), {"de": "ohne Satzverlust"}),
    (
        re.compile(rf"\bwith highs of (?:up to |around )?(?P<low>-?\d{{1,2}}){_DEGREES}"),
        {"de": "bei H\xf6chsttemperaturen von {low} Grad"},
    ),
    (
        re.compile(rf"\bwith highs of (?:between )?(?P<low>-?\d{{1,2}}) (?:to|and) (?P<high>-?\d{{1,2}}){_DEGREES}"),
        {"de": "bei H\xf6chsttemperaturen von {low} bis {high} Grad"},
    ),
    (
        re.compile(r"\bfor (?:training and quality|quality and training) purposes\b"),
        {"de": "zu Schulungs- und Qualit\xe4tszwecken"},
    ),
    (re.compile(r"\bfor training purposes\b"), {"de": "zu Schulungszwecken"}),
    (re.compile(r"\A[Bb]uy one,? get one half price\b"), {"de": "Eins kaufen, das zweite zum halben Preis"}),
    (re.compile(r"(?<=\d )miles on the clock\b"), {"de": "Meilen auf dem Tacho"}),
    (re.compile(r"\bfull service history\b"), {"de": "scheckheftgepflegt"}),
    (re.compile(r"\AFull service history\b"), {"de": "Scheckheftgepflegt"}),
    (re.compile(r"\AOne (?:careful )?owner(?: from new)?(?=,)"), {"de": "Aus erster Hand"}),
    (re.compile(rf"\AFree to (?:a )?good homes?{_ENDS}"), {"de": "In gute H\xe4nde abzugeben"}),
    (re.compile(rf"\ANow hiring{_ENDS}"), {"de": "Wir stellen ein"}),
    *(
        (
            re.compile(rf"\b(?:looking for|seeking|hiring) [^.,!?]{{1,60}} (?P<what>to join our {adjective}team)\b"),
            {"de": f"f\xfcr unser {german}Team"},
        )
        for adjective, german in _TEAMS.items()
    ),
    (re.compile(r"\ba cover(?:ing)? letter\b"), {"de": "ein Anschreiben"}),
    (re.compile(r"\b[Cc]ompetitive salary\b"), {"de": "attraktives Gehalt"}),
    (
        re.compile(rf"{_BEGINS}Load (?:paper (?:in|into) )?tray (?P<number>\d)\b"),
        {"de": "Papier in Fach {number} einlegen"},
    ),
    (re.compile(r"\bCCTV in operation\b"), {"de": "Video\xfcberwachung"}),
    *(
        (re.compile(rf"\b{verb} (?:a|one|about a|half a) size {size}\b"), {"de": f"{german} eine Nummer {other} aus"})
        for verb, german in (("run", "fallen"), ("runs", "f\xe4llt"))
        for size, other in (("small", "kleiner"), ("large", "gr\xf6\xdfer"), ("big", "gr\xf6\xdfer"))
    ),
    (
        re.compile(r"\band make a well in the (?:middle|centre|center)\b"),
        {"de": "und dr\xfccken Sie eine Mulde in die Mitte"},
    ),
    (
        re.compile(r"\buntil a (?:skewer|toothpick|knife)(?: inserted in(?:to)? the \w+)? comes out clean\b"),
        {"de": "bis an einem Holzst\xe4bchen kein Teig mehr klebt"},
    ),
    (re.compile(r"\bin a goalless draw\b"), {"de": "torlos"}),
    (re.compile(rf"(?<=\bwas )goalless{_ENDS}"), {"de": "torlos"}),
    (re.compile(r"\AApply now(?= (?:with|at|via|by|and)\b|\s?!)"), {"de": "Bewerben Sie sich jetzt"}),
    (
        re.compile(r"\AAllow (?P<app>[\"\u201c][^\"\u201d]{1,30}[\"\u201d]) to (?:use|access) your location(?=\?)"),
        {"de": "{app} den Zugriff auf Ihren Standort erlauben"},
    ),
)
"""English ones, as German has them."""

GERMAN = (
    *counters.GERMAN,
    *(
        (re.compile(rf"\bf\xe4llt {how}{size} aus\b"), {"en": f"runs {english}{adjective}"})
        for size, adjective in _GERMAN_SIZES.items()
        for how, english in _HOW.items()
    ),
    *(
        (re.compile(rf"\AF\xe4llt {how}{size} aus\b"), {"en": f"Runs {english}{adjective}"})
        for size, adjective in _GERMAN_SIZES.items()
        for how, english in _HOW.items()
    ),
    (re.compile(rf"\AIhr Rezept\b{_ASIDE}"), {"en": "Your prescription"}),
    (re.compile(rf"(?<=[a-z\xdf-\xff,] )Ihr Rezept\b{_ASIDE}"), {"en": "your prescription"}),
    (
        re.compile(r"\bDie (?:angegebene|empfohlene) (?:Tages)?dosis nicht \xfcberschreiten\b", re.IGNORECASE),
        {"en": "Do not exceed the stated dose"},
    ),
    (re.compile(r"\bendete torlos\b"), {"en": "ended goalless"}),
    *(
        (re.compile(rf"{before}{kind} {range_} Grad\b"), {"en": f"{written} of {english} degrees"})
        for before, kind, written in (
            (r"\A", _HIGHS, "Highs"),
            (r"(?<=[\w,;\u2013-] )", _HIGHS, "highs"),
            (r"\A", _LOWS, "Lows"),
            (r"(?<=[\w,;\u2013-] )", _LOWS, "lows"),
        )
        for range_, english in (
            (r"(?:von|um|bis|bei|bis zu) (?P<low>-?\d{1,2})", "{low}"),
            (r"(?:zwischen|von|bei) (?P<low>-?\d{1,2}) (?:und|bis) (?P<high>-?\d{1,2})", "{low} to {high}"),
        )
    ),
    (re.compile(r"(?<=\u20ac )kalt\b"), {"en": "excluding utilities"}),
    (re.compile(r"(?<=\u20ac )warm\b"), {"en": "including utilities"}),
    (
        re.compile(r"\b[Nn]ach Anbruch (?P<number>\d{1,3}) Tage haltbar\b"),
        {"en": "Use within {number} days of opening"},
    ),
    (re.compile(r"\bin (?:gute|liebevolle) H\xe4nde abzugeben\b"), {"en": "free to a good home"}),
    (re.compile(r"\bNur Selbstabholung\b"), {"en": "Collection only"}),
    (
        re.compile(
            r"\b(?:Wenn|Falls) (?:Sie das waren, (?:m\xfcssen|brauchen) Sie|du das warst, (?:musst|brauchst) du) nichts"
            r" (?:weiter )?(?:zu )?(?:tun|unternehmen)\b"
        ),
        {"en": "If this was you, you don't need to do anything"},
    ),
    (re.compile(r"\b(?:Wenn|Falls) (?:Sie das nicht waren|du das nicht warst)\b"), {"en": "If this wasn't you"}),
    *(
        (
            re.compile(rf"\bweicht {how}(?:vom|von dem) (?:Foto|Bild)s? ab\b"),
            {"en": f"is {english}different from the photo"},
        )
        for how, english in (
            ("", ""),
            ("stark ", "very "),
            ("sehr ", "very "),
            ("deutlich ", "very "),
            ("etwas ", "a bit "),
            ("leicht ", "slightly "),
        )
    ),
    (
        re.compile(r"(?<=\bist )von Vorteil\b|(?<=\bw\xe4re )von Vorteil\b|(?<=\bsind )von Vorteil\b"),
        {"en": "an advantage"},
    ),
    (
        re.compile(r"\AF\xfchrerschein (?:der )?Klasse (?P<class>[A-Z]\w?)\b"),
        {"en": "Category {class} driving licence"},
    ),
    (
        re.compile(r"(?<=[\w,] )F\xfchrerschein (?:der )?Klasse (?P<class>[A-Z]\w?)\b"),
        {"en": "category {class} driving licence"},
    ),
    (
        re.compile(
            r"\b[Ww]\xfcnsche? (?:euch|dir|Ihnen|allen)(?: allen)? (?:einen )?guten [Rr]utsch(?: ins neue [Jj]ahr)?\b"
        ),
        {"en": "happy New Year"},
    ),
    (re.compile(r"\b(?:viele|liebe|sch\xf6ne) gr\xfc\xdfe\b(?! von\b)"), {"en": "best wishes"}),
    (
        re.compile(
            r"\bstreicht(?= (?:[^.!?]{0,40} )?(?:\d[\d.]*|[Tt]ausende|[Hh]underte) (?:Stellen|Jobs|Arbeitspl\xe4tze)\b)"
        ),
        {"en": "is cutting"},
    ),
    (
        re.compile(
            r"\bk\xfcndig\w{1,3}\b[^.!?]{0,60}?\b(?P<what>(?:fristgerecht )?zum (?P<end>\d\d?\.\d\d?\.\d{4}))\b"
        ),
        {"en": "as of {end}"},
    ),
    (
        re.compile(r"\ban die (?:Telefonnummer|Handynummer|Nummer) mit der Endung (?P<number>\d{2,4})\b"),
        {"en": "to the number ending in {number}"},
    ),
    (re.compile(r"(?<=Karte )mit der Endung (?P<number>\d{2,4})\b"), {"en": "ending in {number}"}),
    (
        re.compile(r"\ADas macht(?: zusammen| insgesamt| dann| bitte)?(?= \d[\d.,]* ?(?:\u20ac|Euro\b))"),
        {"en": "That comes to"},
    ),
    (re.compile(r"\b[Aa]bgeschlossene (?:Berufsa|A)usbildung\b"), {"en": "completed vocational training"}),
)
"""German ones, as English has them."""

HINTS = {
    "en": (
        *counters.HINTS["en"],
        "eady for ", "ready to ", " ending ", "Thanks for ", "Thank you", "olidays", "to size", "uns ", " and fluffy",
        " and creamy", "to cool", "straight sets", " purposes", "ne price", "half price", "service history",
        "owner", "good home", "Now hiring", "to join our ", "letter", "ompetitive salary", "CCTV", "Reply ", " sugar",
        "old in ", "salted water", " size ", "make a well", "comes out clean", "goalless", "Apply now",
        "Allow ", "ollection only", "ick-up only",
    ),
    "de": (
        *counters.HINTS["de"],
        " aus", "Rezept", "osis nicht", "endete torlos", "abzugeben", "Selbstabholung", "streicht", "usbildung",
        "weicht ", "von Vorteil", "das war", "nicht war", "erschein Klasse", "nsch",
        " gr\xfc\xdfe",
    ),
}  # fmt: skip
"""One is in every text with such a wording that has neither digits nor signs."""
