"""Words with a capital that are no names, though the model never saw them, by what stands beside them and what they are
made of: *Fluent in Spanish*, *im Mitarbeiterportal*, *Rempote le palmier*, *Counsellors are here*.
"""

from __future__ import annotations

import re
from collections.abc import Container

from service.text.names.common_names import everyday_names
from service.text.spans.word_sets import word_set

PEOPLES = word_set(
    "Afghan Afghans African Africans Albanian Albanians Algerian Algerians Alpine American Americans Antarctic",
    "Arab Arabic Arabs Arctic Argentinian Argentinians Armenian Asian Asians Australian Australians Austrian",
    "Austrians Aztec Aztecs Balkan Baltic Basque Bavarian Bavarians Belarusian Belgian Belgians Berliners",
    "Biblical Bolivian Bosnian Brazilian Brazilians Breton British Buddhist Buddhists Bulgarian Bulgarians",
    "Byzantine Cambodian Canadian Canadians Caribbean Catalan Catholic Catholics Celtic Celts Chilean Chileans",
    "Chinese Christians Colombian Colombians Communist Communists Croatian Croatians Croats Cuban Cubans Cyrillic",
    "Czech Czechs Danes Danish Democrats Dutch Dutchman Egyptian Egyptians English Englishman Englishmen",
    "Englishwoman Estonian Estonians Ethiopian Ethiopians European Europeans Filipino Filipinos Finnish Finns",
    "Flemings Flemish Freemasons French Frenchman Frenchmen Frenchwoman Georgian German Germans Ghanaian Gothic",
    "Goths Greek Greeks Hawaiian Hebrew Hindu Hindus Hungarian Hungarians Iberian Icelanders Icelandic Inca Incas",
    "Indian Indians Indonesian Indonesians Iranian Iranians Iraqi Iraqis Irish Irishman Islamic Israeli Israelis",
    "Italian Italians Jamaican Jamaicans Japanese Jewish Jews Kenyan Kenyans Koranic Korean Koreans Latin Latvian",
    "Latvians Lebanese Lithuanian Lithuanians Londoners Malaysian Maltese Marxist Mayan Mediterranean Mexican",
    "Mexicans Moldovan Mongolian Moroccan Moroccans Muslim Muslims Nepalese Nigerian Nigerians Nordic Normans",
    "Norwegian Norwegians Ottoman Ottomans Pakistani Pakistanis Parisian Parisians Persian Persians Peruvian",
    "Peruvians Poles Polish Portuguese Protestant Protestants Republicans Romanian Romanians Romans Russian",
    "Russians Saudi Saxons Scandinavian Scandinavians Scot Scots Scotsman Scottish Senegalese Serbian Serbs",
    "Sicilian Slavic Slavs Slovakian Slovaks Slovenian Spaniard Spaniards Spanish Swede Swedes Swedish Swiss",
    "Syrian Syrians Taiwanese Thai Tunisian Turk Turkish Turks Tuscan Ukrainian Ukrainians Venezuelan Venezuelans",
    "Victorian Vietnamese Viking Vikings Welsh Welshman",
)
"""English ones for peoples, beliefs and languages."""
NO_NAMES = {
    "en": re.compile(r"(?:ians?|eans?|ese|ists?|isms?|ics?|ings?|ments?|ations?|ness)\Z"),
    "fr": re.compile(r"(?:ais|aises?|ois|oises?|iens?|iennes?|ains?|aines?|istes?|ismes?|ments?|ations?)\Z"),
}
"""Endings of words that have a capital and are translated: peoples, beliefs, things in headings."""
CLITIC = re.compile(r"-(?:moi|toi|nous|vous|l[ae]|les|lui|leur|y|en|je|tu|ils?|elles?|on|ce)\Z")
"""A French pronoun behind a verb, as in *Retrouvez-moi*."""
ENDS_OF_VERBS = ("er", "\u00e9", "\u00e9e", "ent", "re", "ir")
"""Of verbs that may end with *ez*, in other forms."""
ORDER = re.compile(
    r"\s(?i:l[ae]s?|une?|des|du|t(?:on|a|es)|votre|vos|m(?:on|a|es)|notre|nos|cet?|cette|ces)\b|\sl['\u2019]"
)
"""What follows a French verb that begins a sentence, and no name: *Rempote le palmier*."""
PLURAL = re.compile(r"\b(?i:les|des|aux|en|ces|nos|vos|mes|tes|ses|leurs|quelques)\s\Z")
_SIGN = r"\s*(?:[,.!?:;)\u2026]|\Z)|['\u2019]|\sand\s[A-Z]"
_VERB = r"is|was|has|had|will|would|can|could|did|says|said|got|went|came|to|[a-z]+[a-rt-z]s"
_PAST = (
    "ate|became|began|bought|broke|brought|built|chose|drank|drew|drove|fell|felt|flew|forgot|fought|found|gave|grew"
    "|heard|held|hid|kept|knew|led|left|lost|made|met|paid|put|ran|rang|rode|rose|sang|sat|saw|sent|slept|sold|spent"
    "|spoke|stole|stood|swam|taught|thought|threw|told|took|understood|woke|won|wore|wrote"
    "|always|also|already|never|often|still|may|might|must|should|does"
)
SUBJECT = re.compile(
    rf"{_SIGN}|\s(?:(?:{_VERB}|{_PAST}|[a-z]+ed)\b|(?:is|was|has|had|does|did|would|could|ca|wo|should)n['\u2019]t\b)"
)
"""What follows a name that begins an English sentence."""
SUBJECT_IN_S = re.compile(rf"{_SIGN}|\s(?:{_VERB})\b")
"""The same behind a word that may be a plural."""
UNKNOWN_IN_S = re.compile(rf"{_SIGN}|\s(?:{_VERB}|{_PAST})\b")
"""The same if no singular of it is known; a participle may follow a plural: *Counsellors needed*."""
DETERMINER = re.compile(
    r"\b(?i:der|die|das|den|dem|des|eine?[nmrs]?|(?:k|m|d|s)eine?[nmrs]?|ihr(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|eue?re?[nmrs]?"
    r"|diese[nmrs]?|jede[nmrs]?|welche[nmrs]?|alle[nmrs]?|viele[nr]?|einige[nr]?|mehrere[nr]?|beide[nr]?|zwei|drei|vier"
    r"|im|am|zum|zur|vom|beim|ins|ans|aufs|f\u00fcrs|\d+)\s\Z"
)
"""What stands before German nouns, and hardly ever before names of people."""
PRONOUN = re.compile(r"\s(?:Sie|du|ihr|wir)\b")
"""What follows a German verb that begins a sentence."""
BEHIND_ORDER = re.compile(r"\s(?:[dm]ir|[dms]ich|uns|euch|den|die|das|dem|der|mal|bitte|nicht|es|ihn|alles?)\b")
"""The same behind an order; nothing that follows a name."""
IN_PLURAL = re.compile(r"\s(?!den|wen|denen|gegen|wegen|neben|zwischen|hinten|unten|oben|außen|innen)[a-zäöüß]{3,}en\b")
"""A German verb in the plural, behind no one name."""
ENDS_OF_NOUNS = re.compile(
    r"(?:heit|keit|ung|schaft|tion|t\u00e4t|ismus|nis|chen|ling)(?:en|s|e)?\Z"
    r"|(?:ig|lich|isch|bar|sam|los|haft|iert)e[mnrs]?\Z"
)
"""Of German nouns, and of adjectives that begin a sentence or stand for a noun."""
ENDS_OF_ADJECTIVES = re.compile(r"\A(?:Un|\u00dcber|Hoch|Viel).+e[mnrs]?\Z")
BEFORE_CAPITAL = re.compile(r"\s[A-Z\u00c4\u00d6\u00dc]")
LINKS = ("", "s", "es", "n", "en", "er", "e")
"""What German compounds have between their parts."""
SHORTEST, SHORTEST_PART = 9, 3
"""Letters of a compound that is seen to be one, and of its parts."""
ENDINGS = ("en", "n", "es", "s", "e", "er", "ern")
"""Of forms of German nouns."""
SHORTEST_NOUN = 4
"""Letters of a noun without its ending."""
WITHOUT_UMLAUTS = str.maketrans("\u00e4\u00f6\u00fc\u00c4\u00d6\u00dc", "aouAOU")
OF_SURNAMES = word_set(
    "mann berg berger bach bacher stein feld feldt felder burg dorf dorfer hof hofer kopf bauer heim heimer thal",
    "haus hausen hauser mayer meier meyer maier wald walder holz strand st\u00e4dt st\u00e4dter reich br\u00fcck",
    "br\u00fccken",
)
"""Last parts of surnames and towns."""
MOST_BEFORE = 16
"""Code points before a word that are looked at."""


