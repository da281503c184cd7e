"""The tab-separated files of this package, which were written for training."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib.resources import files


def read_table(name: str) -> list[Mapping[str, str]]:
    """The lines of a file, by the names in its first line; quotation marks are text."""
    with files("model_store.data").joinpath(name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
