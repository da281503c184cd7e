"""The registry: one line per paper."""

from __future__ import annotations

from model_store.architectures.bahdanau import Bahdanau
from model_store.architectures.base import Architecture
from model_store.architectures.transformer import Transformer

ARCHITECTURES: dict[str, type[Architecture]] = {
    architecture.name: architecture
    for architecture in (
        Transformer,
        Bahdanau,
    )
}


def architecture(name: str) -> type[Architecture]:
    """Look an architecture up by its name. Raises KeyError that lists the names that exist."""
    if name not in ARCHITECTURES:
        raise KeyError(f"architecture {name!r} is unknown; known: {', '.join(sorted(ARCHITECTURES))}")
    return ARCHITECTURES[name]
