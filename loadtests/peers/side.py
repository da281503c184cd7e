"""The seam of the library rows: the same sentences, translated by ours or by a peer, in one thread of one process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

PEER_LENGTH_PENALTY = 1.0
"""alpha of CTranslate2, its default: it divides a hypothesis's log-probability by T ** alpha."""
LENGTH_PENALTY = 1.25
"""alpha of ours, which divides by ((5 + T) / 6) ** alpha: the one that ranks hypotheses most nearly as the peer does.

For one more token both divisors grow by the same share at T = 20. Of 1,000 sentences in float32 with beam 4 it gives
91.3% the tokens that CTranslate2 gives them; 1.0 does 87.2%, 1.5 91.0%, 2.0 82.8%.
"""


@dataclass(frozen=True, slots=True)
class Batch:
    """How many segments are decoded together."""

    size: int
    unit: Literal["rows", "sentences", "source tokens"]
    """Rows are hypotheses: a sentence of beam size K counts K."""

    def __str__(self) -> str:
        return f"{self.size} {self.unit}"


@dataclass(frozen=True, slots=True)
class Run:
    """Every sentence, translated once."""

    outputs: list[list[int]]
    """Target ids in the order of the sentences, the end token left out."""
    seconds: float
    """From token ids (or pieces) in to the last output out; tokenising is not in it."""

    @property
    def num_tokens(self) -> int:
        """Target tokens, the end tokens not counted."""
        return sum(map(len, self.outputs))

    @property
    def tokens_per_second(self) -> float:
        """Target tokens per second."""
        return self.num_tokens / self.seconds

    @property
    def ms_per_sentence(self) -> float:
        """Mean milliseconds of a sentence."""
        return self.seconds * 1000.0 / len(self.outputs)


class Side(Protocol):
    """One translator with the sentences loaded."""

    @property
    def batches(self) -> Sequence[Batch]:
        """Batch sizes worth a try, for the sweep that finds this side's best."""
        ...

    def offline(self, beam_size: int, batch: Batch) -> Run:
        """All sentences handed over at once."""
        ...

    def one_by_one(self, beam_size: int) -> Run:
        """Each sentence alone, the next when it is done."""
        ...


def output_limit(num_source_ids: int) -> int:
    """Target tokens, end token included, after which both sides cut: 2 S + 10, S with its end token."""
    return 2 * (num_source_ids + 1) + 10
