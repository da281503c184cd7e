"""A run learns, stops when asked, and is the same run however it was interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from model_store.data.batching import Batch
from model_store.data.corpus import CorpusError
from model_store.training import schedule
from model_store.training.checkpoint import load
from model_store.training.finished import open_run
from model_store.training.folder import RunFolder
from model_store.training.loop import Run
from model_store.training.precision import MEMORY_SHARE, MOST_COMPILED_PRODUCTS, PRODUCT_BYTES
from model_store.training.recipe import Recipe, RecipeError
from tests.model_store.training.recipes import toml

NEVER = float("inf")


def weights_of(folder: Path) -> dict[str, torch.Tensor]:
    weights: dict[str, torch.Tensor] = load(RunFolder(folder).weights)["weights"]
    return weights


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, recipe: Recipe, corpus: Path) -> Path:
    """The folder of a run that nothing interrupted."""
    torch.set_num_threads(1)
    folder = tmp_path_factory.mktemp("finished")
    assert Run(recipe, corpus, folder, save_every_s=NEVER).train()
    return folder


def test_the_loss_falls_far(finished: Path) -> None:
    validations = load(RunFolder(finished).checkpoint)["progress"]["validations"]
    assert len(validations) == 3
    first, last = validations[0][1], validations[-1][1]
    assert last < first - 0.5
    assert last < 4.0 < 5.77  # ln(320): a network that knows nothing


def test_a_finished_run_leaves_weights_tokenizer_and_a_picture_of_its_loss(finished: Path) -> None:
    folder = RunFolder(finished)
    values = load(folder.weights)
    assert set(values) == {"recipe", "config", "weights", "validation_bleu", "progress"}
    assert values["progress"]["tokens"] >= values["recipe"]["training"]["num_tokens"]
    assert values["progress"]["device"] == "cpu"
    assert folder.tokenizer.read_bytes()
    assert folder.curve.read_bytes().startswith(b"\x89PNG")
    assert not list(finished.glob("*.partial"))


def test_the_same_recipe_gives_the_same_weights(finished: Path, recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    Run(recipe, corpus, tmp_path, save_every_s=0.0).train()
    torch.testing.assert_close(weights_of(tmp_path), weights_of(finished), rtol=0, atol=0)


def test_a_run_that_was_killed_goes_on_and_ends_as_if_nothing_had_happened(
    finished: Path, recipe: Recipe, recipe_values: dict[str, Any], corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "toy.toml").write_text(toml(recipe_values))
    command = "from model_store.commands.train import train; train()"
    arguments = ["toy.toml", "--data", str(corpus), "--runs", "runs", "--threads", "1", "--save-every", "0"]
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", command, *arguments],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout as lines:
        assert any("validation loss" in line for line in lines)  # it is past its first validation
        process.kill()
    assert process.returncode == -signal.SIGKILL
    folder = tmp_path / "runs" / recipe.name
    stopped_at = load(RunFolder(folder).checkpoint)["progress"]["tokens"]
    assert 0 < stopped_at < recipe.training.num_tokens

    resumed = Run(recipe, corpus, folder, save_every_s=NEVER)
    assert resumed.progress.tokens == stopped_at
    assert resumed.train()
    before, after = load(RunFolder(finished).checkpoint), load(RunFolder(folder).checkpoint)
    for name in ("step", "tokens", "epoch", "batch", "train_losses", "validations"):
        assert after["progress"][name] == before["progress"][name]
    torch.testing.assert_close(weights_of(folder), weights_of(finished), rtol=0, atol=0)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_after_its_step_with_a_checkpoint(
    recipe: Recipe, corpus: Path, tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Run(recipe, corpus, tmp_path, save_every_s=NEVER)
    step = run.step

    def step_and_be_interrupted(batch: Batch) -> int:
        os.kill(os.getpid(), number)
        return step(batch)

    monkeypatch.setattr(run, "step", step_and_be_interrupted)
    assert not run.train()
    assert load(run.folder.checkpoint)["progress"]["step"] == 1


def test_a_run_keeps_more_compiled_products_than_onednn_does(
    finished: Path, recipe: Recipe, corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for told in (None, "5"):
        monkeypatch.delenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", raising=False)
        if told:
            monkeypatch.setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", told)
        Run(recipe, corpus, finished)
        number = int(os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"])
        if told:
            assert number == int(told)
        else:
            memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
            assert 0 < number <= MOST_COMPILED_PRODUCTS
            assert number * PRODUCT_BYTES <= MEMORY_SHARE * memory


def test_a_finished_run_has_nothing_left_to_do(finished: Path, recipe: Recipe, corpus: Path) -> None:
    before = weights_of(finished)
    run = Run(recipe, corpus, finished)
    assert run.train()
    torch.testing.assert_close(weights_of(finished), before, rtol=0, atol=0)


def test_a_lengthened_run_goes_on_and_says_what_changed(recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    short = recipe.model_copy(update={"training": recipe.training.model_copy(update={"num_tokens": 3000})})
    assert Run(short, corpus, tmp_path).train()
    longer = recipe.model_copy(update={"training": recipe.training.model_copy(update={"num_tokens": 6000})})
    run = Run(longer, corpus, tmp_path)
    assert run.changes == ["training.num_tokens: 3000 -> 6000"]
    assert run.train()
    assert run.progress.tokens >= 6000


@pytest.mark.parametrize(("reads", "num_tokens"), [(30, 10_000), (600, 10_000)])
def test_a_run_of_bounded_time_ends_by_the_clock_with_all_its_validations(
    recipe: Recipe, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reads: int, num_tokens: int
) -> None:
    """The clock moves on at each look at it: time is over long before the recipe's tokens, or long after."""
    ticks = count()
    monkeypatch.setattr(schedule, "time", SimpleNamespace(monotonic=lambda: float(next(ticks))))
    short = recipe.model_copy(update={"training": recipe.training.model_copy(update={"num_tokens": num_tokens})})
    run = Run(short, corpus, tmp_path, save_every_s=NEVER)
    assert run.train(seconds=reads)
    assert (run.progress.tokens < num_tokens) == (reads == 30)
    assert run.progress.done >= 1.0
    assert len(run.progress.validations) == short.training.num_validations
    assert weights_of(tmp_path)


