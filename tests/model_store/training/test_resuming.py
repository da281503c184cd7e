"""A changed recipe is told, and one for another network is refused."""

from __future__ import annotations

from typing import Any

import pytest

from model_store.training.recipe import Recipe, RecipeError
from model_store.training.resuming import recipe_changes


def changed(recipe_values: dict[str, Any], part: str, **values: object) -> Recipe:
    return Recipe.model_validate({**recipe_values, part: {**recipe_values[part], **values}})


def test_the_same_recipe_has_no_changes(recipe_values: dict[str, Any], recipe: Recipe) -> None:
    assert recipe_changes(recipe.model_dump(), recipe) == []
    before_spaced_signs = changed(recipe_values, "vocabulary", spaced_signs=False)
    assert recipe_changes(recipe_values, before_spaced_signs) == []


def test_each_changed_value_is_listed(recipe_values: dict[str, Any]) -> None:
    now = changed(recipe_values, "training", num_tokens=50_000, seed=7)
    assert recipe_changes(Recipe.model_validate(recipe_values).model_dump(), now) == [
        "training.num_tokens: 40000 -> 50000",
        "training.seed: 1 -> 7",
    ]


def test_other_test_sets_change_nothing_for_training(recipe_values: dict[str, Any]) -> None:
    now = Recipe.model_validate({**recipe_values, "evaluation": [{"name": "new", "file": "test.tsv"}]})
    assert recipe_changes(Recipe.model_validate(recipe_values).model_dump(), now) == []


@pytest.mark.parametrize(
    "change",
    [{"architecture": "transformer"}, {"model": {"hidden_size": 7}}, {"vocabulary": {"size": 400}}, {"target": "zz"}],
)
def test_a_checkpoint_of_another_network_is_refused(recipe_values: dict[str, Any], change: dict[str, Any]) -> None:
    with pytest.raises(RecipeError, match=r"the checkpoint has another network .*use --fresh to start again"):
        recipe_changes(recipe_values, Recipe.model_validate({**recipe_values, **change}))


def test_a_checkpoint_of_another_release_is_refused(recipe_values: dict[str, Any], recipe: Recipe) -> None:
    with pytest.raises(RecipeError, match="another release"):
        recipe_changes({**recipe_values, "unheard_of": 1}, recipe)
