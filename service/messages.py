"""The data types of engine, runtime and search. Plain frozen data: standard library and numpy only.

Axes: T target tokens, S source tokens, A attention slices (layer and head pairs, in the manifest's order).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

import numpy as np

from model_store.contract.formality import Formality

Level = Literal["word", "token"]
Kind = Literal["cross", "encoder", "decoder"]


class Warned(StrEnum):
    """What a client should know of a translation."""

    LOOP = "loop"
    """It repeats itself, also when searched again with repetitions forbidden; or is empty."""
    TOO_LONG = "too_long"
    """It was cut at 2 S + 10 tokens, also when searched again."""
    COPY_MOVED = "copy_moved"
    """The model lost a protected stretch; it was put where attention says."""
    NUMBER_CHANGED = "number_changed"
    """Source and translation have different numbers in digits."""
    NEGATION_LOST = "negation_lost"
    """The source says *not*, *never* or the like, and the translation nothing of the kind."""
    LOW_CONFIDENCE = "low_confidence"
    UNIFORM_ATTENTION = "uniform_attention"
    """Attention is nearly uniform, so the map explains nothing."""
    UNKNOWN_WORDS = "unknown_words"
    """Source words that the training text never had: what they mean was guessed."""
    UNSEEN_WORDS = "unseen_words"
    """Many source words got next to no attention: they may be missing in the translation."""


class FinishReason(StrEnum):
    """Why a hypothesis ended."""

    EOS = "eos"
    """The model wrote its end token."""
    LENGTH = "length"
    """It reached its limit of tokens."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How the next tokens are chosen."""

    beam_size: int = 4
    """K: hypotheses kept alive, 1..16; 1 is greedy."""
    length_penalty: float = 1.0
    """alpha of Wu et al. 2016, equation 14; 0..2, 0 turns it off."""
    num_hypotheses: int = 1
    """Hypotheses returned, best first, 1..beam_size."""
    max_output_tokens: int | None = None
    """Target tokens per segment, end token included; None derives it from the source length."""
    min_output_tokens: int = 0
    """Target tokens per segment, end token included, that every hypothesis has at least; 0 or 1 is no bound."""
    no_repeat_ngram: int = 0
    """n: no n-gram of tokens comes twice in a hypothesis; 0 turns it off."""
    target_prefix: tuple[int, ...] = ()
    """Subword ids that every hypothesis begins with."""
    forbidden: tuple[int, ...] = ()
    """Subword ids that no hypothesis has, but in its prefix."""
    coverage_penalty: float = 0.0
    """beta of Wu et al. 2016, equation 14; 0..2, 0 turns it off. It needs a model with attention."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence to translate, as the engine takes it."""

    source_ids: tuple[int, ...]
    """Subword ids without special tokens; at least one."""
    options: SearchOptions
    want_attention: bool = False
    """Whether hypotheses carry their attention rows."""
    deadline: float | None = None
    """Time on the engine's clock after which the result is of no use; None is never."""
    client: str = ""
    """Who asks: clients take turns. The name of an API key, or an address where none is asked for; empty for all whose
    address nobody saw."""
    formality: Formality | None = None
    """How the translation is to address its reader; None leaves it to the model."""
    was_admitted: bool = False
    """Whether its request was let in before, when its segments were made or a first time searched: then a full queue
    alone refuses it, and not its wait, so that answers depend on the load as little as can be."""

    @property
    def num_source_tokens(self) -> int:
        """S: source tokens, end token included."""
        return len(self.source_ids) + 1

    def output_limit(self, max_target_tokens: int) -> int:
        """Target tokens, end token included, after which a hypothesis is cut: what was asked for, or 2 S + 10, to which
        those of a prefix are added, and the fewest that it may have; `max_target_tokens` is the model's own limit."""
        derived = 2 * self.num_source_tokens + 10 + len(self.options.target_prefix) + self.options.min_output_tokens
        wanted = derived if self.options.max_output_tokens is None else self.options.max_output_tokens
        return min(wanted, max_target_tokens)


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """One finished translation of a segment."""

    token_ids: tuple[int, ...]
    """Target ids without the end token."""
    token_log_probs: tuple[float, ...]
    """Log-probability of each token, the end token's last when it was written."""
    finish_reason: FinishReason
    attention: np.ndarray | None
    """Weights [T, A, S], float32: a row for each entry of token_log_probs, a column for each source id and the end
    token (always the last column). None when it was not asked for."""

    search_score: float | None = None
    """What the search ranked it by: length-normalised, with its coverage penalty; None: not known."""

    @property
    def score(self) -> float:
        """Mean log-probability per target token, end token included."""
        return sum(self.token_log_probs) / len(self.token_log_probs)


@dataclass(frozen=True, slots=True)
class Timings:
    """Where the time of a segment went, in seconds."""

    queue_s: float
    encode_s: float
    decode_s: float

    @staticmethod
    def longest(times: Sequence[Timings]) -> Timings:
        """Those of the segment that took longest: segments run side by side, so their sum is within the total."""
        return max(times, key=lambda t: t.queue_s + t.encode_s + t.decode_s, default=Timings(0.0, 0.0, 0.0))


@dataclass(frozen=True, slots=True)
class SegmentResult:
    """The engine's result: `num_hypotheses` hypotheses, best first by the length-normalised score."""

    hypotheses: tuple[Hypothesis, ...]
    timings: Timings


class Pair(NamedTuple):
    """A source and a translation of it, as subword ids without special tokens."""

    source_ids: Sequence[int]
    target_ids: Sequence[int]

    @property
    def num_tokens(self) -> int:
        """Of both sides, end tokens included."""
        return len(self.source_ids) + len(self.target_ids) + 2


class Forced(NamedTuple):
    """What the model makes of a translation that exists already."""

    log_probs: np.ndarray
    """[T], float32: of each target token, the end token's last."""
    maps: dict[Kind, np.ndarray]
    """Weights by kind, rows first, as float32: `cross` [T, A, S], `encoder` [S, E, S], `decoder` [T, D, T]. The last
    column is that of the end token; of `decoder` that of the begin token, and column j is the step that read target
    token j. C order."""
