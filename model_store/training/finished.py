"""A finished run: what training left, for who goes on with it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model_store.architectures import architecture
from model_store.architectures.base import Architecture
from model_store.contract.tokenizer import Tokenizer
from model_store.training.checkpoint import CheckpointError, load, save_atomically
from model_store.training.folder import RunFolder
from model_store.training.recipe import Recipe, stored_recipe


@dataclass(frozen=True)
class FinishedRun:
    """A trained model, ready to export."""

    recipe: Recipe
    model: Architecture
    tokenizer: Tokenizer
    tokenizer_model: bytes
    progress: dict[str, Any]
    reference: str = ""
    """`name@version` of the bundle that it was read from."""

    @property
    def name(self) -> str:
        """What to call it."""
        return self.reference or self.recipe.name


def open_run(folder: Path, recipe: Recipe | None = None) -> FinishedRun:
    """Load what training left. `recipe` replaces the stored one where it has newer test sets.

    Raises FileNotFoundError when the run is not finished, CheckpointError when it is of another release.
    """
    files = RunFolder(folder)
    if not files.weights.exists():
        raise FileNotFoundError(f"{files.weights} does not exist; finish the run with `attendant train` first")
    values = load(files.weights)
    try:
        stored = stored_recipe(values["recipe"])
        model = architecture(stored.architecture).from_config(values["config"])
    except (KeyError, ValueError) as error:
        raise CheckpointError(f"{files.weights} is of another release of Attendant; train the recipe anew") from error
    model.load_state_dict(values["weights"])
    tokenizer_model = files.tokenizer.read_bytes()
    chosen = stored if recipe is None else stored.model_copy(update=_measurements(recipe))
    tokenizer = Tokenizer(tokenizer_model, stored.vocabulary.spaced_signs)
    return FinishedRun(chosen, model.eval(), tokenizer, tokenizer_model, values["progress"])


def _measurements(recipe: Recipe) -> dict[str, Any]:
    return {"evaluation": recipe.evaluation, "alignment": recipe.alignment}


def save_run(finished: FinishedRun, folder: Path, validation_bleu: float | None = None) -> None:
    """Write a finished run into the new `folder`, as the end of training does."""
    folder.mkdir(parents=True)
    files = RunFolder(folder)
    files.tokenizer.write_bytes(finished.tokenizer_model)
    values = {
        "recipe": finished.recipe.model_dump(),
        "config": finished.model.config_values(),
        "weights": finished.model.state_dict(),
        "validation_bleu": validation_bleu,
        "progress": finished.progress,
    }
    save_atomically(values, files.weights)
