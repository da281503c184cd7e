"""The bench's command line: `python -m loadtests.peers`."""

from __future__ import annotations

import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from loadtests.peers.alternate import MIN_ROUNDS, Row
from loadtests.peers.http_process import end_on_sigterm
from loadtests.peers.options import Options
from loadtests.peers.registry import Measurement, Result, measurements
from loadtests.peers.report import Circumstances, Kept, number, read, update, write
from loadtests.peers.table import Table, markdown
from model_store.contract.errors import ContractError, StoreError
from model_store.contract.store import EMBEDDED_STORE

FOLDER = click.Path(file_okay=False, path_type=Path)


@click.command()
@click.argument("rows", nargs=-1, metavar="[ROW]...")
@click.option("--data", type=FOLDER, default=Path("../shared/data"), show_default=True, help="Folder of the test sets.")
@click.option("--store", type=FOLDER, default=EMBEDDED_STORE, help="Folder of published bundles.")
@click.option(
    "--cache", type=FOLDER, default=Path("runs/peers"), show_default=True, help="Where models of peers are kept."
)
@click.option("--rounds", type=click.IntRange(MIN_ROUNDS), default=MIN_ROUNDS, show_default=True, help="Of each row.")
@click.option("--sentences", type=click.IntRange(1), default=1000, show_default=True, help="How many to translate.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Length of one measurement under load.")
@click.option(
    "--out", type=FOLDER, default=Path("docs/performance"), show_default=True, help="A JSON file of each row goes here."
)
@click.option(
    "--document",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("docs/performance.md"),
    show_default=True,
    help="Gets the table of all results in --out, between its two markers. Beside it go the details, in a file whose "
    "name ends with `-details`, and the pictures, in `images`.",
)
@click.option("--list", "only_list", is_flag=True, help="Name the rows and measure nothing.")
@click.option("--render", "only_render", is_flag=True, help="Write the documents from the results there are.")
def main(
    rows: Sequence[str],
    data: Path,
    store: Path,
    cache: Path,
    rounds: int,
    sentences: int,
    seconds: float | None,
    out: Path,
    document: Path,
    only_list: bool,
    only_render: bool,
) -> None:
    """Measure Attendant and its peers in turn, on the same weights; each ROW by itself, or all of them.

    Needs the extra `peers`, which `make bench-peers` installs. Leave the machine alone meanwhile.

    \b
    Examples:
      python -m loadtests.peers --list
      python -m loadtests.peers offline-greedy offline-beam --rounds 7
      python -m loadtests.peers --sentences 200 --out /tmp/try --document /tmp/try.md
    """
    end_on_sigterm()
    known = _known()
    if only_list:
        click.echo("\n".join(known))
        return
    if unknown := [name for name in rows if name not in known]:
        raise click.BadParameter(f"{', '.join(unknown)}; there are: {', '.join(known)}", param_hint="ROW")
    options = Options(data, store, cache, rounds, sentences, seconds, document.parent / "images")
    circumstances = Circumstances.here(_command())
    for name in () if only_render else rows or known:
        results = _measure(name, known[name], options)
        write(out, Kept(name, results, circumstances))
        for result in results:
            click.echo(_said(result))
    try:
        update(document, read(out, list(known)))
    except ValueError as error:
        raise click.ClickException(str(error)) from error


def _known() -> dict[str, Measurement]:
    try:
        return measurements()
    except ImportError as error:
        raise click.ClickException(f"{error}; `make bench-peers` installs what the bench needs") from error


def _measure(name: str, measurement: Measurement, options: Options) -> list[Result]:
    try:
        result = measurement(options)
    except ImportError as error:
        raise click.ClickException(f"{name}: {error}; `make bench-peers` installs what the bench needs") from error
    except (FileNotFoundError, ValueError, ContractError, StoreError) as error:
        raise click.ClickException(f"{name}: {error}") from error
    return [result] if isinstance(result, Row | Table) else list(result)


def _said(result: Result) -> str:
    """One line on standard output."""
    if isinstance(result, Table):
        return f"{result.name}\n{markdown(result.header, result.cells)}"
    low, high = result.spread
    ours, peer = (number(statistics.median(values)) for values in (result.ours, result.peer))
    met = {True: ", met", False: ", NOT met", None: ""}[result.passes]
    bar = f" (bar {result.bar}{met})" if result.bar else ""
    details = "".join(f"\n  {key}: {value}" for key, value in result.details.items())
    return (
        f"{result.name}: {result.ratio:.2f}x [{low:.2f}..{high:.2f}]{bar}; {ours} against {peer} {result.unit}{details}"
    )


def _command() -> str:
    return " ".join(["python -m loadtests.peers", *sys.argv[1:]])


if __name__ == "__main__":
    main()
