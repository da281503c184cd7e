"""What GET /v1/models and GET /v1/languages say, made once at start from the manifests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NotRequired

from pydantic import with_config
from typing_extensions import TypedDict

from model_store.contract.formality import MARKED_LANGUAGES
from model_store.contract.manifest import Manifest
from model_store.contract.state import AttentionSlice
from service.api.answers import DOCUMENTED
from service.api.catalogue import Catalogue
from service.attention.selection import exported_slices, slices_of


@with_config(DOCUMENTED)
class LayerListing(TypedDict):
    """A layer whose attention can be asked for."""

    layer: int
    """Counted from 1 at the bottom."""
    heads: list[int]
    """Counted from 1; `mean` and `all` can be asked for as well."""


@with_config(DOCUMENTED)
class LeftoverListing(TypedDict):
    """The slice that links words which the first slice left without a link."""

    layer: int
    head: int
    least_weight: float


@with_config(DOCUMENTED)
class LinksListing(TypedDict):
    """Where alignments come from."""

    layer: int
    head: int | Literal["mean"]
    shift: int
    """0: a word's row is of the step that wrote it; 1: of the step after, which has read it."""
    least_weight: float
    """Least attention that makes a link."""
    leftover: LeftoverListing | None
    """Where links of words come from that have none after that."""
    alignment_error_rate: float | None
    test_set: str | None
    """What the error rate was measured on."""


@with_config(DOCUMENTED)
class AttentionListing(TypedDict):
    """The attention that a model exports."""

    kinds: list[str]
    """Which of `cross`, `encoder` and `decoder` there are."""
    layers: list[LayerListing]
    """Decoder layers whose attention over the source can be asked for."""
    encoder_layers: NotRequired[list[LayerListing]]
    """Encoder layers, where the source's attention over itself can be asked for."""
    decoder_layers: NotRequired[list[LayerListing]]
    """Decoder layers, where attention over the target can be asked for."""
    default_layer: NotRequired[int]
    """Missing where there is no attention."""
    default_head: NotRequired[int | Literal["mean"]]
    default_row_of: NotRequired[Literal["next_step"]]
    """As `row_of` of a map in an answer."""
    alignment_error_rate: NotRequired[float]
    """Of the default slice, 0 to 1, on word-level links (Och and Ney 2003)."""
    alignment_test_set: NotRequired[str]
    links: NotRequired[LinksListing]
    """Where alignments come from; without it, from the default map."""


@with_config(DOCUMENTED)
class QualityListing(TypedDict):
    """One measurement of translation quality."""

    metric: str
    score: float
    test_set: str
    num_sentences: int
    beam_size: int
    precision: str
    signature: str
    """sacreBLEU's signature: tokenizer, case and version."""


@with_config(DOCUMENTED)
class DataListing(TypedDict):
    """Training data and its licence."""

    description: str
    licence: str
    attribution: str


@with_config(DOCUMENTED)
class FileListing(TypedDict):
    """A file of the bundle."""

    name: str
    sha256: str
    size_bytes: int


@with_config(DOCUMENTED)
class ModelListing(TypedDict):
    """A model that is served."""

    name: str
    version: str
    architecture: str
    paper: str
    source: str
    target: str
    is_default: bool
    """Whether it answers requests that name only its language pair; a canary may take a share of them."""
    precision: str
    runtime: str | None
    """What runs it: `kernels` of this processor, or `onnxruntime`, which is slower; null: not told."""
    num_parameters: int
    max_source_tokens: int
    """Subwords per segment, end token included; longer segments are cut."""
    max_target_tokens: int
    attention: AttentionListing
    formality: Literal["learnt", "searched"] | None
    """Whether the model has learnt to say *tu* or *vous*, *du* or *Sie*, or a hypothesis is searched that does; null:
    its target language has no such choice."""
    gives_scores: bool
    """Whether POST /v1/score takes it."""
    quality: list[QualityListing]
    confidence_area_under_curve: float | None
    """How well `confidence` tells usable translations from others: 0.5 is chance, 1 always; null: it has none."""
    training_data: list[DataListing]
    licence: str
    """Licence of the weights."""
    files: list[FileListing]


