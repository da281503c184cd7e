"""`attendant train`: one recipe, from parallel text to weights."""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra

if TYPE_CHECKING:
    from model_store.training.loop import Run

# Keep large blocks in the heap instead of mapping and unmapping them at every step (glibc only): fewer page faults.
ALLOCATOR = {
    "MALLOC_MMAP_THRESHOLD_": "4000000000",
    "MALLOC_TRIM_THRESHOLD_": "8000000000",
    "MALLOC_TOP_PAD_": "100000000",
}


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
@click.option("--fresh", is_flag=True, help="Start again instead of going on from the run's checkpoint.")
@click.option(
    "--save-every", type=click.FloatRange(min=0), default=60.0, show_default=True, help="Seconds between checkpoints."
)
def train(
    recipe: str, data: Path, runs: Path, start: Path | None, threads: int | None, fresh: bool, save_every: float
) -> None:
    """Train RECIPE: the name of a published recipe, or a .toml file of your own.

    The run goes on from its last checkpoint by itself, also after a crash. Ctrl-C saves one and stops.

    \b
    Examples:
      attendant train en-fr-transformer --data data
      attendant train my-recipe.toml --data ~/corpora --runs ~/runs --threads 8
      attendant train my-recipe.toml --data ~/corpora --from runs/en-fr-transformer/bundle
    """
    need_training_extra("train")
    _tune_allocator()
    run = _prepare(recipe, data, runs, start, threads, fresh, save_every)
    _announce(run)
    if run.train():
        click.echo(f"finished: {run.folder.weights}; loss curve: {run.folder.curve}")
        click.echo(f"next: attendant export {run.folder.path} --out {run.folder.path / 'bundle'} --data {data}")
    else:
        click.echo(f"stopped at {run.progress.tokens:,} tokens; the same command goes on from there")


def _tune_allocator() -> None:
    """Start this command again with ALLOCATOR in its environment, which glibc reads once, at the start of a process."""
    is_own_process = Path(sys.argv[0]).name == "attendant"
    if is_own_process and platform.libc_ver()[0] == "glibc" and not ALLOCATOR.keys() & os.environ.keys():
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **ALLOCATOR})


def _prepare(
    recipe: str, data: Path, runs: Path, start: Path | None, threads: int | None, fresh: bool, save_every: float
) -> Run:
    from model_store.contract.bundle import open_bundle
    from model_store.contract.errors import StoreError
    from model_store.data.corpus import CorpusError
    from model_store.export.weights import finished_of
    from model_store.training.checkpoint import CheckpointError
    from model_store.training.loop import Run
    from model_store.training.preparation import use_threads
    from model_store.training.recipe import RecipeError, load_recipe

    if threads is not None:
        use_threads(threads)
    try:
        plan = load_recipe(recipe)
        click.echo(f"{plan.name}: reading {data / plan.data.train}, preparing vocabulary and links")
        begun = finished_of(open_bundle(start)) if start is not None else None
        return Run(plan, data, runs / plan.name, save_every, start=begun, fresh=fresh)
    except (RecipeError, CorpusError, CheckpointError, StoreError) as error:
        raise click.ClickException(str(error)) from error


def _announce(run: Run) -> None:
    num_parameters = sum(p.numel() for p in run.model.parameters())
    click.echo(
        f"{run.recipe.architecture} {run.recipe.source}-{run.recipe.target}: {num_parameters / 1e6:.1f} M parameters, "
        f"{run.tokenizer.vocabulary_size:,} subwords, {run.material.num_pairs:,} pairs, "
        f"{run.training.num_tokens:,} tokens to see in {run.precision} on {run.device}, in {run.folder.path}"
    )
    if run.progress.started_from:
        click.echo(f"the run began with {run.progress.started_from}")
    if run.progress.step:
        click.echo(f"going on from step {run.progress.step:,}, {run.progress.tokens:,} tokens")
    for change in run.changes:
        click.echo(f"warning: the recipe has changed since the checkpoint: {change}", err=True)
