"""Parallel text from tab-separated files, plain or gzip."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model_store.contract.normalisation import normalise


class CorpusError(ValueError):
    """A corpus file that cannot be used; the message names the file, the line and the remedy."""


@dataclass(frozen=True)
class Columns:
    """Which columns of a file hold the two languages, counted from 0."""

    source: int = 0
    target: int = 1


@dataclass(frozen=True)
class ParallelText:
    """Sentence pairs: `sources[i]` and `targets[i]` translate each other."""

    sources: list[str]
    targets: list[str]

    def __len__(self) -> int:
        return len(self.sources)

    def __add__(self, other: ParallelText) -> ParallelText:
        """These pairs, and behind them those of `other`."""
        return ParallelText([*self.sources, *other.sources], [*self.targets, *other.targets])

    def head(self, num_pairs: int) -> ParallelText:
        """The first `num_pairs` pairs."""
        return ParallelText(self.sources[:num_pairs], self.targets[:num_pairs])

    def take(self, chosen: Sequence[int]) -> ParallelText:
        """The pairs numbered `chosen`."""
        return ParallelText([self.sources[i] for i in chosen], [self.targets[i] for i in chosen])


NOTHING = ParallelText([], [])
"""No pair."""


def read_parallel(path: Path, columns: Columns = Columns()) -> ParallelText:
    """Read every pair of `path`. Raises CorpusError on a missing file, a short line, an empty side or bad UTF-8."""
    if not path.is_file():
        raise CorpusError(f"corpus file {path} does not exist; name a tab-separated file (.tsv or .tsv.gz)")
    sources, targets = [], []
    width = max(columns.source, columns.target) + 1
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                fields = line.rstrip("\r\n").split("\t")
                if len(fields) < width:
                    raise CorpusError(f"{path}:{number}: {len(fields)} columns, needs {width}; separate them by tabs")
                source, target = normalise(fields[columns.source]), normalise(fields[columns.target])
                if not source or not target:
                    raise CorpusError(f"{path}:{number}: an empty sentence; remove the line")
                sources.append(source)
                targets.append(target)
    except UnicodeDecodeError as error:
        raise CorpusError(f"{path}: not UTF-8 ({error.reason}); convert it, for example with iconv -t UTF-8") from error
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise CorpusError(f"{path}: damaged gzip file; fetch or compress it again") from error
    if not sources:
        raise CorpusError(f"{path}: no sentence pair; a corpus needs at least one line")
    return ParallelText(sources, targets)
