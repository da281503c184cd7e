"""The wire models of what the server answers: typed dictionaries, built once and serialised once.

They cost nothing at run time; GET /openapi.json is made from them, and tests validate real answers against them.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import ConfigDict, Field, with_config
from typing_extensions import TypedDict

DOCUMENTED = ConfigDict(use_attribute_docstrings=True, extra="forbid")


@with_config(DOCUMENTED)
class ModelAnswer(TypedDict):
    """The model that translated."""

    name: str
    version: str
    architecture: str
    source: str
    """Language code translated from."""
    target: str
    """Language code translated into."""


@with_config(DOCUMENTED)
class TokenAnswer(TypedDict):
    """A word or subword."""

    text: str
    start: int
    """First code point, counted in the whole text."""
    end: int
    """Code point after the last."""


@with_config(DOCUMENTED)
class SideAnswer(TypedDict):
    """A segment on one side, source or target."""

    text: str
    start: int
    """First code point, counted in the whole text."""
    end: int
    """Code point after the last."""
    tokens: list[TokenAnswer]
    """Words or subwords: the rows (target) or columns (source) of the attention map, at the level asked for."""


@with_config(DOCUMENTED)
class MapAnswer(TypedDict):
    """One attention map."""

    layer: int
    """Layer of the decoder, or of the encoder for that kind, counted from 1."""
    head: int | Literal["mean"]
    """Head within the layer, counted from 1, or the mean of its heads."""
    row_of: NotRequired[Literal["next_step"]]
    """Which step a row is of. Without it, the step that wrote the token. `next_step`: the step after that, which has
    read the token and need not guess it; the bundle's default map may be such a one."""
    weights: list[list[float]]
    """A row for each token of the side that `rows` names, a column for each of the side that `columns` names: the
    model's own weights, nothing rescaled."""
    end_token: NotRequired[list[float]]
    """What each row gave to the source's end token. Of kind `cross`, row and share sum to 1. Of kind `encoder` they sum
    to less where a model also looks at vectors that it has learnt (`num_persistent`), and a first row is empty where a
    model looks only at what was read before (`lstmn`). A token that the model did not write, a copy that was put back
    for example, has all of it here. Of kind `cross` and `encoder`."""
    begin_token: NotRequired[list[float]]
    """What each row gave to the begin token, before the first target token. Row and share sum to less than 1 where a
    model also looks at vectors that it has learnt (`num_persistent`); a first row is empty where a model looks only at
    what was written before (`lstmn`, `key_value`). Of kind `decoder`."""


@with_config(DOCUMENTED)
class AttentionAnswer(TypedDict):
    """The attention maps of a segment."""

    kind: Literal["cross", "encoder", "decoder"]
    level: Literal["word", "token"]
    rows: Literal["target", "source"]
    """The side whose tokens look: `target`; of kind `encoder` it is `source`."""
    columns: Literal["source", "target"]
    """The side whose tokens are looked at: `source`; of kind `decoder` it is `target`."""
    includes_eos: bool
    """Whether the last row and column are the end tokens."""
    maps: list[MapAnswer]


WarningSlug = Literal[
    "loop",
    "too_long",
    "copy_moved",
    "number_changed",
    "negation_lost",
    "low_confidence",
    "uniform_attention",
    "unknown_words",
    "unseen_words",
]


@with_config(DOCUMENTED)
class SignalsAnswer(TypedDict):
    """Quality estimation of a segment, without a reference."""

    confidence: float | None
    """How likely the translation is usable, 0 to 1, calibrated on held-out text with noise; null for a model without
    calibration."""
    mean_log_prob: float
    lowest_log_prob: float
    """Of the target's subwords."""
    attention_entropy: float | None
    """Of the map that links come from, mean over target words: 0 looks at one place, 1 everywhere alike."""
    unseen_words: list[int]
    """Source words, by their place among the source's words, that got next to no attention."""
    unknown_words: list[str]
    """Source words that the model's training text never had and the translation does not copy: what they mean was
    guessed. Empty for a model that does not know its words."""
    repetition: float
    """Share of the pairs of neighbouring subwords that came before."""
    lost_copies: int
    """Protected stretches that the model lost and that were put back where attention says."""


