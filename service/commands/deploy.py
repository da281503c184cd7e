"""`attendant deploy` and `attendant status`."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import click

from service.commands.node import read_token
from service.commands.options import cluster_option
from service.settings import Settings, read_settings, variable

EXAMPLES = """\b
Examples:
  attendant deploy cluster.toml --cluster 10.0.0.1:6379
  attendant deploy --cluster 10.0.0.1:6379 --open

\b
A CONFIG file has settings by their names (`attendant serve --settings` lists them):
  num_replicas = 3
  models = "en-fr-transformer@7,fr-en-transformer"
  keys_file = "/etc/attendant/keys.toml"
"""


@click.command(epilog=EXAMPLES)
@click.argument("config", required=False, type=click.Path(dir_okay=False, exists=True, path_type=Path))
@cluster_option
@click.option("--open", "is_open", is_flag=True, help="Let everybody in, without API keys.")
@click.option("--drop-pairs", is_flag=True, help="Serve no more a language pair that is served now.")
@click.option("--timeout", "timeout_s", type=click.FloatRange(1), default=300.0, show_default=True, help="Seconds.")
def deploy(config: Path | None, head: str, token_file: Path, is_open: bool, drop_pairs: bool, timeout_s: float) -> None:
    """Put an application on a running cluster, or change the one that is there.

    Settings come from CONFIG and from variables ATTENDANT_*, the file's first. Every machine must be able to open the
    models, and one replica is tried, before anything is touched; then replicas are replaced one by one. What served
    before goes on serving when the new version does not.
    """
    settings = _settings(config, is_open)
    from service.deployments.choices import require_doors
    from service.deployments.connecting import connected
    from service.deployments.rollout import deploy as roll_out

    require_doors(settings, in_cluster=True)
    with connected(head, read_token(token_file)):
        roll_out(settings, timeout_s, drop_pairs, lambda line: click.echo(line, err=True))
    click.echo(f"Serving {settings.num_replicas} replica(s) on port {settings.http_port} of every machine.", err=True)


def _settings(config: Path | None, is_open: bool) -> Settings:
    written = {}
    if config is not None:
        try:
            written = tomllib.loads(config.read_text("utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise click.UsageError(f"{config} is not TOML: {error}") from None
    from service.deployments.deploying import MACHINES

    environment = {**os.environ, variable("http_host"): "0.0.0.0"}  # the machines listen on addresses of their own
    return read_settings(environment, {**written, "open": True} if is_open else written, MACHINES)
