"""A translation as its language wants it: all rules of this room, in the order in which they need each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.text.expressions.compounds import joined
from service.text.expressions.measures import with_spoons
from service.text.expressions.ordinals import with_ordinals
from service.text.mending.agreement import with_plural_verbs
from service.text.mending.articles import with_sounds
from service.text.mending.charges import with_charged
from service.text.mending.clock import with_times
from service.text.mending.conditions import with_conditions
from service.text.mending.dates import with_dates
from service.text.mending.earlier_things import with_feminine_things
from service.text.mending.elision import with_elided_names, with_elisions
from service.text.mending.endings import with_like_endings
from service.text.mending.feminines import with_feminines
from service.text.mending.french_ordinals import with_french_ordinals
from service.text.mending.genitives import with_genitives
from service.text.mending.labels import without_to
from service.text.mending.numbers import with_cardinal
from service.text.mending.orders import with_one_order
from service.text.mending.possessives import with_possessives
from service.text.mending.prepositions import with_prepositions, with_towns
from service.text.mending.pronouns import with_pronouns_of_things
from service.text.mending.registers import with_one_register
from service.text.mending.scales import without_hours
from service.text.mending.singulars import with_singular_verbs, with_singulars
from service.text.mending.small_letters import with_small_clause, with_small_pronoun, with_small_salutation
from service.text.mending.spelled_numbers import with_spelled_numbers
from service.text.mending.terms import with_terms
from service.text.mending.things import with_things
from service.text.mending.units import with_units
from service.text.mending.verb_ends import with_verbs_last
from service.text.mending.verb_starts import with_verb_first
from service.text.mending.women import with_women
from service.text.names.forms import with_own_names
from service.text.spans.normalise import NormalisedText
from service.text.spans.spacing import with_closed_marks, with_final_signs, with_spaces, with_whole_signs
from service.text.spans.stretches import Stretch
from service.text.typed.nested import with_inner_marks
from service.text.typed.recipes import without_please
from service.text.typed.signs import with_dashes

BY_LANGUAGE = (
    with_spoons,
    with_ordinals,
    with_singulars,
    with_singular_verbs,
    with_conditions,
    with_dates,
    with_like_endings,
    with_elisions,
    with_one_order,
    with_spaces,
)
"""Rules that look at the translation and its language alone."""


class Source(NamedTuple):
    """What a translation was made of."""

    text: str
    """The text as its client has it."""
    normalised: NormalisedText
    """What the model read of it."""
    copies: Sequence[tuple[str, str]]
    """Each placeholder that it has, and the text that it stands for."""
    goes_on: bool
    """Whether it is a later part of a sentence."""
    before: str = ""
    """What stands before it."""
    is_introduced: bool = False
    """Whether it is a main clause behind another one."""
    has_marks: bool = False
    """Whether marks go round words of it, which must stay together."""


def mended(
    text: str, spans: Sequence[Stretch], source: Source, languages: tuple[str, str], placeholders: str
) -> tuple[str, Sequence[Stretch]]:
    """A translation of `source` with the signs at the end of that, and as the target of the `languages` writes it.

    `spans` are what each subword covers of `text`; `placeholders` are those of the vocabulary.
    """
    target, read, copies = languages[1], source.normalised.text, source.copies
    text, spans = with_final_signs(text, spans, read)
    text, spans = with_prepositions(text, spans, target, copies)
    text, spans = with_towns(text, spans, languages, read, copies)
    text, spans = with_plural_verbs(text, spans, target, copies)
    text, spans = without_please(text, spans, read, source.text, target)
    text, spans = without_to(text, spans, *languages, source.text)
    text, spans = with_own_names(text, spans, languages, read)
    text, spans = with_possessives(text, spans, languages, read)
    text, spans = with_one_register(text, spans, languages, read)
    text, spans = with_women(text, spans, languages, source.text)
    text, spans = with_feminines(text, spans, languages, read)
    if not source.goes_on:
        text, spans = with_pronouns_of_things(text, spans, languages, read)
        text, spans = with_feminine_things(text, spans, languages, read, source.before)
    text, spans = with_things(text, spans, languages, source.text, source.before)
    text, spans = with_terms(text, spans, languages, source.text)
    text, spans = with_sounds(text, spans, target, copies)
    text, spans = with_spelled_numbers(text, spans, languages, read)
    text, spans = with_cardinal(text, spans, target, read)
    text, spans = with_genitives(text, spans, target, read, copies)
    text, spans = with_french_ordinals(text, spans, languages, read)
    text, spans = with_times(text, spans, languages, read, copies)
    text, spans = without_hours(text, spans, target, languages[0], read)
    text, spans = with_units(text, spans, target, languages[0], read, copies)
    text, spans = with_closed_marks(text, spans, read, copies)
    for change in BY_LANGUAGE:
        text, spans = change(text, spans, target)
    text, spans = with_elided_names(text, spans, target, source.text)
    text, spans = with_charged(text, spans, target, copies)
    if not source.has_marks:
        text, spans = with_verbs_last(text, spans, target, copies)
        text, spans = with_verb_first(text, spans, languages, source.is_introduced)
    if source.goes_on or source.text[:1].islower():
        text = with_small_pronoun(text, target, read)
    text = with_small_salutation(with_small_clause(text, target, read, placeholders), target, read)
    text, spans = with_dashes(text, spans, source.normalised, source.text, target)
    text, spans = with_inner_marks(text, spans, source.normalised, source.text, target)
    return with_whole_signs(text, spans, target, read)


def mended_with_copies(
    text: str, spans: Sequence[Stretch], original: str, languages: tuple[str, str], may_move: bool = False
) -> tuple[str, Sequence[Stretch]]:
    """A translation of `original`, in which copies stand in place of their placeholders, with what the rules could not
    see before; `may_move` where some of these were put back and no marks stand round words."""
    text, spans = with_possessives(text, spans, languages, original)
    text, spans = with_singular_verbs(text, spans, languages[1])
    text, spans = with_elided_names(text, spans, languages[1], original)
    if may_move:
        text, spans = with_verbs_last(text, spans, languages[1], ())
    return joined(text, spans, languages[1]) if languages[0] == "en" else (text, spans)
