"""What the clients say."""

from __future__ import annotations

import gzip
from pathlib import Path

ENGLISH = (
    "The black cat ate the mouse.",
    "Good morning!",
    "Where is the nearest train station?",
    "I would like a cup of coffee, please.",
    "She has been reading the same book for three weeks.",
    "It was raining when we left the house, so we took the bus.",
    "Tom said that he would come back before dinner.",
    "Do you know how much this costs?",
    "The old man who lives next door has two dogs and a garden full of roses.",
    "We should leave now. The last train goes at ten. I do not want to walk home.",
    "Nobody knows.",
    "If you had told me the truth, I would have helped you without asking for anything in return.",
)
"""Short and long, one sentence and several: a small default for people who bring no file."""


def read_texts(path: Path) -> tuple[str, ...]:
    """One text a line: the first of its tab-separated fields. `.gz` is unpacked. Raises ValueError on an empty file."""
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    texts = tuple(text for line in content.decode().splitlines() if (text := line.partition("\t")[0].strip()))
    if not texts:
        raise ValueError(f"{path} holds no text")
    return texts
