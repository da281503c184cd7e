"""Everything in words and letters that stands for itself: letters, products, codes, people, companies, streets, towns,
fields of forms, keys."""

from __future__ import annotations

from collections.abc import Container

from service.text.names.addressed import dated_names, particled_names
from service.text.names.borrowed import borrowed
from service.text.names.called import called
from service.text.names.controls import keys
from service.text.names.families import families
from service.text.names.fields import field_values
from service.text.names.literal import PRODUCTS, codes, devices, letters, mixed, products
from service.text.names.proper import proper_stretches
from service.text.names.streets import streets
from service.text.names.towns import town_stretches
from service.text.spans.stretches import Stretch


def standing(text: str, source: str, target: str, known: Container[str] | None, is_plain: bool) -> list[Stretch]:
    """Where it stands in a `text` of the language `source`; one that `is_plain` has no capital but the first.

    `known` are the words that the model was trained on.
    """
    if is_plain and not text.startswith(PRODUCTS):
        return borrowed(text, source)  # as in most texts
    found = [*products(text), *borrowed(text, source)]
    if is_plain:
        return found
    found += [
        *letters(text),
        *devices(text, source),
        *codes(text),
        *keys(text, target),
        *dated_names(text),
        *particled_names(text),
    ]
    found += [
        *called(text, source),
        *mixed(text, known),
        *streets(text, source),
        *families(text, source),
        *proper_stretches(text, source, target, known),
    ]
    return found + town_stretches(text, source, target) + field_values(text, source, target)
