"""What is written on the wire of an answer."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from model_store.contract.manifest import Manifest
from service.api.rendering import render
from service.exchanged import (
    Alternative,
    AttentionMap,
    AttentionSignals,
    Signals,
    SliceMap,
    Token,
    TokenizedText,
    TranslatedSegment,
    Translation,
    TranslationResult,
    Usage,
)
from service.messages import FinishReason, Timings, Warned

MANIFEST = Manifest.model_construct(name="toy", version="3", architecture="transformer", source="en", target="fr")
SIDE = TokenizedText("chat \u00e9\U0001f642", 0, 7, (Token("chat", 0, 4), Token("\u00e9\U0001f642", 5, 7)))


def answer(
    weights: np.ndarray | None = None,
    score: float = -0.123456,
    wants_signals: bool = False,
    utf16: tuple[str, ...] = (),
    shift: int = 0,
) -> dict[str, Any]:
    maps = (
        None
        if weights is None
        else AttentionMap("cross", "word", (SliceMap(2, "mean", weights, 1 - weights.sum(axis=1), shift),))
    )
    alignment = None if weights is None else "0-0"
    signals = Signals(0.91234, score, score, 0.0, 0)
    looked = None if weights is None else AttentionSignals(0.25, (1,), 2)
    told = (signals, looked, (Warned.COPY_MOVED,) if wants_signals else ())
    segment = TranslatedSegment(SIDE, SIDE, score, (score,), FinishReason.EOS, maps, alignment, *told)
    translation = Translation(SIDE.text, score, FinishReason.EOS, (segment,), ())
    result = TranslationResult((translation,), Usage(7, 3, 3), Timings(0.0, 0.0012345, 0.5), 0.6)
    read: dict[str, Any] = json.loads(render(result, MANIFEST, "an-id", wants_signals, utf16))
    return read


def test_an_alternative_has_its_warnings_and_its_segments_where_there_are_any() -> None:
    segment = TranslatedSegment(
        SIDE, SIDE, -1.0, (-1.0,), FinishReason.EOS, None, None, Signals(0.5, -1.0, -1.0, 0.0, 0), None, ()
    )
    alternatives = Alternative("b", -1.0, (segment,), (Warned.LOOP,)), Alternative("c", -2.0, ())
    translation = Translation(SIDE.text, -0.5, FinishReason.EOS, (segment,), alternatives)
    result = TranslationResult((translation,), Usage(7, 3, 3), Timings(0.0, 0.001, 0.5), 0.6)
    first, second = json.loads(render(result, MANIFEST, "an-id", True, ()))["translations"][0]["alternatives"]
    assert (first["warnings"], len(first["segments"])) == (["loop"], 1)
    assert first["segments"][0]["signals"]["confidence"] == 0.5
    assert second == {"text": "c", "score": -2.0}


def test_weights_are_rows_of_rounded_numbers() -> None:
    (segment,) = answer(np.array([[0.123456789, 0.776543211], [1.0, 0.0]]))["translations"][0]["segments"]
    assert segment["attention"]["maps"] == [
        {"layer": 2, "head": "mean", "weights": [[0.12346, 0.77654], [1.0, 0.0]], "end_token": [0.1, 0.0]},
    ]
    assert segment["alignment"] == "0-0"


def test_a_map_says_when_its_rows_are_of_the_steps_that_have_read_their_words() -> None:
    for shift, told in ((0, {}), (1, {"row_of": "next_step"})):
        (segment,) = answer(np.eye(2), shift=shift)["translations"][0]["segments"]
        (found,) = segment["attention"]["maps"]
        assert {name: value for name, value in found.items() if name == "row_of"} == told


@pytest.mark.parametrize(("shape", "written"), [((0, 0), []), ((0, 3), []), ((2, 0), [[], []])])
def test_a_map_of_no_tokens_is_written_too(shape: tuple[int, int], written: list[list[float]]) -> None:
    (segment,) = answer(np.zeros(shape))["translations"][0]["segments"]
    assert segment["attention"]["maps"][0]["weights"] == written


def test_attention_that_was_not_asked_for_is_not_there() -> None:
    (segment,) = answer()["translations"][0]["segments"]
    assert not {"attention", "alignment"} & set(segment)


def test_signals_and_warnings_are_written_where_they_are_asked_for() -> None:
    (plain,) = answer(np.eye(2))["translations"]
    assert "signals" not in plain["segments"][0]
    assert not {"confidence", "warnings"} & plain.keys()
    (asked,) = answer(np.eye(2), wants_signals=True)["translations"]
    assert (asked["confidence"], asked["warnings"]) == (0.912, ["copy_moved"])
    assert asked["segments"][0]["signals"] == {
        "confidence": 0.912, "mean_log_prob": -0.1235, "lowest_log_prob": -0.1235, "attention_entropy": 0.25,
        "unseen_words": [1], "unknown_words": [], "repetition": 0.0, "lost_copies": 0,
    }  # fmt: skip


def test_offsets_count_utf16_units_where_that_is_asked_for() -> None:
    (segment,) = answer(utf16=(SIDE.text,))["translations"][0]["segments"]
    for side in (segment["source"], segment["target"]):
        assert (side["start"], side["end"]) == (0, 8)
        assert [(token["start"], token["end"]) for token in side["tokens"]] == [(0, 4), (5, 8)]


def test_texts_are_written_as_they_are_and_numbers_rounded() -> None:
    written = answer()
    assert written["translations"][0]["text"] == SIDE.text
    assert written["translations"][0]["score"] == -0.1235
    assert written["timings_ms"] == {"queue": 0.0, "encode": 1.23, "decode": 500.0, "total": 600.0}
    assert written["translations"][0]["segments"][0]["source"]["tokens"][1] == {
        "text": "\u00e9\U0001f642", "start": 5, "end": 7,
    }  # fmt: skip


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_null(score: float) -> None:
    assert answer(score=score)["translations"][0]["score"] is None
