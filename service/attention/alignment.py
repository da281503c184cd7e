"""Hard links from soft maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from service.exchanged import Token


def are_words(tokens: Sequence[Token]) -> np.ndarray:
    """[tokens], bool: which of them are no punctuation."""
    return np.array([text[:1].isalnum() or any(map(str.isalnum, text)) for text, _, _ in tokens], np.bool_)


def links(linked: np.ndarray) -> list[tuple[int, int]]:
    """(source, target) links, zero-based, in target order, of `linked` [target tokens]: the source token of each, or
    -1."""
    return [(source, target) for target, source in enumerate(linked.tolist()) if source >= 0]


def pharaoh(linked: np.ndarray) -> str:
    """Those links as Pharaoh text, `source-target` each."""
    return " ".join([f"{source}-{target}" for source, target in links(linked)])
