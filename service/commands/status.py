"""`attendant status` and `attendant top`."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

import click

from service.commands.node import read_token
from service.commands.options import cluster_option

EXAMPLES = """\b
Examples:
  attendant status --cluster 10.0.0.1:6379
  attendant status --cluster 10.0.0.1:6379 --json
"""


@click.command(epilog=EXAMPLES)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of lines.")
def status(head: str, token_file: Path, as_json: bool) -> None:
    """Show a cluster's machines, replicas, models and load."""
    from service.deployments.connecting import connected
    from service.deployments.overview import overview, shown

    with connected(head, read_token(token_file)):
        found = overview()
    click.echo(json.dumps(found, indent=2) if as_json else shown(found))


@click.command()
@cluster_option
@click.option("--every", "every_s", type=click.FloatRange(0.5), default=2.0, show_default=True, help="Seconds.")
def top(head: str, token_file: Path, every_s: float) -> None:
    """Show the same live, until Ctrl-C.

    \b
    Example:
      attendant top --cluster 10.0.0.1:6379
    """
    from service.deployments.connecting import connected
    from service.deployments.overview import overview, shown

    with connected(head, read_token(token_file)), contextlib.suppress(KeyboardInterrupt):
        while True:
            lines = shown(overview())
            click.clear()
            click.echo(f"{time.strftime('%H:%M:%S')}  cluster of {head}; Ctrl-C ends\n\n{lines}")
            time.sleep(every_s)
