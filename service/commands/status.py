"""`attendant status`."""

from __future__ import annotations

import json
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
    from service.deployments.overview import overview, shown
    from service.deployments.rollout import connected

    with connected(head, read_token(token_file)):
        found = overview()
    click.echo(json.dumps(found, indent=2) if as_json else shown(found))
