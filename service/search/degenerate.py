"""Output that no reader could use: loops, nothing at all, far too much."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from service.messages import FinishReason, Hypothesis

MAX_PERIOD = 8
"""Longest stretch, in tokens, whose repetition is seen as a loop."""
MIN_REPEATS = 3
"""How often a stretch comes in a row before it is a loop; one of a single token comes twice as often."""
LONG_STRETCH, SOURCE_STRETCH = 5, 3
"""So many words in a row that come twice are a loop, where no stretch of so many comes twice in the source."""


def is_empty_or_endless(hypothesis: Hypothesis, was_limited: bool) -> bool:
    """Whether a hypothesis has no tokens, or ran into the limit of 2 S + 10 tokens.

    `was_limited`: the client itself set the limit, so that running into it means nothing.
    """
    return not hypothesis.token_ids or (hypothesis.finish_reason is FinishReason.LENGTH and not was_limited)


def loops_alone(ids: Sequence[Hashable], source_ids: Sequence[Hashable]) -> bool:
    """Whether a translation loops where its source does not."""
    return loops(ids) and not loops(source_ids)


def words_loop(target: str, source: str) -> bool:
    """Whether the words of `target` loop, without regard to case, where those of its source do not: a loop of words may
    have other subwords each time. A clause that comes twice is one, too."""
    words, source_words = target.lower().split(), source.lower().split()
    is_said_twice = says_twice(words, LONG_STRETCH) and not says_twice(source_words, SOURCE_STRETCH)
    return is_said_twice or loops_alone(words, source_words)


def says_twice(words: Sequence[str], size: int) -> bool:
    """Whether a stretch of `size` words comes twice."""
    stretches = [tuple(words[at : at + size]) for at in range(len(words) - size + 1)]
    return len(set(stretches)) < len(stretches)


def may_loop(ids: Sequence[Hashable]) -> bool:
    """Whether as many of `ids` came before as in the shortest loop: of two tokens three times, four."""
    return len(ids) - len(set(ids)) >= 2 * (MIN_REPEATS - 1)


def loops(ids: Sequence[Hashable]) -> bool:
    """Whether a stretch of at most MAX_PERIOD tokens comes MIN_REPEATS times in a row, or one token twice as often."""
    if not may_loop(ids):
        return False
    for period in range(1, min(MAX_PERIOD, len(ids) // MIN_REPEATS) + 1):
        wanted = period * (MIN_REPEATS - 1) if period > 1 else 2 * MIN_REPEATS - 1
        run = 0
        for here, before in zip(ids[period:], ids, strict=False):
            run = run + 1 if here == before else 0
            if run >= wanted:
                return True
    return False
