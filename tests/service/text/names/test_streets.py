"""Streets without a number."""

from __future__ import annotations

import pytest

from service.text.names.streets import streets


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The library on Station Road is closed.", ["Station Road"]),
        ("Meet me at the corner of Mill Lane and Old Kent Road.", ["Mill Lane", "Old Kent Road"]),
        ("We live in St. James's Street.", ["St. James's Street"]),
        ("Take Station Road, follow Mill Lane.", ["Station Road", "Mill Lane"]),
        ("We met on 5th Avenue near 42nd Street.", ["5th Avenue", "42nd Street"]),
        ("Take The Road, take This Lane, the 5th Avenue", []),
        ("It is on The Road, in Main Street Bakery, down the Street.", []),
        ("Road works, Street food", []),
        ("He spoke to Professor Lane and Mr. Lane, go to Next Street", []),
    ],
)
def test_streets_stand_as_they_are(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in streets(text, "en")] == expected
    assert streets(text, "de") == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Parking interdit rue des Tilleuls du 4 au 8.", ["rue des Tilleuls"]),
        ("Elle habite avenue Victor-Hugo, au coin de la rue de la Paix.", ["avenue Victor-Hugo", "rue de la Paix"]),
        ("Rendez-vous boulevard du G\u00e9n\u00e9ral de Gaulle.", ["boulevard du G\u00e9n\u00e9ral de Gaulle"]),
        ("Il traverse la rue. Une rue d'ici, la rue \u00e0 c\u00f4t\u00e9", []),
        ("au 12, rue Mozart, sur le chemin de Paris", []),
        ("Un couple marche dans une rue de Paris, sur un quai de Seine et dans chaque rue d'Europe.", []),
        ("J'habite rue Victor Hugo et Paul habite ici.", ["rue Victor Hugo"]),
    ],
)
def test_french_streets(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in streets(text, "fr")] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("14b Rue du Moulin", ["14b Rue du Moulin"]),
        ("I live at 12 rue de la R\u00e9publique, Lyon.", ["12 rue de la R\u00e9publique"]),
        ("Calle Mayor 5, Madrid, and Via Garibaldi, 12.", ["Calle Mayor 5", "Via Garibaldi, 12"]),
        ("Via London 12 trains run, 5 place mats, 3 cours", []),
    ],
)
def test_streets_of_other_languages(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in streets(text, "en")] == expected
    assert [text[start:end] for start, end in streets(text, "de")] == expected
