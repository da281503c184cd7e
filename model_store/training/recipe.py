"""A recipe: everything that decides what a training run does, in one small TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from model_store.contract.errors import faults_of
from model_store.data.shares import VariationPart

RECIPES = Path(__file__).parent.parent / "recipes"
"""The recipes of published models."""


class RecipeError(ValueError):
    """A recipe that cannot be used; the message names every faulty field."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DataPart(_Part):
    """Where the text comes from."""

    train: str
    """Tab-separated training file, relative to the data folder; empty where a model was trained elsewhere."""
    valid: str
    """Tab-separated file that checkpoints are judged by; never a test file."""
    source_column: int = Field(default=0, ge=0)
    """Column of the source language, counted from 0."""
    target_column: int = Field(default=1, ge=0)
    """Column of the target language, counted from 0."""
    description: str
    """Source of the data, for the manifest."""
    licence: str
    """Licence of the data, for the manifest."""
    attribution: str = ""
    """Who must be named, for the manifest."""


class VocabularyPart(_Part):
    """The joint subword vocabulary."""

    size: int = Field(default=8000, ge=300)
    """V: number of pieces, of which 256 are bytes and 4 are special."""
    spaced_signs: bool = True
    """Whether the network reads and writes a space behind opening brackets and quotation marks."""


class TrainingPart(_Part):
    """The optimisation."""

    num_tokens: int = Field(gt=0)
    """Source and target tokens to train on in all."""
    batch_tokens: int = Field(default=4096, ge=64)
    """Padded source and target tokens of a batch, at most."""
    peak_learning_rate: float = Field(default=1e-3, gt=0)
    """AdamW's learning rate between warm-up and decay."""
    warmup_steps: int = Field(default=1000, ge=1)
    """Steps over which the learning rate rises from 0."""
    decay_fraction: float = Field(default=0.5, gt=0, le=1)
    """Last part of the run, in tokens, over which the learning rate falls linearly to 0."""
    label_smoothing: float = Field(default=0.1, ge=0, lt=1)
    """Probability mass spread over the whole vocabulary."""
    gradient_clip: float = Field(default=1.0, gt=0)
    """Largest L2 norm of the gradient."""
    weight_decay: float = Field(default=0.01, ge=0)
    """AdamW's decoupled weight decay."""
    max_sentence_tokens: int = Field(default=100, ge=4)
    """Longer training pairs are left out."""
    most_words: int = Field(default=30, ge=0)
    """For the manifest: longer sentences are translated in parts, cut at clauses. 0 where text of long sentences is
    learnt from."""
    num_validations: int = Field(default=14, ge=1)
    """How often the run stops to translate validation sentences, evenly spaced."""
    num_validation_sentences: int = Field(default=400, ge=1)
    """Validation sentences, from the top of the file."""
    average_last: int = Field(default=4, ge=1)
    """How many of the newest validated checkpoints are averaged at the end; 1 turns averaging off."""
    joined_fraction: float = Field(default=0.0, ge=0, le=1)
    """Share of the training pairs that each epoch joins, 2 to 5 at a time, into longer ones; 0 turns it off. With
    variation, `variation.joined` says it instead."""
    seed: int = 1
    """Seed of everything random."""
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    """bfloat16 autocast, or float32; auto times a few steps of each and takes the faster."""


class GuidedHead(_Part):
    """A decoder head that learns links."""

    layer: int = Field(ge=1)
    head: int = Field(ge=1)
    shift: Literal[0, 1] = 0
    """0: the step that writes a word looks at the word's source. 1: the step after it does, which has read the word."""


class GuidedPart(_Part):
    """Guided alignment: see `model_store/training/guidance.py`."""

    weight: float = Field(default=0.3, gt=0)
    """Factor of each head's cross-entropy beside the translation's."""
    heads: tuple[GuidedHead, ...] = Field(min_length=1)


class DistillationPart(_Part):
    """Learning from a larger network: see `model_store/training/distillation.py`."""

    teacher: str
    """The teacher's recipe: the name of a published one, or a .toml file. It is trained first. Or `start`: the model
    that the run begins with."""
    share: float = Field(default=0.5, gt=0, le=1)
    """Of what the teacher says in the loss; the rest is the text's."""


