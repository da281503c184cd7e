"""Hard links from a soft map."""

from __future__ import annotations

from service.attention.maps import MergedMap


def links(merged: MergedMap) -> list[tuple[int, int]]:
    """(source, target) links, zero-based, in target order: each target token to the source token it attends to most.

    The rule of Garg et al. 2019 (arXiv:1909.02074). A target token that gives the source's end token at least as much
    stays without a link: attention rests there when nothing fits, as it does on the empty word of Brown et al. 1993.
    """
    if not merged.weights.shape[1]:
        return []
    best = merged.weights.argmax(axis=1)
    return [
        (int(source), target)
        for target, source in enumerate(best)
        if merged.weights[target, source] > merged.end_mass[target]
    ]


def pharaoh(pairs: list[tuple[int, int]]) -> str:
    """Links as Pharaoh text, `source-target` each."""
    return " ".join(f"{source}-{target}" for source, target in pairs)
