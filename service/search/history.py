"""A hypothesis as a chain of tokens: extending one costs the same however long it is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from service.messages import FinishReason, Hypothesis


@dataclass(frozen=True, slots=True)
class Link:
    """One decoded token and what came before it."""

    token_id: int
    log_prob: float
    total: float
    """Sum of log-probabilities up to and with this token."""
    length: int
    """Tokens up to and with this one."""
    attention: np.ndarray | None
    """Weights [A, S] of this token over the source; None when nobody asked."""
    before: Link | None


def extend(before: Link | None, token_id: int, log_prob: float, attention: np.ndarray | None) -> Link:
    """The chain `before` with one more token."""
    if before is None:
        return Link(token_id, log_prob, log_prob, 1, attention, None)
    return Link(token_id, log_prob, before.total + log_prob, before.length + 1, attention, before)


def chain(last: Link) -> list[Link]:
    """Every link up to `last`, first token first."""
    links: list[Link] = []
    link: Link | None = last
    while link is not None:
        links.append(link)
        link = link.before
    return links[::-1]


def hypothesis(last: Link, reason: FinishReason) -> Hypothesis:
    """The finished hypothesis that ends in `last`; an end token gives no id, but has its score and attention row."""
    links = chain(last)
    ended = reason is FinishReason.EOS
    rows = [link.attention for link in links if link.attention is not None]
    return Hypothesis(
        token_ids=tuple(link.token_id for link in (links[:-1] if ended else links)),
        token_log_probs=tuple(link.log_prob for link in links),
        finish_reason=reason,
        attention=np.stack(rows) if rows else None,
    )
