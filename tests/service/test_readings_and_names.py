"""Labels and first words that are read in several ways, and names that are searched again."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.known_words import KnownWords
from model_store.contract.placeholders import ADDRESS, PLACEHOLDERS
from model_store.data.vocabulary import train_vocabulary
from service.exchanged import AttentionOptions
from service.messages import SearchOptions
from tests.bundles import without_network
from tests.service.told import told, translate

SENTENCES = ["The black cat ate the mouse at 12 or 345.", "Le chat noir a mangé la souris."] * 20
ONE = ADDRESS[0]


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return without_network(train_vocabulary(SENTENCES, 415, 1, PLACEHOLDERS))


@pytest.fixture(scope="module")
def small_mouse() -> Bundle:
    """A vocabulary that has `mouse` and spells `Mouse`."""
    text = ["a mouse, the mouse and no mouse, mouse", "The cat ate and Cat.", "une souris et la souris, le chat noir !"]
    return without_network(train_vocabulary(text * 40, 415, 1, PLACEHOLDERS))


def test_a_label_is_read_in_several_ways_and_the_most_likely_translation_is_taken(bundle: Bundle) -> None:
    engine = told(
        bundle,
        lambda text, _: ["Bonjour !" if text.endswith(".") else "matin"],
        log_prob=lambda source, text: -1.0 / len(source),  # longer source texts are more likely
    )
    result = translate(bundle, engine, "The mouse", attention=AttentionOptions())
    assert [bundle.tokenizer.decode(asked.source_ids) for asked in engine.asked][-1] == "The mouse."
    (translation,) = result.translations
    assert translation.text == "Bonjour"
    (segment,) = translation.segments
    assert [token.text for token in segment.target.tokens] == ["Bonjour"]
    assert [token.text for token in segment.source.tokens] == ["The", "mouse"]
    assert segment.attention is not None
    (one,) = segment.attention.maps
    np.testing.assert_allclose(one.weights.sum(axis=1) + one.special_token, 1.0, atol=1e-6)


@pytest.mark.parametrize(
    ("doubt", "text", "expected"),
    [
        (0.3, "Mouse", "Souris"),  # one subword without its capital
        (0.3, "Mouse!", "Souris !"),
        (0.3, "MOUSE", "SOURIS"),
        (0.1, "Mouse", "Chat noir"),  # sure of the pieces
        (0.3, "Mouse a@b.org and the cat ate no mouse.", "Souris a@b.org ate."),  # copies come back
    ],
)
def test_an_unsure_translation_of_pieces_gives_way_to_that_of_the_word_without_its_capital(
    small_mouse: Bundle, doubt: float, text: str, expected: str
) -> None:
    def answer(source: str, _: SearchOptions) -> list[str]:
        found = "souris !" if source.endswith("!") else f"souris {ONE} ate." if ONE in source else "souris"
        return [found if source.startswith("mouse") else "Chat noir"]

    engine = told(small_mouse, answer, log_prob=lambda source, text: -doubt - 0.05 * source[0].islower())
    assert translate(small_mouse, engine, text).translations[0].text == expected


@pytest.mark.parametrize(("gain", "expected"), [(0.19, "chat"), (0.21, "souris")])
def test_a_full_stop_has_to_make_a_label_in_lower_case_clearly_likelier(
    bundle: Bundle, gain: float, expected: str
) -> None:
    engine = told(
        bundle,
        lambda text, _: ["souris." if text.endswith(".") else "chat"],
        log_prob=lambda source, text: -0.5 + gain * source.endswith("."),
    )
    assert translate(bundle, engine, "mouse").translations[0].text == expected
    assert [bundle.tokenizer.decode(each.source_ids) for each in engine.asked] == ["mouse", "mouse."]


def test_a_label_whose_likeliest_translation_is_far_too_long_gets_that_of_another_reading(bundle: Bundle) -> None:
    long = "le chat noir est dans la maison de la souris"
    likely = {"log_prob": lambda source, text: -1.0 / len(text)}  # longer translations are more likely
    engine = told(bundle, lambda text, _: [long if text.endswith(".") else "chat"], **likely)
    assert translate(bundle, engine, "Mouse").translations[0].text.lower() == "chat"
    engine = told(bundle, lambda text, _: [long if text.endswith(".") else long[:-1]], **likely)
    assert translate(bundle, engine, "Mouse").translations[0].text.lower() == long  # none fits: the likeliest


def test_a_garbled_name_is_searched_again_as_a_placeholder_when_the_model_was_in_doubt(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text.replace("Mbappezzz", "Mbap")], log_prob=lambda source, text: -2.0)
    (translation,) = translate(bundle, engine, "The cat ate Mbappezzz at noon.").translations
    assert translation.text == "The cat ate Mbappezzz at noon."
    assert translation.searched_again == ("names",)
    engine.log_prob = lambda source, text: -0.1
    assert "Mbap " in translate(bundle, engine, "The cat ate Mbappezzz at noon.").translations[0].text


def test_an_everyday_name_is_searched_again_however_sure_the_model_was(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text.replace("Brian", "Brien")], log_prob=lambda source, text: -0.01)
    (translation,) = translate(bundle, engine, "The cat ate Brian and Mary.").translations
    assert translation.text == "The cat ate Brian and Mary."
    assert translation.searched_again == ("names",)
    assert not {*bundle.tokenizer.encode("Mary")} <= {
        *engine.asked[-1].source_ids
    }  # right names are kept out of it, too


def test_a_name_that_is_a_word_is_searched_again_although_it_was_read_without_its_capital(small_mouse: Bundle) -> None:
    engine = told(
        small_mouse,
        lambda text, _: ["facture ate the cat." if "ill" in text else f"{text[0]} ate the cat."],
        log_prob=lambda source, text: -0.3 - 0.1 * source[0].isupper(),
    )
    (translation,) = translate(small_mouse, engine, "Bill called the cat and the mouse.").translations
    assert translation.text == "Bill ate the cat."
    assert translation.searched_again == ("names",)


def with_known_words(bundle: Bundle) -> Bundle:
    """The bundle of a model that read SENTENCES."""
    return replace(bundle, known_words=KnownWords.of(SENTENCES, "en"))


@pytest.mark.parametrize(
    ("doubt", "gain", "is_taken"),
    [
        (2.0, 0.5, True),
        (2.0, -0.5, False),  # less likely
        (0.3, 0.2, False),  # the model was in no doubt
    ],
)
def test_a_misspelt_word_is_read_as_it_was_meant_where_that_is_likelier(
    bundle: Bundle, doubt: float, gain: float, is_taken: bool
) -> None:
    engine = told(
        bundle,
        lambda text, _: ["la souris" if "mouse" in text else "la faute"],
        log_prob=lambda source, text: -doubt + gain * (text == "la souris"),
    )
    result = translate(with_known_words(bundle), engine, "the muose ate", attention=AttentionOptions())
    (translation,) = result.translations
    assert translation.text == ("la souris" if is_taken else "la faute")
    assert [token.text for token in translation.segments[0].source.tokens] == ["the", "muose", "ate"]
    assert translation.searched_again == (("spelling",) if doubt > 1 else ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat ate.", "Le chat."),
        ("the cat ate.", "le chat."),
        ("The cat ate. The mouse ate.", "Le chat. Le chat."),
        ("a@b.org ate.", "a@b.org le chat."),
        ("The cat ate the black mouse at 12, The cat ate the mouse.", "Le chat. le chat."),  # two parts of a sentence
    ],
)
def test_a_sentence_keeps_its_capital(bundle: Bundle, text: str, expected: str) -> None:
    limits = bundle.manifest.limits.model_copy(update={"most_words": 6})
    narrow = replace(bundle, manifest=bundle.manifest.model_copy(update={"limits": limits}))
    engine = told(narrow, lambda asked, _: [f"{ONE} le chat." if ONE in asked else "le chat."])
    assert translate(narrow, engine, text).translations[0].text == expected


@pytest.mark.parametrize(
    "text",
    [
        "The **black cat** ate the mouse.",
        "The [cat](http://a.org/b) ate **a@b.org** and 12.",
        "**The cat** ate _it_.",
        "<p>The <b>black <i>cat</i></b> ate.</p>",
        "The mouse.<br>The cat &amp; <code>the cat</code> ate.",
    ],
)
def test_marks_come_back(bundle: Bundle, text: str) -> None:
    engine = told(bundle, lambda asked, _: [asked])
    (translation,) = translate(bundle, engine, text, attention=AttentionOptions()).translations
    assert translation.text == text
    tokens = [token for segment in translation.segments for token in segment.target.tokens]
    assert all(text[token.start : token.end] == token.text for token in tokens)
    assert translate(bundle, engine, text).translations[0].text == text
    asked = [bundle.tokenizer.decode(segment.source_ids) for segment in engine.asked]
    assert not any(sign in read for read in asked for sign in ("*", "](", "<b>", "<p>", "<br>"))
