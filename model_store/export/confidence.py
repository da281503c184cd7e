"""Calibration of confidence: which features of a translation tell that it is unusable, on held-out text with noise."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np
import sacrebleu

from model_store.contract.confidence import FEATURES, confidence, features, ordered
from model_store.contract.known_words import KnownWords
from model_store.contract.parts import Confidence
from model_store.contract.tokenizer import Tokenizer
from model_store.contract.words import word_spans
from model_store.data.corpus import ParallelText
from model_store.decoding.search import beam, decode_all
from model_store.decoding.stepper import StepModel

BAD_CHRF = 30.0
"""A translation with less chrF than this against its reference counts as unusable."""
NUM_SENTENCES = 1600
RIDGE = 1e-2
NUM_ITERATIONS = 50


def noisy(text: ParallelText, seed: int = 1) -> ParallelText:
    """`text` as people and machines garble it: a third is left alone, the rest loses case, punctuation, letters, words
    or their order, or becomes a mixture of words that means nothing."""
    chance = Random(seed)
    words = [word for line in text.sources for word in line.split()]
    return ParallelText([_garbled(line, words, chance) for line in text.sources], list(text.targets))


def _garbled(line: str, words: Sequence[str], chance: Random) -> str:
    kind = chance.randrange(9)
    found = line.split()
    if kind == 0:
        return line.lower()
    if kind == 1:
        return line.rstrip(".!? ") or line
    if kind == 2:
        return "".join(c for c in line if chance.random() > 0.08) or line
    if kind == 3:
        chance.shuffle(found)
    if kind == 4:
        found = [word if chance.random() > 0.4 else chance.choice(words) for word in found]
    if kind == 5:
        found = ["".join(chance.sample(word, len(word))) for word in found]
    return " ".join(found)


def calibrate_confidence(
    stepper: StepModel,
    tokenizer: Tokenizer,
    text: ParallelText,
    name: str,
    known: KnownWords | None = None,
    language: str = "",
) -> Confidence:
    """Weights fitted on one half of `text` with noise; the area under the curve is measured on the other half.

    `known` are the source words of the training text, in the `language` that decides where words end.
    """
    garbled = noisy(text.head(NUM_SENTENCES))
    sources = tokenizer.encode_batch(garbled.sources)
    decoded = decode_all(sources, lambda some: beam(stepper, some, 4), 32)
    written = [tokenizer.decode(d.ids) for d in decoded]
    shares = [_unknown_share(*pair, known, language) for pair in zip(garbled.sources, written, strict=True)]
    rows = zip(sources, decoded, shares, strict=True)
    values = np.array([features(len(ids), d.ids, d.log_probs, share) for ids, d, share in rows])
    is_good = np.array(
        [
            sacrebleu.sentence_chrf(text, [reference]).score >= BAD_CHRF
            for text, reference in zip(written, garbled.targets, strict=True)
        ]
    )
    half = np.arange(len(values)) % 2 == 0
    weights, intercept = logistic_regression(values[half], is_good[half])
    named = {feature: round(float(weight), 5) for feature, weight in zip(FEATURES, weights, strict=True)}
    found = [confidence(value, ordered(named), intercept) for value in values[~half].tolist()]
    area = area_under_curve(np.array(found), is_good[~half])
    return Confidence(weights=named, intercept=round(intercept, 5), area_under_curve=round(area, 4), test_set=name)


def _unknown_share(source: str, written: str, known: KnownWords | None, language: str) -> float:
    if known is None:
        return 0.0
    words = [source[start:end] for start, end in word_spans(source, language)]
    places, num_words = known.unknown_and_count(words, written)
    return len(places) / max(num_words, 1)


def logistic_regression(values: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, float]:
    """Weights [F] and intercept for `values` [N, F] and true-or-false `labels` [N], by Newton's method with a ridge on
    standardised values."""
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    x = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    beta = np.zeros(x.shape[1])
    penalty = RIDGE * np.eye(x.shape[1])
    for _ in range(NUM_ITERATIONS):
        probs = 1.0 / (1.0 + np.exp(-np.clip(x @ beta, -30, 30)))
        hessian = (x * (probs * (1 - probs))[:, None]).T @ x + penalty
        beta += np.linalg.solve(hessian, x.T @ (labels - probs) - penalty @ beta)
    weights = beta[:-1] / spread
    return weights, float(beta[-1] - weights @ mean)


def area_under_curve(scores: np.ndarray, labels: np.ndarray) -> float:
    """How likely a good one has a higher score than a bad one, ties counting half (Mann and Whitney 1947)."""
    good, bad = scores[labels], scores[~labels]
    if not len(good) or not len(bad):
        return 0.5
    return float(((good[:, None] > bad) + 0.5 * (good[:, None] == bad)).mean())
