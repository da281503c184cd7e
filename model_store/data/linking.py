"""Word links of a training corpus, by the statistical aligner eflomal (Ostling and Tiedemann 2016)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from model_store.data.corpus import CorpusError, ParallelText
from model_store.data.linked import HALF, SURE, LinkedPair, WordLink, spaced_words

SIGNS = {SURE: "-", HALF: "~"}


def linked_pairs(text: ParallelText, languages: tuple[str, str], kept: Path) -> list[LinkedPair]:
    """The pairs of `text` with their links; the aligner runs once and `kept` holds what it found.

    `kept` has a line for each pair: `3-4` where both directions link source word 3 and target word 4, `3~4` where one
    does. A line above them, `# ` and a digest, tells of which text they are; files of earlier releases lack it.
    Raises CorpusError when `kept` is of other text, or eflomal is not installed.
    """
    sources = [spaced_words(line, languages[0]) for line in text.sources]
    targets = [spaced_words(line, languages[1]) for line in text.targets]
    if not kept.exists():
        lines = [write_links(found) for found in align(sources, targets)]
        partial = kept.with_suffix(".partial")
        partial.write_text("\n".join([f"# {_digest(sources, targets)}", *lines]) + "\n", encoding="utf-8")
        partial.replace(kept)
    lines = kept.read_text(encoding="utf-8").split("\n")[:-1]
    head = lines.pop(0).removeprefix("# ") if lines and lines[0].startswith("# ") else None
    if len(lines) != len(text):
        raise CorpusError(f"{kept} has links of {len(lines)} pairs, the text has {len(text)}; remove the file")
    if head not in (None, _digest(sources, targets)):
        raise CorpusError(f"{kept} has links of other text; remove the file")
    found = [read_links(line) for line in lines]
    return [LinkedPair(*pair) for pair in zip(sources, targets, found, strict=True)]


def align(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> list[tuple[WordLink, ...]]:
    """Links of each pair: SURE where both directions agree, HALF where one of them links."""
    try:
        from eflomal import Aligner
    except ImportError as error:
        raise CorpusError(
            "guided alignment needs the aligner eflomal; install it with pip install -e '.[align]' in the checkout "
            "(it needs a C compiler), or remove [guided] and [variation] from the recipe"
        ) from error
    with TemporaryDirectory() as folder:
        forward, backward = Path(folder, "forward"), Path(folder, "backward")
        Aligner().align(
            [_line(words) for words in sources],
            [_line(words) for words in targets],
            links_filename_fwd=str(forward),
            links_filename_rev=str(backward),
        )
        both = (forward.read_text().split("\n"), backward.read_text().split("\n"))
    return [_combine(*map(_pairs, lines)) for lines in zip(*both, strict=True)][: len(sources)]


def _digest(sources: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> str:
    """SHA-256 of the words of both sides."""
    return hashlib.sha256(repr((sources, targets)).encode()).hexdigest()


def _line(words: Sequence[str]) -> str:
    return " ".join(word.strip() or "_" for word in words) + "\n"


def _pairs(line: str) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in (link.split("-") for link in line.split())}


def _combine(forward: set[tuple[int, int]], backward: set[tuple[int, int]]) -> tuple[WordLink, ...]:
    return tuple((s, t, SURE if (s, t) in forward & backward else HALF) for s, t in sorted(forward | backward))


def write_links(links: Sequence[WordLink]) -> str:
    """`3-4 5~6`: see `linked_pairs`."""
    return " ".join(f"{source}{SIGNS[strength]}{target}" for source, target, strength in links)


def read_links(line: str) -> tuple[WordLink, ...]:
    """The inverse of `write_links`."""
    found = []
    for link in line.split():
        sign, strength = ("-", SURE) if "-" in link else ("~", HALF)
        source, target = link.split(sign)
        found.append((int(source), int(target), strength))
    return tuple(found)
