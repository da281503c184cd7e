"""Options that several of the server's commands take."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from model_store.contract.store import EMBEDDED_STORE


def store_option(description: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`--store`: an existing folder of published bundles; `description` is its help."""
    return click.option(
        "--store",
        type=click.Path(file_okay=False, exists=True, path_type=Path),
        envvar="ATTENDANT_STORE",
        default=EMBEDDED_STORE,
        show_default="ATTENDANT_STORE, else the store that comes with Attendant",
        help=description,
    )


Command = TypeVar("Command", bound=Callable[..., Any])


def pair_options(command: Command) -> Command:
    """`--source` and `--target`: the language pair."""
    for option in (
        click.option("--target", metavar="CODE", help="Language to translate into, for example fr."),
        click.option(
            "--source", metavar="CODE", help="Language of the texts, for example en; needed when several pairs fit."
        ),
    ):
        command = option(command)
    return command


def model_options(command: Command) -> Command:
    """`--model`, or the language pair that chooses one."""
    chosen: Command = pair_options(command)
    return click.option("--model", help="`name` or `name@version`; else the best model for the language pair.")(chosen)


def url_option(command: Command) -> Command:
    """`--url` of a server and `--key-file` for it, or the `--store` whose models this process loads."""
    key = click.option(
        "--key-file",
        type=click.Path(dir_okay=False, exists=True, path_type=Path),
        help="File that holds the API key for the server at --url.",
    )
    url = click.option(
        "--url", help="Ask this server, for example http://127.0.0.1:8000, instead of loading a model here."
    )
    return cast("Command", store_option("Folder of published bundles; not used with --url.")(url(key(command))))


def token_option(command: Command) -> Command:
    """`--token-file`: what the machines of a cluster know each other by."""
    return click.option(
        "--token-file",
        type=click.Path(dir_okay=False, path_type=Path),
        default=Path.home() / ".attendant" / "token",
        show_default="~/.attendant/token",
        help="File of the cluster's token, the same on every machine, readable by nobody else.",
    )(command)


def address_and_port(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """A callback of options that say where a head's control listens. Raises BadParameter."""
    if value is not None and not re.fullmatch(r"[^\s/]+:[0-9]{1,5}", value):
        raise click.BadParameter(f"{value!r} must be ADDRESS:PORT, as in 10.0.0.1:6379")
    return value


def cluster_option(command: Command) -> Command:
    """`--cluster` and `--token-file`: a cluster that runs already."""
    return click.option(
        *("--cluster", "head"),
        metavar="ADDRESS:PORT",
        callback=address_and_port,
        required=True,
        help="Where the head's control listens.",
    )(token_option(command))
