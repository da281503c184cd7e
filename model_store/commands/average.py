"""`attendant average`: a finished run, averaged with what it began with."""

from __future__ import annotations

from pathlib import Path

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra


@click.command()
@click.argument("run", type=EXISTING_FOLDER)
@click.argument("other", type=EXISTING_FOLDER)
@click.option("--share", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.25, show_default=True,
              help="Of OTHER's weights in the average.")  # fmt: skip
@click.option("--out", type=FOLDER, required=True, help="New folder of the averaged run.")
def average(run: Path, other: Path, share: float, out: Path) -> None:
    """Average the weights of the finished runs or bundles in folders RUN and OTHER (Wortsman et al. 2022).

    A model that went on with text of another kind translates that well and the rest a little worse. Averaged with the
    model that it began with, it keeps most of both. The new run can be exported like any other.

    \b
    Examples:
      attendant average runs/mine runs/en-fr-transformer/bundle --out runs/averaged
      attendant export runs/averaged --out runs/averaged/bundle --data data --recipe en-fr-transformer
    """
    need_training_extra("average")
    if out.exists():
        raise click.ClickException(f"{out} exists; remove it or name another folder")
    from model_store.commands.finished import open_finished
    from model_store.contract.errors import StoreError
    from model_store.training.averaging import averaged
    from model_store.training.finished import save_run

    try:
        found = averaged(open_finished(run), open_finished(other), share)
    except (StoreError, ValueError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    save_run(found, out)
    click.echo(f"wrote {found.recipe.name}, {1 - share:.0%} of {run} and {share:.0%} of {other}, to {out}")
    click.echo(f"next: attendant export {out} --out {out}/bundle --data DATA")