@with_config(DOCUMENTED)
class SegmentAnswer(TypedDict):
    """A sentence of a text, or a part of a long one: the unit of translation."""

    source: SideAnswer
    target: SideAnswer
    score: float
    """Mean log-probability per target token, end token included."""
    token_scores: list[float]
    """Log-probability of each subword, the end token's last."""
    finish_reason: Literal["eos", "length"]
    attention: NotRequired[AttentionAnswer]
    """Only when attention was asked for."""
    alignment: NotRequired[str]
    """Pharaoh `source-target` links, zero-based, at the level asked for, without the end token; only with attention."""
    signals: NotRequired[SignalsAnswer]
    """Only when signals were asked for."""
    warnings: NotRequired[list[WarningSlug]]
    """Only when there are any. `loop`: it repeats itself or is empty, however it is searched. `too_long`: cut.
    `copy_moved`: a protected stretch was put back where attention says. `number_changed`: numbers in digits differ.
    `negation_lost`: the source says *not* or the like, the translation does not. The others come with signals:
    `low_confidence`, `uniform_attention`, `unknown_words`, `unseen_words`."""


@with_config(DOCUMENTED)
class AlternativeAnswer(TypedDict):
    """A further translation of a whole text."""

    text: str
    score: float
    """Mean log-probability per target token, end tokens included; alternatives are not ordered by it."""
    segments: NotRequired[list[SegmentAnswer]]
    """As those of the translation; only when attention or signals were asked for."""
    warnings: NotRequired[list[WarningSlug]]
    """As those of the translation; only when there are any."""


@with_config(DOCUMENTED)
class TranslationAnswer(TypedDict):
    """The translation of one text."""

    text: str
    score: float
    """Mean log-probability per target token, end tokens included."""
    finish_reason: Literal["eos", "length"]
    """`length` when any segment reached its limit of tokens, else `eos`."""
    confidence: NotRequired[float | None]
    """The lowest of its segments; only when signals were asked for."""
    warnings: NotRequired[list[WarningSlug]]
    """Those of its segments, each once; only when there are any."""
    segments: list[SegmentAnswer]
    alternatives: list[AlternativeAnswer]
    """As many as were asked for, but none for an empty or blank text. Ordered by the score of the search, the sum of
    log-probabilities normalised for length by `length_penalty` and summed over the segments: not by their `score`."""


@with_config(DOCUMENTED)
class UsageAnswer(TypedDict):
    """What the request consumed."""

    source_characters: int
    """Unicode code points of all texts."""
    source_tokens: int
    """Subwords, end tokens included."""
    target_tokens: int
    """Subwords of the best hypotheses, end tokens included."""


@with_config(DOCUMENTED)
class TimingsAnswer(TypedDict):
    """Where the time went, in milliseconds."""

    queue: float
    """Waiting for a place in the batch."""
    encode: float
    decode: float
    total: float
    """From the whole request read to the answer made."""


@with_config(DOCUMENTED)
class TranslateAnswer(TypedDict):
    """The answer to POST /v1/translate."""

    id: str
    """The request's id, the same as the header x-request-id."""
    model: ModelAnswer
    translations: list[TranslationAnswer]
    """One for each text, in the order sent."""
    usage: UsageAnswer
    timings_ms: TimingsAnswer


@with_config(DOCUMENTED)
class ScoreTimingsAnswer(TypedDict):
    """Where the time went, in milliseconds."""

    score: float
    """Waiting for the scores, and computing them."""
    total: float
    """From the whole request read to the answer made."""


@with_config(DOCUMENTED)
class ScoredAnswer(TypedDict):
    """The score of one translation."""

    score: float
    """Mean log-probability per target token, end tokens included; 0 for a blank text."""
    segments: list[SegmentAnswer]
    """As those of a translation that the model has written itself; `finish_reason` is always `eos`."""


@with_config(DOCUMENTED)
class ScoreAnswer(TypedDict):
    """The answer to POST /v1/score."""

    id: str
    """The request's id, the same as the header x-request-id."""
    model: ModelAnswer
    scores: list[ScoredAnswer]
    """One for each pair, in the order sent."""
    usage: UsageAnswer
    timings_ms: ScoreTimingsAnswer


@with_config(DOCUMENTED)
class CompareAnswer(TypedDict):
    """The answer to POST /v1/compare."""

    id: str
    """The request's id, the same as the header x-request-id."""
    results: list[TranslateAnswer]
    """One for each model, in the order sent: the answer that POST /v1/translate would give. With a `translation`, that
    text and this model's score and maps of it; its time is told as `decode`."""


@with_config(DOCUMENTED)
class FaultAnswer(TypedDict):
    """One faulty field."""

    field: str
    message: str
    limit: NotRequired[int | float | str]
    given: NotRequired[int | float]
    """A size or a number, never the text that was sent."""


@with_config(DOCUMENTED)
class Problem(TypedDict):
    """An error (RFC 9457), at most 2 kB whatever was sent."""

    type: str
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: str
    """The error's slug; programs compare this one."""
    request_id: str
    errors: NotRequired[list[FaultAnswer]]
    """The faulty fields, for validation errors."""
