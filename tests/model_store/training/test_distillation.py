"""A network learns from a larger one: what the loss says, what is handed over, and that the teacher comes first."""

from __future__ import annotations

import sys
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from click.testing import CliRunner
from torch.nn import functional

from model_store.commands.train import train
from model_store.contract.tokenizer import PAD_ID
from model_store.data.batching import Batch
from model_store.training import schedule
from model_store.training.checkpoint import load
from model_store.training.distillation import Teacher
from model_store.training.epochs import Epochs
from model_store.training.finished import open_run
from model_store.training.folder import RunFolder
from model_store.training.loop import Run
from model_store.training.loss import CHUNK_ROWS, Taught, projected_cross_entropy
from model_store.training.recipe import Recipe, RecipeError
from tests.model_store.training.recipes import toml

NEVER = 1e9
SHORT = {"num_tokens": 2_000, "num_validations": 1}


def taught(rows: int, share: float) -> tuple[Taught, list[torch.Tensor], torch.Tensor]:
    generator = torch.Generator().manual_seed(rows)
    hidden, weight, bias = (
        torch.randn(*shape, generator=generator, dtype=torch.float64) for shape in ((rows, 12), (30, 12), (30,))
    )
    parameters = [
        torch.randn(*shape, generator=generator, dtype=torch.float64, requires_grad=True)
        for shape in ((rows, 8), (30, 8), (30,))
    ]
    return Taught(hidden, weight, bias, share), parameters, torch.randint(0, 30, (rows,), generator=generator)


@pytest.mark.parametrize("rows", [1, 7, CHUNK_ROWS + 3])
@pytest.mark.parametrize(("share", "smoothing"), [(0.3, 0.0), (0.7, 0.1), (1.0, 0.1)])
def test_value_and_gradients_are_those_of_two_cross_entropies(rows: int, share: float, smoothing: float) -> None:
    teacher, parameters, labels = taught(rows, share)
    hidden, weight, bias = parameters
    ours, nll = projected_cross_entropy(hidden, weight, bias, labels, smoothing, teacher)
    logits = functional.linear(hidden, weight, bias)
    wanted = torch.softmax(functional.linear(teacher.hidden, teacher.weight, teacher.bias), dim=-1)
    with_labels = functional.cross_entropy(logits, labels, reduction="sum", label_smoothing=smoothing)
    theirs = (1 - share) * with_labels + share * functional.cross_entropy(logits, wanted, reduction="sum")
    torch.testing.assert_close(ours, theirs)
    torch.testing.assert_close(nll, functional.cross_entropy(logits, labels, reduction="sum"))
    torch.testing.assert_close(torch.autograd.grad(2 * ours, parameters), torch.autograd.grad(2 * theirs, parameters))


def with_teacher(recipe: Recipe, **distillation: Any) -> Recipe:
    """`recipe`, short, which learns from a teacher."""
    values = recipe.model_dump()
    values["training"] |= SHORT
    return Recipe.model_validate({**values, "distillation": {"teacher": "teacher.toml", **distillation}})


@pytest.fixture(scope="module")
def teacher_folder(tmp_path_factory: pytest.TempPathFactory, recipe: Recipe, corpus: Path) -> Path:
    folder = tmp_path_factory.mktemp("teacher")
    wide = {"name": "xx-yy-teacher", "model": {**recipe.model, "hidden_size": 48}}
    large = recipe.model_copy(update={**wide, "training": recipe.training.model_copy(update=SHORT)})
    assert Run(large, corpus, folder, save_every_s=NEVER).train()
    return folder


def loss_of(run: Run, batch: Batch) -> float:
    torch.manual_seed(0)  # of dropout
    return float(run._loss(batch).loss.detach())


def test_a_network_that_learns_from_its_teacher_alone_pays_no_heed_to_the_labels(
    recipe: Recipe, corpus: Path, teacher_folder: Path, tmp_path: Path
) -> None:
    alone, half = (with_teacher(recipe, share=share) for share in (1.0, 0.5))
    runs = [Run(each, corpus, tmp_path / str(i), teacher=Teacher.of_run(teacher_folder, each))
            for i, each in enumerate((alone, half))]  # fmt: skip
    batch = next(iter(runs[0].batches()))
    other = replace(batch, labels=np.where(batch.labels == PAD_ID, PAD_ID, 7))
    assert loss_of(runs[0], batch) == pytest.approx(loss_of(runs[0], other))
    assert loss_of(runs[1], batch) != pytest.approx(loss_of(runs[1], other), rel=1e-3)


def test_a_run_has_its_teachers_vocabulary_and_leaves_the_teacher_as_it_was(
    recipe: Recipe, corpus: Path, teacher_folder: Path, tmp_path: Path
) -> None:
    plan = with_teacher(recipe)
    teacher = Teacher.of_run(teacher_folder, plan)
    before = {name: tensor.clone() for name, tensor in teacher.model.state_dict().items()}
    assert Run(plan, corpus, tmp_path, save_every_s=NEVER, teacher=teacher).train()
    assert RunFolder(tmp_path).tokenizer.read_bytes() == RunFolder(teacher_folder).tokenizer.read_bytes()
    torch.testing.assert_close(teacher.model.state_dict(), before, rtol=0, atol=0)


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"source": "zz"}, "the teacher xx-yy-teacher translates xx-yy, the recipe zz-yy"),
        (
            {"vocabulary": {"size": 330}},
            r"\[vocabulary\] of xx-yy-toy is another one than that of its teacher xx-yy-teacher",
        ),
        ({"distillation": None}, r"xx-yy-toy has no \[distillation\]; give it one, or train it without a teacher"),
    ],
)
def test_a_teacher_that_does_not_fit_is_refused(
    recipe: Recipe, teacher_folder: Path, changed: dict[str, Any], reason: str
) -> None:
    values = {**with_teacher(recipe).model_dump(), **changed}
    with pytest.raises(RecipeError, match=f"^{reason}$"):
        Teacher.of_run(teacher_folder, Recipe.model_validate(values))


