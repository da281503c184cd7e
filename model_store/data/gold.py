"""Gold word alignments: AlibiWordAlignments (Xu and Yvon 2016), in Pharaoh format with `p` for possible links."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from model_store.data.corpus import CorpusError

_LINK = re.compile(r"(\d+)([-p])(\d+)")

Link = tuple[int, int]
"""A source word and a target word, from 0."""


@dataclass(frozen=True)
class GoldPair:
    """One sentence pair, split into words, with its links from source to target."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    sure: frozenset[Link]
    possible: frozenset[Link]
    """Every acceptable link: sure ones and those that annotators left open."""


def read_gold(path: Path) -> list[GoldPair]:
    """Read columns id, English, id, French, id, links (French-English). Raises CorpusError on anything else."""
    if not path.is_file():
        raise CorpusError(f"alignment file {path} does not exist")
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fields = line.split("\t")
        if len(fields) < 6:
            raise CorpusError(f"{path}:{number}: {len(fields)} columns, needs 6; separate them by tabs")
        links = [_LINK.fullmatch(word) for word in fields[5].split()]
        if None in links:
            raise CorpusError(f"{path}:{number}: links must look like 3-4 or 3p4")
        found = [((int(m[3]), int(m[1])), m[2]) for m in links if m]
        pairs.append(
            GoldPair(
                source=tuple(fields[1].split()),
                target=tuple(fields[3].split()),
                sure=frozenset(link for link, kind in found if kind == "-"),
                possible=frozenset(link for link, _ in found),
            )
        )
    return pairs


def reversed_pair(pair: GoldPair) -> GoldPair:
    """The pair with source and target in each other's place."""
    sure, possible = (frozenset((t, s) for s, t in links) for links in (pair.sure, pair.possible))
    return GoldPair(pair.target, pair.source, sure, possible)


def alignment_error_rate(predicted: list[frozenset[Link]], gold: list[GoldPair]) -> float:
    """Och and Ney 2003, equation 19, over a corpus: 1 - (|A & S| + |A & P|) / (|A| + |S|); 0 is perfect."""
    hits = total = 0
    for links, pair in zip(predicted, gold, strict=True):
        hits += len(links & pair.sure) + len(links & pair.possible)
        total += len(links) + len(pair.sure)
    return 1.0 - hits / max(total, 1)
