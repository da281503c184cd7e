"""Options that several of the server's commands take."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
