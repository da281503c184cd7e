"""Hard links from a soft map."""

from __future__ import annotations

from service.attention.kernel import strongest
from service.attention.maps import MergedMap

MIN_WEIGHT = 0.25
"""Least attention that makes a link: of the values tried, the one with the fewest alignment errors (Och and Ney 2003)
on AlibiWordAlignments' BlueBeard; without it a transformer made 4 points more of them there, and on MasterCat too."""


def links(merged: MergedMap) -> list[tuple[int, int]]:
    """(source, target) links, zero-based, in target order: each target token to the source token it attends to most.

    The rule of Garg et al. 2019 (arXiv:1909.02074), but a target token stays without a link when that is less than
    MIN_WEIGHT, or no more than it gives the source's end token: attention rests there when nothing fits, as it does on
    the empty word of Brown et al. 1993.
    """
    best = strongest(merged.weights, merged.end_mass, MIN_WEIGHT).tolist()
    return [(source, target) for target, source in enumerate(best) if source >= 0]


def pharaoh(pairs: list[tuple[int, int]]) -> str:
    """Links as Pharaoh text, `source-target` each."""
    return " ".join(f"{source}-{target}" for source, target in pairs)
