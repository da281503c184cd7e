"""
`make mutants`: plant faults drawn by chance into copies of the sources, and count those that the suite finds.

cosmic-ray makes the faults. Each place of the sources is drawn at most once, so that operators with many replacements
weigh no more than others. Annotations and docstrings are no places: nothing runs them. One run of the tests with
coverage tells which of them run a line, and a second one without compiling which of them run a line of compiled code. A
fault meets these alone, the quick ones first, until one fails. A fault in a line that an import runs meets the tests
that run any other line of its file, and then all of its room, which may have used it in an import of their own.
Coverage does not see other processes: a fault in a file that it never saw meets the tests of its room, and then wider
circles of tests.
"""

from __future__ import annotations

import argparse
import ast
import multiprocessing
import os
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.work_db import WorkDB
from cosmic_ray.work_item import MutationSpec
from coverage import CoverageData
from tqdm import tqdm

ROOT: Final = Path(__file__).parent.parent
ROOMS: Final = {
    "service/engine": ("tests/service/engine", "tests/service/translation/test_translator.py"),
    "service/search": ("tests/service/search", "tests/service/engine"),
    "service/api": ("tests/service/api",),
    "service/attention": ("tests/service/attention", "tests/service/api"),
    "service/translation": ("tests/service/translation",),
    "service/text": ("tests/service/text", "tests/service/translation/test_translator.py"),
    "service/deployments": ("tests/service/deployments",),
    "model_store/contract": ("tests/model_store/contract", "tests/service/deployments/test_choices.py"),
}
"""Rooms that get faults, with the tests that meet them first."""
WIDER: Final = (
    (
        "tests/service/api",
        "tests/service/translation/test_translator.py",
        "tests/service/translation/test_scorer.py",
        "tests/structure",
    ),
    ("tests/service", "tests/deploy", *(f"--ignore=tests/service/{slow}" for slow in ("kernels", "deployments"))),
)
"""Tests that a fault meets when its room's tests passed; those that neither a room nor a fault in it can touch are left
out, because a fault that nothing finds meets them all."""
INTERPRETED: Final = (
    "tests/service/search",
    "tests/service/engine",
    "tests/service/attention",
    "tests/service/translation/test_signals.py",
)
"""Tests of compiled code that pass, or mostly pass, when numba does not compile it."""
MOST_TESTS: Final = 300
"""Of those that run a line, the quickest so many: a command line has an end."""
LIMIT_S: Final = 420.0
"""A fault that keeps tests busy for longer is found: pytest's own limit would end it."""


@dataclass(frozen=True)
class Planted:
    """A fault and what became of it."""

    room: str
    mutation: MutationSpec
    is_found: bool
    num_tests: int
    """Tests, or files and folders of tests, that met it."""
    seconds: float
    diff: str


def annotations(source: str) -> set[tuple[int, int]]:
    """Lines and columns (from 1 and 0) where something stands that is an annotation, so that nothing runs it."""
    found = set[tuple[int, int]]()
    for node in ast.walk(ast.parse(source)):
        parts = [getattr(node, "annotation", None), getattr(node, "returns", None)]
        for part in (part for part in parts if isinstance(part, ast.expr)):
            found |= {(each.lineno, each.col_offset) for each in ast.walk(part) if isinstance(each, ast.expr)}
            found |= {_operator_of(each) for each in ast.walk(part) if isinstance(each, ast.BinOp)}
    return found


def _operator_of(node: ast.BinOp) -> tuple[int, int]:
    """Where the operator of `A | B` stands, one space after A."""
    return node.left.end_lineno or 0, (node.left.end_col_offset or 0) + 1


