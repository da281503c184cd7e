"""How likely a translation is usable: a logistic function of features that need no reference.

The export fits the weights on held-out text with noise; the server computes the same features of its translations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from operator import mul

FEATURES = ("mean_log_prob", "lowest_log_prob", "repetition", "length_gap", "shortness", "unknown_share")
"""Names of what `features` gives, in order."""
MOST_WORDS_OF_A_LABEL = 3
LABEL_WEIGHTS, LABEL_INTERCEPT = (5.7, 0.5, -17.9, -2.5, 4.2, -2.6), 3.4
"""Weights of FEATURES for sources of so few words. Labels have several right translations, of which a reference has
one, so that weights fitted on references doubt most that are right. These are fitted on lists of all that is right,
with models good and bad: `python -m loadtests.measure.label_confidence`."""
TYPICAL_RATIO = 1.1
"""Target subwords for each source subword, about."""


def repetition(ids: Sequence[int]) -> float:
    """Share of the pairs of neighbours in `ids` that have come before: 0 says nothing twice."""
    if len(set(ids)) == len(ids):
        return 0.0  # as in most texts
    pairs = list(pairwise(ids))
    return 1.0 - len(set(pairs)) / len(pairs) if pairs else 0.0


def features(
    num_source_ids: int, target_ids: Sequence[int], log_probs: Sequence[float], unknown_share: float = 0.0
) -> list[float]:
    """FEATURES of one segment: subwords without end token, log-probabilities with the end token's, and the share of
    source words that training never had."""
    ratio = (len(target_ids) + 1) / (TYPICAL_RATIO * num_source_ids + 1)
    mean, lowest = (sum(log_probs) / len(log_probs), min(log_probs)) if log_probs else (0.0, 0.0)
    shortness = 1.0 / num_source_ids if num_source_ids > 1 else 1.0
    return [mean, lowest, repetition(target_ids), abs(math.log(ratio)), shortness, unknown_share]


def ordered(weights: Mapping[str, float]) -> tuple[float, ...]:
    """The weight of each of FEATURES, 0 for those that `weights` does not name."""
    return tuple(weights.get(name, 0.0) for name in FEATURES)


def confidence(values: Sequence[float], weights: Sequence[float], intercept: float) -> float:
    """In [0, 1]: the logistic function of the weighted `values` of FEATURES."""
    total = sum(map(mul, weights, values), intercept)
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, total))))
