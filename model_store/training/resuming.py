"""Whether a checkpoint may go on under a recipe that has changed, and what to tell the user."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from model_store.training.recipe import Recipe, RecipeError, stored_recipe

_DECIDES_THE_NETWORK = {"source", "target", "architecture", "model", "vocabulary"}
_NO_CONCERN_OF_TRAINING = {"evaluation", "alignment"}


def recipe_changes(stored: Mapping[str, Any], now: Recipe) -> list[str]:
    """One line, `training.seed: 1 -> 2`, for each value of `now` that a checkpoint's stored recipe does not share.

    Raises RecipeError when a checkpoint of the stored recipe cannot go on under `now`.
    """
    try:
        before = stored_recipe(stored)
    except ValidationError as error:
        raise RecipeError("the checkpoint is from another release of Attendant; use --fresh to start again") from error
    changes = list(_changes(before, now))
    other_network = [change for part, change in changes if part in _DECIDES_THE_NETWORK]
    if other_network:
        raise RecipeError(
            f"the checkpoint has another network ({'; '.join(other_network)}); use --fresh to start again"
        )
    return [change for _, change in changes]


def _changes(before: Recipe, now: Recipe) -> Iterator[tuple[str, str]]:
    """(part of the recipe, change)."""
    old, new = (dict(_flat(recipe.model_dump(exclude=_NO_CONCERN_OF_TRAINING))) for recipe in (before, now))
    for key in {**old, **new}:
        if old.get(key) != new.get(key):
            yield key.split(".")[0], f"{key}: {old.get(key)!r} -> {new.get(key)!r}"


def _flat(values: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value
