"""Signs typed or pasted in place of those that a model knows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.text.formats.parts import as_read
from service.text.spans.normalise import normalise
from service.text.spans.spacing import apart
from service.text.typed.signs import as_known, with_dashes, with_double_marks, with_hyphens, with_own_quotation_marks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I can\u00b4t come, it\u02bcs late.", "I can't come, it's late."),
        ("J\u00b4ai bu l\u2018eau.", "J'ai bu l'eau."),
        ("Wie geht`s?", "Wie geht's?"),
        ("Run `ls`, don`t ask.", "Run `ls`, don`t ask."),
        ("The co\u00adoperation is impor\u00adtant.", "The cooperation is important."),
        ("Caf\u00e9\ufe0f.", "Caf\u00e9."),
        ("an e\u2011mail, well\u2010known, 24\u2011hour \u2011", "an e-mail, well-known, 24-hour \u2011"),
        ("the London\u2013Paris train, 3\u20135, A\u2013B", "the London\u2013Paris train, 3\u20135, A\u2013B"),
        ("a doctor\u2013patient talk, win\u2013win", "a doctor - patient talk, win - win"),
        ("a long\u2013term plan", "a long-term plan"),
        ("The talk\u2013which was long\u2013ended.", "The talk - which was long - ended."),
        ("I waited\u2013he never came.", "I waited - he never came."),
        ("der Vor\u2011 und Nachname", "der Vor- und Nachname"),
        ("\u2116 5, word\u2060joiner", "No. 5, wordjoiner"),
        ("5\u00b4 and \u00b4quoted\u00b4 \u2764\ufe0f", "5\u00b4 and \u00b4quoted\u00b4 \u2764\ufe0f"),
    ],
)
def test_only_what_can_be_nothing_else_changes(text: str, expected: str) -> None:
    assert as_known(normalise(text)).text == expected


@given(st.text(st.sampled_from("ab \u00b4\u02bc`\u00ad\ufe0f.\u2764\u2011")))
def test_every_code_point_stands_for_itself_or_for_what_became_it(text: str) -> None:
    found = as_known(normalise(text))
    assert len(found.text) == len(found.starts) == len(found.ends)
    for character, start, end in zip(found.text, found.starts, found.ends, strict=True):
        assert character in (text[start:end], "'", "-", " ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sie rief \u203aHilfe\u2039, dann \u2039ja\u203a.", 'Sie rief "Hilfe", dann "ja".'),
        ("Home \u203a Products \u203a Shoes", "Home \u203a Products \u203a Shoes"),
        ("'Save as' saves a copy.", '"Save as" saves a copy.'),
        ("She said, 'I'm fine.'", 'She said, "I\'m fine."'),
        ("Click 'Next' or 'Don't save' (not 'Back').", 'Click "Next" or "Don\'t save" (not "Back").'),
        ("What does \u2018it\u2019s on\u2019 mean?", 'What does "it\u2019s on" mean?'),
        ("Dites 'oui' \u00e0 l'ami", 'Dites "oui" \u00e0 l\'ami'),
        ("Auf \u201aWeiter\u2018 klicken", 'Auf "Weiter" klicken'),
    ],
)
def test_single_quotation_marks_become_double_ones(text: str, expected: str) -> None:
    plain = normalise(text)
    found = with_double_marks(plain)
    assert found.text == expected.replace("\u2019", "'" if "\u2019" not in plain.text else "\u2019")
    assert (*found.starts, *found.ends) == (*plain.starts, *plain.ends)


@pytest.mark.parametrize(
    "text",
    [
        "The dogs' bowls and the cats' food",
        "'Tis the season, rock 'n' roll of the '90s, James' car",
        "I gave 'im two weeks' notice, called 'the students' union'",
        "Komm 'rein, ich hab' 'ne Frage",
        "\"He said 'go away' and left,\" she said.",
        "const a = ['red', 'green'];",
        "Go get 'em, 'cause it's Hans' turn, 6' or 5'2",
        "print('hello', 'you') and name='x'",
        "Run `echo 'hi'` or 'bye'",
    ],
)
def test_apostrophes_and_code_stay(text: str) -> None:
    assert with_double_marks(normalise(text)).text == text


def test_quotation_marks_become_those_of_the_language_and_stand_for_what_was_typed() -> None:
    text = "Le bouton \u201cOK\u201d de `a \u201cb\u201d`."
    found = with_own_quotation_marks(normalise(text), "fr")
    assert found.text == "Le bouton \u00ab OK \u00bb de `a \u201cb\u201d`."
    opening, closing = found.text.index("\u00ab"), found.text.index("\u00bb")
    assert [text[found.starts[at] : found.ends[at]] for at in (opening, opening + 1)] == ["\u201c", "\u201c"]
    assert text[found.starts[closing] : found.ends[closing]] == "\u201d"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I forgot it \u2013 here it is.", "I forgot it - here it is."),
        ("She came\u2014two hours late\u2014and left.", "She came - two hours late - and left."),
        ("Three colours \u2013 red and blue \u2013 are available.", "Three colours - red and blue - are available."),
        ("It ends in 3 days \u2014 hurry.", "It ends in 3 days - hurry."),
        (
            "From 9 \u2013 17, Monday \u2013 Friday, pages 3\u20135",
            "From 9 \u2013 17, Monday \u2013 Friday, pages 3\u20135",
        ),
        ("a half-hour - or so", "a half-hour - or so"),
    ],
)
def test_dashes_between_parts_of_a_sentence_are_read_as_hyphens(text: str, expected: str) -> None:
    assert with_hyphens(apart(normalise(text), "en")).text == expected


@pytest.mark.parametrize(
    ("source", "translation", "expected"),
    [
        ("It is late \u2013 go.", "Il est tard - va.", "Il est tard \u2013 va."),
        ("It\u2014so far\u2014works.", "Cela - jusqu'ici - marche.", "Cela \u2014 jusqu'ici \u2014 marche."),
        ("One - two \u2013 three.", "Un - deux - trois.", "Un - deux \u2013 trois."),
        ("One \u2013 two \u2014 three.", "Un - deux.", "Un \u2013 deux."),
        ("One \u2013 two.", "Un - ou - deux.", "Un \u2013 ou \u2013 deux."),
        ("Pages 3\u20135 - all.", "Pages 3\u20135 - toutes.", "Pages 3\u20135 - toutes."),
        ("No dash, caf\u00e9.", "Pas - de caf\u00e9.", "Pas - de caf\u00e9."),
    ],
)
def test_a_translation_has_the_dashes_of_its_source(source: str, translation: str, expected: str) -> None:
    read = with_hyphens(apart(normalise(source), "en"))
    spans = [(0, 2), (len(translation) - 1, len(translation))]
    text, moved = with_dashes(translation, spans, read, source, "fr")
    assert text == expected
    assert moved == spans  # a dash is as long as a hyphen


def test_dashes_may_be_entities() -> None:
    source = "It is late &mdash; go."
    read = with_hyphens(as_read(source))
    assert read.text == "It is late - go."
    assert with_dashes("Il est tard - va.", [], read, source, "fr")[0] == "Il est tard &mdash; va."
    assert with_dashes("Es ist sp\u00e4t - geh.", [], read, source, "de")[0] == "Es ist sp\u00e4t &ndash; geh."


def test_german_has_no_long_dashes() -> None:
    source = "It\u2014so far\u2014works."
    read = with_hyphens(apart(normalise(source), "en"))
    assert with_dashes("Es geht - bisher -.", [], read, source, "de")[0] == "Es geht \u2013 bisher -."
