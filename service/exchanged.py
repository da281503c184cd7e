"""What clients ask for and get, whatever the wire. Plain frozen data: standard library and numpy only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from model_store.contract.formality import Formality
from service.messages import FinishReason, Kind, Level, SearchOptions, Timings, Warned


@dataclass(frozen=True, slots=True)
class AttentionOptions:
    """Which maps a client wants."""

    level: Level = "word"
    layer: int | Literal["default", "all"] = "default"
    """Layer of decoder or encoder, from 1; `default` is the bundle's alignment layer, of other kinds the top one."""
    head: int | Literal["mean", "default", "all"] = "default"
    """Head, from 1; `mean` averages the layer's heads."""
    kind: Kind = "cross"
    """`cross`: target over source; `encoder`: source over itself; `decoder`: the decoder over its own steps."""


@dataclass(frozen=True, slots=True)
class TranslationRequest:
    """What a client posts, validated."""

    texts: tuple[str, ...]
    search: SearchOptions = field(default_factory=SearchOptions)
    attention: AttentionOptions | None = None
    signals: bool = False
    """Whether to look at attention for signals."""
    locale_numbers: bool = False
    """Whether numbers take the separators of the target language where that is certain."""
    formality: Formality | None = None
    """How the translation is to address its reader; None: as the model has it, alike in all sentences of a text."""
    timeout_s: float | None = None
    """Seconds until the answer is of no use; None is the server's own limit."""
    client: str = ""
    """Who asks, see `Segment.client`."""
    target_prefixes: tuple[str, ...] = ()
    """For each text the words that its translation begins with, empty for none; () when there are none at all."""
    was_admitted: bool = False
    """Whether it is a part of an admitted request, or one itself, see `Segment.was_admitted`."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """Translations that a client brings, to be scored."""

    pairs: tuple[tuple[str, str], ...]
    """Texts and their translations."""
    attention: AttentionOptions | None = None
    timeout_s: float | None = None
    """Seconds until the answer is of no use; None is the server's own limit."""
    client: str = ""
    """Who asks, see `Segment.client`."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts without their translations."""
        return tuple(text for text, _ in self.pairs)


class Token(NamedTuple):
    """A word or subword: `start`..`end` are code points of the whole text. A tuple, as an answer has dozens."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TokenizedText:
    """One segment's side: its text, where it lies in the whole text, and its tokens at the level asked for."""

    text: str
    start: int
    end: int
    tokens: tuple[Token, ...]


@dataclass(frozen=True, slots=True)
class SliceMap:
    """The weights [rows, columns] of one layer and head (or the mean of the layer's heads)."""

    layer: int
    head: int | Literal["mean"]
    weights: np.ndarray
    """float64: a rounded float32 would be written with nine digits."""
    special_token: np.ndarray
    """[rows], float64: what each row gave to the end token of the columns, which `decoder` has none of: there it is the
    begin token. Row and share sum to 1, but for what goes to learnt vectors and what cannot look back."""
    shift: int = 0
    """0: the row of a token is that of the step which wrote it; 1: that of the step after, which has read it."""


@dataclass(frozen=True, slots=True)
class AttentionSignals:
    """Signals of a segment from the attention map that alignments come from."""

    entropy: float
    """Mean over target words, 0 (looks at one place) to 1 (everywhere alike)."""
    unseen_words: tuple[int, ...]
    """Source words, by their number among the tokens, that got next to no attention."""
    num_words: int
    """Source words that are no punctuation."""


class Signals(NamedTuple):
    """Quality estimation of a segment, without a reference. A tuple, because every answer has one of each segment."""

    confidence: float | None
    """0 to 1; None for a bundle without calibration."""
    mean_log_prob: float
    lowest_log_prob: float
    repetition: float
    """Share of the pairs of neighbouring subwords that came before."""
    num_lost_copies: int
    """Protected stretches that the model lost."""
    unknown_words: tuple[str, ...] = ()
    """Source words, in order, that the training text never had."""
    num_words: int = 0
    """Source words that were looked up; 0 for a bundle that does not know its words."""


@dataclass(frozen=True, slots=True)
class AttentionMap:
    """Rows over columns at one level: target over source, source over source, or target over target."""

    kind: Kind
    level: Level
    maps: tuple[SliceMap, ...]
    includes_eos: bool = False


@dataclass(frozen=True, slots=True)
class TranslatedSegment:
    """One translated sentence of a text."""

    source: TokenizedText
    target: TokenizedText
    score: float
    token_scores: tuple[float, ...]
    finish_reason: FinishReason
    attention: AttentionMap | None
    alignment: str | None
    """Pharaoh `source-target` links, zero-based, at the level asked for, without the end token."""
    signals: Signals
    attention_signals: AttentionSignals | None
    """None when neither attention nor signals were asked for."""
    warnings: tuple[Warned, ...]
    """Those that the client is told."""
    doubts: tuple[Warned, ...] = ()
    """Those that follow from signals, also where nobody asked for them: metrics count them."""


def _each_once(segments: tuple[TranslatedSegment, ...]) -> tuple[Warned, ...]:
    return tuple(dict.fromkeys(warning for segment in segments for warning in segment.warnings))


@dataclass(frozen=True, slots=True)
class Alternative:
    """A further translation of a whole text."""

    text: str
    score: float
    segments: tuple[TranslatedSegment, ...]
    """None where neither maps nor signals were asked for."""
    faults: tuple[Warned, ...] = ()
    """The warnings, where there are no segments to carry them."""

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """Those of all segments, each once."""
        return self.faults or _each_once(self.segments)


@dataclass(frozen=True, slots=True)
class Translation:
    """One text's answer."""

    text: str
    score: float
    finish_reason: FinishReason
    segments: tuple[TranslatedSegment, ...]
    alternatives: tuple[Alternative, ...]
    searched_again: tuple[str, ...] = ()
    """Why segments were searched again: loop, copies, numbers, names or spelling."""

    @property
    def warnings(self) -> tuple[Warned, ...]:
        """Those of all segments, each once."""
        return _each_once(self.segments)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a request consumed; tokens are subwords, end tokens included."""

    source_characters: int
    source_tokens: int
    target_tokens: int


@dataclass(frozen=True, slots=True)
class TranslationResult:
    """Every text's answer, in the order asked."""

    translations: tuple[Translation, ...]
    usage: Usage
    timings: Timings
    total_s: float

    @property
    def confidences(self) -> list[float]:
        """Those of all segments that have one."""
        found = (segment.signals.confidence for one in self.translations for segment in one.segments)
        return [value for value in found if value is not None]

    @property
    def entropies(self) -> list[float]:
        """Attention entropies of all segments whose attention was looked at."""
        found = (segment.attention_signals for one in self.translations for segment in one.segments)
        return [signals.entropy for signals in found if signals is not None]
