"""What people type as models have read it: the rules of this room, and those of others that change words, in the order
in which they need each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from model_store.contract.known_words import Words
from service.text.expressions.measures import with_measures
from service.text.names.controls import with_marked_controls
from service.text.names.fields import with_known_header
from service.text.sentences.abbreviations import without_abbreviations
from service.text.spans.normalise import NormalisedText
from service.text.typed.ages import with_ages
from service.text.typed.capitals import with_small_article, without_capital_terms
from service.text.typed.dated import with_days
from service.text.typed.elided import with_subject
from service.text.typed.fractions import with_shares
from service.text.typed.genitives import with_whole_genitives
from service.text.typed.hyphens import with_parts
from service.text.typed.impersonal import with_readers_own
from service.text.typed.inclusive import with_one_ending
from service.text.typed.large_numbers import with_digits
from service.text.typed.nested import with_inner_quotations_apart
from service.text.typed.objects_first import with_subject_first
from service.text.typed.ordinals import with_ordinals_as_numbers
from service.text.typed.recipes import with_orders
from service.text.typed.shorthand import written_out
from service.text.typed.signs import as_known, with_double_marks, with_own_quotation_marks
from service.text.typed.spoken import as_written

CHANGES: tuple[Callable[[NormalisedText, str], NormalisedText], ...] = (
    without_abbreviations,
    with_digits,
    with_ages,
    with_days,
    with_shares,
    written_out,
    with_subject,
    with_subject_first,
    without_capital_terms,
    with_small_article,
    with_readers_own,
    with_measures,
    with_one_ending,
    with_whole_genitives,
    with_ordinals_as_numbers,
)
"""What a text of a language becomes, one after the other."""


def as_meant(
    typed: NormalisedText,
    language: str,
    known: Words | None,
    encode: Callable[[str], Sequence[int]],
    has_placeholders: bool,
) -> tuple[NormalisedText, bool]:
    """The text of a `language` with what people type in place of what models have read, and whether it has buttons.

    `known` are the words that the model was trained on, None where a bundle does not say; `encode` gives the subwords
    of a text. A vocabulary that `has_placeholders` can mark buttons.
    """
    typed = with_double_marks(with_inner_quotations_apart(as_known(typed)))
    has_controls = False
    if has_placeholders:
        typed, has_controls = with_marked_controls(with_known_header(typed), language)
    typed = as_written(with_own_quotation_marks(typed, language), language, known, encode)
    for change in CHANGES:
        typed = change(typed, language)
    if language == "de" and known is not None:
        typed = with_orders(with_parts(typed, known), language)
    return typed, has_controls
