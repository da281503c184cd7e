"""`attendant serve`."""

from __future__ import annotations

import os
import threading
import time

import click

from service.settings import Settings, read_settings, variable

EXAMPLES = """\b
Examples:
  attendant serve
  ATTENDANT_HTTP_PORT=8080 ATTENDANT_NUM_REPLICAS=2 attendant serve
  ATTENDANT_HTTP_HOST=0.0.0.0 ATTENDANT_KEYS_FILE=keys.toml attendant serve
  ATTENDANT_STORE=my-bundles ATTENDANT_MODELS=en-fr-transformer attendant serve
"""
CURL = """  curl -s {url}/v1/translate -H 'content-type: application/json'{key} \\
    -d '{{"text": "The black cat ate the mouse.", "source": "en", "target": "fr", "attention": true}}'"""
KEY = " -H 'authorization: Bearer KEY'"
"""What a server with API keys needs besides; KEY stands for one."""
SLOW_START_S = 20.0
SLOW_START = (
    "Still starting: the machine is busy, or this is the first start on this kind of processor, which compiles for "
    "about a minute unless `attendant prepare` has."
)


@click.command(epilog=EXAMPLES)
@click.option("--settings", "show_settings", is_flag=True, help="Show every setting, its value and meaning, and exit.")
@click.option("--open", "is_open", is_flag=True, help="Let everybody in, without API keys, on any address.")
def serve(show_settings: bool, is_open: bool) -> None:
    """Serve the store's models over HTTP until Ctrl-C.

    Everything is set by environment variables ATTENDANT_*; `--settings` lists them. The first Ctrl-C (or SIGTERM)
    finishes the work under way and stops; a second one stops at once.
    """
    settings = read_settings({**os.environ, **({variable("open"): "true"} if is_open else {})})
    if show_settings:
        _show(settings)
        return
    from service.app import serve_until_told

    started = time.monotonic()
    click.echo("Starting ...", err=True)
    patience = threading.Timer(SLOW_START_S, click.echo, [SLOW_START], {"err": True})
    patience.daemon = True
    patience.start()

    def ready(url: str) -> None:
        patience.cancel()
        seconds = time.monotonic() - started
        click.echo(f"Ready after {seconds:.1f} s: {url} (a page to type in; reference at {url}/docs). Try:", err=True)
        click.echo(CURL.format(url=url, key=KEY if settings.keys_file else ""), err=True)

    try:
        serve_until_told(settings, ready)
    finally:
        patience.cancel()
    click.echo("Stopped.", err=True)


def _show(settings: Settings) -> None:
    for name, field in type(settings).model_fields.items():
        value = getattr(settings, name)
        shown = ",".join(value) if isinstance(value, tuple) else value
        click.echo(
            f"{variable(name)}={'' if shown is None else shown}\n    {' '.join((field.description or '').split())}"
        )
