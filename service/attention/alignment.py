"""Hard links from soft maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.attention.maps import MergedMap
from service.exchanged import Token


def links(merged: MergedMap) -> list[tuple[int, int]]:
    """(source, target) links, zero-based, in target order; see `MergedMap.linked`."""
    return [(source, target) for target, source in enumerate(merged.linked.tolist()) if source >= 0]


def with_leftovers(
    found: list[tuple[int, int]],
    weights: np.ndarray,
    sources: Sequence[Token],
    targets: Sequence[Token],
    least_weight: float,
) -> list[tuple[int, int]]:
    """`found`, and links between words without one: a target word to the source word that it attends to most.

    `weights` [targets, sources] are of another slice. A weight below `least_weight` makes no link. Punctuation gets
    none.
    """
    linked_sources, linked_targets = {s for s, _ in found}, {t for _, t in found}
    free = np.array([s not in linked_sources and _is_word(token) for s, token in enumerate(sources)], np.bool_)
    if not free.any():
        return found
    more = []
    for target, token in enumerate(targets):
        if target not in linked_targets and _is_word(token):
            row = np.where(free, weights[target], -1.0)
            best = int(row.argmax())
            if row[best] >= least_weight:
                more.append((best, target))
    return sorted(found + more, key=lambda link: link[1])


def _is_word(token: Token) -> bool:
    return any(map(str.isalnum, token.text))


def pharaoh(pairs: list[tuple[int, int]]) -> str:
    """Links as Pharaoh text, `source-target` each."""
    return " ".join([f"{source}-{target}" for source, target in pairs])
