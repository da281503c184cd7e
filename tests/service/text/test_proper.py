"""People, companies and streets are found as one stretch, and nothing that merely looks like one."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import ADDRESS, kind_of
from service.text.proper import proper_stretches


def found(text: str, source: str = "en", target: str = "fr") -> list[str]:
    return [text[start:end] for start, end in proper_stretches(text, source, target)]


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("en", "Best regards, Sarah Young", ["Sarah Young"]),
        ("en", "I met Jane Doe and Peter Miller.", ["Jane Doe", "Peter Miller"]),
        ("en", "Ludwig van Beethoven was born in Bonn.", ["Ludwig van Beethoven"]),
        ("en", "See Tom Monday or in May.", []),
        ("en", "Ask Anna. I know.", []),
        ("en", "King Charles Street", []),
        ("en", "Mark Complete, Rose Garden, Grace Period", []),
        ("en", "We met Mark Wilson.", ["Mark Wilson"]),
        ("en", "The Doe & Co. Ltd. of London", ["Doe & Co. Ltd."]),
        ("en", "We bought it from Acme Ltd.", ["Acme Ltd"]),
        ("en", "I live at 12 High Street.", ["12 High Street"]),
        ("en", "It is at 221B Baker St. in London", ["221B Baker St."]),
        ("en", "We walked 12 High streets", []),
        ("de", "Mit freundlichen Gr\u00fc\u00dfen, Thomas Bauer", ["Thomas Bauer"]),
        ("de", "Als Anna Kaffee trank, kam Peter Koch herein.", ["Peter Koch"]),
        ("de", "Die Firma Wolf & S\u00f6hne GmbH sucht Leute.", ["Wolf & S\u00f6hne GmbH"]),
        ("de", "Ich wohne in der Hauptstra\u00dfe 5 a.", ["Hauptstra\u00dfe 5 a"]),
        ("fr", "Cordialement, Luc Petit", ["Luc Petit"]),
        ("fr", "J'habite au 5 bis, rue de la Paix.", ["5 bis, rue de la Paix"]),
        ("fr", "Une rue de la ville, 5 places libres", []),
        ("it", "Via Roma 12, Anna Rossi", []),
    ],
)
def test_names_of_several_words_are_one_stretch(source: str, text: str, expected: list[str]) -> None:
    assert found(text, source, "de" if source != "de" else "en") == expected


@pytest.mark.parametrize("street", ["12 High Street", "5 rue de la Paix", "5 bis, avenue Foch"])
def test_a_street_is_an_address(street: str) -> None:
    assert kind_of(street) == ADDRESS
