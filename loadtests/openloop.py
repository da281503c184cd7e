"""An open-loop load generator: `python -m loadtests.openloop --url http://127.0.0.1:8000 --rate 20 --requests 500`."""

from __future__ import annotations

import asyncio
import ipaddress
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import click

from loadtests.client import CANCELLED, OK, Target, run_plan
from loadtests.plan import PlanOptions, poisson_plan
from loadtests.report import Report, summarise
from loadtests.texts import ENGLISH, read_texts

EXPECTED = frozenset({OK, CANCELLED, "overloaded", "rate_limited"})
"""Ends of requests that a server under load may cause; refusals are answers."""


def faults(codes: Mapping[str, int]) -> list[str]:
    """What must not be, of how many requests came to which end."""
    found = [f"{count} requests ended with {code}" for code, count in codes.items() if code not in EXPECTED]
    if OK not in codes and codes.keys() != {CANCELLED}:
        found.append("no request was translated")
    return found


def is_loopback(url: str) -> bool:
    """Whether the URL names this machine itself."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def run_with_progress(
    options: PlanOptions, texts: tuple[str, ...], target: Target, max_duration_s: float | None
) -> Report:
    """Run a plan with a progress bar on standard error."""
    plan = poisson_plan(options, texts)
    with click.progressbar(length=len(plan), label="requests", file=sys.stderr, show_pos=True) as bar:
        outcomes = asyncio.run(run_plan(plan, target, lambda outcome: bar.update(1), max_duration_s))
    return summarise(outcomes)


@click.command()
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="The server, without a path.")
@click.option("--rate", type=click.FloatRange(0, min_open=True), default=20.0, show_default=True, help="Requests/s.")
@click.option("--requests", "num_requests", type=click.IntRange(1), default=200, show_default=True)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed sends the same at the same times.")
@click.option("--cancel-fraction", type=click.FloatRange(0, 1), default=0.0, help="Share of clients that go away.")
@click.option(
    "--cancel-within", type=click.FloatRange(0), default=0.1, show_default=True, help="Seconds until they do."
)
@click.option("--attention/--no-attention", default=False, show_default=True)
@click.option("--beam-size", type=click.IntRange(1, 16), help="The server's default when it is not given.")
@click.option("--texts", "path", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="One text a line.")
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=60.0, show_default=True, help="Seconds.")
@click.option(
    "--max-duration", type=click.FloatRange(0, min_open=True), default=600.0, show_default=True, help="Seconds."
)
@click.option(
    "--report", type=click.Path(dir_okay=False, path_type=Path), help="Write the report as JSON to this file."
)
@click.option("--allow-remote", is_flag=True, help="Send load to another machine; only to one that is yours.")
def main(
    url: str,
    rate: float,
    num_requests: int,
    seed: int,
    cancel_fraction: float,
    cancel_within: float,
    attention: bool,
    beam_size: int | None,
    path: Path | None,
    timeout: float,
    max_duration: float,
    report: Path | None,
    allow_remote: bool,
) -> None:
    """Send requests at random moments of a Poisson process and measure from the moment each was due.

    Ends with 0 when some were translated and the others were refused as overload is, or cancelled on purpose.
    """
    if not (allow_remote or is_loopback(url)):
        raise click.UsageError(f"{url} is another machine; --allow-remote sends load there all the same")
    options = PlanOptions(rate, num_requests, seed, cancel_fraction, cancel_within)
    body: dict[str, object] = {"attention": attention} | ({"beam_size": beam_size} if beam_size else {})
    texts = read_texts(path) if path else ENGLISH
    measured = run_with_progress(options, texts, Target(url, body, timeout), max_duration)
    click.echo(measured.as_table())
    if report:
        report.write_text(json.dumps(measured.as_dict(), indent=2) + "\n")
    found = faults(measured.codes)
    for fault in found:
        click.echo(f"fault: {fault}", err=True)
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
