"""Names that everybody knows: where they stand, and how the other language writes them."""

from __future__ import annotations

import pytest

from service.text.names.famous import NAMES, famous, may_have_famous
from tests.service.text.rewriting import rewritten


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("fr", "en"), "Marine Le Pen a perdu.", "Marine Le Pen a perdu."),
        (("en", "fr"), "Putin met Xi Jinping.", "Poutine met Xi Jinping."),
        (("en", "fr"), "Putin's army and Trotsky\u2019s", "Poutine's army and Trotski\u2019s"),
        (("en", "de"), "Plato's cave, Socrates's end, Putin's dead.", "Platons cave, Sokrates' end, Putin's dead."),
        (("en", "de"), "FC Bayern Munich beat Bayern Munich II", "FC Bayern München beat Bayern München II"),
        (("fr", "en"), "Poutine et Jeanne d'Arc", "Putin et Joan of Arc"),
        (("de", "fr"), "Selenskyj traf Wladimir Putin", "Zelensky traf Vladimir Poutine"),
        (("en", "fr"), "Putinism, the Putin-era, putin, Stalins", "Putinism, the Putin-era, putin, Stalins"),
        (("en", "de"), "Putin's going, Taylor Swift's a star.", "Putin's going, Taylor Swift's a star."),
        (("en", "de"), "Henry VIII's wives. It was Henry VIII.", "Heinrich VIII.'s wives. It was Heinrich VIII."),
        (("de", "en"), "Heinrich VIII. war es. Es war Heinrich VIII.", "Henry VIII war es. Es war Henry VIII."),
        (("en", "fr"), "Euclid Avenue is long.", "Euclid Avenue is long."),
        (
            ("de", "en"),
            "Putins Rede, Putins lange Rede, Taylor Swifts",
            "Putin's Rede, Putin's lange Rede, Taylor Swifts",
        ),
        (("de", "fr"), "Putins Rede", "Putins Rede"),
        (("en", "it"), "Putin", "Putin"),
    ],
)
def test_names_are_written_as_the_other_language_does(languages: tuple[str, str], text: str, expected: str) -> None:
    found = famous(text, *languages)
    assert rewritten(text, found) == expected
    assert may_have_famous(text, *languages) == bool(found)


def test_names_that_languages_write_alike_are_found_too() -> None:
    (found,) = famous("Is Real Madrid's coach here?", "en", "fr")
    assert (found.start, found.end, found.translated) == (3, 14, "Real Madrid")


@pytest.mark.parametrize("languages", NAMES)
def test_every_name_is_found_as_a_whole(languages: tuple[str, str]) -> None:
    for forms in NAMES[languages].values():
        for name, written in forms:
            assert [e.translated for e in famous(f"{name} x", *languages)] == [written]