def drawn(count: int, seed: int) -> list[tuple[str, MutationSpec]]:
    """`count` faults, each with its room; the same for the same sources and seed."""
    chance, places = random.Random(seed), defaultdict[tuple[str, Path, tuple[int, int]], list[MutationSpec]](list)
    for room in ROOMS:
        files = sorted((ROOT / room).rglob("*.py"))
        idle = {file: annotations(file.read_text(encoding="utf-8")) for file in files}
        for mutation in _all_mutations(files):
            if mutation.start_pos not in idle[mutation.module_path]:
                places[room, mutation.module_path.relative_to(ROOT), mutation.start_pos].append(mutation)
    picked = chance.sample(sorted(places), min(count, len(places)))
    return [(place[0], chance.choice(places[place])) for place in picked]


def _all_mutations(files: list[Path]) -> Iterator[MutationSpec]:
    with tempfile.TemporaryDirectory() as folder:
        database = WorkDB(f"{folder}/faults.sqlite", WorkDB.Mode.create)
        init(files, database, {})
        items = database.work_items
        database.close()
    for item in items:
        yield from item.mutations


def copied(folder: Path) -> Path:
    """A copy of everything that git knows or would take."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            shutil.copy2(ROOT / name, folder / name)
    return folder


def command(tests: Sequence[str], *options: str) -> str:
    """How tests are run."""
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--no-header", *options, *tests]
    return shlex.join(words)


class Seen:
    """Which tests run each line of the sources, and how long they take."""

    def __init__(self, contexts: Mapping[str, Mapping[int, Sequence[str]]], seconds: Mapping[str, float]) -> None:
        """`contexts`: by file, from the root, and line."""
        self._contexts, self._seconds = contexts, seconds

    def circles(self, room: str, path: Path, line: int) -> list[list[str]]:
        """The tests that run a line, quick ones first; of a line that an import runs, those that run another line of
        its file, the room's first, and then the whole room's; of a file that coverage never saw, those of its room, and
        then wider circles."""
        lines = self._contexts.get(str(path), {})
        if found := self._tests(lines.get(line, ())):
            return [found]
        of_file = self._tests([name for names in lines.values() for name in names], most=None)
        if not of_file:
            return [list(circle) for circle in (ROOMS[room], *WIDER)]
        near = [test for test in of_file if test.startswith(ROOMS[room][0])]
        files = list(dict.fromkeys(test.partition("::")[0] for test in near))
        others = [test for test in of_file if test not in near][:MOST_TESTS]
        return [circle for circle in (files, others, list(ROOMS[room])) if circle]

    def _tests(self, contexts: Sequence[str], most: int | None = MOST_TESTS) -> list[str]:
        """The tests that coverage names, quick ones first, and whole files where a fixture ran: it may serve all of
        their tests, though coverage names the first of them only."""
        named = [name.partition("|")[::2] for name in contexts if name]
        files = {test.partition("::")[0] for test, phase in named if phase == "setup"}
        found = {test for test, _ in named if test.partition("::")[0] not in files}
        return [*sorted(found, key=lambda name: (self._seconds.get(name, 0.0), name))[:most], *sorted(files)]


def look(folder: Path) -> Seen:
    """Run the tests in a copy, with coverage. Raises CalledProcessError when one fails: nothing could be told."""
    circles = [*dict.fromkeys(test for tests in (*ROOMS.values(), *WIDER) for test in tests)]
    contexts = _contexts(folder, circles, {}, check=True)
    seconds = {}
    for case in ElementTree.parse(folder / "tests.xml").iter("testcase"):
        name = f"{case.get('file')}::{case.get('name')}"
        seconds[name] = float(case.get("time") or 0.0)
    for file, lines in _contexts(folder, INTERPRETED, {"NUMBA_DISABLE_JIT": "1"}, check=False).items():
        for line, names in lines.items():
            if not any(contexts.setdefault(file, {}).get(line, ())):
                contexts[file][line] = names
    return Seen(contexts, seconds)


def _contexts(
    folder: Path, tests: Sequence[str], settings: Mapping[str, str], *, check: bool
) -> dict[str, dict[int, list[str]]]:
    """By file, from the root, and line, the tests that run it."""
    rooms = [f"--cov={room}" for room in ROOMS]
    out = ["--cov-context=test", "--cov-report=", "--junitxml=tests.xml", "-o", "junit_family=xunit1"]
    environment = {**os.environ, **settings, "PYTHONPATH": str(folder)}
    subprocess.run(command(tests, *rooms, *out), shell=True, cwd=folder, check=check, env=environment)
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    return {
        str(Path(file).relative_to(folder.resolve())): data.contexts_by_lineno(file) for file in data.measured_files()
    }


def enter(folders: multiprocessing.Queue[str]) -> None:
    """Give a worker a copy of its own, which its tests import, and compile its kernels once."""
    os.chdir(folders.get())
    os.environ["PYTHONPATH"] = os.getcwd()
    subprocess.run([sys.executable, "-m", "service.cli", "prepare"], check=True, capture_output=True)


def plant(room: str, mutation: MutationSpec, circles: Sequence[Sequence[str]]) -> Planted:
    """Put a fault into the worker's copy and let circle after circle of tests meet it."""
    here = Path.cwd() / mutation.module_path.relative_to(ROOT)
    placed = MutationSpec(
        module_path=here,
        operator_name=mutation.operator_name,
        occurrence=mutation.occurrence,
        start_pos=mutation.start_pos,
        end_pos=mutation.end_pos,
        operator_args=mutation.operator_args,
    )
    started = time.monotonic()
    for circle in circles:
        result = mutate_and_test([placed], command(circle, "-x"), LIMIT_S)
        if result.is_killed:
            break
    return Planted(
        room, mutation, result.is_killed, sum(map(len, circles)), time.monotonic() - started, result.diff or ""
    )


