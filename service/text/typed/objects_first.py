"""German sentences whose object comes first: *Die Rechnung hat mein Chef bezahlt.*

Models take what comes first for the subject: *The bill paid my boss*. They read the subject first. What the subject is
must be certain: a man with *der* or *mein*, or anything behind an accusative (*den Salat*). Behind a day and a time the
subject of a verb without an object comes last: *Am Montag kommt um 8 Uhr der Monteur.*
"""

from __future__ import annotations

import re

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.names.common_names import everyday_names
from service.text.spans.moving import reordered
from service.text.spans.normalise import NormalisedText, replaced
from service.text.typed.antecedents import gender_of_thing

_LOW = r"[a-z\xdf-\xff]"
_CAPITAL = r"[A-Z\xc4\xd6\xdc]"
_ALONE = "bauer|bote|dieb|gast|hund|junge|kater|koch|k\xf6nig|kunde|regen|staat|sturm|wirt|zeuge"
_MEN = (
    "mann|vater|papa|opa|bruder|sohn|onkel|cousin|neffe|enkel|freund|nachbar|chef|kollege|lehrer|arzt|doktor|vermieter"
    "|mieter|meister|handwerker|elektriker|klempner|installateur|fahrer|kellner|b\xe4cker|metzger|friseur|g\xe4rtner"
    "|paketbote|postbote|polizist|richter|anwalt|trainer|torwart|minister|kanzler|pr\xe4sident|einbrecher"
    "|fotograf|k\xfcnstler|autor|student|sch\xfcler|verk\xe4ufer|h\xe4ndler|hersteller|vorstand|verein|stadtrat"
    "|gemeinderat|betriebsrat|bundestag|landtag|pfarrer|pilot|techniker|mechaniker|monteur|kurier"
    "|zusteller|kundendienst|besitzer|eigent\xfcmer|makler|f\xf6rster|landwirt|j\xe4ger|t\xe4ter"
)
"""Masculine nouns that act, in their nominative: whole words, and what may also be the last part of others."""
_MAN = rf"(?={_CAPITAL})(?:(?i:{_ALONE})|\w*(?i:{_MEN}))\b"
_OWN = r"(?:[dms]ein|ihr|unser|euer|k?ein)"
_FEELINGS = (
    "Angst|\xc4rger|Eindruck|Freude|Gl\xfcck|Hoffnung|Kummer|Lust|Mut|M\xfche|Probleme|Ruhe|Schwierigkeiten|Sinn|Sorgen"
    "|Spa\xdf|Ungl\xfcck|Vergn\xfcgen"
)
_OTHER = rf"(?:(?!das (?:{_FEELINGS})\b)(?:die|das|{_OWN}e?) (?:{_LOW}+e[rs]? )?{_CAPITAL}\w+)"
"""A noun behind an accusative."""
_MASCULINE = rf"(?!ihr \w+er\b)(?:(?:der (?:{_LOW}+e )?|{_OWN} (?:{_LOW}+er )?){_MAN})"
_ACCUSATIVE = rf"(?:D(?:en|iesen)|(?:[DMS]ein|Ihr|Unser|Euer)en) (?:{_LOW}+en )?{_CAPITAL}[\w-]+"
_OBJECT = (
    rf"(?:(?:D(?:ie|as|en|em|iese[ms]?)|Alle|Beide|(?:[DMS]ein|Ihr|Unser|Euer)(?:e[mn]?)?) (?:{_LOW}+e[nrs]? )?"
    rf"{_CAPITAL}[\w-]+|Das|Dies)"
)
_PRONOUN = (
    r"(?: (?:mir|dir|uns|euch|ihm|ihnen|Ihnen))?"
    r"(?: (?:gestern|heute|morgen|leider|immer|meistens|normalerweise|damals|nat\xfcrlich))?"
)
_NEXT = r"(?! (?:de[rs]|und|oder|sowie|von|vom|aus|mit|namens|(?:[dms]ein|ihr|unser|eur)e[rs]|[A-Z\xc4\xd6\xdc]))"
"""What does not go on behind a subject that is over."""
_PARTICIPLE = rf"(?:{_LOW}*ge{_LOW}+(?:t|en)|(?:be|ent|er|ver|zer|\xfcber|unter){_LOW}+(?:t|en)|{_LOW}+iert)"
_INFINITIVE = rf"(?!\w*(?:sein|werden|bleiben|hei\xdfen)\b){_LOW}{{2,}}(?:en|ern|eln)"
_END = r"(?=[.!]?\Z|, )"
_WITHIN = r"(?: [\w-]+){0,6}?"
_VERBS = (
    r"(?P<verb>(?P<have>hat(?:te)?)|(?P<modal>kann|muss|soll|darf|will|wird|konnte|musste|sollte|durfte|wollte"
    r"|w\xfcrde)|macht|kocht|repariert|bezahlt|zahlt|bringt|f\xe4hrt|f\xfcttert|pflegt|kauft|verkauft|putzt|schreibt|backt"
    r"|malt|\xf6ffnet|\xfcbernimmt|organisiert|leitet|tr\xe4gt|holt|besorgt|erledigt|baut|gie\xdft|w\xe4scht|braucht|liefert"
    r"|machte|kochte|reparierte|bezahlte|zahlte|brachte|kaufte|verkaufte|schrieb|malte|\xf6ffnete|\xfcbernahm|baute|holte)"
)
_REST = (
    rf"(?P<rest>(?(have)(?:{_WITHIN} {_PARTICIPLE}{_END}|(?=[.!]?\Z))"
    rf"|(?(modal){_WITHIN} {_INFINITIVE}{_END}|(?= \w|[.!]?\Z))))"
)
_TAIL = r"[\w ,.!'\u2019-]*\Z"
OBJECT_FIRST = re.compile(
    rf"(?P<first>{_OBJECT}) {_VERBS}(?P<pronoun>{_PRONOUN}) (?P<subject>(?:nur )?{_MASCULINE}){_NEXT}{_REST}{_TAIL}"
)
ACCUSATIVE_FIRST = re.compile(
    rf"(?P<first>{_ACCUSATIVE}) {_VERBS}(?P<pronoun>{_PRONOUN}) "
    rf"(?P<subject>{_OTHER}|(?:(?:Tante|Oma|Mama|Frau|Herr) )?(?P<name>{_CAPITAL}{_LOW}+)){_NEXT}{_REST}{_TAIL}"
)
_MADE = (
    "(?:an|auf|ein|mit)?ge(?:backen|baut|bastelt|bracht|funden|kauft|kocht|macht|malt|n\xe4ht|nommen|schenkt|schickt|schossen"
    "|schrieben|strickt)|abgeholt|bestellt|bezahlt|gelesen|geputzt|gesungen|gewaschen|repariert|vergessen|verloren"
    "|aus(?:gesucht|gew\xe4hlt)|abgegeben|entworfen|geklaut|geleitet|geliehen|geplant|gepackt|geregelt|gestohlen"
    "|mitgebracht|organisiert|unterschrieben|verkauft|verschenkt|\xfcbersetzt"
)
"""What people do, and things do not."""
THING_FIRST = re.compile(
    rf"(?P<first>(?:D(?:ie|as|iese|ieses)|[DMS]eine?|Ihre?|Unsere?) (?:{_LOW}+en? )?(?P<thing>{_CAPITAL}[\w-]+)|Das) "
    rf"(?P<verb>hat(?:te)?)(?P<pronoun>{_PRONOUN}) (?P<subject>(?:die|{_OWN}e) (?:{_LOW}+e )?{_CAPITAL}\w+"
    rf"|(?:(?:Tante|Oma|Mama|Frau|Herr) )?(?P<name>{_CAPITAL}{_LOW}+))"
    rf"(?P<rest>(?: (?:noch|schon|selbst|nicht|gestern|heute|f\xfcr mich|f\xfcr uns)){{0,2}} (?:{_MADE}){_END}){_TAIL}"
)
RELATIVE = re.compile(r", (?:\w+ )?(?:das|dem|den|denen|der|deren|dessen|die)\b")
"""What may be about what stands before it."""
FAMILY = frozenset(("Mama", "Oma", "Opa", "Papa"))
TITLES = ("Frau ", "Herr ", "Mama ", "Oma ", "Tante ")
_DAY = (
    rf"(?:Am (?:{'|'.join(WEEKDAYS['de'])})(?:abend|mittag|morgen|nachmittag|vormittag)?"
    rf"|Am \d\d?\. (?:{'|'.join(MONTHS['de'])})|(?:Heute|Morgen)(?: Abend| Mittag| Nachmittag| Vormittag| fr\xfch)?)"
)
_CLOCK = r"\d\d?(?:[.:]\d\d)?"
DAY_FIRST = re.compile(
    rf"(?P<first>{_DAY}) (?P<verb>kommt|beginnt|startet|endet|erscheint|spielt|tagt)(?P<pronoun>)"
    rf"(?P<time> (?:zwischen {_CLOCK}(?: Uhr)? und|von {_CLOCK}(?: Uhr)? bis|um|ab|gegen|bis) {_CLOCK}(?: Uhr)?) "
    rf"(?P<subject>(?:der|die|das|ein|eine|unsere?|[dms]eine?) (?:{_LOW}+ )?{_CAPITAL}[\w-]+)(?P<rest>)[.!]?\Z"
)


