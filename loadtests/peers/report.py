"""Results as files, one for each row, and all of them as tables: docs/performance.md and docs/performance-details.md.

The first document has one table: row, ratio, bar. The second one, which lies beside it, has the rest of what is kept of
each row.
"""

from __future__ import annotations

import json
import os
import platform
import re
import statistics
import string
import textwrap
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

HEADER = ("row", "ratio (smallest..largest)", "bar")
"""Of the document."""
DETAILS_HEADER = ("row", "unit", "ours", "peer", "on")
"""Of the details; the last one is the letter of the processor."""
LINE_WIDTH = 120
"""Longest line that is written, tables excepted."""
_STARTS_MARKUP = re.compile(r" ([-+*>#]|>=) ")
"""A word that would begin a list, a quotation or a heading, were it the first one of a line."""
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
    """The one table of the document. A result that is a table of its own has a line when it has a bar."""
    lines = [
        _comparison(result) if isinstance(result, Row) else _reference(result)
        for one in kept
        for result in one.results
        if isinstance(result, Row) or result.bar
    ]
    return markdown(HEADER, lines)


def render_details(kept: Sequence[Kept]) -> str:
    """Both sides' numbers, the other tables, and the settings and circumstances of every result.

    Processors have letters, in the order in which the results name them.
    """
    letters = dict(zip(dict.fromkeys(one.circumstances.cpu for one in kept), string.ascii_uppercase, strict=False))
    pairs = [(one, result) for one in kept for result in one.results]
    rows = [(one, result) for one, result in pairs if isinstance(result, Row)]
    cells = [[*_medians(row), letters[one.circumstances.cpu]] for one, row in rows]
    parts = [markdown(DETAILS_HEADER, cells)] if rows else []
    parts += [_shown(result, letters[one.circumstances.cpu]) for one, result in pairs if isinstance(result, Table)]
    parts.append(_wrapped("Processors: " + "; ".join(f"{letter}: {cpu}" for cpu, letter in letters.items()) + "."))
    noted = [_details(one, row) for one, row in rows if row.details]
    if noted:
        parts.append("Settings and answers, by row:\n\n" + "\n".join(map(_wrapped, noted)))
    parts.append("Measured with:\n\n" + "\n".join(map(_wrapped, _circumstances(kept))))
    return "\n\n".join(parts)


def details_of(document: Path) -> Path:
    """The file beside `document` that has the details."""
    return document.with_name(f"{document.stem}-details{document.suffix}")


def update(document: Path, kept: Sequence[Kept]) -> None:
    """Write the table between the two markers of `document`, and the details between those of `details_of(document)`.

    A file that is not there is begun. Raises ValueError, before anything is written, when one of them lacks a marker.
    """
    texts = {document: render(kept), details_of(document): render_details(kept)}
    written = {path: _between_markers(path, text) for path, text in texts.items()}
    document.parent.mkdir(parents=True, exist_ok=True)
    for path, text in written.items():
        path.write_text(text, encoding="utf-8")


def _between_markers(path: Path, text: str) -> str:
    """The text of the file at `path` with `text` between its two markers."""
    present = path.read_text(encoding="utf-8") if path.exists() else f"# Performance\n\n{BEGIN}\n{END}\n"
    before, begin, rest = present.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"{path} lacks the lines {BEGIN!r} and {END!r}; put them where the tables belong")
    return f"{before}{BEGIN}\n{text}\n{END}{after}"


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


def _comparison(row: Row) -> list[str]:
    low, high = row.spread
    ratio = f"{row.ratio:.2f}x ({low:.2f}..{high:.2f})"
    return [f"{row.name} ({row.unit})", ratio, f"{row.bar}, {_met(row.passes)}" if row.bar else "none"]


def _reference(table: Table) -> list[str]:
    return [table.name, "no ratio: see the details", f"{table.bar}, {_met(table.passes)}"]


def _medians(row: Row) -> list[str]:
    return [row.name, row.unit, *(number(statistics.median(values)) for values in (row.ours, row.peer))]


def _met(passes: bool | None) -> str:
    return {True: "met", False: "**not met**", None: "not judged"}[passes]


def _shown(table: Table, letter: str) -> str:
    bar = f" Bar: {table.bar}, {_met(table.passes)}." if table.bar else ""
    note = f"\n\n{_wrapped(table.note)}" if table.note else ""
    title = _wrapped(f"**{table.name}, on {letter}.**{bar}")
    return f"{title}\n\n{markdown(table.header, table.cells)}{note}"


def _wrapped(text: str) -> str:
    """`text`, a paragraph or a list item, in lines of at most LINE_WIDTH; no line begins with a sign of Markdown."""
    bullet = "- " if text.startswith("- ") else ""
    glued = _STARTS_MARKUP.sub("\0\\1 ", text.removeprefix(bullet))
    lines = textwrap.wrap(glued, LINE_WIDTH - len(bullet), break_long_words=False, break_on_hyphens=False)
    return (bullet + f"\n{' ' * len(bullet)}".join(lines)).replace("\0", " ")


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
