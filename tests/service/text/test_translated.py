"""*etc.*, which a rule translates."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.normalise import normalise
from service.text.protection import Protector


@pytest.mark.parametrize(
    ("languages", "text", "copies"),
    [
        (("en", "de"), "We sell apples, etc.", ["usw"]),  # the full stop of the sentence stays with the model
        (("en", "de"), "We sell apples, etc. in our shop.", ["usw."]),
        (("en", "fr"), "Apples, pears etc.", ["etc"]),
        (("de", "en"), "\u00c4pfel, Birnen usw. sind da.", ["etc."]),
        (("de", "fr"), "\u00c4pfel (Birnen usw.) um 17:30 Uhr.", ["etc.", "17h30"]),
        (("en", "de"), "He fetched water at 5 pm, etc.", ["17:00, usw"]),
        (("en", "it"), "We sell apples, etc.", []),
        (("en", "fr"), "He fetches etching.", []),
    ],
)
def test_et_cetera_is_written_as_the_target_language_does(
    languages: tuple[str, str], text: str, copies: list[str]
) -> None:
    protector = Protector(PLACEHOLDERS, str.isalpha, languages)
    read = protector.protect(normalise(text), text)
    assert [copy for _, copy in read.copies] == copies