def test_another_network_in_the_folder_is_refused(finished: Path, recipe: Recipe, corpus: Path) -> None:
    with pytest.raises(RecipeError, match=r"model\.hidden_size: 32 -> 64.*use --fresh"):
        Run(recipe.model_copy(update={"model": {**recipe.model, "hidden_size": 64}}), corpus, finished)


def test_a_vocabulary_that_the_text_is_too_small_for_is_named(recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    large = recipe.model_copy(update={"vocabulary": recipe.vocabulary.model_copy(update={"size": 30_000})})
    with pytest.raises(RecipeError, match=r"vocabulary\.size 30000 does not fit the text"):
        Run(large, corpus, tmp_path)


def test_a_fresh_start_with_other_data_than_there_is_leaves_the_finished_run(
    finished: Path, recipe: Recipe, corpus: Path, tmp_path: Path
) -> None:
    before = {path.name: path.read_bytes() for path in finished.iterdir()}
    with pytest.raises(CorpusError):
        Run(recipe, tmp_path / "nowhere", finished, fresh=True)
    bad = recipe.model_copy(update={"model": {**recipe.model, "num_wings": 2}})
    with pytest.raises(RecipeError, match="num_wings"):
        Run(bad, corpus, finished, fresh=True)
    assert {path.name: path.read_bytes() for path in finished.iterdir()} == before


def test_a_fresh_start_begins_with_nothing(recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    short = recipe.model_copy(update={"training": recipe.training.model_copy(update={"num_tokens": 3000})})
    assert Run(short, corpus, tmp_path).train()
    assert Run(short, corpus, tmp_path).progress.tokens >= 3000
    assert Run(short, corpus, tmp_path, fresh=True).progress.tokens == 0
    assert not RunFolder(tmp_path).weights.exists()


def test_a_vocabulary_that_was_left_without_a_checkpoint_is_made_anew(
    recipe: Recipe, corpus: Path, tmp_path: Path
) -> None:
    small = recipe.model_copy(update={"vocabulary": recipe.vocabulary.model_copy(update={"size": 310})})
    assert Run(small, corpus, tmp_path).tokenizer.vocabulary_size == 310
    assert Run(recipe, corpus, tmp_path).tokenizer.vocabulary_size == 320


def test_pairs_longer_than_the_network_knows_are_refused(recipe: Recipe, corpus: Path, tmp_path: Path) -> None:
    training = recipe.training.model_copy(update={"max_sentence_tokens": 130})
    longer = recipe.model_copy(update={"architecture": "rctm", "model": {"hidden_size": 32, "dropout": 0.0}})
    with pytest.raises(RecipeError, match=r"max_sentence_tokens is 130, .* at most 121 .* lower it to 120"):
        Run(longer.model_copy(update={"training": training}), corpus, tmp_path)


def test_pairs_that_are_all_too_long_are_named(recipe: Recipe, tmp_path: Path, corpus: Path) -> None:
    short = recipe.model_copy(update={"training": recipe.training.model_copy(update={"max_sentence_tokens": 1})})
    with pytest.raises(CorpusError, match="raise max_sentence_tokens"):
        Run(short, corpus, tmp_path)


def test_a_run_can_begin_with_the_weights_of_a_finished_one(
    tmp_path: Path, recipe: Recipe, corpus: Path, finished: Path
) -> None:
    start = open_run(finished)
    run = Run(recipe, corpus, tmp_path, save_every_s=NEVER, start=start)
    assert run.tokenizer.decode(run.tokenizer.encode("abc")) == start.tokenizer.decode(start.tokenizer.encode("abc"))
    for name, tensor in start.model.state_dict().items():
        torch.testing.assert_close(run.model.state_dict()[name], tensor, rtol=0, atol=0)
    before = run.validation(run.model)[0]
    assert run.train()
    assert load(run.folder.weights)["progress"]["started_from"] == "xx-yy-toy"
    assert load(run.folder.checkpoint)["progress"]["validations"][-1][1] < before + 0.2
    again = Run(recipe, corpus, tmp_path, save_every_s=NEVER, start=start)
    assert again.progress.tokens == run.progress.tokens  # a run that has begun goes on


def test_a_run_can_begin_with_a_network_that_its_recipe_extends(
    tmp_path: Path, recipe: Recipe, corpus: Path, finished: Path
) -> None:
    start = open_run(finished)
    extended = recipe.model_copy(update={"model": {**recipe.model, "word_in_query": True}})
    run = Run(extended, corpus, tmp_path / "extended", save_every_s=NEVER, start=start)
    assert run.validation(run.model) == run.validation(start.model)  # new parameters change nothing yet
    assert run.train()
    assert run.model.state_dict()["word_query.weight"].abs().max() > 0
    back = open_run(tmp_path / "extended")
    with pytest.raises(RecipeError, match="is another network"):
        Run(recipe, corpus, tmp_path / "back", start=back)


def test_a_run_can_begin_with_a_network_that_was_trained_with_other_dropout(
    tmp_path: Path, recipe: Recipe, corpus: Path, finished: Path
) -> None:
    start = open_run(finished)
    changed = recipe.model_copy(update={"model": {**recipe.model, "dropout": 0.5}})
    run = Run(changed, corpus, tmp_path, save_every_s=NEVER, start=start)
    assert run.model.config_values() == {**start.model.config_values(), "dropout": 0.5}
    assert run.validation(run.model) == run.validation(start.model)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"source": "zz"}, "xx-yy-toy translates xx-yy, the recipe other languages"),
        ({"model": {"alignment_size": 8}}, "xx-yy-toy is another network than the recipe's \\[model\\]"),
    ],
)
def test_a_run_does_not_begin_with_a_model_that_it_cannot_use(
    tmp_path: Path, recipe: Recipe, corpus: Path, finished: Path, changes: dict[str, Any], told: str
) -> None:
    changed = {key: {**getattr(recipe, key), **new} if key == "model" else new for key, new in changes.items()}
    with pytest.raises(RecipeError, match=told):
        Run(recipe.model_copy(update=changed), corpus, tmp_path, start=open_run(finished))
