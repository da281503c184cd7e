"""attendant keys: make and list API keys."""

from __future__ import annotations

from pathlib import Path

import click

FILE = click.option(
    "--file",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    envvar="ATTENDANT_KEYS_FILE",
    default=Path("keys.toml"),
    show_default="ATTENDANT_KEYS_FILE, else keys.toml",
    help="The file of keys, TOML.",
)


@click.group()
def keys() -> None:
    """Make and list API keys.

    The file holds hashes, not keys. A running server reads it again within a second of a change.
    """


@keys.command()
@click.argument("name")
@FILE
@click.option("--requests-per-minute", type=click.IntRange(1), help="Requests that the key may send in a minute.")
@click.option("--characters-per-minute", type=click.IntRange(1), help="Characters of texts in a minute.")
@click.option("--max-concurrent", type=click.IntRange(1), help="Requests that may be under way at once.")
def new(name: str, path: Path, **limits: int | None) -> None:
    """Make a key called NAME, add its hash to the file, and print the key: it is never shown again.

    \b
    Examples:
      attendant keys new website --requests-per-minute 600
      attendant keys new batch --file /etc/attendant/keys.toml --characters-per-minute 1000000 --max-concurrent 4
    """
    from service.api.keys import NAME, new_key, read_keys
    from service.errors import ConfigurationError

    if not NAME.fullmatch(name):
        raise click.UsageError(f"NAME {name!r} must be lower-case letters, digits and dashes, at most 63")
    try:
        known = read_keys(path) if path.exists() else {}
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from error
    if name in known:
        raise click.UsageError(f"{path} has a key called {name}; choose another name, or take its lines out first")
    key, digest = new_key()
    lines = [f"[{name}]", f'sha256 = "{digest}"', *(f"{limit} = {n}" for limit, n in limits.items() if n is not None)]
    is_new = not path.exists()
    with path.open("a", encoding="utf-8") as file:
        file.write(("" if is_new else "\n") + "\n".join(lines) + "\n")
    if is_new:
        path.chmod(0o600)
    click.echo(key)
    click.echo(f"added {name} to {path}; send it as `Authorization: Bearer KEY`", err=True)


@keys.command(name="list")
@FILE
def list_keys(path: Path) -> None:
    """List the names of keys and their limits."""
    from service.api.keys import read_keys
    from service.errors import ConfigurationError

    try:
        known = read_keys(path)
    except ConfigurationError as error:
        raise click.ClickException(str(error)) from error
    for name, entry in known.items():
        limits = entry.model_dump(exclude={"sha256"}, exclude_none=True)
        told = ", ".join(f"{limit.replace('_', ' ')} {most}" for limit, most in limits.items())
        click.echo(f"{name}: {told or 'no limits'}")
