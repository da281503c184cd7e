"""Every row of the bench by the name that the command line knows it by."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from loadtests.peers.alternate import Row
from loadtests.peers.options import Options
from loadtests.peers.table import Table

Result = Row | Table
Measurement = Callable[[Options], Result | Sequence[Result]]

MODULES = ("library", "scoring", "eager", "http_rows", "scenario", "batching_rows")
"""Modules of this package with a `ROWS: dict[str, Measurement]`, in the order in which the document shows them."""


def measurements(modules: Sequence[str] = MODULES) -> dict[str, Measurement]:
    """All rows by name. A module that is not there brings none; one whose imports fail raises its ImportError."""
    found: dict[str, Measurement] = {}
    for module in modules:
        name = f"loadtests.peers.{module}"
        try:
            found |= import_module(name).ROWS
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
    return found
