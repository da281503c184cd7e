"""Recipes as files."""

from __future__ import annotations

from typing import Any


def toml(plain: dict[str, Any]) -> str:
    """The recipe as the file that a person would write."""
    tables = {key: value for key, value in plain.items() if isinstance(value, dict)}
    lines = [f"{key} = {value!r}" for key, value in plain.items() if key not in tables]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {value!r}" for key, value in table.items())]
    return "\n".join(lines)
