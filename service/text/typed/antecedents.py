"""Pronouns of things that stand in the sentence before: *Die Lampe flackert. Sie muss repariert werden.*

A model reads one sentence at a time, and takes *sie* for a woman, and *it* for *es*. Before it reads, German pronouns
of a thing are *es*, and English ones have the gender of its German name: *he* becomes *er*. Nothing is changed unless
all the words before are known to name no person, and no other thing.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from model_store.contract.calendar import MONTHS, WEEKDAYS
from service.text.spans.normalise import NormalisedText, replaced
from service.text.spans.word_sets import word_set

FILE = "antecedents.toml"
MOST_BEFORE = 160
"""Code points: what is behind more text may have many antecedents."""
ENDED = re.compile(r"[.!?][)\"\u201c]? \Z")
_THINGS_DO = (
    r"(?:ist|war|hat(?!te)|muss|kann|soll|wird|wurde|funktioniert|funktionierte|kostet|passt|geh\xf6rt"
    r"|steht|stand|liegt|lag|hing|l\xe4uft|lief|riecht|schmeckt|klemmt|tropft|macht|braucht|bleibt|wiegt|misst|stammt"
    r"|startet|blinkt|dauert|druckt|enth\xe4lt|gef\xe4llt|h\xe4lt|fiel|klingt|l\xe4sst sich|\xf6ffnet|schlie\xdft|sieht"
    r"|zeigt(?!.* an\b)|beginnt|endet|kommt|geht(?=.* (?:an|auf|aus|nicht mehr|nicht)\W*\Z))\b"
)
_NOBODY = (
    r"(?!.*\b(?:ge(?:fragt|glaubt|kauft|lacht|meint|sagt|schrieben|sehen|wusst)|angerufen|erz\xe4hlt|verkauft"
    r"|vergessen|wir|ihm|ihn|ihr\w*|sein\w*|krank|m\xfcde|nett|sauer|traurig|w\xfctend|froh|verheiratet"
    r"|zu Hause|arbeiten|Arzt|\xc4rztin)\b)"
)
GERMAN_SUBJECT = re.compile(rf"\A(?P<it>Er|Sie) {_THINGS_DO}{_NOBODY}")
GERMAN_LATER = re.compile(
    rf"\A(?:Dann|Gestern|Heute|Jetzt|Leider|Momentan|Seitdem|Vorhin) {_THINGS_DO} (?P<it>er|sie)\b{_NOBODY}"
)
GERMAN_OBJECT = re.compile(
    r"\b(?:(?:[Ii]ch|[Ww]ir) (?!dass|weil|wenn|ob)[a-z\xdf-\xff]+|[a-z\xdf-\xff]+ (?:ich|wir|du)"
    r"|(?:[Hh]ast|[Kk]annst|[Ww]illst) du|(?:[Bb]ringen|[Gg]eben|[Ll]egen|[Nn]ehmen|[Ss]chicken|[Ss]tellen) Sie"
    r"|\A(?:[Bb]ring|[Ll]eg|[Nn]imm|[Ss]chick|[Ss]tell|[Gg]ib|[Hh]\xe4ng)) (?P<it>ihn|sie)\b"
    r"(?! (?:(?!(?:ab)?holen|behalten|bekommen|benutzen|entsorgen|essen|finden|gefunden|gelesen|gesehen|gewaschen"
    r"|kaufen|lesen|mitbringen|mitnehmen"
    r"|reparieren|reinigen|tragen|umtauschen|\xf6ffnen|verkaufen|verloren|waschen|weggeworfen|wegwerfen|zur\xfcckgeben"
    r"|zur\xfcckschicken)\w+n|sich)[.,!?]?\Z| alle\b|.*\b(?:besuch|einlad"
    r"|fragen|gefragt|heirat|kennen|lieb|ruf|sprech|treff|trifft|umarm|verliebt))"
)
GENDERS = {"Er": "m", "er": "m", "ihn": "m", "Sie": "f", "sie": "f"}
IT = {"Er": "Es", "er": "es", "Sie": "Es", "ihn": "es", "sie": "es"}
GERMAN_NOUN = re.compile(r"(?<![.!?] )(?<!\A)\b[A-Z\xc4\xd6\xdc][\w-]*|\d+")
GERMAN_FIRST = word_set(
    "Der Die Das Den Dem Des Ein Eine Einen Einem Einer Mein Meine Meinen Dein Deine Deinen Unser Unsere Unseren",
    "Dieser Diese Dieses Diesen Ich Du Wir Es Hier Da Dort Wo Was Wie Warum Wann Hast Habe Hat Haben Ist War Kannst",
    "Kennst Magst Willst Brauchst Siehst Suchst Gestern Heute Leider Im In Auf Unter Neben F\xfcr Mit Seit Und Aber",
    "Also Dann Jetzt Nun Endlich Bitte Kann K\xf6nnen K\xf6nnte K\xf6nnten K\xf6nntest Darf Muss",
    "Soll Braucht Gibt Liegt",
)
"""What a German sentence may begin with that is no noun and no name."""
PERSON = re.compile(r"\b(?:er|sie|ihm|ihn|ihr|ihnen|ihre?[mnrs]?|seine?[mnrs]?|man|jemand\w*|wer|wen|wem)\b|[\n:;]")
"""What makes it uncertain who is meant."""
DATES = frozenset((*MONTHS["de"], *WEEKDAYS["de"]))
"""Nouns that no pronoun stands for."""
DETERMINER = re.compile(
    r"\b(?:an?|any|both|each|every|her|his|its?|my|no|our|she|he|they|them|him|some|somebody|someone|that|the|their|these|this"
    r"|those|two|three|four|five|who|your)\b|[\n:;\d]", re.IGNORECASE
)  # fmt: skip
NO_NAME = re.compile(
    rf" (?:(?:for|in|on|last|since) )*(?:{'|'.join((*WEEKDAYS['en'], *MONTHS['en']))})\b"
    r"| (?:after|for|in|within) an? (?:few )?(?:days?|hours?|months?|weeks?|years?)\b"
    r"|\A(?:Dear|Hello|Hey|Hi) [A-Z][a-z]+[,!]"
)
"""A day, a month or a while, and whom a text greets."""
THIS_IS = re.compile(r"\A(?:This|That) is (?=(?:an?|my|our|the|your) )")
SOMEWHERE = re.compile(
    r" (?P<verb>is|was) (?:(?:still|lying|standing|hanging) )*(?:at|behind|in|in front of|next to|on|under)"
    r" (?:the|my|your|our) \w+(?=[.!] \Z)"
)
"""Where a thing is, which the next sentence goes on about."""
NAME = re.compile(r"(?<![.!?] )(?<!\A)\b(?!I\b|I')[A-Z]")
_DEGREE = r"(?:(?:a bit|a little|far|much|quite|really|so|too|very|still|also|just) )*"
_DONE = (
    r"(?:charged|cleaned|closed|collected|delivered|emptied|fixed|folded|locked|opened|painted|picked up|removed"
    r"|repaired|replaced|returned|sent back|signed|sold|washed|worn)"
)
_PLACE = r"(?:at|behind|from|in|next to|on|under) (?:an?|the|my|your|our) \w"
_ENDS = r"(?=\s*[.,!?;]|\s*\Z| (?:and|as well|because|but|for (?:me|us|my|our)|now|so)\b)"
_LIKE = (
    r"(?:(?:brand new|bright|broken|cheap|damaged|delicious|dirty|easy to (?:clean|carry|use)|empty|expensive|full"
    r"|heavy|loud|missing|narrow|sharp|sold out|tight|too (?:big|long|short|small)|wide)"
    rf"{_ENDS}|made of\b|in (?:perfect|good|great|excellent|very good) condition\b"
    rf"|{_DONE}\b|{_PLACE})"
)
_BEHIND = (
    r"(?=\s*[.,!?;]|\s*\Z| (?:and|anywhere|as well|at(?! that)|away|back|before|behind|by|carefully|down|for|from|here"
    r"|if|in|last|next|on|please|so|there|today|under|up|when|with|to (?:me|us|the|my|your)|tomorrow|yesterday)\b)"
)
_TRANSITIVE = "|".join(
    rf"(?<=\b{verb} )"
    for verb in (
        "borrow", "bought", "[Bb]ring", "brought", "clean", "close", "collect", "empty", "find", "fix", "fixed",
        "found", "hang", "keep", "[Ll]eave", "left", "look at", "lost", "need", "open", "pay", "[Pp]ut", "[Rr]ead",
        "repair", "replace", "return", "seen", "sell", "send", "[Ss]ign", "sold", "[Tt]ake", "taking", "throw", "use",
        "want", "wash", "wear", "you buy", "you find",
    )
)  # fmt: skip
ENGLISH_IT = re.compile(
    rf"(?P<subject>\b[Ii]t(?= (?:(?:is|was) {_DEGREE}{_LIKE}|has (?:an?|two|three|four|five|six|no|some|many|several) "
    r"|has (?:already |just |never |only )?been (?:cleaned|repaired|used|washed|worn)\b"
    rf"|takes (?:coins|cards|batteries)\b|leaks\b|(?:can|must|needs to|has to|should|will|could|may) be {_DONE}\b"
    r"|(?:costs?|fits?|smells?|tastes?|arrived|makes an?|comes with|lasts|won't (?:open|close|start)"
    r"|does(?:n't| not) fit)\b"
    rf"(?! (?:that|if|to)\b))|'s {_DEGREE}{_LIKE})"
    r"|(?<=\AIs )it(?= (?:still available|broken|heavy|new|clean|dirty|expensive)\b)"
    r"|(?<=\AWas )it(?= (?:expensive|heavy)\b))"
    rf"|(?P<object>(?:{_TRANSITIVE})it\b{_BEHIND})"
)
"""An *it* that stands for a thing for certain."""
NO_PART = (
    r"(?=[^A-Za-z ]|\s*\Z| [^A-Za-z]| (?:about|again|ago|already|also|always|and|are|arrived|at|away|back|because"
    r"|before|behind|broke|but|by|came|can|costs|could|did|does|down|fell|fits|flickers|for|from|gets|goes|got|had|has|here|if|in"
    r"|into|is|just|keeps|last|leaks|looks|made|makes|may|might|must|need|needs|never|next|not|now|of|off|on|online|only|or"
    r"|over|should|smells|so|sounds|still|stopped|tastes|that|there|this|three|to|today|too|two|under|up|was|we|went|which"
    r"|while|will|with|without|works|yesterday|you|I|i|I've|\w+(?:ed|n't))\b)"
)
"""What stands behind a noun that is no part of a longer one, as *car park*."""
ITS = re.compile(r"\bits\b")
ANY_IT = re.compile(r"\b[Ii]t(?:self)?\b|\b(?:he|she|him|her|his)\b")
WORDS = {"m": ("he", "him", "his"), "f": ("she", "her", "her")}


class _Things(NamedTuple):
    of: dict[str, str]
    """Gender by name, in lower case."""
    endings: re.Pattern[str]


def text_before(text: str, start: int) -> str:
    """What stands before `start` in its paragraph, as far as it is looked at."""
    before = text[max(0, start - MOST_BEFORE - 1) : start]
    return before[before.rfind("\n\n") + 1 :].lstrip("\n") if "\n\n" in before else before


def with_gender(normalised: NormalisedText, before: str, source: str, target: str) -> NormalisedText:
    """A `source` sentence that a model reads by itself, behind the text `before`, with the pronouns that tell the model
    of what gender a thing is in `target`."""
    if ENDED.search(before) is None or len(before) > MOST_BEFORE:
        return normalised
    text = normalised.text
    if (source, target) == ("de", "en"):
        matches = [pattern.search(text) for pattern in (GERMAN_SUBJECT, GERMAN_LATER, GERMAN_OBJECT)]
        found = [match.span("it") for match in matches if match]
        genders = {GENDERS[text[slice(*span)]] for span in found}
        if len(genders) != 1 or not genders <= _german_genders(before):
            return normalised
        return replaced(normalised, sorted(found), [IT[text[slice(*span)]] for span in sorted(found)])
    if (source, target) == ("en", "de") and ("It" in text or "it" in text):
        sites = list(ENGLISH_IT.finditer(text))
        gender = gender_of_only_thing(before) if sites and len(sites) == len(ANY_IT.findall(text)) else None
        if gender is not None:
            subject, thing, own = WORDS[gender]
            words = [_cased(subject, match.group()) if match["subject"] else thing for match in sites]
            changes = [(match.span(), word) for match, word in zip(sites, words, strict=True)]
            changes += [(match.span(), own) for match in ITS.finditer(text, sites[0].end())]
            changes.sort()
            return replaced(normalised, [span for span, _ in changes], [word for _, word in changes])
    return normalised


def _cased(word: str, like: str) -> str:
    return word.capitalize() if like[0] == "I" else word


def gender_of_thing(noun: str) -> str | None:
    """The gender of a German noun that is a thing, or ends with one; None of all that the table does not know."""
    known = _things("de")
    ending = known.endings.search(noun.lower())
    return known.of[ending[1]] if ending is not None else None


def _german_genders(before: str) -> set[str]:
    """The genders of the things that a German text names; none where it may name a person, or what is not known."""
    if PERSON.search(before):
        return set()
    found = set()
    for sentence in re.split(r"(?<=[.!?]) ", before.strip()):
        first = sentence.split(" ", 1)[0].rstrip(".,!?")
        if first not in GERMAN_FIRST:
            return set()
    for noun in GERMAN_NOUN.findall(before):
        if noun in DATES:
            continue
        gender = gender_of_thing(noun)
        if gender is None:
            return set()
        found.add(gender)
    return found


def gender_of_only_thing(before: str, table: str = "en") -> str | None:
    """The gender of the one thing that an English text names, in a `table` of FILE; None where there is another, or a
    person."""
    before = NO_NAME.sub("", SOMEWHERE.sub(r" \g<verb>", THIS_IS.sub("", before)))
    if len(DETERMINER.findall(before)) != 1 or NAME.search(before):
        return None
    known = _things(table)
    nouns = known.endings.findall(before.lower())
    return known.of[nouns[0]] if len(nouns) == 1 else None


@lru_cache
def _things(language: str) -> _Things:
    table = tomllib.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))[language]
    of = {noun.replace("_", " "): gender for gender, nouns in table.items() for noun in nouns.split()}
    any_noun = "|".join(sorted(of, key=len, reverse=True))
    return _Things(of, re.compile(rf"({any_noun})\Z" if language == "de" else rf"\b({any_noun})\b{NO_PART}"))
