"""The words that a model's training text had: what a source word means that is not among them, the model can but guess.

A bundle keeps them as sorted CRC-32 sums, four bytes a word: enough to tell whether a word is known, once in half a
million times wrongly.
"""

from __future__ import annotations

import unicodedata
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Protocol

import numpy as np

from model_store.contract.errors import ContractError
from model_store.contract.words import word_spans

MIN_COUNT = 2
"""A word that the text has less often counts as unknown."""
SUM_BYTES = 4


class Words(Protocol):
    """A set of words, as the text room asks one."""

    def __contains__(self, word: object) -> bool: ...

    def issuperset(self, words: Iterable[str], /) -> bool:
        """Whether all of `words` are among them."""
        ...


class KnownWords:
    """A set of words, without regard to case."""

    def __init__(self, data: bytes) -> None:
        """`data`: the file of a bundle. Raises ContractError when it holds no sorted sums."""
        sums = np.frombuffer(data[: len(data) // SUM_BYTES * SUM_BYTES], "<u4")
        if len(data) % SUM_BYTES or (np.diff(sums.astype(np.int64)) <= 0).any():
            raise ContractError(["the file of known words holds no sorted sums of four bytes; export the model again"])
        self.data = data
        self._sums = frozenset(sums.tolist())
        self._found: set[str] = set()  # known words as they were asked for, so that their sums are made once
        self._counts: dict[str, int] = {}  # of those 1, of single other signs 0

    @classmethod
    def of(cls, texts: Iterable[str], language: str, names: Collection[str] = ()) -> KnownWords:
        """The words that `texts` of a `language` have at least MIN_COUNT times, but for `names`, in lower case."""
        counts = Counter(text[start:end].lower() for text in texts for start, end in word_spans(text, language))
        sums = sorted({_sum(word) for word, count in counts.items() if count >= MIN_COUNT and word not in names})
        return cls(np.array(sums, "<u4").tobytes())

    def __len__(self) -> int:
        return len(self._sums)

    def __contains__(self, word: object) -> bool:
        if word in self._found:
            return True
        if not isinstance(word, str) or not (self._has(word) or (not word.isascii() and self._has(_as_read(word)))):
            return False
        self._found.add(word)
        return True

    def _has(self, word: str) -> bool:
        return _sum(word.lower()) in self._sums

    def issuperset(self, words: Iterable[str], /) -> bool:
        """Whether all of `words` are known."""
        return self._found.issuperset(words) or all(map(self.__contains__, words))

    def unknown_and_count(self, source: Sequence[str], target: str) -> tuple[list[int], int]:
        """The places in `source`, words, of those that are unknown and that the translation `target` does not copy; and
        how many of `source` are no punctuation and no numbers, which are never unknown."""
        counts = list(map(self._counts.get, source))
        if None not in counts:
            return [], sum(counts)  # type: ignore[arg-type]  # as for most texts
        places, num_words = [], 0
        for i, (word, count) in enumerate(zip(source, counts, strict=True)):
            if count is None:
                count = int(_is_word(word))
                if count and word not in self:
                    places.append(i)
                elif count or len(word) == 1:
                    self._counts[word] = count
            num_words += count
        lower = target.lower()
        return [i for i in places if source[i].lower() not in lower], num_words


def _as_read(word: str) -> str:
    """`word` as every tokenizer reads it: with the letters of a ligature (of a PDF), and accents on their letters."""
    return unicodedata.normalize("NFKC", word)


def _is_word(word: str) -> bool:
    return word.isalpha() or (any(map(str.isalpha, word)) and not any(map(str.isdigit, word)))


def _sum(word: str) -> int:
    return zlib.crc32(word.encode())
