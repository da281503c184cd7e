"""A checkpoint of another library as a finished run, which is exported like any other."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from model_store.architectures.transformer import Transformer
from model_store.contract.errors import faults_of
from model_store.contract.tokenizer import Tokenizer
from model_store.importing.marian import MarianCheckpoint
from model_store.training.finished import FinishedRun
from model_store.training.recipe import Recipe, RecipeError

MAX_SENTENCE_TOKENS = 255
"""Longest source that a bundle of an imported model takes, where its positions reach so far."""


def recipe_of(checkpoint: MarianCheckpoint, values: dict[str, Any]) -> Recipe:
    """A recipe for what was trained elsewhere: `values` are its name, languages and `[data]`, without training text.

    Raises RecipeError with every fault.
    """
    network = checkpoint.network
    training = {
        "num_tokens": 1,  # which nobody here has seen
        "max_sentence_tokens": min(MAX_SENTENCE_TOKENS, network["max_positions"] - 1),
        "most_words": 0,
    }
    own = {
        "architecture": Transformer.name,
        "model": network,
        "vocabulary": {"size": len(checkpoint.vocabulary.places), "spaced_signs": False},
        "training": training,
    }
    try:
        return Recipe.model_validate(values | own)
    except ValidationError as error:
        raise RecipeError(faults_of(error)) from error


def imported(checkpoint: MarianCheckpoint, recipe: Recipe, origin: str) -> FinishedRun:
    """The run. `origin` is what its manifest calls the model. Raises CheckpointFormatError and RecipeError."""
    vocabulary = checkpoint.vocabulary
    try:
        model = Transformer.from_config({"vocabulary_size": len(vocabulary.places), **recipe.model})
    except ValueError as error:
        raise RecipeError(f"model: {error}") from error
    model.load_state_dict(checkpoint.state())
    progress = {"tokens": 0, "seconds": 0.0, "started_from": origin, "device": ""}
    return FinishedRun(recipe, model.eval(), Tokenizer(vocabulary.model), vocabulary.model, progress)
