"""How translations address their reader, with an engine that is told what to answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np
import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.formality import FORMALITY_MARKS, Formality
from model_store.contract.placeholders import PLACEHOLDERS
from model_store.data.vocabulary import train_vocabulary
from service.errors import InvalidRequestError, OverloadedError
from service.exchanged import AttentionOptions, TranslationRequest
from service.messages import SearchOptions, Segment, SegmentResult
from service.translation.formality import WIDE_BEAM
from service.translation.translator import Translator
from tests.bundles import without_network
from tests.service.told import Told, told, translate

SENTENCES = [
    "Do you know what he wants? You know that I am right. Can you tell me what he is?",
    "Wissen Sie das? Weißt du das? Ich kenne Sie und dich.",
] * 20
FORMAL, INFORMAL = FORMALITY_MARKS["formal"], FORMALITY_MARKS["informal"]
GERMAN = {
    "Do you know what he wants?": "Weißt du?",
    "You know that I am right.": "Sie kennen mich.",
    "Can you tell me what he is?": "Kannst du?",
}
MARKED = {"Do you know what he wants?": "Wissen Sie?", "Can you tell me what he is?": "Können Sie?"}


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    signs = PLACEHOLDERS + FORMAL + INFORMAL
    return without_network(train_vocabulary(SENTENCES, 414, 1, signs), target="de")


def engine_of(bundle: Bundle) -> Told:
    def answer(text: str, _: int) -> list[str]:
        plain = text.rstrip(FORMAL + INFORMAL)
        if text.endswith(FORMAL):
            return [MARKED.get(plain, GERMAN[plain])]
        return [
            "Du kennst mich." if text.endswith(INFORMAL) and plain == "You know that I am right." else GERMAN[plain]
        ]

    return told(bundle, answer)


def read(bundle: Bundle, engine: Told) -> list[str]:
    return [bundle.tokenizer.decode(segment.source_ids) for segment in engine.asked]


@pytest.mark.parametrize(
    ("wanted", "text", "mark"),
    [("formal", "Wissen Sie?", FORMAL), ("informal", "Weißt du?", INFORMAL), (None, "Weißt du?", "")],
)
def test_a_request_asks_for_it_with_a_mark_behind_the_source(
    bundle: Bundle, wanted: Formality | None, text: str, mark: str
) -> None:
    engine = engine_of(bundle)
    assert translate(bundle, engine, "Do you know what he wants?", formality=wanted).translations[0].text == text
    assert read(bundle, engine) == [f"Do you know what he wants?{mark}"]


def test_no_map_has_a_column_of_the_mark_and_its_share_is_the_end_tokens(bundle: Bundle) -> None:
    found = translate(
        bundle, engine_of(bundle), "Do you know what he wants?", formality="formal", attention=AttentionOptions()
    )
    (segment,) = found.translations[0].segments
    assert [token.text for token in segment.source.tokens] == ["Do", "you", "know", "what", "he", "wants", "?"]
    assert segment.attention is not None
    (shown,) = segment.attention.maps
    assert shown.weights.shape[1] == 7
    assert np.allclose(shown.weights.sum(axis=1) + shown.special_token, 1.0)


def test_all_sentences_of_a_text_get_what_the_most_of_them_have(bundle: Bundle) -> None:
    engine = engine_of(bundle)
    (found,) = translate(
        bundle, engine, "Do you know what he wants? You know that I am right. Can you tell me what he is?"
    ).translations
    assert found.text == "Weißt du? Du kennst mich. Kannst du?"
    assert read(bundle, engine)[3:] == [f"You know that I am right.{INFORMAL}"]
    assert found.searched_again == ("formality",)


def test_where_as_many_have_either_the_first_decides(bundle: Bundle) -> None:
    (found,) = translate(
        bundle, engine_of(bundle), "You know that I am right. Can you tell me what he is?"
    ).translations
    assert found.text == "Sie kennen mich. Können Sie?"


def test_what_the_second_search_does_not_change_stays(bundle: Bundle) -> None:
    engine = told(bundle, lambda text, _: ["Weißt du?" if text.startswith("Do") else "Sie kennen mich."])
    (found,) = translate(bundle, engine, "Do you know what he wants? You know that I am right.").translations
    assert found.text == "Weißt du? Sie kennen mich."
    assert found.searched_again == ()


@pytest.mark.parametrize(
    ("formal", "informal", "text"),
    [
        ("Sie kennen sich.", "Du kennst Sie.", "Sie kennen sich."),
        ("Du kennst Sie.", "Du kennst dich.", "Du kennst dich."),
        ("Du kennst Sie.", "Kennst du Sie?", "Du kennst Sie."),
    ],
)
def test_a_sentence_of_both_ways_is_searched_again_in_each(
    bundle: Bundle, formal: str, informal: str, text: str
) -> None:
    def answer(read: str, _: int) -> list[str]:
        return [formal if read.endswith(FORMAL) else informal if read.endswith(INFORMAL) else "Du kennst Sie."]

    engine = told(bundle, answer)
    (found,) = translate(bundle, engine, "You know that I am right.").translations
    assert found.text == text
    assert [each[-1] for each in read(bundle, engine)] == [".", FORMAL, INFORMAL]


def test_sentences_of_different_texts_are_left_alone(bundle: Bundle) -> None:
    engine = engine_of(bundle)
    request = TranslationRequest(("Do you know what he wants?", "You know that I am right."))
    found = asyncio.run(Translator(bundle, engine.translate).translate(request)).translations
    assert [each.text for each in found] == ["Weißt du?", "Sie kennen mich."]
    assert len(engine.asked) == 2


class Full(Told):
    """An engine with room for one request."""

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        if self.asked:
            raise OverloadedError("full")
        return await super().translate(segments)


def test_a_full_engine_leaves_the_first_translations(bundle: Bundle) -> None:
    engine = Full(bundle.tokenizer, engine_of(bundle).answer)
    (found,) = translate(bundle, engine, "Do you know what he wants? You know that I am right.").translations
    assert found.text == "Weißt du? Sie kennen mich."


@pytest.fixture(scope="module")
def plain() -> Bundle:
    """A model that reads no marks."""
    text = [*SENTENCES, *["Kennen Sie Sie? Sie sind Sie."] * 100]
    return without_network(train_vocabulary(text, 420, 1, PLACEHOLDERS), target="de")


def test_a_model_that_reads_no_marks_answers_with_its_best_hypothesis_of_the_kind(plain: Bundle) -> None:
    engine = told(plain, lambda text, _: [GERMAN[text], "Weiß er das?", *([MARKED[text]] if text in MARKED else [])])
    for wanted, text in ((None, "Weißt du?"), ("informal", "Weißt du?"), ("formal", "Wissen Sie?")):
        (found,) = translate(plain, engine, "Do you know what he wants?", formality=wanted).translations
        assert (found.text, found.alternatives) == (text, ())
    assert read(plain, engine) == ["Do you know what he wants?"] * 3
    assert [segment.options.beam_size for segment in engine.asked] == [4, WIDE_BEAM, WIDE_BEAM]


def test_where_no_hypothesis_is_of_the_kind_the_words_of_the_other_are_forbidden(plain: Bundle) -> None:
    engine = told(plain, lambda text, options: ["Weißt du?"] if options.forbidden else ["Wissen Sie?"])
    (found,) = translate(plain, engine, "Do you know what he wants?", formality="informal").translations
    assert found.text == "Weißt du?"
    first, second = (segment.options for segment in engine.asked)
    assert [segment.was_admitted for segment in engine.asked] == [True, True]
    assert first.forbidden == ()
    pieces = plain.tokenizer.pieces
    assert {pieces[i] for i in second.forbidden} == {piece for piece in ("\u2581Sie",) if piece in pieces} != set()


@pytest.mark.parametrize("second", ["Wissen Sie?", "Weißt du, was Ihnen fehlt?"])
def test_what_stays_wrong_without_them_is_not_taken(plain: Bundle, second: str) -> None:
    engine = told(plain, lambda text, options: [second] if options.forbidden else ["Wissen Sie?"])
    (found,) = translate(plain, engine, "Do you know what he wants?", formality="informal").translations
    assert found.text == "Wissen Sie?"


def test_a_full_engine_leaves_what_was_found_first(plain: Bundle) -> None:
    engine = Full(plain.tokenizer, lambda text, _: ["Wissen Sie?"])
    (found,) = translate(plain, engine, "Do you know what he wants?", formality="informal").translations
    assert found.text == "Wissen Sie?"


def test_a_language_without_the_choice_refuses() -> None:
    plain = without_network(train_vocabulary(SENTENCES, 412, 1, PLACEHOLDERS), source="de", target="en")
    translator = Translator(plain, engine_of(plain).translate)
    with pytest.raises(InvalidRequestError, match=r"^toy@1 translates into en, which has one \*you\*$") as refused:
        translator.check(TranslationRequest(("Wissen Sie, was er will?",), formality="formal"))
    assert [fault.message for fault in refused.value.faults] == ["is for translations into de and fr"]


def test_sentences_agree_without_a_wide_beam_where_the_words_of_the_other_kind_can_be_forbidden(plain: Bundle) -> None:
    def answer(text: str, options: SearchOptions) -> list[str]:
        if text.startswith("You"):
            return ["Du kennst mich." if options.forbidden else "Sie kennen mich."]
        return [GERMAN[text]]

    engine = told(plain, answer)
    (found,) = translate(plain, engine, "Do you know what he wants? You know that I am right.").translations
    assert found.text == "Weißt du? Du kennst mich."
    assert [segment.options.beam_size for segment in engine.asked] == [4, 4, 4]
    assert [bool(segment.options.forbidden) for segment in engine.asked] == [False, False, True]


def test_sentences_agree_by_a_wide_beam_where_they_do_not_otherwise(plain: Bundle) -> None:
    def answer(text: str, options: SearchOptions) -> list[str]:
        if text.startswith("You"):
            return ["Sie kennen mich.", *(["Du kennst mich."] if options.beam_size == WIDE_BEAM else [])]
        return [GERMAN[text]]

    engine = told(plain, answer)
    (found,) = translate(plain, engine, "Do you know what he wants? You know that I am right.").translations
    assert found.text == "Weißt du? Du kennst mich."
    assert [segment.options.beam_size for segment in engine.asked] == [4, 4, 4, WIDE_BEAM]
