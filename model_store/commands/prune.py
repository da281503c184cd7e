"""`attendant prune`: a finished Transformer without its least important heads."""

from __future__ import annotations

from pathlib import Path

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra


@click.command()
@click.argument("run", type=EXISTING_FOLDER)
@click.option("--share", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.25, show_default=True,
              help="Share of all heads to remove; one is left in each sub-layer.")  # fmt: skip
@click.option("--out", type=FOLDER, required=True, help="New folder of the pruned run.")
@click.option("--data", type=EXISTING_FOLDER, required=True, help="Folder that the recipe's file names start from.")
@click.option("--batches", type=click.IntRange(min=1), default=40, show_default=True,
              help="Validation batches that importance is measured on.")  # fmt: skip
@click.option("--name", help="Name of the pruned model.  [default: the run's, with -pruned]")
def prune(run: Path, share: float, out: Path, data: Path, batches: int, name: str | None) -> None:
    """Remove the least important attention heads of the finished run or the bundle in folder RUN (Michel et al. 2019).

    Heads are ranked by the gradient of the validation loss; heads that learnt links stay. The new run can be exported
    like any other, and its products are smaller.

    \b
    Examples:
      attendant prune runs/en-fr-transformer --share 0.3 --out runs/en-fr-transformer-pruned --data data
      attendant prune model_store/bundles/en-fr-transformer-small/2 --out runs/pruned --data data
    """
    need_training_extra("prune")
    if out.exists():
        raise click.ClickException(f"{out} exists; remove it or name another folder")
    from model_store.commands.finished import open_finished
    from model_store.contract.errors import StoreError
    from model_store.data.corpus import CorpusError
    from model_store.training.checkpoint import CheckpointError
    from model_store.training.pruning import prune_run

    try:
        ranked, left = prune_run(open_finished(run), out, data, share, batches, name)
    except (CorpusError, CheckpointError, StoreError, ValueError, FileNotFoundError) as error:
        raise click.ClickException(str(error)) from error
    click.echo("importance  head")
    for head, importance in sorted(ranked.items(), key=lambda item: item[1]):
        gone = "" if head.head in left[head.part, head.layer] else "  removed"
        click.echo(f"{importance:10.4f}  {head.part} layer {head.layer + 1} head {head.head + 1}{gone}")
    removed, asked = len(ranked) - sum(map(len, left.values())), round(share * len(ranked))
    why = "" if removed == asked else f", not {asked}: each layer keeps one head, and guided ones stay"
    click.echo(f"{removed} of {len(ranked)} heads removed{why}")
    click.echo(f"next: attendant export {out} --out {out}/bundle --data {data}")
