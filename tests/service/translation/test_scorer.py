"""Translations of a published model, scored by the same model: numbers and maps are those of decoding."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import numpy as np
import pytest

from model_store.contract.bundle import Bundle
from service.engine.engine import Engine
from service.engine.handle import EngineHandle
from service.engine.rescoring import Rescorer
from service.errors import ScoresNotAvailableError
from service.exchanged import AttentionOptions, ScoreRequest, TranslationRequest
from service.messages import Kind
from service.runtime.native import NativeRuntime
from service.runtime.teacher_forced import TeacherForcedSession
from service.translation.translator import Translator

TEXTS = ("The black cat ate the mouse.", "Please call me at 10:30. It is urgent!", "WHERE IS THE STATION?")
ROUNDING = 0.03
"""Largest difference: products of both graphs round activations to 8 bits, and the KV cache has 16."""


@pytest.fixture(scope="module")
def translator(transformer: Bundle, native_transformer: NativeRuntime) -> Iterator[Translator]:
    handle = EngineHandle(Engine(native_transformer), "en-fr")
    rescorer = Rescorer(TeacherForcedSession(transformer).run)
    handle.start()
    yield Translator(transformer, handle.translate, handle.clock, rescorer.rescore)
    handle.stop()
    rescorer.stop()


def test_a_translation_scores_as_it_did_when_it_was_written(translator: Translator) -> None:
    written = asyncio.run(translator.translate(TranslationRequest(TEXTS, attention=AttentionOptions())))
    pairs = tuple((text, one.text) for text, one in zip(TEXTS, written.translations, strict=True))
    scored = asyncio.run(translator.score(ScoreRequest(pairs, AttentionOptions())))
    assert scored.usage == written.usage
    for left, right in zip(written.translations, scored.translations, strict=True):
        assert right.text == left.text
        assert right.score == pytest.approx(left.score, abs=ROUNDING)
        for one, other in zip(left.segments, right.segments, strict=True):
            np.testing.assert_allclose(other.token_scores, one.token_scores, atol=5 * ROUNDING)
            assert (other.source, other.target) == (one.source, one.target)
            assert one.attention is not None
            assert other.attention is not None
            np.testing.assert_allclose(
                other.attention.maps[0].weights, one.attention.maps[0].weights, atol=5 * ROUNDING
            )


def test_a_worse_translation_scores_less(translator: Translator) -> None:
    pairs = ((TEXTS[0], "Le chat noir a mangé la souris."), (TEXTS[0], "Une souris noire mange le chat."))
    good, bad = asyncio.run(translator.score(ScoreRequest(pairs))).translations
    assert good.score > bad.score + 1.0


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_maps_of_one_side_over_itself_are_those_of_a_rescoring(translator: Translator, kind: Kind) -> None:
    wanted = AttentionOptions(kind=kind, layer="all", head="all")
    written = asyncio.run(translator.translate(TranslationRequest(TEXTS[:2], attention=wanted)))
    pairs = tuple((text, one.text) for text, one in zip(TEXTS, written.translations, strict=False))
    scored = asyncio.run(translator.score(ScoreRequest(pairs, wanted)))
    for left, right in zip(written.translations, scored.translations, strict=True):
        for one, other in zip(left.segments, right.segments, strict=True):
            assert one.attention is not None
            assert other.attention is not None
            side = one.source if kind == "encoder" else one.target
            assert len(one.attention.maps) == (16 if kind == "encoder" else 8)
            for mine, theirs in zip(one.attention.maps, other.attention.maps, strict=True):
                assert mine.weights.shape == (len(side.tokens), len(side.tokens))
                np.testing.assert_allclose(mine.weights.sum(axis=1) + mine.special_token, 1.0, atol=1e-4)
                np.testing.assert_array_equal(mine.weights, theirs.weights)
            assert one.alignment


def test_a_bundle_without_the_graph_says_how_it_gets_one(transformer: Bundle) -> None:
    async def nobody(segments: object) -> list[object]:
        raise AssertionError("nothing is translated")

    without = Translator(transformer, nobody)  # type: ignore[arg-type]
    with pytest.raises(ScoresNotAvailableError, match="`attendant upgrade` adds one to a bundle"):
        asyncio.run(without.score(ScoreRequest((("a", "b"),))))
