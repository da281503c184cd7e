"""Further translations of a text of several segments, from the hypotheses of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from service.messages import Hypothesis, SearchOptions, SegmentResult
from service.search.kernel import length_normalised


def alternatives(results: Sequence[SegmentResult], options: SearchOptions) -> Iterator[list[Hypothesis]]:
    """Further translations of a whole text, best first: combinations by their segments' summed search scores.

    Each is a hypothesis for every segment.
    """
    wanted = options.num_hypotheses - 1
    if not wanted or not results:
        return
    scores = [[search_score(hypothesis, options.length_penalty) for hypothesis in r.hypotheses] for r in results]
    combinations = best_combinations(scores, wanted + 1)
    for indices in islice((c for c in combinations if any(c)), wanted):  # all zero is the translation itself
        yield [result.hypotheses[index] for result, index in zip(results, indices, strict=True)]


def mean_log_prob(hypotheses: Sequence[Hypothesis]) -> float:
    """Mean log-probability per target token, end tokens included; 0 when nothing was translated."""
    num_tokens = sum(len(hypothesis.token_log_probs) for hypothesis in hypotheses)
    return sum(sum(hypothesis.token_log_probs) for hypothesis in hypotheses) / num_tokens if num_tokens else 0.0


def search_score(hypothesis: Hypothesis, length_penalty: float) -> float:
    """The score that search ranks hypotheses of one segment by."""
    if hypothesis.search_score is not None:
        return hypothesis.search_score
    return length_normalised(sum(hypothesis.token_log_probs), len(hypothesis.token_log_probs), length_penalty)


@dataclass(frozen=True, slots=True)
class _Choice:
    """A hypothesis for one segment after choices for those before it, which many choices share."""

    total: float
    index: int
    before: _Choice | None


def best_combinations(scores: Sequence[Sequence[float]], count: int) -> list[tuple[int, ...]]:
    """At most `count` choices of one hypothesis per segment, by the sum of their scores, highest first.

    `scores[i]` are those of segment i, best first. Exact: the best choices for all segments begin with best choices for
    the first ones, so only `count` of those are kept at each. Equal sums come in the order of the hypotheses.
    """
    kept: list[_Choice | None] = [None]
    for options in scores:
        longer = [_Choice((c.total if c else 0.0) + s, i, c) for c in kept for i, s in enumerate(options[:count])]
        kept = [*sorted(longer, key=lambda choice: -choice.total)[:count]]
    return [_indices(choice) for choice in kept]


def _indices(choice: _Choice | None) -> tuple[int, ...]:
    indices: list[int] = []
    while choice is not None:
        indices.append(choice.index)
        choice = choice.before
    return tuple(reversed(indices))
