"""Whether rules may translate anything of a text: each asks for what it cannot do without, and most texts have none."""

from __future__ import annotations

from service.text.expressions.eras import may_have_eras
from service.text.expressions.key_names import may_have_key_names
from service.text.expressions.phrases import may_have_phrases
from service.text.expressions.references import may_have_references
from service.text.expressions.translated import may_have_translated
from service.text.names.countries import may_have_countries
from service.text.names.famous import may_have_famous


def may_have_rules(text: str, source: str, target: str, is_plain: bool) -> bool:
    """Whether rules may translate something of a `source` text but times, found quickly. One that `is_plain` has no
    capital but its first."""
    return (
        may_have_translated(text, source)
        or may_have_references(text, source)
        or (not is_plain and (may_have_eras(text, source) or may_have_key_names(text, source)))
        or may_have_phrases(text, source)
        or may_have_countries(text, source, target, is_plain)
        or may_have_famous(text, source, target, is_plain)
    )