def is_common_word(match: re.Match[str], word: str, language: str, known: Container[str] | None, begins: bool) -> bool:
    """Whether the `word` of a `match` in a text of a `language` is a word and no name; `begins`: whether any word would
    have a capital there. `known` are those that the model was trained on."""
    if language == "de":
        return _stands_as_noun(match, word) or (
            known is not None and (is_inflected(word, known) or is_compound(word, known))
        )
    if language == "fr":
        is_order = begins and (_is_order(word, known) or ORDER.match(match.string, match.end()) is not None)
        return is_order or (PLURAL.search(_before(match)) is not None and may_be_translated(word, language))
    if language == "en":
        subject = SUBJECT
        if word.endswith("s"):
            subject = SUBJECT_IN_S if known is None or word[:-1].lower() in known else UNKNOWN_IN_S
        *_, last = parts = word.split("-")
        is_joined = len(parts) > 1 and (last.islower() or not PEOPLES.isdisjoint(parts))  # X-rays, African-American
        is_participle = word.endswith("ed") and known is not None and (word[:-1] in known or word[:-2] in known)
        return (
            word in PEOPLES
            or is_joined
            or (begins and is_participle)
            or (begins and subject.match(match.string, match.end()) is None)
        )
    return False


def _before(match: re.Match[str]) -> str:
    return match.string[max(0, match.start() - MOST_BEFORE) : match.start()]


