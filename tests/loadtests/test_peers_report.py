"""Results as files, and as the tables of two documents."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from loadtests.peers.__main__ import main
from loadtests.peers.alternate import Row
from loadtests.peers.registry import measurements
from loadtests.peers.report import (
    BEGIN,
    END,
    LINE_WIDTH,
    Circumstances,
    Kept,
    details_of,
    read,
    render,
    render_details,
    update,
    write,
)
from loadtests.peers.table import Table

ROW = Row("offline, greedy", "tokens/s", [200.0, 300.0, 400.0], [100.0] * 3, "higher", ">= 1.4x", {"batch": "64 rows"})
TABLE = Table("memory", ["after", "MB"], [["0", "100"], ["10,000", "101"]], "growth <= 2 MB", True, "One replica.")
SEEN = Circumstances("2026-01-01 00:00 UTC", "python -m loadtests.peers", "a CPU", 2, "3.13.1", {"numpy": "2.3"})


def kept(name: str, *results: Row | Table) -> Kept:
    return Kept(name, list(results), SEEN)


def test_a_kept_result_survives_its_file(tmp_path: Path) -> None:
    both = kept("both", ROW, TABLE)
    write(tmp_path / "new", both)
    assert read(tmp_path / "new", []) == [both]


def test_results_come_in_the_order_of_the_registry_and_strangers_last(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write(tmp_path, kept(name, ROW))
    assert [one.name for one in read(tmp_path, ["c", "a"])] == ["c", "a", "b"]


def test_a_result_is_replaced_by_the_next_one_of_its_name(tmp_path: Path) -> None:
    write(tmp_path, kept("a", ROW))
    write(tmp_path, kept("a", TABLE))
    assert [one.results for one in read(tmp_path, [])] == [[TABLE]]


def test_the_document_shows_ratio_spread_and_bar() -> None:
    text = render([kept("a", ROW), kept("b", TABLE), kept("c", replace(ROW, bar=""), replace(TABLE, bar=""))])
    assert text.splitlines()[2:] == [
        "| offline, greedy (tokens/s) | 3.00x (2.00..4.00) | >= 1.4x, met |",
        "| memory | no ratio: see the details | growth <= 2 MB, met |",
        "| offline, greedy (tokens/s) | 3.00x (2.00..4.00) | none |",
    ]


def test_the_details_show_medians_other_tables_settings_and_circumstances() -> None:
    text = render_details([kept("a", ROW), kept("b", TABLE)])
    assert "| offline, greedy | tokens/s | 300 | 100 | A |" in text
    assert "**memory, on A.** Bar: growth <= 2 MB, met." in text
    assert "| 10,000 | 101 |" in text
    assert "batch: 64 rows" in text
    assert "2 cores of a CPU" in text


def test_no_line_of_the_details_is_long_or_begins_with_a_sign_of_markdown() -> None:
    settings = {
        "peer": " + ".join(["FastAPI"] * 40),
        "bars": " >= ".join(["1.0"] * 60),
        "spans": " - ".join(["1"] * 90),
    }
    text = render_details([kept("a", replace(ROW, details=settings)), kept("b", replace(TABLE, note="word " * 90))])
    lines = [line for line in text.splitlines() if not line.startswith("|")]
    assert max(map(len, lines)) <= LINE_WIDTH
    assert not [line for line in lines if line.strip().startswith(("+ ", ">= ", "- 1"))]
    assert all(f"{key}: {value}" in " ".join(text.split()) for key, value in settings.items())


def test_results_of_two_processors_are_told_apart() -> None:
    one, other = kept("a", ROW), kept("b", TABLE)
    text = render_details([one, replace(other, circumstances=replace(other.circumstances, cpu="another CPU"))])
    assert "| 100 | A |" in text
    assert ", on B.**" in text
    assert f"A: {one.circumstances.cpu}; B: another CPU." in text


def test_a_run_that_gave_many_results_is_told_once() -> None:
    one, other = kept("a", ROW), kept("b", TABLE)
    later = replace(kept("c", ROW), circumstances=replace(one.circumstances, date="2026-01-02 00:00 UTC"))
    text = render_details([one, other, later])
    assert "- `a`, `b`: 2026-01-01" in text
    assert "- `c`: 2026-01-02" in text
    assert text.count("numpy 2.3") == 2


def test_the_documents_say_when_answers_differ() -> None:
    differing = [kept("a", replace(ROW, same_answers=False))]
    assert "| >= 1.4x, **not met** |" in render(differing)
    assert "answers differ" in render_details(differing)


def test_only_what_is_between_the_markers_is_written(tmp_path: Path) -> None:
    document = tmp_path / "performance.md"
    for path in (document, details_of(document)):
        path.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n", encoding="utf-8")
    update(document, [kept("a", ROW)])
    texts = {path: path.read_text(encoding="utf-8") for path in (document, details_of(document))}
    for text in texts.values():
        assert text.startswith(f"before\n{BEGIN}\n|")
        assert text.endswith(f"{END}\nafter\n")
        assert "old" not in text
    update(document, [kept("a", ROW)])
    assert texts == {path: path.read_text(encoding="utf-8") for path in texts}


@pytest.mark.parametrize("name", ["performance.md", "performance-details.md"])
def test_nothing_is_written_when_one_of_the_documents_has_no_markers(tmp_path: Path, name: str) -> None:
    document = tmp_path / "performance.md"
    for path in (document, details_of(document)):
        path.write_text("all mine\n" if path.name == name else f"{BEGIN}\nold\n{END}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=f"{name} lacks the lines"):
        update(document, [kept("a", ROW)])
    assert (tmp_path / name).read_text(encoding="utf-8") == "all mine\n"
    assert all("old" in path.read_text(encoding="utf-8") for path in tmp_path.iterdir() if path.name != name)


def test_the_details_lie_beside_the_document() -> None:
    assert details_of(Path("docs/performance.md")) == Path("docs/performance-details.md")


def test_a_table_with_a_short_row_is_refused() -> None:
    with pytest.raises(ValueError, match="must have 2 cells"):
        Table("memory", ["after", "MB"], [["0"]])


def test_circumstances_name_this_machine_and_its_packages() -> None:
    here = Circumstances.here("x")
    assert here.cpu
    assert here.num_cpus >= 1
    assert "numpy" in here.versions


def test_a_module_of_rows_that_is_not_there_brings_none() -> None:
    assert measurements(["no_such_rows"]) == {}


def test_an_unknown_row_names_those_that_there_are() -> None:
    pytest.importorskip("torch")
    result = CliRunner().invoke(main, ["no-such-row"])
    assert result.exit_code == 2
    assert "offline-greedy" in result.output


def test_the_document_is_written_from_what_is_kept(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    write(tmp_path / "results", kept("a", ROW))
    arguments = ["--render", "--out", f"{tmp_path}/results", "--document", f"{tmp_path}/performance.md"]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    for name in ("performance.md", "performance-details.md"):
        assert "offline, greedy" in (tmp_path / name).read_text(encoding="utf-8")
