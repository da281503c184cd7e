"""`attendant publish`: from an exported folder into a store."""

from __future__ import annotations

from pathlib import Path

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER


@click.command()
@click.argument("bundle", type=EXISTING_FOLDER)
@click.option("--store", type=FOLDER, envvar="ATTENDANT_STORE", required=True, help="Folder of published bundles.")
def publish(bundle: Path, store: Path) -> None:
    """Verify BUNDLE and put a copy into the store as its name's next version.

    Nothing that was published is ever changed, and a server never sees half a bundle. The server takes new bundles
    at its next start.

    \b
    Example:
      attendant publish runs/en-fr-transformer/bundle --store /srv/models
    """
    from model_store.contract.errors import StoreError
    from model_store.contract.store import Store

    try:
        published = Store(store).publish(bundle)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"cannot write to store {store}: {error.strerror}") from error
    click.echo(f"published {published.manifest.reference} at {published.path}")
