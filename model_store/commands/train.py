"""`attendant train`: one recipe, from parallel text to weights."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra

if TYPE_CHECKING:
    from model_store.training.distillation import Teacher
    from model_store.training.finished import FinishedRun
    from model_store.training.loop import Run
    from model_store.training.recipe import Recipe

# Keep large blocks in the heap instead of mapping and unmapping them at every step (glibc only): fewer page faults.
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "4000000000",
    "MALLOC_TRIM_THRESHOLD_": "8000000000",
    "MALLOC_TOP_PAD_": "100000000",
}


TEACHERS_SHARE = 0.4
"""Of bounded time, where a teacher is trained first."""


@click.command()
@click.argument("recipe")
@click.option("--data", type=EXISTING_FOLDER, required=True, help="Folder that the recipe's file names start from.")
@click.option(
    "--runs", type=FOLDER, default=Path("runs"), show_default=True, help="Folder of runs, one for each recipe."
)
@click.option(
    "--from", "start", type=EXISTING_FOLDER, help="Bundle whose vocabulary and weights a new run begins with."
)
@click.option("--threads", type=click.IntRange(min=1), help="Threads of torch.  [default: one for each core]")
@click.option(
    "--workers",
    type=click.IntRange(min=0),
    help="Processes that prepare epochs ahead, 2 GB of memory each.  [default: 3 with a GPU, else 0]",
)
@click.option(
    "--minutes",
    type=click.FloatRange(min=0, min_open=True),
    help="End after that time instead of the recipe's num_tokens; the learning rate follows the clock.",
)
@click.option("--fresh", is_flag=True, help="Start again instead of going on from the run's checkpoint.")
@click.option(
    "--save-every", type=click.FloatRange(min=0), default=60.0, show_default=True, help="Seconds between checkpoints."
)
def train(
    recipe: str,
    data: Path,
    runs: Path,
    start: Path | None,
    threads: int | None,
    workers: int | None,
    minutes: float | None,
    fresh: bool,
    save_every: float,
) -> None:
    """Train RECIPE: the name of a published recipe, or a .toml file of your own.

    The run goes on from its last checkpoint by itself, also after a crash. Ctrl-C saves one and stops. The teacher that
    a recipe names is trained first; it gets two fifths of --minutes.

    \b
    Examples:
      attendant train en-fr-transformer --data data
      attendant train my-recipe.toml --data ~/corpora --runs ~/runs --threads 8
      attendant train my-recipe.toml --data ~/corpora --from runs/en-fr-transformer/bundle
      attendant train en-fr-transformer-distilled --data data --minutes 25
    """
    need_training_extra("train")
    _tune_allocator()
    options = _Options(data, runs, save_every, fresh, workers)
    end = None if minutes is None else time.monotonic() + 60 * minutes
    with _told_errors():
        from model_store.training.preparation import use_threads
        from model_store.training.recipe import load_recipe

        if threads is not None:
            use_threads(threads)
        _trained(load_recipe(recipe), options, start, end)


@dataclass(frozen=True)
class _Options:
    """The settings of a run and of that of its teacher."""

    data: Path
    runs: Path
    save_every: float
    fresh: bool
    workers: int | None
    pupils: tuple[str, ...] = ()
    """Names of the recipes that wait for this one: the last learns from it, the one before from that, and so on."""


@contextmanager
def _told_errors() -> Iterator[None]:
    """Faults of recipes, data, checkpoints and bundles are told without a traceback."""
    from model_store.contract.errors import StoreError
    from model_store.data.corpus import CorpusError
    from model_store.training.checkpoint import CheckpointError
    from model_store.training.recipe import RecipeError

    try:
        yield
    except (RecipeError, CorpusError, CheckpointError, StoreError) as error:
        raise click.ClickException(str(error)) from error


def _trained(plan: Recipe, options: _Options, start: Path | None = None, end: float | None = None) -> bool:
    """Train `plan`, and its teacher before where that is not finished; returns whether it was not stopped.

    A run that begins with the bundle in `start` has that for a teacher, or none. `end` is the time, on the monotonic
    clock, at which all ends; None: when the recipes' tokens are used up.
    """
    from model_store.contract.bundle import open_bundle
    from model_store.export.weights import finished_of
    from model_store.training.distillation import ITSELF, Teacher
    from model_store.training.folder import RunFolder
    from model_store.training.recipe import RecipeError, load_recipe

    begun = None if start is None else finished_of(open_bundle(start))
    teacher = None
    if plan.distillation is not None and plan.distillation.teacher == ITSELF:
        if begun is None:
            raise RecipeError(f"{plan.name} learns from the model that it begins with; name that with --from BUNDLE")
        teacher = Teacher(begun, plan)
    elif plan.distillation is not None and begun is None:
        own = load_recipe(plan.distillation.teacher)
        pupils = (*options.pupils, plan.name)
        if own.name in pupils:
            raise RecipeError(
                f"distillation.teacher {plan.distillation.teacher!r} of {plan.name} has the name of a recipe that "
                f"learns from it, {own.name}, and so its run's folder; give the teacher's recipe another name"
            )
        folder = options.runs / own.name
        if not RunFolder(folder).weights.exists():
            click.echo(f"{plan.name} learns from {own.name}, which is trained first")
            if not _trained(own, replace(options, pupils=pupils), end=_teachers_end(end)):
                return False
        teacher = Teacher.of_run(folder, plan)
    run = _prepare(plan, options, begun, teacher)
    seconds = None if end is None else _seconds_until(end)
    _announce(run, seconds)
    is_finished = run.train(seconds)
    if is_finished:
        click.echo(f"finished: {run.folder.weights}; loss curve: {run.folder.curve}")
        click.echo(f"next: attendant export {run.folder.path} --out {run.folder.path / 'bundle'} --data {options.data}")
    else:
        click.echo(f"stopped at {run.progress.tokens:,} tokens; the same command goes on from there")
    return is_finished


def _teachers_end(end: float | None) -> float | None:
    return None if end is None else end - (1 - TEACHERS_SHARE) * _seconds_until(end)


def _seconds_until(end: float) -> float:
    """Raises ClickException when there are none."""
    left = end - time.monotonic()
    if left <= 0:
        raise click.ClickException("--minutes were over before the first step; give more")
    return left


def _tune_allocator() -> None:
    """Start this command again with ALLOCATOR in its environment, which glibc reads once, at the start of a process."""
    is_own_process = Path(sys.argv[0]).name == "attendant"
    if is_own_process and platform.libc_ver()[0] == "glibc" and not ALLOCATOR.keys() & os.environ.keys():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **ALLOCATOR})


def _prepare(plan: Recipe, options: _Options, begun: FinishedRun | None, teacher: Teacher | None) -> Run:
    from model_store.training.loop import Run

    click.echo(f"{plan.name}: reading {options.data / plan.data.train}, preparing vocabulary and links")
    return Run(
        plan,
        options.data,
        options.runs / plan.name,
        options.save_every,
        start=begun,
        fresh=options.fresh,
        teacher=teacher,
        num_workers=options.workers,
    )


def _announce(run: Run, seconds: float | None) -> None:
    length = f"{run.training.num_tokens:,} tokens to see" if seconds is None else f"{seconds / 60:.1f} minutes to train"
    num_parameters = sum(p.numel() for p in run.model.parameters())
    click.echo(
        f"{run.recipe.architecture} {run.recipe.source}-{run.recipe.target}: {num_parameters / 1e6:.1f} M parameters, "
        f"{run.tokenizer.vocabulary_size:,} subwords, {run.material.num_pairs:,} pairs, "
        f"{length} in {run.precision} on {run.device}, in {run.folder.path}"
    )
    if run.progress.started_from:
        click.echo(f"the run began with {run.progress.started_from}")
    if run.teacher:
        click.echo(f"the run learns from {run.teacher.name}, {run.teacher.share:.0%}, and from text")
    if run.progress.step:
        click.echo(f"going on from step {run.progress.step:,}, {run.progress.tokens:,} tokens")
    for change in run.changes:
        click.echo(f"warning: the recipe has changed since the checkpoint: {change}", err=True)
