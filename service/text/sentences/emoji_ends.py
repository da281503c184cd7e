"""Sentences that end with an emoji instead of a full stop: *I miss you \u2764\ufe0f when are you coming home?*"""

from __future__ import annotations

import re
from collections.abc import Iterator

from service.text.spans.patterns import EMOJI_RUN

FACE = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff:;=<xX^]")
"""What a run begins with that may end a sentence: no arrow and no \xa9."""
HINT = re.compile(r"[\u2600-\u27bf\U0001f300-\U0001faff]|\s[:;=<^]")
BEFORE, BEHIND = re.compile(r"\w['\u2019]?\W+\w+\W*\Z"), re.compile(r"\w+['\u2019]?\W+\w")
"""Two words, as sentences before and behind an emoji have them."""
MOST_LOOKED_AT = 60
"""Code points before an emoji."""
NO_END = re.compile(
    r"\b(?:an?|and|at|by|for|from|in|is|my|of|on|or|our|the|this|to|was|with|your"
    r"|[\xe0a]|au|avec|ce|cette|dans|de|des|du|en|est|et|la|le|les|ma|mon|ou|par|pour|sur|ta|ton|une?|votre"
    r"|am|aus|das|de[mnr]|die|[mds]?eine?[mnr]?|f\xfcr|ihre?[mnr]?|im|ist|mit|oder|unsere?[mnr]?|und|von|zu|zum|zur),?\s*\Z",
    re.IGNORECASE,
)
"""What stands before an emoji that is a word of the sentence: *I love my \U0001f431*."""
_ASKS = {
    "en": r"what|when|where|how|why|who|which|are you|is it|is that|do you|did you|have you|can you|could you|will you"
    r"|would you|can i|shall we|should",
    "fr": r"quand|comment|o\xf9|pourquoi|qui|quel(?:le)?s?|\xe0 quelle|qu'est-ce|est-ce|tu|vous",
    "de": r"wann|wie|wo|warum|wer|was|welche[mnrs]?|um wie viel|(?:bist|hast|kannst|kommst|willst|magst|gehst) du",
}
_BEGINS = {
    "en": r"i'm|i am|i can|i can't|i hope|i love|i miss|i think|i know|i feel|i will|i'll|we're|we'll|let's|let me"
    r"|it's|it was|that's|that was|you're|they're|don't|can't|hope|thank|thanks|please|see you|sorry|love you|miss you"
    r"|good|happy|have a|have fun|take care|get well|going to|going home"
    r"|so (?:happy|proud|excited|sorry|glad|good|tired|much)"
    r"|(?:the )?(?:film|flight|food|movie|party|traffic|train|weather) (?:is|was)",
    "fr": r"je|j'\w+|on (?:se|va|est|y)|c'est|c'\xe9tait|tu me|tu vas|vous me|nous|merci|n'oublie|bisous|bonne?|h\xe2te"
    r"|\xe0 (?:demain|bient\xf4t|plus|ce soir|tout)|d\xe9sol\xe9e?|pardon|bravo|f\xe9licitations|profite|gros bisous",
    "de": r"ich|wir|es (?:ist|war|tut)|das (?:ist|war)|danke|bis (?:bald|gleich|morgen|dann|sp\xe4ter)|viele?|hoffe"
    r"|freue?|lass uns|liebe|vergiss|sch\xf6nen?|gute[nr]?|pass auf|komm|du (?:fehlst|bist)|sorry|tut mir",
}


def _compiled(table: dict[str, str]) -> dict[str, re.Pattern[str]]:
    return {language: re.compile(rf"(?:{words})(?![\w-])", re.IGNORECASE) for language, words in table.items()}


ASKS, BEGINS = _compiled(_ASKS), _compiled(_BEGINS)
"""What a further sentence begins with, if it asks and if it does not: other words may belong to what is before an
emoji."""


def at_emoji(sentence: str, language: str) -> Iterator[str]:
    """The sentences of a `sentence` of a `language`, which join to it."""
    if language not in BEGINS or HINT.search(sentence) is None:
        yield sentence  # as most
        return
    start, last_question = 0, sentence.rfind("?")
    for run in EMOJI_RUN.finditer(sentence):
        before, end = sentence[max(start, run.start() - MOST_LOOKED_AT) : run.start()], run.end()
        if FACE.match(run.group()) is None or BEFORE.search(before) is None or NO_END.search(before):
            continue
        is_asked = last_question > end and ASKS[language].match(sentence, end)
        if (is_asked or BEGINS[language].match(sentence, end)) and BEHIND.match(sentence, end):
            yield sentence[start:end]
            start = end
    yield sentence[start:]
