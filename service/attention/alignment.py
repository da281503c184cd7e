"""Hard links from a soft map."""

from __future__ import annotations

from service.attention.maps import MergedMap


def links(merged: MergedMap) -> list[tuple[int, int]]:
    """(source, target) links, zero-based, in target order; see `MergedMap.linked`."""
    return [(source, target) for target, source in enumerate(merged.linked.tolist()) if source >= 0]


def pharaoh(pairs: list[tuple[int, int]]) -> str:
    """Links as Pharaoh text, `source-target` each."""
    return " ".join([f"{source}-{target}" for source, target in pairs])
