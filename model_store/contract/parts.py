"""Parts of a manifest that say what was measured and trained, and what all parts have in common."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

TOKENIZER_FILE = "tokenizer.model"


class Part(BaseModel):
    """Base of the manifest's parts: frozen, and an unknown field is a fault."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class TokenizerSettings(Part):
    """How text becomes ids."""

    kind: Literal["sentencepiece"] = "sentencepiece"
    file: str = TOKENIZER_FILE
    vocabulary_size: int = Field(gt=0)
    spaced_signs: bool = False
    """Whether ids are those of a text with spaces behind opening signs, see `model_store/contract/spaced_signs.py`."""
    charsmap: Literal["nmt_nfkc"] | None = None
    """The rule whose character map the file leaves to this package, see `model_store/contract/charsmap.py`; None: the
    file has its own."""
    formality: bool = False
    """Whether a mark behind a source asks for formality, see `model_store/contract/formality.py`."""


class FileDigest(Part):
    """A file of the bundle."""

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    size_bytes: int = Field(ge=0)


class Alignment(Part):
    """Which attention slice is the default alignment, and how good it is."""

    layer: int = Field(ge=1)
    head: int | Literal["mean"]
    """Head, from 1, or the mean of the layer's heads."""
    shift: Literal[0, 1] = 0
    """0: a target word's row is that of the step which wrote it; 1: that of the step after, which has read it."""
    alignment_error_rate: float | None = Field(default=None, ge=0, le=1)
    """Och and Ney 2003, each target word linked to the source word that it attends to most; None: not measured."""
    test_set: str | None = None
    """What it was measured on."""


class LeftoverLinks(Part):
    """A second attention slice, for words that the first one leaves without a link. Most are clitic pronouns, which a
    statistical aligner leaves alone, and so does a head that learnt from it."""

    layer: int = Field(ge=1)
    head: int = Field(ge=1)
    least_weight: float = Field(ge=0, le=1)
    """A target word without a link is linked to the unlinked source word that it attends to most, if the weight is at
    least this. Both are words, not punctuation."""


class Links(Part):
    """How links between words are read from attention."""

    layer: int = Field(ge=1)
    head: int | Literal["mean"]
    """Head, from 1, or the mean of the layer's heads."""
    shift: Literal[0, 1] = 0
    """As for `Alignment`."""
    least_weight: float = Field(ge=0, le=1)
    """A target word is linked to the source word with the largest weight, if that is at least this and more than the
    end token's."""
    leftover: LeftoverLinks | None = None
    """None: words without a link stay so."""
    alignment_error_rate: float | None = Field(default=None, ge=0, le=1)
    """Of these links (Och and Ney 2003); None: not measured."""
    test_set: str | None = None
    """What it was measured on."""


class SliceQuality(Part):
    """How well one attention slice links words, measured on the test set that `links` names."""

    layer: int = Field(ge=1)
    head: int = Field(ge=1)
    shift: Literal[0, 1] = 0
    """As for `Links`."""
    alignment_error_rate: float = Field(ge=0, le=1)
    """Each target word linked to the source word that it attends to most, unless that is the end token."""
    entropy: float = Field(ge=0)
    """Mean entropy of a target word's row over its largest value: 0 looks at one place, 1 everywhere alike."""
    confident_share: float = Field(ge=0, le=1)
    """Share of target words with a source word of at least half of the weight."""


class Confidence(Part):
    """How the server tells how likely a translation is usable: see `model_store/contract/confidence.py`."""

    weights: dict[str, float]
    """A weight for each feature."""
    intercept: float
    area_under_curve: float | None = Field(default=None, ge=0, le=1)
    """Of the receiver operating characteristic, on text that the weights were not fitted on; None: not measured."""
    bad_chrf: float = 30.0
    """A translation with less chrF than this against its reference counted as unusable."""
    test_set: str | None = None
    """What it was measured on."""


class Quality(Part):
    """One measurement of translation quality."""

    metric: str
    """For example BLEU."""
    score: float
    test_set: str
    num_sentences: int = Field(gt=0)
    beam_size: int = Field(ge=1)
    precision: Literal["float32", "int8"]
    """Precision of the weights that were measured; a float32 row beside an int8 one shows the loss."""
    signature: str
    """sacreBLEU's signature, which names tokenizer, case and version."""


class TrainingData(Part):
    """What the model was trained on."""

    description: str
    licence: str
    attribution: str = ""


class Training(Part):
    """Where the weights come from."""

    recipe: dict[str, Any]
    """The recipe as it was run."""
    data: tuple[TrainingData, ...]
    num_tokens: int = Field(ge=0)
    """Source and target tokens trained on."""
    started_from: str = ""
    """`name@version` of the model whose weights the run began with; empty for a run from nothing."""
    seconds: float = Field(ge=0)
    """Time spent in optimiser steps."""
    device: str = ""
    """The processor or GPU that the run ended on; empty where a bundle does not say."""