def report(done: list[Planted]) -> str:
    """A table of rooms, and the faults that nothing found."""
    lines = ["| room | faults | found |", "|---|---|---|"]
    for room in [*ROOMS, "all"]:
        of_room = [each for each in done if room in (each.room, "all")]
        found = sum(each.is_found for each in of_room)
        lines.append(f"| {room} | {len(of_room)} | {found} ({found / max(1, len(of_room)):.0%}) |")
    for each in sorted((each for each in done if not each.is_found), key=lambda each: str(each.mutation.module_path)):
        place = f"{each.mutation.module_path.relative_to(ROOT)}:{each.mutation.start_pos[0]}"
        changed = [line for line in each.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("---", "+++")]
        told = (
            f"{place} {each.mutation.operator_name.removeprefix('core/')}, met {each.num_tests} tests or files of tests"
        )
        lines += ["", told, *changed]
    return "\n".join(lines)


def main() -> None:
    """Plant, count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="faults to plant (300)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="copies of the sources (one for each core)")
    parser.add_argument("--minutes", type=float, default=600, help="plant no more faults after so long")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "mutants.md")
    given = parser.parse_args()
    faults, end, done = drawn(given.count, given.seed), time.monotonic() + given.minutes * 60, list[Planted]()
    with tempfile.TemporaryDirectory() as folder, multiprocessing.Manager() as manager:
        folders = manager.Queue()
        for number in range(given.workers):
            folders.put(str(copied(Path(folder) / str(number))))
        seen = look(copied(Path(folder) / "coverage"))
        with ProcessPoolExecutor(given.workers, initializer=enter, initargs=(folders,)) as pool:
            waiting = [
                pool.submit(
                    plant, room, fault, seen.circles(room, fault.module_path.relative_to(ROOT), fault.start_pos[0])
                )
                for room, fault in faults
            ]
            for each in tqdm(as_completed(waiting), total=len(waiting), unit="fault"):
                if not each.cancelled():
                    done.append(each.result())
                    given.out.parent.mkdir(parents=True, exist_ok=True)
                    given.out.write_text(report(done) + "\n", encoding="utf-8")
                if time.monotonic() > end:
                    pool.shutdown(wait=False, cancel_futures=True)
    print(report(done))


if __name__ == "__main__":
    main()
