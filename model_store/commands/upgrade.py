"""`attendant upgrade`: add to a bundle what releases after its own export."""

from __future__ import annotations

from pathlib import Path

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra


@click.command()
@click.argument("bundle", type=EXISTING_FOLDER)
@click.option("--out", type=FOLDER, required=True, help="New folder for the bundle.")
def upgrade(bundle: Path, out: Path) -> None:
    """Write BUNDLE again with a teacher-forced graph, made from its own weights.

    Its other graphs stay bit for bit, so it translates as before. With the third graph it scores translations that
    exist already, and shows the maps of encoder and decoder.

    \b
    Examples:
      attendant upgrade model_store/bundles/en-fr-transformer/3 --out runs/upgraded
      attendant publish runs/upgraded --store model_store/bundles
    """
    need_training_extra("upgrade")
    if out.exists():
        raise click.ClickException(f"{out} exists; remove it or name another folder")
    from model_store.contract.bundle import open_bundle
    from model_store.contract.errors import StoreError
    from model_store.export.weights import with_teacher_forced

    try:
        opened = open_bundle(bundle)
        if opened.teacher_forced is not None:
            raise click.ClickException(f"{opened.manifest.reference} has a teacher-forced graph already")
        written = with_teacher_forced(opened, out)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except KeyError as error:
        raise click.ClickException(f"{bundle}: {error} is unknown to this release") from error
    size = written.manifest.size_bytes
    click.echo(f"wrote {written.manifest.reference} with a teacher-forced graph to {out}, {size / 1e6:.1f} MB")
    click.echo(f"next: attendant publish {out} --store STORE")
