"""attendant evaluate, with the tiny store."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from model_store.contract.store import Store
from service.commands.evaluate import evaluate, translate_all
from service.messages import SearchOptions


def run(store: Path, test_set: Path, *arguments: str | Path) -> Result:
    options = ["better", "--store", store, "--test", test_set, "--beam-size", "1", *arguments]
    result = CliRunner().invoke(evaluate, [str(option) for option in options])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize("sources", [["", "The cat.", " \u00a0"], ["", " "], []])
def test_a_blank_source_is_an_empty_text_and_keeps_its_place(store: Path, sources: list[str]) -> None:
    outputs = translate_all(Store(store).open("better"), sources, SearchOptions(beam_size=1)).outputs
    assert len(outputs) == len(sources)
    assert [out for source, out in zip(sources, outputs, strict=True) if not source.strip()] == [""] * (
        sum(not source.strip() for source in sources)
    )


def test_a_test_set_with_a_blank_source_is_measured(store: Path, tmp_path: Path) -> None:
    test_set, output = tmp_path / "test.tsv", tmp_path / "out.txt"
    test_set.write_text("The cat.\tLe chat.\n\tRien.\n")
    result = run(store, test_set, "--output", output)
    assert result.exit_code == 0
    assert "better@1 float32, 2 sentences, beam 1: BLEU" in result.stdout
    assert output.read_text().split("\n")[1:] == ["", ""]


def test_a_test_set_without_a_line_is_an_error_of_one_line(store: Path, tmp_path: Path) -> None:
    (tmp_path / "test.tsv").touch()
    result = run(store, tmp_path / "test.tsv")
    assert (result.exit_code, len(result.stderr.splitlines())) == (1, 1)
    assert "holds no line" in result.stderr
