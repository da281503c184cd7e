"""What belongs to women, in English translations of French: *Claire lost her bag*, not *his bag*.

*Son*, *sa* and *ses* do not say whose. Where no pronoun tells, models write *his*. The woman whom a sentence begins
with owns what is named before any man.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

from service.text.names.common_names import everyday_names
from service.text.spans.spacing import rewritten
from service.text.spans.stretches import Stretch

ROOM, FILE = "service.text.names", "women.toml"
_NAME = r"[A-Z\xc0-\xde][a-z\xdf-\xff]{1,20}(?:-[A-Z\xc0-\xde][a-z\xdf-\xff]{1,20})?"
_RELATED = (
    r"(?:(?:belle|grand)-)?m\xe8re|maman|(?:belle-|petite )?s\u0153ur|(?:belle-|petite-|petite )?fille|femme|voisine"
    r"|amie|copine|tante|cousine|ni\xe8ce|mamie|patronne|coll\xe8gue|ma\xeetresse|directrice|prof|professeure"
    r"|assistante|cliente"
)
_OFFICES = (
    r"actrice|avocate|boulang\xe8re|chanteuse|chercheuse|championne|chauffeuse|coiffeuse|conductrice|com\xe9dienne"
    r"|d\xe9put\xe9e|dame|directrice"
    r"|\xe9crivaine|\xe9tudiante|femme|fille|gagnante|gardienne|infirmi\xe8re|joueuse|locataire|ma\xeetresse|maire"
    r"|ministre|patronne|pr\xe9sidente"
    r"|princesse|r\xe9alisatrice|reine|romanci\xe8re|s\xe9natrice|serveuse|vendeuse|victime|voisine|voyageuse"
)
WOMAN = re.compile(
    rf"\A(?:(?:[Hh]ier(?: soir| matin)?|[Cc]e (?:matin|soir)|[Cc]ette nuit|[Aa]ujourd[\x27\u2019]hui), )?(?:(?:Mme"
    rf"|Mlle|Madame) {_NAME}|(?i:ma|ta|notre|votre|cette) (?:{_RELATED})|[Ll]a (?:(?:vieille|jeune) )?(?:{_OFFICES})"
    rf"|(?P<name>{_NAME}))(?![\w-])(?! ?[:!?.]|,(?! qui ))(?: {_NAME}(?![\w-]))?"
)
"""How a sentence begins that is about a woman; she may have a surname."""
OWNED = re.compile(r"\b(?:son|sa|ses)\b(?! (?:et|a|est|ont)\b| [.,])")
OTHER = re.compile(
    r"\b(?:ami|bachelier|b\xe9b\xe9|candidat|chat|chef|cheval|chien|client|coll\xe8gue|compagnon|conjoint|copain"
    r"|cousin|directeur"
    r"|docteur|employ\xe9|enfant|ex|fianc\xe9|fils|fr\xe8re|gar\xe7on|gars|gendre|grand-p\xe8re|homme|il|lui|maire"
    r"|mari|mec"
    r"|m\xe9decin|ministre|monsieur|neveu|oncle|papa|patron|p\xe8re|personne|petit-ami|policier|pr\xe9sident|prince"
    r"|prof"
    r"|professeur|quelqu'un|roi|type|voisin)\b|\b(?:M|MM)\.|\b[Ll]['\u2019](?:a|avait|aura)\b"
    rf"|(?<!\ben )(?<!\bau )\b(?P<name>(?P<at>(?<=\b\xe0 ))?{_NAME})"
)
"""Who may be the owner behind these."""
WRITTEN = re.compile(r"\b(?:[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)\b")
HIS = {"his": "her", "His": "Her"}


def with_women(
    text: str, spans: Sequence[Stretch], languages: tuple[str, str], original: str
) -> tuple[str, Sequence[Stretch]]:
    """An English translation of the French `original` with *her* for what is a woman's."""
    if languages != ("fr", "en") or ("his " not in text and "His " not in text):
        return text, spans  # as most texts
    woman = WOMAN.match(original)
    if woman is None or (woman["name"] is not None and woman["name"] not in _names()):
        return text, spans
    others = (match.start() for match in OTHER.finditer(original, woman.end()) if _is_other(match))
    owned = [match.start() for match in OWNED.finditer(original, woman.end())]
    first = next(others, len(original))
    hers = sum(start < first for start in owned)
    written = list(WRITTEN.finditer(text))
    if hers < len(owned) and len(written) != len(owned):
        return text, spans  # which is whose is not known
    found = [match for match in written[:hers] if match.group() in HIS] if hers else []
    return rewritten(text, spans, [match.span() for match in found], [HIS[match.group()] for match in found])


def _is_other(match: re.Match[str]) -> bool:
    """Whether a match of OTHER may be an owner: no further woman, and no place, *\xe0 Lyon*."""
    name = match["name"]
    if name in _names():
        return False
    return match["at"] is None or name in everyday_names("fr", "en").given


@lru_cache(maxsize=1)
def _names() -> frozenset[str]:
    """First names of women, from FILE."""
    return frozenset(tomllib.loads(files(ROOM).joinpath(FILE).read_text(encoding="utf-8"))["names"].split())
