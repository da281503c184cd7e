"""Recipes: the published ones load, and a faulty one is told all its faults."""

from __future__ import annotations

from pathlib import Path

import pytest

from model_store.architectures import ARCHITECTURES, architecture
from model_store.training.preparation import build_model
from model_store.training.recipe import RECIPES, Recipe, RecipeError, load_recipe

PUBLISHED = sorted(path.stem for path in RECIPES.rglob("*.toml") if not path.stem.startswith("base"))


def test_there_are_published_recipes() -> None:
    assert {"en-fr-transformer", "en-fr-bahdanau"} <= set(PUBLISHED)


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_recipe_loads_and_builds_its_network(name: str) -> None:
    recipe = load_recipe(name)
    assert recipe.name == name.removesuffix("-refined").removesuffix("-distilled")
    assert build_model(recipe, vocabulary_size=300).name == architecture(recipe.architecture).name


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_recipe_never_trains_or_judges_on_a_test_file(name: str) -> None:
    data = load_recipe(name).data
    assert data.train != data.valid
    assert "test" not in data.train + data.valid


def test_a_recipe_is_loaded_from_a_path(tmp_path: Path) -> None:
    copy = tmp_path / "mine.toml"
    copy.write_text((RECIPES / "en-fr-transformer.toml").read_text())
    assert load_recipe(str(copy)) == load_recipe("en-fr-transformer")


def test_a_missing_recipe_lists_those_there_are() -> None:
    with pytest.raises(RecipeError, match=r"'nope' does not exist; .* en-fr-bahdanau, .*en-fr-transformer, "):
        load_recipe("nope")


def test_what_is_not_toml_is_named(tmp_path: Path) -> None:
    (tmp_path / "r.toml").write_text("name = ")
    with pytest.raises(RecipeError, match=r"r\.toml: not TOML"):
        load_recipe(str(tmp_path / "r.toml"))


def test_every_faulty_field_is_named_at_once(tmp_path: Path) -> None:
    text = (RECIPES / "en-fr-transformer.toml").read_text()
    text = text.replace('source = "en"', 'source = "English"').replace("num_tokens", "number_of_tokens")
    (tmp_path / "r.toml").write_text(text)
    with pytest.raises(RecipeError) as caught:
        load_recipe(str(tmp_path / "r.toml"))
    for field in ("source:", "training.num_tokens:", "training.number_of_tokens:"):
        assert field in str(caught.value)


def test_an_unknown_architecture_lists_those_there_are(recipe: Recipe) -> None:
    known = ", ".join(sorted(ARCHITECTURES))
    with pytest.raises(RecipeError, match=f"'nope' is unknown; known: {known}$"):
        build_model(recipe.model_copy(update={"architecture": "nope"}), 300)


def test_an_unknown_size_of_the_network_is_named(recipe: Recipe) -> None:
    with pytest.raises(RecipeError, match="num_wings"):
        build_model(recipe.model_copy(update={"model": {**recipe.model, "num_wings": 2}}), 300)


def test_a_base_says_what_the_recipe_does_not(tmp_path: Path) -> None:
    (tmp_path / "base.toml").write_text((RECIPES / "en-fr-transformer.toml").read_text())
    own = tmp_path / "own.toml"
    own.write_text('base = "base.toml"\nname = "own"\n[training]\nnum_tokens = 7\n')
    recipe, base = load_recipe(str(own)), load_recipe("en-fr-transformer")
    assert (recipe.name, recipe.training.num_tokens) == ("own", 7)
    assert recipe.training.peak_learning_rate == base.training.peak_learning_rate
    assert recipe.data == base.data


def test_the_later_of_two_bases_goes_before_the_earlier_one(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text((RECIPES / "en-fr-transformer.toml").read_text())
    (tmp_path / "two.toml").write_text("[training]\nnum_tokens = 7\nwarmup_steps = 5\n")
    own = tmp_path / "own.toml"
    own.write_text('base = ["one.toml", "two.toml"]\n[training]\nnum_tokens = 9\n')
    recipe, base = load_recipe(str(own)), load_recipe("en-fr-transformer")
    assert (recipe.training.num_tokens, recipe.training.warmup_steps) == (9, 5)
    assert recipe.training.peak_learning_rate == base.training.peak_learning_rate


def test_a_base_that_is_missing_is_named(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('base = "nowhere.toml"\n')
    with pytest.raises(RecipeError, match=r"base: .*nowhere\.toml does not exist"):
        load_recipe(str(own))
