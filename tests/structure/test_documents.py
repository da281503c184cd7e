"""Documents, docstrings and comments name only what exists, and documents stay short enough to be read.

Each finder takes a text and gives the names in it that mean nothing; the last tests plant such names.
"""

from __future__ import annotations

import ast
import inspect
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest

from service.observability.table import TABLE
from service.settings import Settings, variable

ROOT = Path(__file__).parents[2]
FOLDERS = ("service", "model_store", "loadtests", "docs", "deploy", "tests", ".ci")
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCES = sorted(file for folder in ("service", "model_store", "loadtests") for file in (ROOT / folder).rglob("*.py"))

MAX_WIDTH, MAX_LINES = 120, 300
SHORT = {"README.md": 120, "docs/performance.md": 120}
"""Documents that must be shorter than the others."""

FENCED = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
PATH = re.compile(rf"(?<![\w./~<-])(?:{'|'.join(map(re.escape, FOLDERS))})/[\w./*<>{{}}-]*")
PAGE = re.compile(r"(?<![\w./<>-])[\w.-][\w./-]*\.md\b")
FILE_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*\.(?:py|md|ya?ml)")
MODULE = re.compile(r"(?<![\w./-])(?:service|model_store|loadtests)(?:\.[A-Za-z_]\w*)+")
METRIC = re.compile(r"(?<![\w./])attendant_[a-z_]*[a-z]\b(?!\.py)")
SETTING = re.compile(r"\bATTENDANT_[A-Z_]*[A-Z]\b")
TARGET = re.compile(r"(?:^|[\s;&])make ((?:[a-z]|\.\w)[\w./-]*)", re.MULTILINE)
COMMAND = re.compile(r"(?:^|[\s/])attendant ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?", re.MULTILINE)
COMMENT = re.compile(r"(?:^|\s)#:? (.*)$", re.MULTILINE)
EXAMPLE = re.compile(r"^ +((?:[A-Z_]+=\S+ )*(?:attendant|make|python) .*)$", re.MULTILINE)
READ = re.compile(r"(?:environ(?:\.get\(|\[)|getenv\(|envvar=)\s*\"(\w+)\"")
"""Where a source reads a variable of the environment by its name."""


