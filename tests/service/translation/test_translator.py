"""From texts to translations, with a scripted engine and a real tokenizer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.bundle import Bundle
from model_store.contract.known_words import KnownWords
from model_store.contract.manifest import Limits
from model_store.contract.parts import Alignment
from model_store.data.vocabulary import train_vocabulary
from service.errors import AttentionNotAvailableError, InvalidRequestError, OverloadedError
from service.exchanged import AttentionOptions, TranslatedSegment, Translation, TranslationRequest, TranslationResult
from service.messages import (
    FinishReason,
    Hypothesis,
    SearchOptions,
    Segment,
    SegmentResult,
    Timings,
    Warned,
)
from service.translation.translator import Translator
from tests.bundles import published, without_network

SENTENCES = ["The black cat ate the mouse.", "Le chat noir a mangé la souris.", "I don't know what it is, sir!"] * 20
MAX_SOURCE_TOKENS = 40
SLICES = ((1, 1), (1, 2), (2, 1))
TEXTS = st.lists(
    st.one_of(st.text(max_size=80), st.text(st.sampled_from("The cat. É\n日🙂ﬁ…!'\0"), max_size=80)), max_size=4
)


@pytest.fixture(scope="session")
def bundle() -> Bundle:
    return without_network(
        train_vocabulary(SENTENCES, 290, seed=1),
        SLICES,
        target="en",
        limits=Limits(max_source_tokens=MAX_SOURCE_TOKENS, max_target_tokens=80),
        alignment=Alignment(layer=2, head=1),
    )


@dataclass
class Echo:
    """An engine that translates every segment to itself: hypothesis k lacks k tokens and scores -1 - k a token.

    Slice 2 looks at the token that is written, the others at the first; the end token gets a fifth of each row.
    """

    asked: list[Sequence[Segment]] = field(default_factory=list)
    now: float = 100.0

    async def translate(self, segments: Sequence[Segment]) -> list[SegmentResult]:
        self.asked.append(segments)
        return [self._result(segment, i) for i, segment in enumerate(segments)]

    def clock(self) -> float:
        self.now += 0.5
        return self.now

    def _result(self, segment: Segment, i: int) -> SegmentResult:
        hypotheses = tuple(self._hypothesis(segment, k) for k in range(segment.options.num_hypotheses))
        return SegmentResult(hypotheses, Timings(queue_s=0.1 * i, encode_s=0.01, decode_s=0.2))

    def _hypothesis(self, segment: Segment, k: int) -> Hypothesis:
        limit = segment.options.max_output_tokens
        ids = segment.source_ids[: len(segment.source_ids) - k]
        cut = limit is not None and len(ids) + 1 > limit
        ids = ids[:limit] if cut else ids
        scores = (-1.0 - k,) * (len(ids) + (not cut))
        reason = FinishReason.LENGTH if cut else FinishReason.EOS
        attention = _attention(len(scores), len(segment.source_ids)) if segment.want_attention else None
        return Hypothesis(ids, scores, reason, attention)


def _attention(num_rows: int, num_columns: int) -> np.ndarray:
    weights = np.zeros((num_rows, len(SLICES), num_columns + 1), np.float32)
    weights[:, :2, 0] = 0.8
    rows = np.arange(num_rows)
    weights[rows, 2, np.minimum(rows, num_columns)] = 0.8
    weights[:, :, -1] += 0.2
    return weights


def translate(bundle: Bundle, *texts: str, engine: Echo | None = None, **options: Any) -> TranslationResult:
    engine = engine or Echo()
    translator = Translator(bundle, engine.translate, engine.clock)
    return asyncio.run(translator.translate(TranslationRequest(texts, **options)))


def test_a_translation_is_put_together_with_its_line_breaks_and_spaces(bundle: Bundle) -> None:
    text = "  The cat.  The mouse!\r\n\n\tI don't know.\n"
    (translation,) = translate(bundle, text).translations
    assert translation.text == text
    assert [(s.source.text, s.source.start, s.source.end) for s in translation.segments] == [
        ("The cat.", 2, 10),
        ("The mouse!", 12, 22),
        ("I don't know.", 26, 39),
    ]
    assert [t.text for t in translation.segments[2].target.tokens] == ["I", "don't", "know", "."]


@pytest.mark.parametrize("text", ["", " ", "\n\t\n"])
def test_a_blank_text_translates_to_itself_without_an_engine(bundle: Bundle, text: str) -> None:
    engine = Echo()
    result = translate(
        bundle, text, engine=engine, attention=AttentionOptions(), search=SearchOptions(num_hypotheses=3)
    )
    assert result.translations == (Translation(text, 0.0, FinishReason.EOS, (), ()),)
    assert engine.asked == []
    assert result.timings == Timings(0.0, 0.0, 0.0)


def test_all_segments_of_all_texts_go_to_the_engine_in_one_call(bundle: Bundle) -> None:
    engine = Echo()
    result = translate(bundle, "The cat. The cat.", "", "The mouse.", engine=engine)
    assert [len(segments) for segments in engine.asked] == [3]
    assert [t.text for t in result.translations] == ["The cat. The cat.", "", "The mouse."]


def test_without_attention_the_engine_keeps_none_and_the_answer_has_none(bundle: Bundle) -> None:
    engine = Echo()
    result = translate(bundle, "The cat.", engine=engine)
    assert not engine.asked[0][0].want_attention
    (segment,) = result.translations[0].segments
    assert segment.attention is segment.alignment is None


def test_offsets_count_in_the_clients_own_text_whatever_normalisation_did(bundle: Bundle) -> None:
    text = "A\u0301  ﬁne  \u2019cat\u2019. Ｆｕｌｌ"
    (translation,) = translate(bundle, text, attention=AttentionOptions(level="token")).translations
    tokens = [token for segment in translation.segments for token in segment.source.tokens]
    assert "".join(t.text for t in tokens) == "".join(text.split())
    assert all(text[t.start : t.end] == t.text for t in tokens)


@given(texts=TEXTS, attention=st.sampled_from([None, *(AttentionOptions(v, "all", "all") for v in ("word", "token"))]))
def test_any_text_is_answered_with_tokens_that_are_where_they_say(
    bundle: Bundle, texts: list[str], attention: AttentionOptions | None
) -> None:
    for text, translation in zip(texts, translate(bundle, *texts, attention=attention).translations, strict=True):
        for segment in translation.segments:
            for whole, side in ((text, segment.source), (translation.text, segment.target)):
                assert whole[side.start : side.end] == side.text
                assert all(whole[t.start : t.end] == t.text for t in side.tokens)
                assert all(side.start <= t.start < t.end <= side.end for t in side.tokens)


@given(texts=TEXTS, level=st.sampled_from(["word", "token"]))
def test_maps_have_a_row_for_each_target_token_and_sum_to_one(bundle: Bundle, texts: list[str], level: Any) -> None:
    result = translate(bundle, *texts, attention=AttentionOptions(level, "all", "all"))
    for segment in (s for t in result.translations for s in t.segments):
        assert segment.attention is not None
        assert [(m.layer, m.head) for m in segment.attention.maps] == list(SLICES)
        for one in segment.attention.maps:
            assert one.weights.shape == (len(segment.target.tokens), len(segment.source.tokens))
            assert (one.weights >= 0).all()
            if segment.source.tokens:
                np.testing.assert_allclose(one.weights.sum(axis=1) + one.special_token, 1.0, atol=1e-5)


def test_the_alignment_comes_from_the_alignment_slice_whichever_map_was_asked_for(bundle: Bundle) -> None:
    result = translate(bundle, "The black cat.", attention=AttentionOptions(layer=1, head="mean"))
    (segment,) = result.translations[0].segments
    assert segment.alignment == "0-0 1-1 2-2 3-3"
    assert segment.attention is not None
    (one,) = segment.attention.maps
    assert (one.layer, one.head) == (1, "mean")
    np.testing.assert_allclose(one.weights[:, 0] + one.special_token, 1.0)


def test_a_sentence_longer_than_the_model_is_translated_in_parts_and_nothing_is_lost(bundle: Bundle) -> None:
    text = "the black cat, " * 30 + "x" * 200
    engine = Echo()
    assert translate(bundle, text, engine=engine).translations[0].text == text
    assert max(len(segment.source_ids) for segment in engine.asked[0]) < MAX_SOURCE_TOKENS


def test_scores_are_means_over_target_tokens_and_alternatives_combine_segments(bundle: Bundle) -> None:
    search = SearchOptions(beam_size=4, num_hypotheses=3, length_penalty=0.0)
    (translation,) = translate(bundle, "The mouse. The cat.", search=search).translations
    assert translation.score == -1.0
    assert [a.text for a in translation.alternatives] == ["The mouse. The cat", "The mouse The cat."]
    first = [len(s.token_scores) for s in translation.segments]
    assert translation.alternatives[0].score == pytest.approx(-(first[0] + 2 * (first[1] - 1)) / (sum(first) - 1))


class Looping(Echo):
    """An engine whose second hypotheses are loops."""

    def _hypothesis(self, segment: Segment, k: int) -> Hypothesis:
        if k != 1:
            return super()._hypothesis(segment, k)
        attention = _attention(21, len(segment.source_ids)) if segment.want_attention else None
        return Hypothesis(segment.source_ids[:1] * 20, (-2.0,) * 21, FinishReason.EOS, attention)


@pytest.mark.parametrize(
    ("asked", "num_segments"), [({}, 0), ({"signals": True}, 1), ({"attention": AttentionOptions()}, 1)]
)
def test_alternatives_carry_warnings_and_segments_where_those_are_asked_for(
    bundle: Bundle, asked: dict[str, Any], num_segments: int
) -> None:
    search = SearchOptions(beam_size=4, num_hypotheses=3)
    (translation,) = translate(bundle, "The black cat.", engine=Looping(), search=search, **asked).translations
    looping, sound = translation.alternatives
    assert Warned.LOOP in looping.warnings
    assert Warned.LOOP not in (*sound.warnings, *translation.warnings)
    assert [len(each.segments) for each in (looping, sound)] == [num_segments] * 2


def test_one_segment_cut_by_its_length_makes_the_translation_cut(bundle: Bundle) -> None:
    search = SearchOptions(max_output_tokens=6)
    (translation,) = translate(bundle, "I. The black cat.", search=search, attention=AttentionOptions()).translations
    assert [s.finish_reason for s in translation.segments] == [FinishReason.EOS, FinishReason.LENGTH]
    assert translation.finish_reason is FinishReason.LENGTH
    assert len(translation.segments[1].token_scores) == 6


def test_usage_counts_end_tokens_and_timings_are_those_of_the_slowest_segment(bundle: Bundle) -> None:
    result = translate(bundle, "The cat. The mouse.")
    num_pieces = len(bundle.tokenizer.encode("The cat.")) + len(bundle.tokenizer.encode("The mouse."))
    assert result.usage.source_characters == 19
    assert result.usage.source_tokens == result.usage.target_tokens == num_pieces + 2
    assert result.timings == Timings(queue_s=0.1, encode_s=0.01, decode_s=0.2)
    assert result.total_s == 0.5


def test_the_deadline_is_on_the_engines_clock_and_counts_from_the_requests_start(bundle: Bundle) -> None:
    engine = Echo()
    translate(bundle, "The cat.", engine=engine, timeout_s=2.0)
    translate(bundle, "The cat.", engine=engine)
    assert [segments[0].deadline for segments in engine.asked] == [102.5, None]


def test_attention_that_the_bundle_lacks_is_refused_before_any_work(bundle: Bundle) -> None:
    engine = Echo()
    translator = Translator(bundle, engine.translate)
    request = TranslationRequest(("The cat.",), attention=AttentionOptions(layer=7))
    with pytest.raises(AttentionNotAvailableError):
        translator.check(request)
    with pytest.raises(AttentionNotAvailableError):
        asyncio.run(translator.translate(request))
    assert engine.asked == []
    translator.check(TranslationRequest(("The cat.",)))


def test_a_prefix_is_for_the_first_segment_of_its_text(bundle: Bundle) -> None:
    engine = Echo()
    translate(bundle, "The cat. The dog.", "", "A mouse.", engine=engine, target_prefixes=("Le", "La", "Une"))
    (asked,) = engine.asked
    expected = [tuple(bundle.tokenizer.encode("Le")), (), tuple(bundle.tokenizer.encode("Une"))]
    assert [segment.options.target_prefix for segment in asked] == expected


def test_a_prefix_has_the_placeholders_of_its_segment_and_no_others() -> None:
    bundle = published("en-fr-transformer")
    engine = Echo()
    source, prefix = "Write to bob@x.org now.", "\ue000Contactez bob@x.org"
    translator = Translator(bundle, engine.translate, engine.clock)
    asyncio.run(translator.translate(TranslationRequest((source,), target_prefixes=(prefix,))))
    (asked,) = engine.asked
    written = bundle.tokenizer.decode(asked[0].options.target_prefix)
    assert "bob" not in written
    assert sum(c in bundle.tokenizer.placeholders for c in written) == 1


def test_a_prefix_that_leaves_no_room_is_refused_before_any_work(bundle: Bundle) -> None:
    translator = Translator(bundle, Echo().translate)
    most = bundle.manifest.limits.max_target_tokens
    with pytest.raises(InvalidRequestError, match=r"`target_prefix` has .* subwords, .* are the most") as raised:
        translator.check(TranslationRequest(("The cat.",), target_prefixes=("le chat " * most,)))
    assert raised.value.faults[0].limit == most - 1
    few = TranslationRequest(("The cat.",), SearchOptions(max_output_tokens=1), target_prefixes=("le",))
    with pytest.raises(InvalidRequestError, match="0 are the most"):
        translator.check(few)
    translator.check(replace(few, search=SearchOptions()))
    assert Segment((1, 2), SearchOptions(min_output_tokens=40)).output_limit(500) == 2 * 3 + 10 + 40
    long = TranslationRequest(("The cat.",), SearchOptions(min_output_tokens=most + 1))
    with pytest.raises(InvalidRequestError, match=f"writes at most {most} tokens a segment$"):
        translator.check(long)
    translator.check(replace(long, search=SearchOptions(min_output_tokens=most)))


def test_the_engines_refusal_reaches_the_caller(bundle: Bundle) -> None:
    async def full(segments: Sequence[Segment]) -> list[SegmentResult]:
        raise OverloadedError("full", retry_after_s=1.0)

    with pytest.raises(OverloadedError):
        asyncio.run(Translator(bundle, full).translate(TranslationRequest(("The cat.",))))


def test_other_requests_get_their_turn_between_texts(bundle: Bundle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.translation.turns.TURN_S", 0.0)

    async def both() -> list[str]:
        order: list[str] = []

        async def long() -> None:
            request = TranslationRequest(("The cat.",) * 5)
            await Translator(bundle, Echo().translate).translate(request)
            order.append("long")

        async def short() -> None:
            order.append("short")

        await asyncio.gather(long(), short())
        return order

    assert asyncio.run(both()) == ["short", "long"]


def test_a_model_without_attention_translates_and_refuses_what_needs_it() -> None:
    silent = without_network(train_vocabulary(SENTENCES, 290, seed=1), (), target="en", alignment=None)
    result = translate(silent, "The black cat.", signals=True)
    (segment,) = result.translations[0].segments
    assert result.translations[0].text == "The black cat."
    assert segment.attention is segment.alignment is segment.attention_signals is None
    with pytest.raises(AttentionNotAvailableError, match="exports no attention"):
        Translator(silent, Echo().translate).check(TranslationRequest(("a",), attention=AttentionOptions()))
    with pytest.raises(AttentionNotAvailableError, match="no attention to cover"):
        Translator(silent, Echo().translate).check(TranslationRequest(("a",), SearchOptions(coverage_penalty=0.2)))


class Silent(Echo):
    """An engine whose translations are one full stop."""

    def _hypothesis(self, segment: Segment, k: int) -> Hypothesis:
        attention = _attention(2, len(segment.source_ids)) if segment.want_attention else None
        return Hypothesis((segment.source_ids[-1],), (-1.0, -1.0), FinishReason.EOS, attention)


@pytest.mark.parametrize("attention", [None, AttentionOptions(), AttentionOptions(level="token")])
def test_words_that_training_never_had_are_named_unless_they_are_copied(
    bundle: Bundle, attention: AttentionOptions | None
) -> None:
    knowing = replace(bundle, known_words=KnownWords.of(["the black, the black"], "en"))
    text = "The black cat, the 3 mice."

    def found(engine: Echo, bundle: Bundle = knowing) -> TranslatedSegment:
        (translation,) = translate(bundle, text, engine=engine, attention=attention, signals=True).translations
        return translation.segments[0]

    guessed = found(Silent())
    assert guessed.signals.unknown_words == ("cat", "mice")
    assert guessed.signals.num_words == 5
    assert Warned.UNKNOWN_WORDS in guessed.warnings
    assert found(Echo()).signals.unknown_words == ()
    assert found(Silent(), bundle).signals.unknown_words == ()


@pytest.mark.parametrize("text", ["Don\u2019t, cat.", "Don\u00b4t, cat.", "DON\u2019T, cat."])
def test_words_are_looked_up_as_the_model_read_them_and_named_as_they_were_typed(bundle: Bundle, text: str) -> None:
    knowing = replace(bundle, known_words=KnownWords.of(["don't don't"], "en"))
    (translation,) = translate(knowing, text, engine=Silent(), signals=True).translations
    assert translation.segments[0].signals.unknown_words == ("cat",)
    (translation,) = translate(knowing, text.replace("cat", "l\u2019x"), engine=Silent(), signals=True).translations
    assert translation.segments[0].signals.unknown_words == ("l\u2019x",)


def test_doubts_are_counted_and_told_only_where_signals_are_asked_for(bundle: Bundle) -> None:
    knowing = replace(bundle, known_words=KnownWords.of(["the, the"], "en"))
    for signals in (True, False):
        (translation,) = translate(knowing, "The zorbel.", engine=Silent(), signals=signals).translations
        assert Warned.UNKNOWN_WORDS in translation.segments[0].doubts
        assert (Warned.UNKNOWN_WORDS in translation.warnings) is signals


def test_signals_of_attention_are_those_of_words_at_every_level(bundle: Bundle) -> None:
    found = []
    for level in ("word", "token"):
        options = AttentionOptions(level=level)
        (translation,) = translate(bundle, "The black cat.", attention=options, signals=True).translations
        found.append(translation.segments[0].attention_signals)
    assert found[0] is not None
    assert found[0] == found[1]
