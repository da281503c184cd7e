"""Text in capitals: no model learns it well, so it is read in lower case and its translation written in capitals.

So are the words that contracts write with a capital: *the Landlord*.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from service.text.names.called import SMALL_WORD
from service.text.names.common_names import everyday_names
from service.text.names.literal import ENGLISH_NOUNS
from service.text.spans.normalise import NormalisedText

PRONOUN = re.compile(r"\bi\b")
_NOUN = (
    r"(?:Agreement|Borrower|Buyer|Client|Contract|Contractor|Customer|Deposit|Employee|Employer|Fee|Goods|Guarantor"
    r"|Insurer|Invoice|Landlord|Lease|Lender|Lessee|Lessor|Licensee|Licensor|Loan|Order(?! of)|Premises|Price|Product"
    r"|Property|Provider|Purchaser|Rent|Seller|Service|Subcontractor|Supplier|Tenant|User|Vehicle|Vendor)s?"
    r"|Parties|Properties|Software"
)
TERM = {
    "en": re.compile(
        r"(?:\b(?:the|this|that|these|those|each|either|both|such|any|all|no|said|every|an?|its|their|his|her|our|your"
        r"|other)|(?:\A|(?<=[.;:!?] ))(?:The|This|These|Those|Each|Either|Both|Such|Any|All|No|Every|An?|Its|Our))\s"
        rf"(?P<term>{_NOUN}|(?:(?<=[Ee]ach )|(?<=[Ee]ither )|(?<=other )|(?<=any ))Party)\b(?!\s[A-Z])"
    ),
    "fr": re.compile(
        r"\b(?:(?i:la|le|les|du|des|au|aux|ce|cet|cette|ces|chaque|pr\u00e9sent|son|sa|ses|leurs?|nos|notre|vos|votre|une?"
        r"|de|et|ou)\s|[Ll]'|[Dd]')"
        r"(?P<term>(?:Acheteur|Acqu\u00e9reur|Bailleur|Bail|Client|Contrat|Emprunteur|Facture|Fournisseur|Licence"
        r"|Locataire|Location|Logiciel|Loyer|Partie|Prestataire|Prestation|Pr\u00eateur|Prix(?! d[e']| Nobel)|Produit"
        r"|Salari\u00e9|Service|Utilisateur|Vendeur)s?)\b(?!\s[A-Z])"
    ),
}
"""What a contract defines and then writes with a capital; in a name there is another one behind it."""

NUMBERED = (
    *map(str.capitalize, ENGLISH_NOUNS.split("|")), "Vitamins", "Annex", "Exhibit", "Schedule", "Series", "Side",
    "Unit", "Product", "Answer", "Flat", "Form",
)  # fmt: skip
"""Words that a letter numbers."""
_BEHIND_NONE = "".join(rf"(?<!\b{word} )" for word in (*NUMBERED, "Straight", "the", "The"))
HEADING_ARTICLE = re.compile(
    rf"(?<=[^\W\d_]{{2}} ){_BEHIND_NONE}"
    r"A(?= [A-Z][a-z])(?! (?:Minor|Major|Flat|Sharp|Levels?|And|Or|Is|Was|To|Team)\b)"
)
"""The article in a heading, behind no word that a letter numbers: *How To Cook A Meal*, not *Plan A*."""
SMALL = re.compile(r"\d-[a-z]{3}")
_BEHIND_A = (
    "gauche|droite|louer|vendre|emporter|partir|consommer|conserver|retirer|r\u00e9server|reserver|retourner|remplir"
    "|d\u00e9couvrir|decouvrir|saisir|suivre|savoir|voir|venir|d\u00e9battre|debattre|demain|bient\u00f4t|bientot|c\u00f4t\u00e9|cote"
    "|domicile|pied|pieds|v\u00e9lo|velo|bord|jour|midi|minuit|nouveau|travers|propos|proximit\u00e9|proximite|cause"
    "|moiti\u00e9|moitie|volont\u00e9|volonte|votre|notre|usage|moins|peine|c\u00e9der|ceder"
)
WITHOUT_ACCENT = re.compile(
    r"(?<![\w'\u2019])(?<!\b(?i:il|on) )(?<!\b(?i:y) )(?<!\b(?i:qui) )(?<!\b(?i:elle|cela) )"
    rf"[Aa](?= (?:{_BEHIND_A})\b|(?P<article> (?:(?:la|tous|toutes?) |l')[^\W\d_]))"
)
"""French *a* where *\u00e0* is meant, in text that was in capitals. Where an article follows, a text that has accents
means *a*."""


def is_capitals(text: str) -> bool:
    """Whether all letters of `text` are capitals, and at least two of them stand side by side."""
    return text.isupper() and any(a.isupper() and b.isupper() for a, b in pairwise(text))


def was_capitals(text: str, original: str) -> bool:
    """Whether all letters of `text`, which has placeholders, are capitals, and its `original` has no compound in small
    letters that a rule translates: *A 40-inch TV*."""
    return is_capitals(text) and SMALL.search(original) is None


def without_capitals(normalised: NormalisedText, language: str) -> NormalisedText:
    """The text in lower case, except its first letter; code points stand for the same originals as before."""
    characters = [lower if len(lower := c.lower()) == 1 else c for c in normalised.text]
    first = next(i for i, c in enumerate(normalised.text) if c.isupper())
    characters[first] = normalised.text[first]
    text = "".join(characters)
    if language == "en":
        text = PRONOUN.sub("I", text)
    return NormalisedText(text, normalised.starts, normalised.ends)


def with_accented_a(normalised: NormalisedText, had_accents: bool) -> NormalisedText:
    """A French text that was in capitals with *\u00e0* for *a*, which many write so on capitals. `had_accents`: whether
    it had any then."""
    text = normalised.text
    given = everyday_names("fr", "fr").given
    for match in WITHOUT_ACCENT.finditer(text):
        before = text[: match.start()].rpartition(" ")[0].rpartition(" ")[2]
        is_verb = match["article"] is not None and (had_accents or before.title() in given)  # Jean a la grippe
        if not is_verb:
            accented = "\u00c0" if match.group() == "A" else "\u00e0"
            text = text[: match.start()] + accented + text[match.end() :]
    return NormalisedText(text, normalised.starts, normalised.ends)


def with_small_article(normalised: NormalisedText, language: str) -> NormalisedText:
    """An English heading with *a* for the article *A*, which models take for a shouted word."""
    text = normalised.text
    if language != "en" or " A " not in text or SMALL_WORD.search(text) is not None:
        return normalised  # as most texts
    return NormalisedText(HEADING_ARTICLE.sub("a", text), normalised.starts, normalised.ends)


def without_capital_terms(normalised: NormalisedText, language: str) -> NormalisedText:
    """`normalised` with small first letters for the words that contracts define: models take *Landlord* for a name."""
    pattern, text = TERM.get(language), normalised.text
    if pattern is None or text[1:].islower():
        return normalised  # as most texts
    for match in pattern.finditer(text):
        at = match.start("term")
        text = text[:at] + text[at].lower() + text[at + 1 :]
    return NormalisedText(text, normalised.starts, normalised.ends)


def in_capitals(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """`text` in capitals, and `spans` of it where they are then: some letters become two."""
    raised = [c.upper() for c in text]
    at = [0]
    for piece in raised:
        at.append(at[-1] + len(piece))
    return "".join(raised), [(at[start], at[end]) for start, end in spans]
