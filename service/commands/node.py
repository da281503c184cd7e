"""`attendant node`."""

from __future__ import annotations

import dataclasses
import ipaddress
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from service.commands.options import address_and_port, token_option
from service.settings import read_settings, variable
from service.stop import Stop

if TYPE_CHECKING:
    from service.deployments.node import NodeOptions

EXAMPLES = """\b
Examples:
  attendant node --head --address 10.0.0.1
  attendant node --join 10.0.0.1:6379 --address 10.0.0.2
  attendant node --head --address 10.0.0.1 --redis 10.0.0.9:6379 --port 6380
  attendant node --head --address 10.0.0.1 --redis rediss://10.0.0.9:6379 --redis-password-file redis.key
"""

REDIS = re.compile(r"(rediss?://)?(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z.-]+):[0-9]{1,5}")
"""Where a Redis listens, as Ray takes it; `rediss` is TLS."""

TAKEN = {8265, 52_365, *range(10_000, 20_000)}
"""Ports that Ray and the replicas take, wherever the head's control is."""
LOOPBACK = {"127.0.0.1", "::1"}
"""In place of which Ray takes another address of the machine."""


@click.command(epilog=EXAMPLES)
@click.option("--head", "is_head", is_flag=True, help="Begin a cluster: this machine controls it.")
@click.option(
    "--join", metavar="ADDRESS:PORT", callback=address_and_port, help="Join the cluster whose head's control is there."
)
@click.option("--kuberay", is_flag=True, help="In a pod of KubeRay, whose environment says all of the above.")
@click.option("--address", help="Address of this machine, as the others reach it.")
@click.option("--port", type=click.IntRange(1024, 65535), default=6379, show_default=True, help="Of a head's control.")
@click.option("--redis", metavar="ADDRESS:PORT", help="Keep a head's state there: it may be lost and started again.")
@click.option("--redis-password-file", type=click.Path(path_type=Path), help="File of that Redis' password.")
@click.option("--cpus", type=click.IntRange(1), help="Cores for replicas.  [default: all of this machine]")
@token_option
def node(kuberay: bool, token_file: Path, **place: Any) -> None:
    """Bring this machine into a cluster until Ctrl-C.

    Every machine needs the same token file; the head writes it where it is missing. The HTTP API listens on the
    machine's address (ATTENDANT_HTTP_HOST for another one) once `attendant deploy` has put an application on the
    cluster. The first Ctrl-C (or SIGTERM) hands this machine's work to others and finishes what is under way; a second
    one, or one while it starts, stops at once.
    """
    from service.deployments.cluster import StartError
    from service.deployments.node import START_TIMEOUT_S, kuberay_options, require_head, serve_node

    options = kuberay_options(os.environ) if kuberay else _options(token_file, **place)
    settings = read_settings({variable("http_host"): options.address, **os.environ})
    stop, started = Stop(), time.monotonic()
    stop.listen()

    def ready() -> None:
        seconds = time.monotonic() - started
        click.echo(f"Ready after {seconds:.1f} s: {options.address} is in the cluster of {options.head}.", err=True)
        if options.join is None and not kuberay:
            click.echo(f"  attendant node --join {options.head} --address ADDRESS --token-file {token_file}", err=True)
            click.echo(f"  attendant deploy --cluster {options.head} --token-file {token_file}", err=True)

    click.echo("Starting ...", err=True)
    if options.join is not None and not kuberay:
        try:
            require_head(options.join)
        except StartError as error:  # it may start after this machine
            click.echo(f"{error}. Waiting up to {START_TIMEOUT_S:g} s for it ...", err=True)
    serve_node(settings, options, ready, stop)
    click.echo("Stopped.", err=True)


def _options(
    token_file: Path,
    is_head: bool,
    join: str | None,
    address: str | None,
    port: int,
    redis: str | None,
    redis_password_file: Path | None,
    cpus: int | None,
) -> NodeOptions:
    """What the options on the command line say. Raises UsageError."""
    from service.deployments.node import NodeOptions

    if is_head == (join is not None):
        raise click.UsageError("say either --head, to begin a cluster, or --join ADDRESS:PORT, to join one")
    if redis is not None and not is_head:
        raise click.UsageError("--redis is for the head: other machines keep no state of the cluster")
    if redis is not None and not REDIS.fullmatch(redis):
        raise click.UsageError(f"--redis {redis!r} must be ADDRESS:PORT, or rediss://ADDRESS:PORT for TLS")
    if redis_password_file is not None and redis is None:
        raise click.UsageError("--redis-password-file is nothing without --redis ADDRESS:PORT")
    if address is None:
        raise click.UsageError("--address is missing: say how the other machines reach this one")
    _require_address(address)
    if is_head and port in TAKEN:
        raise click.UsageError(f"--port {port} is one of Ray's own or the replicas' ports; say another one, as 6379")
    password = _read_private("--redis-password-file", redis_password_file) if redis_password_file else ""
    chosen = NodeOptions(address, _token(token_file, is_head), join, port, redis, password)
    return chosen if cpus is None else dataclasses.replace(chosen, cpus=cpus)


def _require_address(address: str) -> None:
    try:
        given = ipaddress.ip_address(address)
    except ValueError:
        raise click.UsageError(f"--address {address!r} must be an IP address of this machine") from None
    if given.is_unspecified:
        raise click.UsageError(f"--address {address} is every interface; name the one that the others reach")
    if str(given) in LOOPBACK:
        remedy = "name the one that the others reach; 127.0.0.2 does where there are no others"
        raise click.UsageError(f"--address {address} means another address to Ray; {remedy}")


def _token(path: Path, is_head: bool) -> str:
    """What is in the file; a head writes a new token where there is none."""
    if is_head and not path.exists():
        from service.deployments.environment import new_token

        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        path.write_text(new_token() + "\n", "ascii")
        click.echo(f"wrote a new token to {path}; every machine of the cluster needs a copy", err=True)
    return read_token(path)


def read_token(path: Path) -> str:
    """The cluster's token. Raises UsageError when there is none, or others may read it."""
    token = _read_private("--token-file", path, "; copy the head's token file to this machine")
    if len(token) < 32:
        raise click.UsageError(f"--token-file {path} holds {len(token)} characters; a token has at least 32")
    return token


def _read_private(option: str, path: Path, remedy: str = "") -> str:
    """What is in the file. Raises UsageError when there is none, with the `remedy`, or others may read it."""
    if not path.is_file():
        raise click.UsageError(f"{option} {path} does not exist{remedy}")
    if path.stat().st_mode & 0o077:
        raise click.UsageError(f"{option} {path} may be read by others; run: chmod 600 {path}")
    try:
        return path.read_text("ascii").strip()
    except UnicodeDecodeError:
        raise click.UsageError(f"{option} {path} holds other characters than ASCII") from None
