"""Whether both sides gave the same answers: speed on other translations is no speed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import sacrebleu

Answer = TypeVar("Answer")

MIN_IDENTICAL = 0.99
"""Share of identical token sequences in float32 greedy search."""
MAX_BLEU_APART = 0.3
"""BLEU points between both sides, in int8 and in beam search."""


@dataclass(frozen=True, slots=True)
class Answers:
    """How far the answers of two sides agree."""

    num_sentences: int
    identical: float
    """Share of sentences whose answers are the same."""
    bleu_ours: float
    bleu_peer: float
    signature: str

    def __str__(self) -> str:
        return (
            f"{self.identical:.1%} of {self.num_sentences} identical; "
            f"BLEU {self.bleu_ours:.2f} ours, {self.bleu_peer:.2f} the peer's"
        )

    @property
    def bleu_agrees(self) -> bool:
        """Whether both sides are as good: BLEU no more than MAX_BLEU_APART apart."""
        return abs(self.bleu_ours - self.bleu_peer) <= MAX_BLEU_APART

    @property
    def are_no_worse(self) -> bool:
        """Whether ours are as good or better: BLEU no more than MAX_BLEU_APART below. LibreTranslate changes texts of
        its own accord, so that its BLEU is lower with the same weights."""
        return self.bleu_ours >= self.bleu_peer - MAX_BLEU_APART

    @property
    def are_identical(self) -> bool:
        """Whether at least MIN_IDENTICAL of the answers are the same."""
        return self.identical >= MIN_IDENTICAL


def compare(
    ours: Sequence[Answer], peer: Sequence[Answer], references: Sequence[str], text: Callable[[Answer], str]
) -> Answers:
    """Answers of both sides, token ids or texts, against each other; as `text` against one reference each."""
    same = sum(a == b for a, b in zip(ours, peer, strict=True))
    metric = sacrebleu.BLEU()
    bleu_ours, bleu_peer = (
        metric.corpus_score([text(one) for one in answers], [list(references)]).score for answers in (ours, peer)
    )
    return Answers(len(ours), same / len(ours), bleu_ours, bleu_peer, str(metric.get_signature()))
