"""Whether rules may translate anything of a text: each asks for what it cannot do without, and most texts have none."""

from __future__ import annotations

from functools import lru_cache

from service.text.expressions import eras, references, translated
from service.text.expressions.key_names import ALONE, may_have_key_names
from service.text.expressions.phrases import may_have_phrases
from service.text.names import countries, famous
from service.text.spans.hints import Hints


def may_have_rules(text: str, source: str, target: str, is_plain: bool) -> bool:
    """Whether rules may translate something of a `source` text but times, found quickly. One that `is_plain` has no
    capital but its first."""
    if may_have_phrases(text, source):
        return True
    if not _hints(source, target).are_in(text):
        return translated.may_be_dated(text, source)  # as most texts
    return (
        translated.may_have_translated(text, source)
        or references.may_have_references(text, source)
        or (not is_plain and (eras.may_have_eras(text, source) or may_have_key_names(text, source)))
        or countries.may_have_countries(text, source, target, is_plain)
        or famous.may_have_famous(text, source, target, is_plain)
    )


@lru_cache
def _hints(source: str, target: str) -> Hints:
    """Of all these rules: a text without any of them has nothing for them but dates and formulas."""
    tables = (each.HINTS[source].all for each in (translated, references, eras) if source in each.HINTS)
    found = ["etc", "usw", *(hint for table in tables for hint in table), *ALONE.get(source, ())]
    found += countries.TABLES.get((source, target), ())
    found += [name.rstrip(".") for forms in famous.NAMES.get((source, target), {}).values() for name, _ in forms]
    return Hints(list(dict.fromkeys(found)))
