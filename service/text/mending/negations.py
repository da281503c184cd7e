"""Negations, without which a translation says the opposite: *Je ne l'oublierai pas*, not *Je l'oublierai*."""

from __future__ import annotations

import re

SURE = {
    "en": re.compile(
        r"\b(?:not(?! (?:just|least|long|only|to mention|until)\b)|never|cannot|nobody|no one|nothing|without"
        r"|no (?!(?:doubt|fewer|later|less|matter|more than|sooner|wonder)\b)(?=[a-z]))\b"
        r"|n['\u2019]t\b(?! (?:I|you|he|she|it|we|they|there|help|wait|mind|agree more)\b)",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\bn(?:e\s|['\u2019])(?!est-ce\b|arr\xeat|cess|h\xe9sit|importe|manqu|tard)[^.!?;:,]{1,40}?"
        r"\b(?:pas|jamais|rien|aucune?)\b|\bsans\b(?! (?:arr\xeat|aucun doute|cesse|doute|faute|tarder)\b)"
        r"|(?<!deux )(?<!trois )\bpas (?:de|du tout|encore)\b",
        re.IGNORECASE,
    ),
    "de": re.compile(
        r"(?<!warum )(?<!ob )\b(?:nicht(?! (?:nur|selten|umsonst|wahr|zuletzt)\b)|nie|niemals|kein(?:e[mnrs]?)?"
        r"|niemand(?:e[mn])?|nichts(?! (?:als|anderes)\b)|ohne)\b(?! z\xf6gern)",
        re.IGNORECASE,
    ),
}
"""What no translation may go without, by the language of a text; not what other languages say in other ways, such as
*isn't it?*, *sans doute* and *nicht wahr?*."""
HINTS = {
    "en": ("not", "n't", "n\u2019t", "No", "no ", "nobody", "ever", "ithout"),
    "fr": ("pas", "Pas", "jamais", "rien", "aucun", "sans", "Sans"),
    "de": ("icht", "ie", "ein", "ohne", "Ohne"),
}
"""One is in every text with one of these."""


def _any(*words: str) -> re.Pattern[str]:
    """Any of the words between spaces; a star stands for more letters, a question mark for one."""
    letter = r"[^\W\d_]"
    globs = (word.replace("?", letter).replace("*", f"{letter}*") for word in " ".join(words).split())
    return re.compile(rf"n['\u2019]t\b|\bn['\u2019](?=\w)|\b(?:{'|'.join(globs)})\b", re.IGNORECASE)


ANY = {
    "en": _any(
        "not no nope never nothing nobody none nor neither nowhere without cannot hardly barely rarely seldom unable",
        "until only instead free any* except nil zero un???* dis????* ???*less* illegal* illegible impossible*",
        "impolite* immature impatient* irrelevant irregular irresponsible incapable* incomplete* incorrect*",
        "insufficient* invalid* invisible* inedible inexperienced inexpensive indifferent insecure lack* fail*",
        "refus* stop* avoid* miss* lost forb* prohibit* ban banned keep* out wrong quit* hate* prevent* bad",
    ),
    "fr": _any(
        "ne pas non jamais rien personne aucun* sans ni plus nul nuls nulle* gu\xe8re point sauf peine rarement",
        "seulement hors mal* manqu* cess* \xe9vit* refus* arr\xeat* interdi* d\xe9fen* ignor* insolub* vain fiche*",
        "improbab* impossib* impoli* incapab* incompl* inconnu* incorrect* indiff* indispo* inexp* injust* insatis*",
        "insuff* introuvab* inutil* invalid* invisib* ill\xe9g* irr* d\xe9s*",
    ),
    "de": _any(
        "nicht* nie niemals niemand* nirgend* kein* ohne weder nein n\xf6 kaum erst selten statt au\xdfer* nur egal",
        "gratis sonst gegen verboten* untersagt* fehl* un????* inakzept* inkompet* inkorrekt* instabil* intoler*",
        "???*los ???*lose ???*losen ???*loser ???*loses ???*frei ???*freie ???*freien ???*freies frei aufh\xf6r*",
        "verweiger* weiger* lehn* abgelehn* vermeid* vermiss* miss*",
    ),
}
"""What says *no* in a translation, in whatever way."""


def has_negation(text: str, source: str) -> bool:
    """Whether a `source` text has a negation that its translation must have."""
    return any(map(text.__contains__, HINTS.get(source, ()))) and SURE[source].search(text) is not None


def says_no(translation: str, target: str) -> bool:
    """Whether a `translation` says *no* in whatever way."""
    return ANY[target].search(translation) is not None
