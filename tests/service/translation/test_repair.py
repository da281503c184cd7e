"""Copies, capitals and second searches on the road of a request, with an engine that is told what to answer."""

from __future__ import annotations

import numpy as np
import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.parts import Links
from model_store.contract.placeholders import ADDRESS, NUMBER, PLACEHOLDERS
from model_store.data.vocabulary import train_vocabulary
from service.errors import OverloadedError
from service.exchanged import AttentionOptions
from service.messages import (
    FinishReason,
    Hypothesis,
    SearchOptions,
    Segment,
    Warned,
)
from service.translation.repair import BEAM_OF_FACTS, COVERAGE_PENALTY
from tests.bundles import without_network
from tests.service.told import Told, told, translate

SENTENCES = ["The black cat ate the mouse at 12 or 345.", "Le chat noir a mangé la souris."] * 20
ONE, TWO = ADDRESS[0], NUMBER[0]


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return without_network(
        train_vocabulary(SENTENCES, 415, 1, PLACEHOLDERS), links=Links(layer=1, head=1, least_weight=0.3)
    )


def test_what_is_protected_goes_as_a_placeholder_and_comes_back(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text.replace("The cat", "Le chat")])
    text = "The cat a@b.org ate 12,345.67."
    result = translate(bundle, engine, text, attention=AttentionOptions())
    assert bundle.tokenizer.decode(engine.asked[0].source_ids) == f"The cat {ONE} ate {TWO}."
    (translation,) = result.translations
    assert translation.text == "Le chat a@b.org ate 12,345.67."
    (segment,) = translation.segments
    for side, whole in ((segment.source, text), (segment.target, translation.text)):
        assert all(whole[t.start : t.end] == t.text for t in side.tokens)
    assert translation.warnings == ()
    assert len(engine.asked) == 1


def test_numbers_take_the_target_separators_only_when_asked(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text])
    assert translate(bundle, engine, "It ate 12,345.67.").translations[0].text == "It ate 12,345.67."
    found = translate(bundle, engine, "It ate 12,345.67.", locale_numbers=True).translations[0].text
    assert found == "It ate 12\u202f345,67."


def test_text_in_capitals_is_read_in_lower_case_and_written_in_capitals(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text.replace("The cat", "le chat mangé")])
    result = translate(bundle, engine, "THE CAT ATE a@b.org!", attention=AttentionOptions())
    assert bundle.tokenizer.decode(engine.asked[0].source_ids) == f"The cat ate {ONE}!"
    (translation,) = result.translations
    assert translation.text == "LE CHAT MANGÉ ATE a@b.org !"
    assert all(translation.text[t.start : t.end] == t.text for t in translation.segments[0].target.tokens)


@pytest.mark.parametrize("text", ["12:30", "\U0001f600", "a@b.org", "1. ", "Привет", "... !"])
def test_text_with_nothing_to_translate_asks_no_engine(bundle: Bundle, text: str) -> None:
    engine = told(bundle, lambda text, _: [text])
    assert translate(bundle, engine, text).translations[0].text == text
    assert engine.asked == []


@pytest.mark.parametrize(("beam_size", "again"), [(1, BEAM_OF_FACTS), (4, 4), (8, 8)])
def test_a_lost_number_in_words_is_searched_again_by_a_beam_with_a_coverage_penalty(
    bundle: Bundle, beam_size: int, again: int
) -> None:
    engine = told(bundle, lambda _, options: ["le chat dix" if options.coverage_penalty else "le chat"])
    result = translate(bundle, engine, "The ten cat.", search=SearchOptions(beam_size))
    (translation,) = result.translations
    assert translation.text == "Le chat dix"
    assert translation.searched_again == ("facts",)
    asked = [(segment.options.beam_size, segment.options.coverage_penalty) for segment in engine.asked]
    assert asked == [(beam_size, 0.0), (again, COVERAGE_PENALTY)]


@pytest.mark.parametrize(("penalty", "text"), [(1.0, "The ten cat."), (0.0, "The cat.")])
def test_nothing_is_searched_again_for_what_is_not_lost_or_was_searched_so(
    bundle: Bundle, penalty: float, text: str
) -> None:
    engine = told(bundle, lambda *_: ["le chat"])
    search = SearchOptions(4, coverage_penalty=penalty)
    assert translate(bundle, engine, text, search=search).translations[0].searched_again == ()


def test_a_second_search_that_does_not_find_what_was_lost_changes_nothing(bundle: Bundle) -> None:
    engine = told(bundle, lambda _, options: ["la souris" if options.coverage_penalty else "le chat"])
    assert translate(bundle, engine, "The ten cat.").translations[0].text == "Le chat"


@pytest.mark.parametrize(("found", "warnings"), [("pas le chat", ()), ("le chat", (Warned.NEGATION_LOST,))])
def test_a_lost_negation_is_searched_again_and_else_told(
    bundle: Bundle, found: str, warnings: tuple[Warned, ...]
) -> None:
    engine = told(bundle, lambda _, options: [found if options.coverage_penalty else "le chat"])
    for beam_size in (1, 4):
        (translation,) = translate(bundle, engine, "Not the cat.", search=SearchOptions(beam_size)).translations
        assert translation.text == found.capitalize()
        assert translation.searched_again == ("facts",)
        assert translation.warnings == warnings


