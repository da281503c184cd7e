"""Short names of weekdays: where they certainly are some, and how the other language writes them."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.expressions.translated import may_have_translated
from service.text.expressions.weekdays import weekdays
from service.text.protection import Protector
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("languages", "text", "expected"),
    [
        (("en", "fr"), "Sat, 12 Oct 2024", ["sam. 12 octobre 2024"]),
        (("en", "fr"), "by Tue, 5 Mar. Then Fri, Oct 4th, 2024", ["mar. 5 mars", "ven. 4 octobre 2024"]),
        (("en", "de"), "Sat, 12 Oct 2024, Wed 3 July, Sun 5/10", ["Sa", "Mi", "So"]),
        (("en", "de"), "Sat. Oct. 12, Thurs the 3rd of May", ["Sa", "Do"]),
        (("en", "fr"), "On Wed. we meet at 9.", ["Le mer."]),
        (("en", "fr"), "Sun closed, Mon: closed", ["dim.", "lun."]),
        (("en", "de"), "Closed on Sun. See you Fri at 5 pm", ["am So", "Fr"]),
        (("en", "de"), "Mon 9:00, Tues 9 am-5 pm, Wed: 9-12", ["Mo", "Di", "Mi"]),
        (("en", "fr"), "Mon, Wed and Fri", ["lun., mer. et ven."]),
        (("en", "de"), "on Mon, Wed, and Fri; Tue or Thu", ["am Mo, Mi und Fr", "Di oder Do"]),
        (("en", "de"), "Mon-Wed, Fri", ["Mo\u2013Mi, Fr"]),
        (("en", "de"), "3 July 2024 (Wed), 5 pm Fri, every Thu evening", ["Mi", "Fr", "Do"]),
        (("fr", "en"), "mer. 3 juil., lun. 3 mars, le jeu. 12", ["Wed", "Mon", "on Thu"]),
        (("fr", "en"), "le jeu 12 octobre, le dim. matin, ven 9h30", ["on Thu 12 October", "on Sun", "Fri"]),
        (("fr", "en"), "Lun-Ven 9h-17h30, Sam 10h-13h", ["Mon\u2013Fri", "Sat"]),
        (("fr", "en"), "Sam 10h", []),
        (("fr", "en"), "lun., mer. et ven. ou dim. ferm\u00e9", ["Mon, Wed and Fri or Sun"]),
        (("fr", "en"), "le dim. 1er d\u00e9c. 2024, pour le Mar. 02 ao\u00fbt", ["on Sun 1 December 2024", "Tue"]),
        (("en", "fr"), "Sun 1 Sept. at noon, Mon, May 1 10:00", ["dim. 1er septembre", "lun. 1er mai"]),
        (("en", "de"), "Mon-Wed, Wed-Fri. See you Thu!", ["Mo\u2013Mi, Mi\u2013Fr", "Do"]),
        (("fr", "de"), "rdv le mar. \u00e0 9:30 et sam. ferm\u00e9", ["am Di", "Sa"]),
        (("de", "en"), "Termin: Mi, 12.06.2024", ["Wed"]),
        (("de", "en"), "Di und Do von 8 bis 12 Uhr", ["Tue and Thu"]),
        (("de", "en"), "Mo, Mi, Fr 9-12 Uhr", ["Mon, Wed, Fri"]),
        (("de", "en"), "bis Fr, 3.5., 12 Uhr", ["Fri"]),
        (("de", "fr"), "Mo + Mi, Sa u. So geschlossen", ["lun. + mer., sam. et dim."]),
        (("de", "fr"), "Mo Ruhetag; So geschlossen", ["lun.", "dim."]),
        (("de", "en"), "am Mo, am Do. 12. Juni, jeden Mi", ["on Mon", "on Thu", "Wed"]),
        (("de", "en"), "Mo-Fr, So ab 9 Uhr", ["Mon\u2013Fri, Sun"]),
    ],
)
def test_short_weekdays_are_translated(languages: tuple[str, str], text: str, expected: list[str]) -> None:
    assert [written for _, _, written in weekdays(text, *languages)] == expected


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ["The sun rose at 9 am", "He sat 12 hours", "Wed in 1990", "We wed on 3 July", "The Sun closed"]),
        ("en", ["Sun closed the deal", "Sun and sea", "Sun Tzu", "Sat and watched", "Mon ami", "x-Mon 9:00"]),
        ("en", ["Monday and Friday", "In 2010, Sun, Oracle", "Mon"]),
        ("fr", ["la mer 3 fois", "La mer. 3 bateaux", "un jeu. 12 joueurs", "la mer. il est tard", "le jeu et la mer"]),
        ("fr", ["Jeu, mer et vent", "avec Sam 3 fois", "mer ferm\u00e9e", "le jeu 12", "Ven"]),
        ("de", ["Do it", "So ist es", "Mi casa", "Fr. M\u00fcller", "So, Fr. M\u00fcller", "am Fr. M\u00fcller"]),
        (
            "de",
            [
                "So um 9 Uhr",
                "So 9-12 Leute",
                "So geschlossen wie nie",
                "So und so",
                "Fr. 12.10.",
                "Fr. 12.50",
                "Do, Re, Mi",
            ],
        ),
    ],
)
def test_other_words_are_no_weekdays(language: str, texts: list[str]) -> None:
    found = [*(written for text in texts for _, _, written in weekdays(text, language, "en"))]
    assert found == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "On Wed. we meet"),
        ("en", "Sun closed"),
        ("en", "Tues and Thurs"),
        ("fr", "Dim. ferm\u00e9"),
        ("fr", "le jeu. et le ven. matin"),
        ("fr", "du mar au sam"),
        ("de", "Di und Do"),
        ("de", "Mo Ruhetag"),
        ("de", "Wir kommen am Mi."),
    ],
)
def test_weekdays_without_digits_are_found(language: str, text: str) -> None:
    assert may_have_translated(text, language)
    protector = Protector(PLACEHOLDERS, str.isalpha, (language, "de" if language == "en" else "en"))
    assert protector.protect(normalise(text), text).has_ruled


@pytest.mark.parametrize(
    ("language", "text"), [("en", "Monday is sunny."), ("fr", "La mer et le jeu, lundi."), ("de", "So ist es. Do it.")]
)
def test_most_texts_have_none(language: str, text: str) -> None:
    assert not may_have_translated(text, language)
