"""`attendant export`: from a finished run to a bundle folder."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra


@click.command()
@click.argument("run", type=EXISTING_FOLDER)
@click.option("--out", type=FOLDER, required=True, help="New folder for the bundle.")
@click.option("--data", type=EXISTING_FOLDER, required=True, help="Folder that the recipe's file names start from.")
@click.option("--precision", type=click.Choice(["int8", "float32"]), default="int8", show_default=True)
@click.option("--recipe", help="Recipe whose test sets to measure.  [default: the published one of the run's name]")
@click.option("--measure/--no-measure", default=True, show_default=True, help="Measure translation quality; minutes.")
@click.option(
    "--max-sentences", type=click.IntRange(min=1), help="Measure on the first sentences only.  [default: all]"
)
def export(
    run: Path,
    out: Path,
    data: Path,
    precision: Literal["int8", "float32"],
    recipe: str | None,
    measure: bool,
    max_sentences: int | None,
) -> None:
    """Export the finished run in folder RUN as a bundle: three ONNX graphs, tokenizer, manifest.

    Nothing is written unless ONNX Runtime computes what torch computes.

    \b
    Examples:
      attendant export runs/en-fr-transformer --out runs/en-fr-transformer/bundle --data data
      attendant export runs/mine --out mine --data ~/corpora --precision float32 --no-measure
    """
    need_training_extra("export")
    if out.exists():
        raise click.ClickException(f"{out} exists; remove it or name another folder")
    from model_store.contract.errors import StoreError
    from model_store.data.corpus import CorpusError
    from model_store.export.parity import ParityError
    from model_store.export.pipeline import ExportOptions, export_run, recipe_for
    from model_store.training.checkpoint import CheckpointError
    from model_store.training.recipe import RecipeError

    options = ExportOptions(precision=precision, measure=measure, max_sentences=max_sentences)
    try:
        bundle = export_run(run, out, data, options, recipe_for(run, recipe))
    except (StoreError, CorpusError, CheckpointError, RecipeError, ParityError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"exported {bundle.manifest.reference} ({bundle.manifest.precision}) to {bundle.path}")
    click.echo(f"next: attendant publish {bundle.path} --store STORE")