def with_subject_first(normalised: NormalisedText, language: str) -> NormalisedText:
    """A German text that is such a sentence, with its subject before its verb and the object behind it."""
    text = normalised.text
    if language != "de":
        return normalised
    match = OBJECT_FIRST.match(text) or DAY_FIRST.match(text) or ACCUSATIVE_FIRST.match(text) or THING_FIRST.match(text)
    if match is None or RELATIVE.search(text) is not None:
        return normalised
    words = match.groupdict()
    name, thing = words.get("name"), words.get("thing")
    is_titled = words["subject"].startswith(TITLES) or name in FAMILY
    if (name and not is_titled and name not in everyday_names("de", "de").given) or (
        thing and gender_of_thing(thing) is None
    ):
        return normalised
    first, verb, subject = match.span("first"), match.span("verb"), match.span("subject")
    pronoun = match.span("pronoun")
    behind = [match.span("time")] if "time" in words else []
    space = (verb[0] - 1, verb[0])
    stretches = [subject, (space[0], verb[1]), pronoun, space, first, *behind, (subject[1], len(text))]
    read = reordered(normalised, stretches)
    at = match.end("pronoun") - pronoun[0] + subject[1] - subject[0] + verb[1] - space[0] + 1
    begins = read.text[at : at + 3]  # what may be *your* keeps its capital
    small = begins if begins == "Ihr" else begins.lower()
    return replaced(read, [(0, 1), (at, at + 1)], [read.text[0].upper(), small[0]])
