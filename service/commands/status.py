"""`attendant status` and `attendant top`."""

from __future__ import annotations

import contextlib
import json
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from service.commands.node import read_token
from service.commands.options import cluster_option

if TYPE_CHECKING:
    from service.deployments.live import Live

SILENCE_S = 3.0
"""Of a cluster, after which `top` says for how long."""
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
    """Show the same live, until Ctrl-C, also while the head is gone.

    \b
    Example:
      attendant top --cluster 10.0.0.1:6379
    """
    from service.deployments.live import Live
    from service.deployments.node import require_head

    read_token(token_file)
    require_head(head)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with contextlib.closing(Live(head, token_file, every_s)) as live, contextlib.suppress(KeyboardInterrupt):
        _show(live, head, every_s)


def _show(live: Live, head: str, every_s: float) -> NoReturn:
    """Overviews as they come, and for how long none has come. Raises StartError when the first one does not come."""
    from service.deployments.cluster import StartError
    from service.deployments.overview import shown

    lines, fault, seen = "", "", time.time()
    while True:
        try:
            if found := live.next(timeout_s=every_s + SILENCE_S):
                lines, fault, seen = shown(found), "", time.time()
        except StartError as error:
            if not lines:
                raise
            fault = f": {error}"
        told = f"{time.strftime('%H:%M:%S', time.localtime(seen))}  cluster of {head}; Ctrl-C ends"
        if (silent_s := time.time() - seen) >= SILENCE_S:
            told += f"\n\nNo answer for {silent_s:.0f} s, what follows is old{fault}"
        click.clear()
        click.echo(f"{told}\n\n{lines}")
