"""Words that models write for others of a subject: *ticket*, not *billet*, of a support desk; *minus 5*, not *less 5*.

What was read tells the subject for certain, so that the word cannot be meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from service.text.mending import french_terms
from service.text.mending.term import Term as _Term
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch, as_capital

_NUMBER = r"(?:two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|\d{1,3})"
_SHARE = re.compile(
    r"\b[Uu]ne? [\w'\u2019-]+ sur (?:deux|trois|quatre|cinq|six|sept|huit|neuf|dix|vingt|cent|\d{1,3})\b"
)
_BATTERY = re.compile(r"\b[Bb]attery life\b")
_SUPPORT = re.compile(
    r"\b(?:support|service|help ?desk) tickets?\b"
    r"|\btickets? (?:has|have) been (?:closed|escalated|resolved|reopened|updated)\b"
    r"|\b(?:closed?|escalated?|opened|raised?|reopen(?:ed)?|resolved?|submit(?:ted)?) (?:a|the|your|my|this) ticket\b"
)
_BLOG = re.compile(r"\bblog posts?\b")
_MEDICINE = re.compile(r"\b(?:[Cc]hew|[Ss]wallow|[Cc]rush|[Dd]issolve|[Tt]ake)\b[^.!?]{0,30}\btablets?\b(?! computer)")
_DEVICE = re.compile(
    r"\b(?:[Bb]atter(?:y|ies)|[Pp]hones?|[Hh]eadphones|[Ll]aptops?|[Tt]ablets?)\b[^.!?]{0,60}\b(?:be|been|is"
    r"|are) charged\b(?! (?:for|to)\b)"
)
_FURNITURE = r"(?:[Tt]able|[Cc]hair|[Dd]esk|[Ss]tool|[Ss]ofa|[Cc]upboard)"
_LEGS = re.compile(
    rf"\b{_FURNITURE} legs?\b|\blegs? of the {_FURNITURE}\b|\b[Ss]crew (?:on )?the legs?\b"
    rf"|\b{_FURNITURE}\b[^.!?]{{0,50}}\b(?:scratch|mark|crack|dent)\w* on (?:one|a|the|one of the) legs?\b"
)
_SAYS = (
    r"(?:notes?|noted|aware|inform (?:you|them)|informed|know|knew|think|thought|say|says|said|believe|hope|remember"
    r"|remind you)"
)
_NAMED_ALONE = re.compile(r"\A(?:L(?:es?|a) |L['\u2019])[\w-]+(?: \w+)?\s?\?\s*\Z")
"""A question that is a noun: *Le g\xe2teau ?*"""
_ON = r"\b(?:sur|\xe0|avec|\xe0 cause d')\s?(?:une |la )?chaleur "
_WARMTH = r"(?=[^.]{0,40}\b\d)"
_WANTED = re.compile(
    r"\A(?!.*\b(?:habe?n?|hat|hatten?|ich|ist|sie|sind|war|waren|werden|wird|wir|wurden?)\b)"
    r".* gesucht\b\s*(?:[!.,]|\Z)",
    re.DOTALL,
)
"""An advertisement without a finite verb."""
_CALL_BACK = re.compile(r"\b(?:call|phone|ring) (?:her|him|me|them|us|you) back\b")
_POOR = re.compile(
    r"\b(?:[Bb]reakfast|[Cc]onnection|[Ff]it|[Ff]ood|[Mm]eal|[Qq]uality|[Rr]eception|[Ss]ervice|[Ss]ignal|[Ss]ound|[Ww]eather|[Ww]i-?[Ff]i)"
    r" (?:is|was) (?:quite |rather |really |so |very )?poor\b"
)
_TRAVEL = re.compile(r"\b(?:[Bb]us(?:es)?|[Cc]oach|[Dd]oors|[Ff]erry|[Tt]rains?|[Tt]ram)\b[^.!?]*\bdeparture\b")
_ON_THE_WAY = re.compile(
    r"\b(?:grab|get|pick up) (?:me |us )?(?:an?|some|more|the) [\w ]{3,20} (?:on (?:the|your) way|from the)\b"
)
_TO_YOU = re.compile(r"\b(?:contact|get back to|get in touch with) you\b")
_WORN = re.compile(r"\b(?:been|be|was|were) worn\b(?! (?:away|down|out|smooth))")
_IN_SETTINGS = re.compile(r"\bin Settings\b")
TERMS = {
    ("en", "fr"): (
        *french_terms.FROM_ENGLISH,
        _Term("en Param\xe8tres", _IN_SETTINGS, re.compile(r"\ben(?= Param\xe8tres\b)"), "dans les"),
        _Term("sous-dessus", re.compile(r"\bunder\b"), re.compile(r"\bsous-dessus\b"), "dessous"),
        _Term(
            "bullition",
            re.compile(r"\bto (?:the|a) boil\b"),
            re.compile(r"\b[Aa]pport(?=e[rz]\b[^.!?]{0,60} \xe0 (?:l')?\xe9bullition\b)"),
            "port",
        ),
        _Term("vie de la batterie", _BATTERY, re.compile(r"(?<!de )\b[Ll]a vie(?= de la batterie\b)"), "l'autonomie"),
        _Term("vie de batterie", _BATTERY, re.compile(r"\bvie(?= de batterie\b)"), "autonomie"),
        _Term("billet", _SUPPORT, re.compile(r"\bbillet(?=s?\b)"), "ticket"),
        _Term(
            " de ",
            re.compile(r"\bhave until\b"),
            re.compile(r"\bjusqu'(?:au|\xe0) [^.,;!?]{1,30}? (?P<wrong>de)(?= [a-z\xe0-\xff]{2,}(?:er|ir|re)\b)"),
            "pour",
        ),
        _Term(
            "\xe0 la maison",
            re.compile(r"\d ?[-\u2013] ?\d at home\b|\bhome (?:win|defeat|game|match)\b"),
            re.compile(r"\b\xe0 la maison\b"),
            "\xe0 domicile",
        ),
        _Term("en permanence", re.compile(r"\bat times\b"), re.compile(r"\ben permanence\b"), "par moments"),
        *(
            _Term(
                "chaleur",
                re.compile(rf"\b(?:over|on) (?:a )?{heat} heat\b"),
                re.compile(rf"{_ON}{wrong}\b"),
                f"\xe0 feu {right}",
            )
            for heat, wrong, right in (
                ("(?:low|gentle)", "(?:basse|douce|faible)", "doux"),
                ("medium", "moyen(?:ne)?", "moyen"),
                ("high", "(?:haute|\xe9lev\xe9e|forte)", "vif"),
            )
        ),
        _Term("record", re.compile(r"\bno record of\b"), re.compile(r"\baucun record\b"), "aucune trace"),
        *(
            _Term(
                "son compte", re.compile(r"\bself-employed\b"), re.compile(rf"\b{be} \xe0 (?P<wrong>son) compte\b"), own
            )
            for be, own in (("suis", "mon"), ("es", "ton"), ("sommes", "notre"), ("\xeates", "votre"), ("sont", "leur"))
        ),
        *(
            _Term("tablette", _MEDICINE, re.compile(rf"\b{a}tablette(?=s?\b)"), f"{one}comprim\xe9")
            for a, one in (("[Ll]a ", "le "), ("[Uu]ne ", "un "), ("(?<![Ll]a )(?<![Uu]ne )", ""))
        ),
        _Term("actur", _DEVICE, re.compile(r"\b[Ff]actur(?=(?:\xe9e?s?|er)\b)"), "recharg"),
        *(
            _Term("jambe", _LEGS, re.compile(rf"\b{a}jambe(?=s?\b)"), f"{one}pied")
            for a, one in (("[Ll]a ", "le "), ("[Uu]ne ", "un "), ("(?<![Ll]a )(?<![Uu]ne )", ""))
        ),
        _Term(
            "colt",
            re.compile(r"\b(?:[Pp]hoto|[Pp]icture|[Ii]mage)s?\b.*\bcrop\b|\b[Cc]rop\b.*\b(?:photo|picture|image)s?\b"),
            re.compile(r"\br\xe9colt(?=e[rz]\b)"),
            "recadr",
        ),
        _Term("isez", re.compile(r"\b[Ss]crew\b"), re.compile(r"\b[Vv]isez\b"), "vissez"),
        _Term("cela, ", re.compile(rf"\b{_SAYS} that, [^.!?]+, "), re.compile(r"(?<=\w )cela(?=, )"), "que"),
        _Term(
            " cela ",
            re.compile(r"\b[Nn]ote that (?:from|on|in|due|at|during|between|until|after|before) "),
            re.compile(r"\bnoter (?P<wrong>cela)(?= )"),
            "que",
        ),
        _Term("que \xe7a, ", re.compile(rf"\b{_SAYS} that, [^.!?]+, "), re.compile(r"\bque \xe7a(?=, )"), "que"),
        _Term("normals", re.compile(r"\bnormal\b"), re.compile(r"\bnormals\b"), "normaux"),
        _Term(
            "marathon",
            re.compile(r"\bhalf[- ]marathon\b"),
            re.compile(r"(?<!semi-)(?<!demi-)\bmarathon\b"),
            "semi-marathon",
        ),
        _Term("poste", _BLOG, re.compile(r"(?<![Nn]ouveau )\bposte(?=s? d[eu] blog\b)"), "article"),
        _Term("poste", _BLOG, re.compile(r"\b[Nn]ouveau poste(?= d[eu] blog\b)"), "nouvel article"),
        _Term("comprendr", re.compile(r"\b[Ii]nclud"), re.compile(r"\bcomprendr\b"), "comprendre"),
        _Term(
            "auts ",
            re.compile(rf"\b[Hh]ighs (?:of|between|around){_WARMTH}"),
            re.compile(r"\b[Hh]auts(?= (?:de|entre|autour)\b)"),
            "maximales",
        ),
        _Term("bas de", re.compile(rf"\blows of{_WARMTH}"), re.compile(r"\bbas(?= de\b)"), "minimales"),
    ),
    ("en", "de"): (
        _Term("abgenutzt", _WORN, re.compile(r"\babgenutzt\b"), "getragen"),
        _Term(" kontaktieren", _TO_YOU, re.compile(r"(?<=[a-z] )Ihnen(?=[^.,;!?]{0,60} kontaktieren\b)"), "Sie"),
        _Term("zur\xfcckgeben", _CALL_BACK, re.compile(r"\bzur\xfcckgeben\b"), "zur\xfcckrufen"),
        _Term(" arm", _POOR, re.compile(r"\barm\b(?=\s*[.,!]|\s*\Z| und\b)"), "schlecht"),
        _Term("Abreise", _TRAVEL, re.compile(r"\bAbreise\b"), "Abfahrt"),
        _Term("en?", _ON_THE_WAY, re.compile(r"\b(?:essen|trinken)(?=\?)"), "mitbringen"),
        _Term("in Einstellungen", _IN_SETTINGS, re.compile(r"\bin(?= Einstellungen\b)"), "in den"),
        _Term(
            "Partei",
            re.compile(r"\bparty (?:starts|begins|ends|is (?:at|on|planned|over)|was (?:at|on|planned|over))\b"),
            re.compile(r"\bPartei(?= (?:beginnt|endet|f\xe4ngt|ist|startet|war)\b)"),
            "Party",
        ),
        _Term(
            "klein",
            re.compile(r"\ba little (?:butter|honey|milk|oil|olive oil|salt|sugar|water)\b"),
            re.compile(r"\beine[mnr]? kleine[mnrs]?(?= (?:Butter|Honig|Milch|\xd6l|Oliven\xf6l|Salz|Zucker|Wasser)\b)"),
            "etwas",
        ),
        _Term("freigelassen", re.compile(r"\bhospital\b"), re.compile(r"\bfreigelassen\b"), "entlassen"),
        _Term(
            "im B\xfcro",
            re.compile(r"\b(?:days|weeks|months|years) in office\b"),
            re.compile(r"\bim B\xfcro\b"),
            "im Amt",
        ),
        _Term("bis ", re.compile(r"\bby \d[\d.,]* ?%"), re.compile(r"\bbis(?= \d[\d.,]* ?%)"), "um"),
        _Term(
            " bleiben",
            re.compile(r"\b(?:stay|remain) at \d"),
            re.compile(r"\bum(?= [\d\ue000-\uf8ff][\d.,]*(?: ?%)? bleiben\b)"),
            "bei",
        ),
    ),
    ("de", "en"): (
        _Term(
            " in ",
            re.compile(r"\bgek\xfcndigt\b"),
            re.compile(
                r"\bhanded in(?= (?:the|my|our|his|her|your|their) "
                r"(?:contract|subscription|membership|lease|insurance)\b)"
            ),
            "cancelled",
        ),
        _Term(
            "deleted ",
            re.compile(r"\b(?:Brand|Feuer|Flammen)\b[^.!?]*\bgel\xf6scht\b"),
            re.compile(r"\bdeleted(?= the (?:blaze|fire|flames)\b)"),
            "extinguished",
        ),
        _Term(
            "ituation",
            re.compile(r"\b(?:Gute|Perfekte|Ruhige|Sch\xf6ne|Super|Tolle|Top|Zentrale) Lage\b"),
            re.compile(r"\b[Ss]ituation\b"),
            "location",
        ),
        _Term(
            " over ",
            re.compile(
                r"\b(?:Angebot|Rechnung|Gutschein|Scheck|Mahnung|Quittung|\xdcberweisung) \xfcber (?:\d|\u20ac)"
            ),
            re.compile(
                r"(?<=\bbill )over\b|(?<=\binvoice )over\b|(?<=\boffer )over\b|(?<=\bquote )over\b"
                r"|(?<=\bvoucher )over\b"
            ),
            "for",
        ),
        _Term("searched", _WANTED, re.compile(r"\bsearched\b(?: for\b)?"), "wanted"),
        _Term("mount from", re.compile(r"\bBetrag (?:in H\xf6he )?von \d"), re.compile(r"(?<=\bamount )from\b"), "of"),
        _Term(
            " let me know",
            re.compile(r"\b[Ii]ch (?:wollte|m\xf6chte|will)\b[^.!?,]*\bBescheid (?:geben|sagen)\b"),
            re.compile(r"(?<=\bI just wanted to let )me(?= know\b)|(?<=\bI wanted to let )me(?= know\b)"),
            "you",
        ),
    ),
    ("fr", "en"): (
        *french_terms.INTO_ENGLISH,
        _Term(
            "erminationable", re.compile(r"\b[Rr]\xe9siliable"), re.compile(r"\b[Tt]erminationable\b"), "cancellable"
        ),
        _Term(
            "less ",
            re.compile(r"\b[Ff](?:ait|era|erait|aisait) (?:d\xe9j\xe0 |jusqu'\xe0 )?moins \d"),
            re.compile(r"\bless(?= \d)"),
            "minus",
        ),
        _Term(
            "clock",
            re.compile(r"\b(?:moins|plus) de \d+ heures\b|\b(?:pendant|durant) \d+ heures\b"),
            re.compile(r"(?<=\d )o'clock\b"),
            "hours",
        ),
        _Term(
            "from home",
            re.compile(r"\d ?[-\u2013] ?\d \xe0 domicile\b"),
            re.compile(r"\bfrom(?= home\b)"),
            "at",
        ),
        _Term(
            "while the ",
            re.compile(r"\b(?:[Pp]endant|[Dd]urant) (?:l[ae]s? |l['\u2019])"),
            re.compile(r"\bwhile(?= the \w+\s*(?:[.,!?]|\Z))"),
            "during",
        ),
        _Term(" waist", re.compile(r"\b[Tt]aille m(?:ax|in)imale\b"), re.compile(r"\bwaist\b"), "size"),
        _Term("Do", _NAMED_ALONE, re.compile(r"\ADo(?:es)? the\b"), "the"),
        _Term(" o", _SHARE, re.compile(rf"\b[Aa]n?(?= [\w-]+ (?:on|over|out of) {_NUMBER}\b)"), "one"),
        _Term(" o", _SHARE, re.compile(rf"(?<= )(?:on|over|out of)(?= {_NUMBER}\b)"), "in"),
        *(
            _Term(f" {one}", _SHARE, re.compile(rf"\b[Oo]ne in {_NUMBER} (?P<wrong>{one})\b"), several)
            for one, several in (("child", "children"), ("man", "men"), ("person", "people"), ("woman", "women"))
        ),
        _Term(
            "utonomy",
            re.compile(
                r"\b[Aa]utonomie\b.*(?:\d ?(?:h|heures?|min|minutes|km)\b|\bbatterie)|\bbatterie\b.*\bautonomie\b"
            ),
            re.compile(r"\bautonomy\b"),
            "battery life",
        ),
    ),
}
"""By the languages of a text and its translation."""


def with_terms(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], read: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation of the text that was `read` with the words of its subject. `languages` are those of the text and of
    its translation."""
    changes = {
        match.span("wrong" if "wrong" in match.re.groupindex else 0): term.right
        for term in TERMS.get(languages, ())
        if term.hint in text and term.read.search(read) is not None
        for match in term.wrong.finditer(text)
    }
    found = sorted(changes)
    written = [as_capital(changes[span], text[slice(*span)]) for span in found]
    return rewritten(text, spans, found, written) if found else (text, spans)