class EvaluationPart(_Part):
    """A test set that exported bundles are measured on; never used in training."""

    name: str
    """How the manifest and the documentation call it."""
    file: str
    """Tab-separated file, relative to the data folder."""
    source_column: int = Field(default=0, ge=0)
    target_column: int = Field(default=1, ge=0)
    """Column of the only reference."""


class AlignmentPart(_Part):
    """Gold word alignments. The default attention slice is chosen on one file and measured on another."""

    choose: str
    """File on which the best slice is chosen, relative to the data folder."""
    test: str
    """File whose error rate the manifest reports."""
    name: str
    """How the manifest calls the test file."""
    reverse: bool = False
    """Whether the files' first language is the model's target."""


class Recipe(_Part):
    """One model to train."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,62}$")
    """The bundle's name."""
    source: str = Field(pattern=r"^[a-z]{2,3}$")
    """Source language code."""
    target: str = Field(pattern=r"^[a-z]{2,3}$")
    """Target language code."""
    architecture: str
    """Registry name of the architecture."""
    formula: str = ""
    """The paper's idea in LaTeX, for the gallery."""
    model: dict[str, Any]
    """The architecture's own configuration, without vocabulary_size."""
    data: DataPart
    vocabulary: VocabularyPart = VocabularyPart()
    training: TrainingPart
    variation: VariationPart | None = None
    """How often training pairs take another form; None trains on them as they are."""
    guided: GuidedPart | None = None
    """Heads that learn the links of a statistical aligner; None guides none."""
    distillation: DistillationPart | None = None
    """A larger network to learn from; None learns from text alone."""
    evaluation: tuple[EvaluationPart, ...] = ()
    alignment: AlignmentPart | None = None

    @model_validator(mode="after")
    def _joins_what_it_links(self) -> Recipe:
        if self.guided is not None and self.variation is None and self.training.joined_fraction > 0:
            raise ValueError(
                f"training.joined_fraction is {self.training.joined_fraction}, but pairs with links are joined by "
                "variation.joined alone; leave joined_fraction out, or give [variation]"
            )
        return self


def stored_recipe(values: Mapping[str, Any]) -> Recipe:
    """The recipe that a run or a bundle keeps; those of releases which knew no spaced signs had none.

    Raises ValidationError when it is of another release.
    """
    vocabulary = values.get("vocabulary", {})
    spaced = {"spaced_signs": False, **vocabulary} if isinstance(vocabulary, Mapping) else vocabulary
    return Recipe.model_validate({**values, "vocabulary": spaced})


def load_recipe(name_or_path: str) -> Recipe:
    """Read a recipe by file path, or by the name of a published one. Raises RecipeError with every fault.

    `base` names a file, relative to the recipe's own folder, whose values hold where the recipe says nothing; or
    several, of which a later one goes before an earlier one.
    """
    path = Path(name_or_path)
    if path.suffix != ".toml":
        path = next(RECIPES.rglob(f"{name_or_path}.toml"), RECIPES / f"{name_or_path}.toml")
    if not path.is_file():
        known = ", ".join(sorted(p.stem for p in RECIPES.rglob("*.toml") if not p.stem.startswith("base")))
        raise RecipeError(f"recipe {name_or_path!r} does not exist; name a .toml file or one of: {known}")
    try:
        return Recipe.model_validate(_values(path))
    except ValidationError as error:
        raise RecipeError(f"{path}: {faults_of(error)}") from error


def _values(path: Path) -> dict[str, Any]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise RecipeError(f"{path}: not TOML: {error}") from error
    base = values.pop("base", [])
    merged: dict[str, Any] = {}
    for name in base if isinstance(base, list) else [base]:
        below = path.parent / str(name)
        if not below.is_file():
            raise RecipeError(f"{path}: base: {below} does not exist")
        merged = _merged(merged, _values(below))
    return _merged(merged, values)


def _merged(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """`above` over `below`, table by table."""
    both = {name: (below[name], above[name]) for name in below.keys() & above.keys()}
    tables = {n: _merged(*pair) for n, pair in both.items() if all(isinstance(each, dict) for each in pair)}
    return {**below, **above, **tables}
