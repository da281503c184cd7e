"""`attendant prepare`."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from functools import partial

import click

from service.settings import read_settings

EXAMPLES = """\b
Examples:
  attendant prepare
  ATTENDANT_STORE=my-bundles ATTENDANT_MODELS=en-fr-transformer attendant prepare
"""


@click.command(epilog=EXAMPLES)
def prepare() -> None:
    """Compile what translating needs, so that the first start on this machine need not.

    Translates something with every model that `attendant serve` would serve; takes the same settings. `make serve` does
    this when it installs. Its code is for this kind of processor, and made again when the server's sources change.
    """
    settings = read_settings(os.environ)
    from service.deployments.choices import open_bundles, runtime_of
    from service.deployments.replica import Replica
    from service.observability.metrics import Metrics
    from service.observability.series import DIRECTORY_VARIABLE

    started = time.monotonic()
    bundles = open_bundles(settings)
    click.echo("Compiling for this processor ...", err=True)

    async def start_and_stop() -> None:
        replica = Replica(bundles, settings, Metrics(), partial(runtime_of, settings=settings))
        await replica.start()
        await replica.stop()

    with tempfile.TemporaryDirectory(prefix="attendant-prepare-") as folder:
        os.environ[DIRECTORY_VARIABLE] = folder  # counting is compiled for files, which a server has
        asyncio.run(start_and_stop())
    names = ", ".join(bundle.manifest.reference for bundle in bundles)
    click.echo(f"Compiled what {names} need, in {time.monotonic() - started:.1f} s.", err=True)
