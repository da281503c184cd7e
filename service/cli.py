"""The command `attendant`: each room brings its own subcommands; one is imported only when it is called."""

from __future__ import annotations

import ast
import difflib
import errno
import importlib.util
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import click

from model_store.contract.errors import StoreError
from service.errors import AttendantError

COMMANDS = "attendant.commands"
"""The entry point group in which rooms name their subcommands."""
FULL = {errno.ENOSPC, errno.EDQUOT}
"""What a write says where there is no room; it names no file."""


class InstalledCommands(click.Group):
    """Subcommands from the entry points of every installed distribution."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all subcommands, sorted."""
        return sorted(_installed())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The subcommand of that name, imported now; None when there is none."""
        entry = _installed().get(cmd_name)
        if entry is None:
            return None
        try:
            command = entry.load()
        except (ImportError, AttributeError) as error:
            raise click.ClickException(f"`{cmd_name}` cannot be loaded: {error}; {_remedy(cmd_name)}") from error
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does; an unknown name is answered with those that look like it."""
        if args and not args[0].startswith("-") and args[0] not in _installed():
            close = difflib.get_close_matches(args[0], _installed(), n=3, cutoff=0.5)
            hint = f"did you mean {' or '.join(close)}?" if close else f"there are {', '.join(sorted(_installed()))}"
            raise click.UsageError(f"no such command {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands with one line each, read from their source: `attendant --help` imports none of them."""
        rows = [(name, _summary(entry)) for name, entry in sorted(_installed().items())]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


def _installed() -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=COMMANDS)}


def _summary(entry: EntryPoint) -> str:
    """First line of the command's docstring; empty when its source cannot be found."""
    try:
        spec = importlib.util.find_spec(entry.module)
    except ImportError:
        return ""
    if spec is None or spec.origin is None:
        return ""
    tree = ast.parse(Path(spec.origin).read_text("utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == entry.attr]
    docstring = ast.get_docstring(functions[0]) if functions else None
    return docstring.splitlines()[0] if docstring else ""


def _remedy(command: str) -> str:
    """Attendant is on no package index: it is installed from its checkout."""
    training = command in {"train", "export", "publish", "evaluate"}
    group, folder = ("train", ".venv-dev") if training else ("serve", ".venv")
    make = f"run `make {folder}/.installed` and use {folder}/bin/attendant"
    return f"in Attendant's checkout {make}, or install it with: pip install -e '.[{group}]'"


@click.group(
    cls=InstalledCommands,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Try `attendant COMMAND --help` for a command's own options and examples.",
)
@click.version_option(package_name="attendant", message="attendant %(version)s")
def attendant() -> None:
    """Machine translation that shows its attention.

    \b
    Examples:
      attendant serve
      attendant translate --target fr "The black cat ate the mouse."
      attendant models list
    """


def main() -> None:
    """Run the command line; errors are one line on stderr. Exit status: 0, 1 an error, 2 wrong usage, 130 Ctrl-C."""
    try:
        status = attendant.main(prog_name="attendant", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (AttendantError, StoreError) as error:
        click.echo(f"attendant: {error}", err=True)
        sys.exit(1)
    except OSError as error:
        if error.filename is None and error.errno not in FULL:
            raise  # a fault of ours, unlike a file that cannot be used
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"attendant: {where}{error.strerror}", err=True)
        sys.exit(1)
    sys.exit(status if isinstance(status, int) else 0)


if __name__ == "__main__":
    main()
