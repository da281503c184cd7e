"""Names of buttons and menus are read between quotation marks, which are taken out again."""

from __future__ import annotations

import pytest

from model_store.contract.placeholders import PLACEHOLDERS
from service.text.formats.markup import without_marks
from service.text.names.controls import keys, with_marked_controls, without_added_marks
from service.text.protection import Protector
from service.text.segments import Segmenter
from service.text.spans.normalise import normalise


@pytest.mark.parametrize(
    ("language", "text", "read"),
    [
        ("en", "Click Save to continue.", 'Click "Save" to continue.'),
        ("en", "Click Next", 'Click "Next"'),
        ("en", "Tap Sign In and enter it.", 'Tap "Sign In" and enter it.'),
        ("en", "Click Settings, then select Privacy.", 'Click "Settings", then select "Privacy".'),
        ("en", "Click **save changes** to go on.", 'Click "**save changes**" to go on.'),
        ("en", "Tap <b>Done</b>.", 'Tap "<b>Done</b>".'),
        ("en", "Click [Save](https://x.org) now.", 'Click "[Save](https://x.org)" now.'),
        ("en", "Click Sign up and enter it.", 'Click "Sign up" and enter it.'),
        ("de", "Auf Speichern klicken und gehen", "Auf \u201eSpeichern\u201c klicken und gehen"),
        ("de", "Zum Bezahlen auf Zur Kasse klicken", "Zum Bezahlen auf \u201eZur Kasse\u201c klicken"),
        ("en", "Hit Reply and write.", 'Press "Reply" and write.'),
        ("en", "Then hit Send.", 'Then press "Send".'),
        ("fr", "Cliquez sur Enregistrer pour continuer.", "Cliquez sur \u00ab Enregistrer \u00bb pour continuer."),
        ("fr", "Choisissez **Suivant**.", "Choisissez \u00ab **Suivant** \u00bb."),
        ("de", "Klicken Sie auf Speichern, um es zu tun.", "Klicken Sie auf \u201eSpeichern\u201c, um es zu tun."),
        ("de", "W\u00e4hlen Sie Drucken im Men\u00fc.", "W\u00e4hlen Sie \u201eDrucken\u201c im Men\u00fc."),
    ],
)
def test_names_of_buttons_are_quoted(language: str, text: str, read: str) -> None:
    found, is_marked = with_marked_controls(normalise(text), language)
    assert (found.text, is_marked) == (read, True)
    assert without_added_marks(found.text, ())[0] == text.replace("Hit", "Press").replace("hit", "press")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Auf Wiedersehen und danke"),
        ("de", "Auf Enter klicken"),
        ("en", "Press Enter to continue."),
        ("en", "Press F5, then press Ctrl."),
        ("en", "Press **Enter** to continue."),
        ("en", "Click It to see."),
        ("en", "Click **here**."),
        ("en", "Press **gently**."),
        ("en", "Press X to win."),
        ("en", "Select **multiple** files."),
        ("en", "Press Council members met."),
        ("en", 'Click Save, then "Close".'),
        ("en", "The hit Thriller sold well."),
        ("en", "They press Germany to pay."),
        ("fr", "Cliquez sur Valider."),
        ("fr", "Il compte sur Paris."),
        ("de", "Dr\u00fccken Sie Strg."),
        ("de", "W\u00e4hlen Sie Ihre Farbe."),
        ("it", "Click Save to continue."),
    ],
)
def test_keys_pronouns_and_other_words_are_not(language: str, text: str) -> None:
    assert with_marked_controls(normalise(text), language) == (normalise(text), False)


def test_quotation_marks_of_tags_are_no_quotation() -> None:
    text = 'Tap <b>Done</b> or <a href="#">go</a>.'
    assert with_marked_controls(normalise(text), "en")[0].text == 'Tap "<b>Done</b>" or <a href="#">go</a>.'
    text = 'Tap <b>Done</b> or "go".'
    assert with_marked_controls(normalise(text), "en") == (normalise(text), False)


def test_a_mark_stands_inside_the_quotation() -> None:
    text = "Click **Submit** now."
    unmarked = without_marks(with_marked_controls(normalise(text), "en")[0], text)
    assert unmarked.normalised.text == 'Click "Submit" now.'
    assert [(mark.start, mark.end) for mark in unmarked.marks] == [(8, 14)]


def test_a_segment_says_that_it_has_marks_of_ours() -> None:
    protector = Protector(PLACEHOLDERS, lambda character: True)
    segmenter = Segmenter("en", lambda text: [*map(ord, text)], 99, placeholders=PLACEHOLDERS, protector=protector)
    assert [each.has_added_marks for each in segmenter.segment("Click Save. It is kept.").segments] == [True, False]


def test_spans_move_with_the_letters() -> None:
    text, spans = without_added_marks("Sur \u00ab\u00a0Oui\u00a0\u00bb.", [(0, 3), (3, 6), (6, 9), (9, 11), (11, 12)])
    assert text == "Sur Oui."
    assert [text[start:end] for start, end in spans] == ["Sur", " ", "Oui", "", "."]


def test_keys_stand_for_themselves() -> None:
    text = "Press Enter, click OK and press F5; the OK came."
    assert [text[start:end] for start, end in keys(text, "de")] == ["Enter", "OK", "F5"]
    assert [text[start:end] for start, end in keys(text, "fr")] == ["OK", "F5"]
    assert [start for start, _ in keys("Press **F5**, then press <b>Esc</b> or hit __OK__.", "de")] == [8, 28, 45]
    assert keys("Press the Tab key.", "de") == []