def arrays(batches: list[Batch]) -> list[list[list[int]]]:
    return [batch.labels.tolist() for batch in batches]


@pytest.mark.parametrize("first", [0, 2])
def test_epochs_that_other_processes_prepare_are_the_same(
    recipe: Recipe, corpus: Path, tmp_path: Path, first: int
) -> None:
    run = Run(recipe, corpus, tmp_path)
    epochs = Epochs(run.material, run.training)
    here, there = (epochs.following(3, first, num_workers) for num_workers in (0, 2))
    for _ in range(3):
        ours, theirs = arrays(list(next(here))), arrays(list(next(there)))
        assert ours
        assert ours == theirs


def test_preparing_epochs_elsewhere_leaves_the_weights_as_they_are(
    recipe: Recipe, corpus: Path, tmp_path: Path
) -> None:
    plan = recipe.model_copy(update={"training": recipe.training.model_copy(update=SHORT)})
    for workers in (0, 1):
        assert Run(plan, corpus, tmp_path / str(workers), save_every_s=NEVER, num_workers=workers).train()
    one, other = (load(RunFolder(tmp_path / str(workers)).weights)["weights"] for workers in (0, 1))
    torch.testing.assert_close(one, other, rtol=0, atol=0)


def test_the_command_trains_the_teacher_first_and_once(
    recipe_values: dict[str, Any], corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    values = {**recipe_values, "training": {**recipe_values["training"], **SHORT}}
    Path("teacher.toml").write_text(toml({**values, "name": "teacher"}))
    Path("student.toml").write_text(toml({**values, "name": "student", "distillation": {"teacher": "teacher.toml"}}))
    command = ["student.toml", "--data", str(corpus), "--threads", "1"]
    first = CliRunner().invoke(train, command)
    assert first.exit_code == 0, first.output
    told = ["student learns from teacher, which is trained first", "finished: runs/teacher/weights.pt",
            "the run learns from teacher, 50%, and from text", "finished: runs/student/weights.pt"]  # fmt: skip
    places = [first.output.index(line) for line in told]
    assert places == sorted(places)
    again = CliRunner().invoke(train, [*command, "--fresh"])
    assert again.exit_code == 0, again.output
    assert "trained first" not in again.output
    assert "finished: runs/student/weights.pt" in again.output
    looks = count()
    clock = SimpleNamespace(monotonic=lambda: next(looks) / 100)  # it moves on at each look at it
    monkeypatch.setattr(schedule, "time", clock)
    monkeypatch.setattr(sys.modules["model_store.commands.train"], "time", clock)
    timed = CliRunner().invoke(train, [*command, "--fresh", "--minutes", "0.05", "--runs", "timed"])
    assert timed.exit_code == 0, timed.output
    assert timed.output.count("minutes to train") == 2
    assert "finished: timed/teacher/weights.pt" in timed.output
    assert "finished: timed/student/weights.pt" in timed.output


@pytest.mark.parametrize("files", [("itself",), ("one", "other"), ("one", "other", "third")])
def test_recipes_that_learn_from_one_another_are_refused(
    recipe_values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, its_teacher in zip(files, (*files[1:], files[0]), strict=True):
        learns = {"name": name, "distillation": {"teacher": f"{its_teacher}.toml"}}
        Path(f"{name}.toml").write_text(toml({**recipe_values, **learns}))
    found = CliRunner().invoke(train, [f"{files[0]}.toml", "--data", ".", "--threads", "1"])
    assert found.exit_code == 1
    assert (
        f"distillation.teacher '{files[0]}.toml' of {files[-1]} has the name of a recipe that learns from it, "
        f"{files[0]}, and so its run's folder; give the teacher's recipe another name"
    ) in found.output


def test_a_run_that_goes_on_learns_from_the_model_that_it_begins_with(
    recipe: Recipe, corpus: Path, teacher_folder: Path, tmp_path: Path
) -> None:
    begun = open_run(teacher_folder)
    plan = with_teacher(recipe.model_copy(update={"model": begun.recipe.model}), teacher="start", share=1.0)
    run = Run(plan, corpus, tmp_path, save_every_s=NEVER, start=begun, teacher=Teacher(begun, plan))
    assert RunFolder(tmp_path).tokenizer.read_bytes() == begun.tokenizer_model
    run.step(next(iter(run.batches())))
    moved = any(not torch.equal(own, begun.model.state_dict()[name]) for name, own in run.model.state_dict().items())
    assert moved, "dropout makes it differ from its teacher"
    assert not any(weight.requires_grad for weight in begun.model.parameters())


def test_a_run_that_learns_from_what_it_begins_with_must_begin_with_something(
    recipe_values: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("on.toml").write_text(toml({**recipe_values, "name": "on", "distillation": {"teacher": "start"}}))
    found = CliRunner().invoke(train, ["on.toml", "--data", ".", "--threads", "1"])
    assert found.exit_code == 1
    assert "on learns from the model that it begins with; name that with --from BUNDLE" in found.output
