"""What tells of a translation's worth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.confidence import FEATURES, confidence, features, ordered, repetition
from model_store.contract.known_words import KnownWords
from model_store.contract.parts import Confidence
from service.attention.alignment import are_words
from service.attention.kernel import entropy_and_columns
from service.attention.maps import MergedMap
from service.exchanged import Token
from service.messages import FinishReason, Hypothesis, Warned
from service.translation.signals import SignalReader, SourceWords, attention_signals, doubts

READ = SourceWords(["the", "cat", "sat", "down", "."], ["the", "cat", "sat", "down", "."])
WORDS = [Token("the", 0, 3), Token("cat", 4, 7), Token(".", 7, 8)]


def merged(rows: list[list[float]], end: list[float]) -> MergedMap:
    return MergedMap(np.array(rows), np.array(end), np.zeros(len(rows), np.int64))


def test_a_sharp_map_has_no_entropy_and_a_uniform_one_all_of_it() -> None:
    assert entropy_and_columns(np.eye(3), np.zeros(3))[0] == pytest.approx(0.0, abs=1e-9)
    assert entropy_and_columns(np.full((2, 3), 0.25), np.full(2, 0.25))[0] == pytest.approx(1.0)
    assert entropy_and_columns(np.zeros((0, 3)), np.zeros(0))[0] == 0.0
    assert entropy_and_columns(np.zeros((2, 0)), np.ones(2))[0] == 0.0


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 999))
def test_entropy_is_that_of_each_row_with_its_end_token(num_rows: int, num_columns: int, seed: int) -> None:
    rows = np.random.default_rng(seed).dirichlet(np.full(num_columns + 1, 0.3), num_rows)
    entropy, columns = entropy_and_columns(np.ascontiguousarray(rows[:, :-1]), np.ascontiguousarray(rows[:, -1]))
    shares = np.clip(rows, 1e-12, 1.0)
    assert entropy == pytest.approx(-(shares * np.log(shares)).sum(axis=1).mean() / math.log(num_columns + 1), abs=1e-9)
    assert columns == pytest.approx(rows[:, :-1].sum(axis=0))


def test_words_that_nobody_looked_at_are_named_and_punctuation_is_not() -> None:
    found = attention_signals(merged([[1.0, 0.0, 0.0], [0.95, 0.05, 0.0]], [0.0, 0.0]), are_words(WORDS))
    assert found.unseen_words == (1,)
    assert found.num_words == 2


def test_confidence_falls_with_the_log_probability() -> None:
    calibration = Confidence(weights={"mean_log_prob": 2.0}, intercept=1.0)
    values = []
    for log_prob in (-0.1, -1.0, -4.0):
        hypothesis = Hypothesis((5, 6), (log_prob,) * 3, FinishReason.EOS, None)
        found = SignalReader(calibration, None).read(3, hypothesis, READ, "le chat.")
        assert found.confidence is not None
        values.append(found.confidence)
        assert found.lowest_log_prob == log_prob
    assert values == sorted(values, reverse=True)
    assert doubts(found, None) == [Warned.LOW_CONFIDENCE]


@pytest.mark.parametrize("words", [["Hello"], ["Lost", "and", "found", "!"]])
def test_a_label_has_a_calibration_of_its_own(words: list[str]) -> None:
    reader = SignalReader(Confidence(weights={"shortness": -9.0}, intercept=1.0), None)
    found = [
        reader.read(
            2, Hypothesis((5,), (log_prob,) * 2, FinishReason.EOS, None), SourceWords(words, words), "x"
        ).confidence
        for log_prob in (-0.1, -3.0)
    ]
    assert found[0] is not None
    assert found[0] > 0.9
    assert found[1] is not None
    assert found[1] < 0.1
    assert (
        SignalReader(None, None).read(2, Hypothesis((5,), (-0.1,), FinishReason.EOS, None), READ, "x").confidence
        is None
    )


def test_a_bundle_without_calibration_has_no_confidence() -> None:
    hypothesis = Hypothesis((5,), (-0.1, -0.1), FinishReason.EOS, None)
    assert SignalReader(None, None).read(3, hypothesis, READ, "le chat.").confidence is None


def test_unknown_words_are_named_warned_of_and_lower_the_confidence() -> None:
    calibration = Confidence(weights={"mean_log_prob": 2.0, "unknown_share": -4.0}, intercept=1.0)
    hypothesis = Hypothesis((5, 6), (-0.1,) * 3, FinishReason.EOS, None)
    words = SourceWords(["the", "zorbel", "sat", "down", "."], ["The", "ZORBEL", "sat", "down", "."])
    reader = SignalReader(calibration, KnownWords.of(["the cat sat down"] * 2, "en"))
    guessed = reader.read(3, hypothesis, words, "le chat.")
    copied = reader.read(3, hypothesis, words, "le Zorbel.")
    assert (guessed.unknown_words, guessed.num_words) == (("ZORBEL",), 4)
    assert copied.unknown_words == ()
    assert guessed.confidence is not None
    assert copied.confidence is not None
    assert guessed.confidence < copied.confidence - 0.1
    assert Warned.UNKNOWN_WORDS in doubts(guessed, None)
    assert doubts(copied, None) == []


def test_features_have_names_and_repetition_counts_pairs() -> None:
    values = features(4, [7, 8, 7, 8], [-1.0, -2.0, -3.0, -2.0, -1.0])
    named = dict(zip(FEATURES, values, strict=True))
    assert named["mean_log_prob"] == -1.8
    assert named["lowest_log_prob"] == -3.0
    assert named["repetition"] == repetition([7, 8, 7, 8]) == pytest.approx(1 / 3)
    assert named["length_gap"] == pytest.approx(math.log(5.4 / 5))  # 5 tokens for an expected 1.1 times 4, and 1
    assert named["shortness"] == 0.25
    assert dict(zip(FEATURES, features(0, [], []), strict=True))["shortness"] == 1.0
    assert confidence(values, ordered({}), 0.0) == 0.5
    assert confidence([-math.inf, 0, 0, 0, 0, 0], ordered({"mean_log_prob": 1.0}), 0.0) == pytest.approx(0.0)