def _stands_as_noun(match: re.Match[str], word: str) -> bool:
    """Whether a German word is a noun, a verb or an adjective by its ending and by what stands beside it."""
    text, end = match.string, match.end()
    if DETERMINER.search(_before(match)) or PRONOUN.match(text, end) or _ends_like_a_noun(word):
        return True
    if text[: match.start()].rstrip(' "\u201e-'):
        return False
    is_adjective = ENDS_OF_ADJECTIVES.search(word) is not None and BEFORE_CAPITAL.match(text, end) is not None
    return is_adjective or BEHIND_ORDER.match(text, end) is not None or IN_PLURAL.match(text, end) is not None


def _ends_like_a_noun(word: str) -> bool:
    return len(word) >= SHORTEST and ENDS_OF_NOUNS.search(word) is not None


def may_be_translated(word: str, language: str) -> bool:
    """Whether `word` ends like those for peoples, beliefs and things in headings."""
    return NO_NAMES.get(language, NO_NAMES["en"]).search(word) is not None


def is_inflected(word: str, known: Container[str]) -> bool:
    """Whether a German `word` is another form of a noun that is `known`, and that is no everyday name: *Helmen*,
    *Bl\u00f6cken*, *Gew\u00e4ssers*."""
    names = everyday_names("de", "de")
    stems = (word.removesuffix(ending) for ending in ENDINGS if word.endswith(ending))
    forms = (form for stem in stems for form in (stem, stem.translate(WITHOUT_UMLAUTS)) if len(form) >= SHORTEST_NOUN)
    found = (form.capitalize() for form in forms if form in known)
    return any(form not in names.alike and form not in names.families for form in found)


def is_compound(word: str, known: Container[str]) -> bool:
    """Whether a German `word` is made of two that are `known`, and not as surnames and towns are."""
    lower = word.lower()
    if len(lower) < SHORTEST or not lower.isalpha():
        return False
    for at in range(SHORTEST_PART, len(lower) - SHORTEST_PART):
        last = lower[at:]
        if last in OF_SURNAMES or not _is_first_part(lower[:at], known):
            continue
        if last in known or (len(last) > SHORTEST_NOUN and is_inflected(last, known)):
            return True
    return False


def _is_first_part(part: str, known: Container[str]) -> bool:
    forms = (part.removesuffix(link) for link in LINKS if part.endswith(link))
    return any(len(form) >= SHORTEST_PART and form in known for form in (*forms, part + "e", part + "en"))


def _is_order(word: str, known: Container[str] | None) -> bool:
    """Whether a word that begins a French sentence is a verb: *Retrouvez-moi*, *Mouillez*."""
    if CLITIC.search(word) is not None:
        return True
    stem = word.lower().removesuffix("ez")
    return len(stem) < len(word) and known is not None and any(stem + end in known for end in ENDS_OF_VERBS)
