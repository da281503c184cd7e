"""Amounts in millions and more."""

from __future__ import annotations

import pytest

from service.text.expressions.amounts import amounts
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("source", "target", "text", "expected"),
    [
        ("en", "fr", "from $4.2 million to \u00a31 million", "from 4.2 millions de dollars to 1 million de livres"),
        ("en", "de", "It made \u20ac1 billion and $12 million.", "It made 1 Milliarde Euro and 12 Millionen Dollar."),
        ("en", "de", "It lost EUR 5bn in one day.", "It lost 5 Milliarden Euro in one day."),
        ("en", "fr", "It sold for $1.2m.", "It sold for 1.2 million de dollars."),
        ("de", "en", "Sie verlor 1,2 Mrd. EUR.", "Sie verlor EUR 1,2 billion."),
        ("de", "fr", "3 Mio. \u20ac und 2 Millionen Franken", "3 millions d'euros und 2 millions de francs"),
        ("fr", "en", "3 M\u20ac, 2 Md\u20ac", "\u20ac3 million, \u20ac2 billion"),
        ("de", "en", "1,2 Milliarden Menschen", "1,2 billion Menschen"),
        ("en", "de", "a $2 million house, a $5 million-dollar bet", "a $2 million house, a $5 million-dollar bet"),
        ("en", "de", "5 m of cloth, $5 more, $5 Bill", "5 m of cloth, $5 more, $5 Bill"),
        ("en", "it", "It sold for $1.2m.", "It sold for $1.2m."),
        ("en", "fr", "$1.2.3m", "1.2.3 millions de dollars"),
        ("de", "fr", "1,2,3 Mrd. EUR", "1,2,3 milliards d'euros"),
    ],
)
def test_amounts_are_those_of_the_other_language(source: str, target: str, text: str, expected: str) -> None:
    assert rewritten(text, amounts(text, source, target)) == expected
