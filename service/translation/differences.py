"""How the answers of two models to one request differ."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from service.exchanged import TranslationResult

MAX_ORDER, BETA = 6, 2.0
"""Character n-grams and weight of recall of chrF (Popović 2015, W15-3049)."""


Outcome = Literal["same", "different", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Difference:
    """How a shadow's answer differs from the one that the client got."""

    is_none: bool
    """Whether all texts are equal."""
    chrf: float
    """0 to 1, the client's answer as the reference; mean over the texts."""
    seconds: tuple[float, float]
    """Of the answer and of the shadow, as are the next ones."""
    confidence: tuple[float, float]
    """Sums over segments."""
    entropy: tuple[float, float]
    """Sums over segments whose attention was looked at."""
    num_segments: tuple[int, int]
    """Those with a confidence."""
    num_inspected: tuple[int, int]
    """Those with an entropy."""


def compared(answer: TranslationResult, shadow: TranslationResult, seconds: tuple[float, float]) -> Difference:
    """How the shadow's answer differs."""
    theirs, ours = ([translation.text for translation in one.translations] for one in (answer, shadow))
    scores = [chrf(hypothesis, reference) for hypothesis, reference in zip(ours, theirs, strict=True)]
    confidences, entropies = (answer.confidences, shadow.confidences), (answer.entropies, shadow.entropies)
    return Difference(
        is_none=ours == theirs,
        chrf=sum(scores) / max(1, len(scores)),
        seconds=seconds,
        confidence=(sum(confidences[0]), sum(confidences[1])),
        entropy=(sum(entropies[0]), sum(entropies[1])),
        num_segments=(len(confidences[0]), len(confidences[1])),
        num_inspected=(len(entropies[0]), len(entropies[1])),
    )


def chrf(hypothesis: str, reference: str) -> float:
    """chrF2 of a text, 0 to 1, without spaces, as sacreBLEU's `sentence_chrf` with `eps_smoothing` off."""
    sides = ["".join(text.split()) for text in (hypothesis, reference)]
    if not all(sides):
        return float(sides[0] == sides[1])
    precision, recall, num_orders = 0.0, 0.0, 0
    for order in range(1, MAX_ORDER + 1):
        ours, theirs = (_ngrams(side, order) for side in sides)
        if ours and theirs:
            matches = (ours & theirs).total()
            precision, recall = precision + matches / ours.total(), recall + matches / theirs.total()
            num_orders += 1
    precision, recall = precision / num_orders, recall / num_orders
    weighted = BETA**2 * precision + recall
    return (1 + BETA**2) * precision * recall / weighted if weighted else 0.0


def _ngrams(text: str, order: int) -> Counter[str]:
    return Counter(text[i : i + order] for i in range(len(text) - order + 1))
