"""A result of the bench that is no comparison of two numbers: a curve, a memory report, a scaling table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Table:
    """Cells as people read them."""

    name: str
    header: list[str]
    cells: list[list[str]]
    """Rows of as many cells as the header has."""
    bar: str = ""
    """What was to be shown, in words; empty when it is only reported."""
    passes: bool | None = None
    """Whether the bar is met; None without one."""
    note: str = ""
    """A sentence below the table; empty for none."""

    def __post_init__(self) -> None:
        """Raises ValueError when a row has not as many cells as the header."""
        if any(len(row) != len(self.header) for row in self.cells):
            raise ValueError(f"{self.name}: every row must have {len(self.header)} cells, as the header has")

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Back from JSON. Raises TypeError on unknown or missing names."""
        return cls(**values)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(cells) + " |" for cells in (header, ["---"] * len(header), *rows))
