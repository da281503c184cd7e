"""One way to address the reader within a German sentence."""

from __future__ import annotations

import pytest

from service.text.mending.registers import with_one_register

READ = "I like your house and you."


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Ich dr\xfccke dir die Daumen f\xfcr Ihre Pr\xfcfung.",
            "Ich dr\xfccke dir die Daumen f\xfcr deine Pr\xfcfung.",
        ),
        ("Sind Sie froh mit deiner Arbeit?", "Sind Sie froh mit Ihrer Arbeit?"),
        ("Ich danke Ihnen f\xfcr deine Hilfe.", "Ich danke Ihnen f\xfcr Ihre Hilfe."),
        ("Kennst du Ihren und Ihr Haus?", "Kennst du deinen und dein Haus?"),
        ("Du siehst ihr Haus.", "Du siehst ihr Haus."),
        ("Kommen Sie, du und Ihre Mutter.", "Kommen Sie, du und Ihre Mutter."),  # no way to tell
        ("Sie mag deine Arbeit.", "Sie mag deine Arbeit."),  # she
        ("Das ist Ihre Arbeit.", "Das ist Ihre Arbeit."),
        ("Ihre Hilfe hilft dir.", "Ihre Hilfe hilft dir."),
    ],
)
def test_possessives_go_with_pronouns(text: str, expected: str) -> None:
    assert with_one_register(text, [], ("en", "de"), READ)[0] == expected


def test_a_first_word_does_where_the_source_begins_with_it() -> None:
    read = "Your keys are here, I'll call you."
    assert with_one_register("Ihre Schl\xfcssel sind hier, ich rufe dich an.", [], ("en", "de"), read)[0].startswith(
        "Deine"
    )
    assert with_one_register("Dein Brief hilft Ihnen.", [], ("en", "de"), read)[0] == "Ihr Brief hilft Ihnen."
    assert with_one_register("Deine Mutter ruft dich an.", [], ("en", "de"), read)[0] == "Deine Mutter ruft dich an."


def test_other_texts_stay() -> None:
    text = "Ich sage dir Ihren Namen."
    assert with_one_register(text, [], ("en", "de"), "I tell you their name.")[0] == text
    assert with_one_register(text, [], ("fr", "de"), READ)[0] == text