@with_config(DOCUMENTED)
class ModelsAnswer(TypedDict):
    """Every model served, by name, newest version first."""

    models: list[ModelListing]


@with_config(DOCUMENTED)
class PairListing(TypedDict):
    """A language pair and who translates it."""

    source: str
    target: str
    default_model: str
    """`name@version` of the model used when a request names none; a canary may take a share of those."""
    models: list[str]
    """`name@version` of every model of the pair."""


@with_config(DOCUMENTED)
class LanguagesAnswer(TypedDict):
    """Every language pair served."""

    pairs: list[PairListing]


def models_answer(catalogue: Catalogue) -> ModelsAnswer:
    """Every model served."""
    return {"models": [model_listing(manifest, catalogue) for manifest in catalogue.manifests]}


def languages_answer(catalogue: Catalogue) -> LanguagesAnswer:
    """Every language pair served."""
    return {
        "pairs": [
            {
                "source": source,
                "target": target,
                "default_model": catalogue.default_of(source, target).manifest.reference,
                "models": [m.reference for m in catalogue.manifests if (m.source, m.target) == (source, target)],
            }
            for source, target in catalogue.pairs
        ]
    }


def model_listing(manifest: Manifest, catalogue: Catalogue) -> ModelListing:
    """What there is to know about a model."""
    default = catalogue.default_of(manifest.source, manifest.target).manifest
    return {
        "name": manifest.name,
        "version": manifest.version,
        "architecture": manifest.architecture,
        "paper": manifest.paper,
        "source": manifest.source,
        "target": manifest.target,
        "is_default": default.reference == manifest.reference,
        "precision": manifest.precision,
        "runtime": catalogue.runtimes.get(manifest.reference),
        "num_parameters": manifest.num_parameters,
        "max_source_tokens": manifest.limits.max_source_tokens,
        "max_target_tokens": manifest.limits.max_target_tokens,
        "attention": _attention(manifest),
        "formality": _formality(manifest),
        "gives_scores": manifest.teacher_forced is not None,
        "quality": [_plain(measured) for measured in manifest.quality],
        "confidence_area_under_curve": manifest.confidence.area_under_curve if manifest.confidence else None,
        "training_data": [_plain(data) for data in manifest.training.data],
        "licence": manifest.licence,
        "files": [
            {"name": name, "sha256": file.sha256, "size_bytes": file.size_bytes}
            for name, file in sorted(manifest.files.items())
        ],
    }


def _formality(manifest: Manifest) -> Literal["learnt", "searched"] | None:
    if manifest.target not in MARKED_LANGUAGES:
        return None
    return "learnt" if manifest.tokenizer.formality else "searched"


def _attention(manifest: Manifest) -> AttentionListing:
    default = manifest.alignment
    every = exported_slices(manifest)
    listing: AttentionListing = {
        "kinds": sorted({one.kind for one in every}),
        "layers": _layers(manifest.attention_slices),
    }
    if encoder := slices_of(manifest, "encoder"):
        listing["encoder_layers"] = _layers(encoder)
    if decoder := slices_of(manifest, "decoder"):
        listing["decoder_layers"] = _layers(decoder)
    if default is None:
        return listing
    listing |= {
        "default_layer": default.layer,
        "default_head": default.head,
    }
    if default.shift:
        listing["default_row_of"] = "next_step"
    if default.alignment_error_rate is not None:
        listing["alignment_error_rate"] = default.alignment_error_rate
    if default.test_set is not None:
        listing["alignment_test_set"] = default.test_set
    if manifest.links is not None:
        listing["links"] = _plain(manifest.links)
    return listing


def _layers(slices: Sequence[AttentionSlice]) -> list[LayerListing]:
    return [
        {"layer": layer, "heads": sorted(one.head for one in slices if one.layer == layer)}
        for layer in sorted({one.layer for one in slices})
    ]


def _plain(part: Any) -> Any:
    return part.model_dump(mode="json")