def test_a_loop_is_searched_again_with_repetition_forbidden(bundle: Bundle) -> None:
    engine = told(bundle, lambda _, options: ["le chat"] if options.no_repeat_ngram else ["le chat " * 9])
    (translation,) = translate(bundle, engine, "The cat.").translations
    assert translation.text == "Le chat"
    assert translation.warnings == ()
    assert translation.searched_again == ("loop",)
    assert [segment.was_admitted for segment in engine.asked] == [True, True]


def test_a_queue_without_room_for_a_second_search_leaves_the_first_result_and_its_warning(bundle: Bundle) -> None:
    def answer(_: str, options: SearchOptions) -> list[str]:
        if options.no_repeat_ngram:
            raise OverloadedError("the queue is full")
        return ["le chat " * 9]

    (translation,) = translate(bundle, told(bundle, answer), "The cat.").translations
    assert translation.warnings == (Warned.LOOP,)
    assert translation.searched_again == ()


def test_a_loop_that_cannot_be_mended_carries_a_warning(bundle: Bundle) -> None:
    engine = told(bundle, lambda *_: ["le chat " * 9])
    (translation,) = translate(bundle, engine, "The cat.").translations
    assert translation.warnings == (Warned.LOOP,)
    engine.reason = FinishReason.LENGTH
    assert translate(bundle, engine, "The cat.").translations[0].warnings == (Warned.TOO_LONG,)


@pytest.mark.parametrize(("repeats", "again"), [(4, ("loop",)), (60, ())])
def test_a_long_source_that_loops_itself_is_searched_once(bundle: Bundle, repeats: int, again: tuple[str, ...]) -> None:
    engine = told(bundle, lambda *_: ["le chat " * 99])
    engine.reason = FinishReason.LENGTH
    (translation,) = translate(bundle, engine, " ".join(["dog"] * repeats)).translations
    assert translation.searched_again == again
    assert translation.warnings == (Warned.TOO_LONG,)


def test_a_lost_copy_is_looked_for_among_the_other_hypotheses(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: ["le chat.", f"le chat {ONE}.", "le chat noir."])
    (translation,) = translate(bundle, engine, "The cat a@b.org.", search=SearchOptions(beam_size=4)).translations
    assert translation.text == "Le chat a@b.org."
    assert translation.searched_again == ("copies",)
    assert translation.warnings == ()


def test_a_copy_that_no_hypothesis_has_is_put_where_attention_says(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: ["The black mouse."])
    (translation,) = translate(bundle, engine, "The black a@b.org mouse.", attention=AttentionOptions()).translations
    assert translation.text == "The black a@b.org mouse."
    assert translation.warnings == (Warned.COPY_MOVED,)
    (segment,) = translation.segments
    assert segment.signals.num_lost_copies == 1
    assert segment.attention is not None
    (one,) = segment.attention.maps
    np.testing.assert_allclose(one.weights.sum(axis=1) + one.special_token, 1.0, atol=1e-6)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("The mouse a@b.org.", "The mouse a@b.org."), ("The mouse a@b.org", "The mouse. a@b.org")],
)
def test_a_lost_copy_stays_on_its_side_of_the_sign_that_ends_the_translation(
    bundle: Bundle, text: str, expected: str
) -> None:
    class LastLooks(Told):
        """An engine whose last subword looks at everything."""

        def _hypothesis(self, segment: Segment, text: str) -> Hypothesis:
            found = super()._hypothesis(segment, text)
            if found.attention is not None:
                found.attention[:] = 0.01
                found.attention[len(found.token_ids) - 1] = 1.0
            return found

    last = LastLooks(bundle.tokenizer, lambda text, _: ["The mouse."])
    (translation,) = translate(bundle, last, text).translations
    assert translation.text == expected


def test_a_copy_that_comes_twice_comes_out_once(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [f"le {ONE} chat {ONE}."])
    (translation,) = translate(bundle, engine, "The a@b.org cat.").translations
    assert translation.text == "Le a@b.org chat."


def test_a_changed_number_is_searched_again_as_a_placeholder(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text.replace("12", "21")])
    (translation,) = translate(bundle, engine, "The 12 mouse.").translations
    assert translation.text == "The 12 mouse."
    assert translation.searched_again == ("numbers",)
    assert translation.warnings == ()


def test_signals_come_with_attention_of_their_own(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: [text])
    (segment,) = translate(bundle, engine, "The black cat.", signals=True).translations[0].segments
    assert segment.attention is None
    assert segment.attention_signals is not None
    assert segment.attention_signals.unseen_words == ()
    (segment,) = translate(bundle, engine, "The black cat.").translations[0].segments
    assert segment.attention_signals is None
