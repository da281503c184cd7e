"""Results as files, one for each row, and all of them as the tables of docs/performance.md."""

from __future__ import annotations

import json
import os
import platform
import statistics
import string
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from loadtests.peers.alternate import Row
from loadtests.peers.registry import Result
from loadtests.peers.table import Table, markdown

BEGIN, END = "<!-- peers: begin, written by `python -m loadtests.peers` -->", "<!-- peers: end -->"
"""Between these two lines of the document everything is written anew."""

PACKAGES = (
    "attendant",
    "ctranslate2",
    "fastapi",
    "libretranslate",
    "numpy",
    "onnxruntime",
    "ray",
    "sacrebleu",
    "sentencepiece",
    "torch",
    "uvicorn",
)
"""Whose versions a result is kept with, those that are installed."""

HEADER = ("row", "unit", "ours", "peer", "ratio (min to max)", "bar", "met", "on")
"""The last one is the letter of the processor."""
_KINDS: dict[str, type[Row] | type[Table]] = {"row": Row, "table": Table}


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a result cannot be read without."""

    date: str
    """UTC, to the minute."""
    command: str
    cpu: str
    num_cpus: int
    python: str
    versions: dict[str, str]

    @classmethod
    def here(cls, command: str) -> Circumstances:
        """Of this moment on this machine."""
        now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
        versions = {name: found for name in PACKAGES if (found := _version(name))}
        return cls(now, command, cpu_model(), _num_cpus(), platform.python_version(), versions)


@dataclass(frozen=True, slots=True)
class Kept:
    """One file: what a row of the registry gave, and when and where."""

    name: str
    """In the registry."""
    results: list[Result]
    circumstances: Circumstances

    def as_json(self) -> str:
        """The file's text."""
        results = [{"kind": type(result).__name__.lower(), **result.as_dict()} for result in self.results]
        values = {"name": self.name, "circumstances": asdict(self.circumstances), "results": results}
        return json.dumps(values, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Kept:
        """Back from a file's text."""
        values = json.loads(text)
        results = [_KINDS[result.pop("kind")].from_dict(result) for result in values["results"]]
        return cls(values["name"], results, Circumstances(**values["circumstances"]))


def write(folder: Path, kept: Kept) -> Path:
    """Keep a result below `folder`, in the place of an earlier one of the same name."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{kept.name}.json"
    path.write_text(kept.as_json(), encoding="utf-8")
    return path


def read(folder: Path, order: Sequence[str]) -> list[Kept]:
    """Every result below `folder`, in the order of the names `order`; others after them."""
    kept = [Kept.from_json(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    ranks = {name: rank for rank, name in enumerate(order)}
    return sorted(kept, key=lambda one: ranks.get(one.name, len(ranks)))


def render(kept: Sequence[Kept]) -> str:
    """The comparisons as one table, then the other tables, then what both were measured with.

    Processors have letters, in the order in which the results name them.
    """
    letters = dict(zip(dict.fromkeys(one.circumstances.cpu for one in kept), string.ascii_uppercase, strict=False))
    pairs = [(one, result) for one in kept for result in one.results]
    rows = [(one, result) for one, result in pairs if isinstance(result, Row)]
    parts = [markdown(HEADER, [[*_cells(row), letters[one.circumstances.cpu]] for one, row in rows])] if rows else []
    parts += [_shown(result, letters[one.circumstances.cpu]) for one, result in pairs if isinstance(result, Table)]
    parts.append("Processors: " + "; ".join(f"{letter}: {cpu}" for cpu, letter in letters.items()) + ".")
    noted = [_details(one, row) for one, row in rows if row.details]
    if noted:
        parts.append("Settings and answers, by row:\n\n" + "\n".join(noted))
    parts.append("Measured with:\n\n" + "\n".join(_circumstances(kept)))
    return "\n\n".join(parts)


def update(document: Path, kept: Sequence[Kept]) -> None:
    """Write the tables between the two markers of `document`; a document that is not there is begun.

    Raises ValueError when the document lacks a marker.
    """
    text = document.read_text(encoding="utf-8") if document.exists() else f"# Performance\n\n{BEGIN}\n{END}\n"
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{document} lacks the lines {BEGIN!r} and {END!r}; put them where the tables belong")
    document.parent.mkdir(parents=True, exist_ok=True)
    document.write_text(f"{before}{BEGIN}\n{render(kept)}\n{END}{after}", encoding="utf-8")


def cpu_model() -> str:
    """The processor's name, as Linux knows it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    found = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines)}
    numbers = "family {cpu family}, model {model}, stepping {stepping}" if "cpu family" in found else ""
    details = [numbers.format(**found)] if numbers else []
    details += [flag for flag in ("avx2", "avx512_vnni", "amx_int8") if flag in found.get("flags", "").split()]
    return f"{found.get('model name', platform.machine())} ({', '.join(details)})"


def number(value: float) -> str:
    """Three or more digits, no more than tell something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def _cells(row: Row) -> list[str]:
    low, high = row.spread
    ours, peer = (number(statistics.median(values)) for values in (row.ours, row.peer))
    ratio = f"{row.ratio:.2f}x ({low:.2f} to {high:.2f})"
    return [row.name, row.unit, ours, peer, ratio, row.bar or "reported", _met(row.passes)]


def _met(passes: bool | None) -> str:
    return {True: "yes", False: "**no**", None: ""}[passes]


def _shown(table: Table, letter: str) -> str:
    bar = f" Bar: {table.bar}; met: {_met(table.passes) or 'not judged'}." if table.bar else ""
    note = f"\n\n{table.note}" if table.note else ""
    return f"**{table.name}, on {letter}.**{bar}\n\n{markdown(table.header, table.cells)}{note}"


def _details(kept: Kept, row: Row) -> str:
    same = "" if row.same_answers is not False else " **The answers differ by more than allowed.**"
    details = "; ".join(f"{key}: {value}" for key, value in row.details.items())
    return f"- `{kept.name}`, {row.name} ({len(row.ours)} rounds): {details}.{same}"


def _circumstances(kept: Sequence[Kept]) -> list[str]:
    """One line for each run of the bench, which may have given many results."""
    runs = dict[str, list[str]]()
    for one in kept:
        seen = one.circumstances
        versions = ", ".join(f"{name} {found}" for name, found in seen.versions.items())
        run = f"{seen.date}, `{seen.command}`, {seen.num_cpus} cores of {seen.cpu}, Python {seen.python}, {versions}"
        runs.setdefault(run, []).append(f"`{one.name}`")
    return [f"- {', '.join(names)}: {run}" for run, names in runs.items()]


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def _num_cpus() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