def place(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


# ---- what exists ----------------------------------------------------------------------------------------------------


@cache
def file_names() -> frozenset[str]:
    """Names of all files of the repository, without their folders."""
    inner = (file.name for folder in FOLDERS for file in (ROOT / folder).rglob("*"))
    return frozenset(inner) | {file.name for file in ROOT.iterdir()}


@cache
def metric_names() -> frozenset[str]:
    return frozenset(name for spec in TABLE for name in (spec.name, *spec.series))


@cache
def setting_names() -> frozenset[str]:
    """Variables of `service/settings.py`, and others that some source reads."""
    read = {name for file in SOURCES for name in READ.findall(file.read_text(encoding="utf-8"))}
    return frozenset(map(variable, Settings.model_fields)) | read


@cache
def make_targets() -> frozenset[str]:
    """All targets of the Makefile, its variables put in."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name, value in re.findall(r"^([A-Z]+) [:?]= *(\S*)$", text, re.MULTILINE):
        text = text.replace(f"$({name})", value)
    rules = re.findall(r"^([^\s#:=][^:=\n]*):(?!=)", text, re.MULTILINE)
    return frozenset(target for rule in rules for target in rule.split())


@cache
def commands() -> dict[str, frozenset[str]]:
    """Subcommands of `attendant`, and the subcommands of each of those."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found = {}
    for name, target in project["entry-points"]["attendant.commands"].items():
        module, _, function = target.partition(":")
        source = (ROOT / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        inner = rf"^@{function}\.command\((?:name=\"([\w-]+)\")?.*?^def (\w+)"
        pairs = re.findall(inner, source, re.MULTILINE | re.DOTALL)
        found[name] = frozenset(given or of_function for given, of_function in pairs)
    return found


def module_has(name: str) -> bool:
    """Whether a dotted name is a module of ours, or what one defines."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        path = ROOT.joinpath(*parts[:count])
        file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        if file.exists():
            rest = parts[count : count + 1]
            return not rest or rest == ["NAME"] or defines(file.read_text(encoding="utf-8"), rest[0])
    return False


def defines(source: str, name: str) -> bool:
    """Whether a source has a function, a class or a variable of that name at its top."""
    return bool(re.search(rf"^(?:(?:async )?def|class) {name}\b|^{name}\b[^\n]*=", source, re.MULTILINE))


# ---- names that mean nothing ----------------------------------------------------------------------------------------


def code(text: str) -> str:
    """The code of a document or docstring, one piece a line: fenced, inline, and the lines of examples."""
    inline = [" ".join(piece.split()) for piece in INLINE.findall(FENCED.sub("", text))]
    return "\n".join([*FENCED.findall(text), *inline, *EXAMPLE.findall(text)])


def missing_links(text: str, folder: Path) -> Iterator[str]:
    """Targets of relative links that lead nowhere: no file, or no heading of that name in it."""
    for link in LINK.findall(INLINE.sub("", FENCED.sub("", text))):
        path, _, heading = link.partition("#")
        if "://" in link or link.startswith("mailto:"):
            continue
        file = folder / path
        known = path and file.exists() and (not heading or heading in headings(file.read_text(encoding="utf-8")))
        if not known:
            yield link


def headings(text: str) -> set[str]:
    """Anchors of a document's headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def missing_files(text: str, folder: Path) -> Iterator[str]:
    """Paths below one of our folders, pages and file names that are not there. `*` stands for anything."""
    for name in PATH.findall(text):
        path = name.rstrip("./")
        is_there = any(ROOT.glob(path)) if "*" in path else (ROOT / path).exists()
        if not is_there and not set("<>{}") & set(path):
            yield path
    for page in PAGE.findall(LINK.sub("", text)):
        if not any((base / page).exists() for base in (ROOT, ROOT / "docs", folder)):
            yield page
    for name in INLINE.findall(text):
        if FILE_NAME.fullmatch(name) and name not in file_names():
            yield name


def missing_modules(text: str, folder: Path) -> Iterator[str]:
    """Dotted names of modules, or of what they define, that are not there."""
    return (name for name in MODULE.findall(text) if not module_has(name))


def unknown_metrics(text: str, folder: Path) -> Iterator[str]:
    """Metrics that the table of metrics does not have."""
    return (name for name in METRIC.findall(text) if name not in metric_names())


def unknown_settings(text: str, folder: Path) -> Iterator[str]:
    """Variables that nothing reads."""
    return (name for name in SETTING.findall(text) if name not in setting_names())


def unknown_targets(text: str, folder: Path) -> Iterator[str]:
    """Targets that the Makefile does not have; looked for in code only, as `make` is English too."""
    return (f"make {name}" for name in TARGET.findall(code(text)) if name not in make_targets())


def unknown_commands(text: str, folder: Path) -> Iterator[str]:
    """Subcommands that `attendant` does not have."""
    for name, inner in COMMAND.findall(code(text)):
        if name not in commands() or (inner and commands()[name] and inner not in commands()[name]):
            yield f"attendant {name} {inner}".rstrip()


FINDERS: tuple[Callable[[str, Path], Iterator[str]], ...] = (
    missing_links,
    missing_files,
    missing_modules,
    unknown_metrics,
    unknown_settings,
    unknown_targets,
    unknown_commands,
)


def unknown_names(text: str, folder: Path) -> list[str]:
    """Everything in `text`, which stands in a file of `folder`, that is not there."""
    return [name for finder in FINDERS for name in finder(text, folder)]


def told(source: str) -> str:
    """Docstrings, those of attributes too, and comments of a source."""
    expressions = (node.value for node in statements(ast.parse(source)) if isinstance(node, ast.Expr))
    texts = [node.value for node in expressions if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return "\n".join([*map(inspect.cleandoc, texts), *COMMENT.findall(source)])


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Everything that stands in the bodies of modules, classes, functions and blocks."""
    for inner in getattr(node, "body", []):
        yield inner
        yield from statements(inner)


def too_wide(text: str) -> list[str]:
    """Lines of more than MAX_WIDTH characters; tables, links and code may be wider."""
    lines = FENCED.sub("", text).splitlines()
    return [
        line
        for line in lines
        if len(line) > MAX_WIDTH and not line.lstrip().startswith("|") and "](" not in line and "://" not in line
    ]


# ---- the tests ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("file", DOCUMENTS, ids=place)
def test_a_document_names_only_what_exists(file: Path) -> None:
    assert unknown_names(file.read_text(encoding="utf-8"), file.parent) == []


@pytest.mark.parametrize("file", SOURCES, ids=place)
def test_docstrings_and_comments_name_only_what_exists(file: Path) -> None:
    assert unknown_names(told(file.read_text(encoding="utf-8")), file.parent) == []


@pytest.mark.parametrize("file", DOCUMENTS, ids=place)
def test_a_document_is_narrow_and_short(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert too_wide(text) == []
    assert len(text.splitlines()) <= SHORT.get(place(file), MAX_LINES)


def test_documents_that_must_be_short_exist() -> None:
    assert set(SHORT) <= set(map(place, DOCUMENTS))


# ---- the finders can find -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("finder", "text", "found"),
    [
        (missing_links, "[a](docs/operations.md) [b](https://example.org/x) ![c](docs/no.png)", ["docs/no.png"]),
        (missing_links, "[a](docs/bundles.md#the-store) [b](docs/bundles.md#the-shop)", ["docs/bundles.md#the-shop"]),
        (missing_links, "[a](#here)", ["#here"]),
        (missing_files, "`service/app.py` in `service/`, `service/nowhere.py`", ["service/nowhere.py"]),
        (missing_files, "in tests/structure/. Not in tests/stricture/.", ["tests/stricture"]),
        (missing_files, "see API.md and operations.md, not ~/my.md and /tmp/my.md", ["API.md"]),
        (missing_files, "`app.py` and `no_app.py`", ["no_app.py"]),
        (missing_files, "`model_store/<paper>.py`, `service/*.py`, `service/*.rs`", ["service/*.rs"]),
        (missing_modules, "`python -m loadtests.smoke`, loadtests.smoke_less", ["loadtests.smoke_less"]),
        (missing_modules, "loadtests.measure.NAME, loadtests.measures.NAME", ["loadtests.measures.NAME"]),
        (missing_modules, "service.settings.Settings and service.settings.Knobs", ["service.settings.Knobs"]),
        (
            unknown_metrics,
            "attendant_texts_total, attendant_step_rows_sum, attendant_joy",
            ["attendant_joy"],
        ),
        (unknown_settings, "ATTENDANT_*, `ATTENDANT_STORE`, `ATTENDANT_SHOP`", ["ATTENDANT_SHOP"]),
        (unknown_targets, "make sure; `make serve`, `make brew`", ["make brew"]),
        (unknown_targets, "```\nmake bench-peers ARGS=x\nmake tea\n```\n`make .venv/.installed`", ["make tea"]),
        (unknown_commands, "attendant staff; `attendant serve`, `attendant sing`", ["attendant sing"]),
        (unknown_commands, "`attendant models list`, `attendant models lists`", ["attendant models lists"]),
        (
            unknown_commands,
            "`attendant COMMAND --help`, `a/attendant export r`, `a/attendant rob`",
            ["attendant rob"],
        ),
        (unknown_commands, "Examples:\n  attendant serve\n  X=1 attendant swerve", ["attendant swerve"]),
    ],
)
def test_a_finder_finds_what_is_not_there_and_nothing_else(
    finder: Callable[[str, Path], Iterator[str]], text: str, found: list[str]
) -> None:
    assert list(finder(text, ROOT)) == found


def test_docstrings_of_modules_functions_and_attributes_and_comments_are_read() -> None:
    source = '"""One."""\nx = 1\n"""Two."""\ndef f():\n    """Three."""\n    return "no"  # four\n'
    assert told(source).split() == ["One.", "Two.", "Three.", "four"]


def test_wide_lines_are_found_and_tables_links_and_code_may_be_wide() -> None:
    wide = "word " * 30
    text = f"{wide}\n| {wide} |\n[{wide}](docs/operations.md)\n```\n{wide}\n```\nshort\n"
    assert too_wide(text) == [wide]
