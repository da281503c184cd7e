"""People, companies and streets are found as one stretch, and nothing that merely looks like one."""

from __future__ import annotations

import time

import pytest

from model_store.contract.placeholders import ADDRESS, kind_of
from service.text.names.proper import proper_stretches

KNOWN = frozenset(
    ("zeit", "geburtstag", "kaffee", "bescheid", "hause", "oma", "loves", "needs", "help", "station", "french",
     "lesson", "forget", "doe", "miller", "baker")
)  # fmt: skip


class Known:
    """Words without regard to case, as a bundle has them."""

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and word.lower() in KNOWN


@pytest.mark.parametrize(
    ("source", "text", "expected"),
    [
        ("en", "Best regards, Sarah Young", ["Sarah Young"]),
        ("en", "Mr. SMITH: Hello! Mrs. JONES and the BBC agree.", ["SMITH", "JONES"]),
        ("en", "I met Jane Doe and Peter Miller.", ["Jane Doe", "Peter Miller"]),
        ("en", "I met Sarah Lindqvist yesterday.", ["Sarah Lindqvist"]),
        ("en", "Anna Maria Schmidt and John F. Kennedy met.", ["Anna Maria Schmidt", "John F. Kennedy"]),
        ("en", "Ludwig van Beethoven was born in Bonn.", ["Ludwig van Beethoven"]),
        ("en", "See Tom Monday or in May.", []),
        ("en", "Ask Anna. I know.", []),
        ("en", "King Charles Street", []),
        ("en", "Mark Complete, Rose Garden, Grace Period", []),
        ("en", "We met Mark Wilson.", ["Mark Wilson"]),
        ("en", "Sarah Loves Her New Kitchen", []),
        ("en", "Peter Needs Help", []),
        ("en", "Alice In Wonderland", []),
        ("en", "Hi Sarah Not a problem, Peter I'm late, Anna Don't forget", []),
        ("en", "Victoria Station", []),
        ("en", "Is Peter French?", []),
        ("en", "Michael Jackson Thriller", ["Michael Jackson"]),
        ("en", "The Doe & Co. Ltd. of London", ["Doe & Co. Ltd."]),
        ("en", "We bought it from Acme Ltd.", ["Acme Ltd"]),
        ("en", "When Apple Inc. was founded", ["Apple Inc."]),
        ("en", "Dear Customers and Partners,", []),
        ("en", "I live at 12 High Street.", ["12 High Street"]),
        ("en", "It is at 221B Baker St. in London", ["221B Baker St."]),
        ("en", "We walked 12 High streets. In 2024 Wall Street fell. 24 High Court judges", []),
        ("de", "Mit freundlichen Gr\u00fc\u00dfen, Thomas Bauer", ["Thomas Bauer"]),
        ("de", "Anna Schneider", ["Anna Schneider"]),
        ("de", "Als Anna Kaffee trank, kam Peter Koch herein.", ["Peter Koch"]),
        ("de", "Paul Gerhardt rief an. Paul Gerhardt rief an.", ["Paul Gerhardt"]),
        ("de", "Julia Wegener \u00fcbernimmt die Leitung.", ["Julia Wegener"]),
        ("de", "Anna Croissants mitbringen. Anna Bescheid gesagt. Anna Muffins gebacken hat", []),
        ("de", "Hat Peter Zeit? Sag Anna Bescheid. Ist Peter zu Hause?", []),
        ("de", "Ich glaube, dass Tom Maria mag. Will Tom Anna sehen? Solange Tom da ist", []),
        ("de", "Warum will Tom Lehrer werden? Ist Tom Lehrer? Tom Lehrer kommt.", ["Tom Lehrer"]),
        ("en", 'Will Peter Miller win? Will Miller won it. "Will Baker come?"', ["Peter Miller", "Will Miller"]),
        ("en", "Will Tom be ready? I told Tom Mary was here. I met Anna Maria.", ["Anna Maria"]),
        ("de", "Die Firma Wolf & S\u00f6hne GmbH sucht Leute.", ["Wolf & S\u00f6hne GmbH"]),
        ("de", "Liebe Kunden und Partner, Vater und Sohn", []),
        ("de", "F\u00fcr Siemens AG arbeiten", ["Siemens AG"]),
        ("de", "Ich wohne in der Hauptstra\u00dfe 5 a.", ["Hauptstra\u00dfe 5 a"]),
        ("de", "Berliner Stra\u00dfe 12, Frankfurter Allee 3", ["Berliner Stra\u00dfe 12", "Frankfurter Allee 3"]),
        ("de", "Tabellenplatz 3, Fu\u00dfweg 10 Minuten, Talweg 5 km", []),
        ("fr", "Cordialement, Luc Petit", ["Luc Petit"]),
        ("fr", "J'habite au 5 bis, rue de la Paix.", ["5 bis, rue de la Paix"]),
        ("fr", "10, Rue de Rivoli et 8 rue du 8 mai 1945", ["10, Rue de Rivoli", "8 rue du 8 mai 1945"]),
        ("fr", "Une rue de la ville, 5 places libres", []),
        ("fr", "Rose Rouge, Bonjour Paul Ne viens pas.", []),
        ("it", "Via Roma 12, Anna Rossi", []),
    ],
)
def test_names_of_several_words_are_one_stretch(source: str, text: str, expected: list[str]) -> None:
    stretches = proper_stretches(text, source, "de" if source != "de" else "en", Known())
    assert [text[start:end] for start, end in stretches] == expected


@pytest.mark.parametrize("street", ["12 High Street", "5 rue de la Paix", "5 bis, avenue Foch"])
def test_a_street_is_an_address(street: str) -> None:
    assert kind_of(street) == ADDRESS


def test_letters_with_hyphens_take_no_time() -> None:
    start = time.perf_counter()
    assert proper_stretches("A-" * 100 + "A & b Ab c", "en", "fr") == []
    assert time.perf_counter() - start < 1.0
