"""attendant score and attendant compare, in this process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from service.commands.compare import compare
from service.commands.score import score

CAT, CHAT = "The black cat ate the mouse.", "Le chat noir a mangé la souris."
PNG = b"\x89PNG"


def run(command: click.Command, *arguments: Any, **options: Any) -> Result:
    return CliRunner().invoke(command, [str(each) for each in arguments], catch_exceptions=False, **options)


def test_pairs_of_arguments_and_of_lines_score_alike(store: Path) -> None:
    named = run(score, "--store", store, CAT, CHAT, "The cat.", "Le chat.")
    read = run(score, "--store", store, input=f"{CAT}\t{CHAT}\tanother column\nThe cat.\tLe chat.\n")
    assert named.stdout == read.stdout
    assert len([float(line) for line in named.stdout.splitlines()]) == 2


def test_many_lines_keep_their_order(store: Path) -> None:
    lines = [f"The cat ate {number} mice.\tLe chat a mangé {number} souris." for number in range(70)]
    together = run(score, "--store", store, input="\n".join(lines)).stdout.splitlines()
    backwards = run(score, "--store", store, input="\n".join(lines[::-1])).stdout.splitlines()
    assert len(together) == 70
    gaps = [abs(float(a) - float(b)) for a, b in zip(together, backwards[::-1], strict=True)]
    assert max(gaps) <= 2e-4


def test_the_picture_and_the_json_are_of_all_pairs(store: Path, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    result = run(score, "--store", store, "--json", "--attention", picture, CAT, CHAT)
    (scored,) = json.loads(result.stdout)["scores"]
    assert scored["segments"][0]["attention"]["kind"] == "cross"
    assert picture.read_bytes().startswith(PNG)


@pytest.mark.parametrize(
    ("arguments", "stdin", "told"),
    [
        (["one", "two", "three"], "", "name a translation for each text"),
        (["--kind", "encoder", "one", "two"], "", "--kind: no map is shown; add --attention FILE"),
        (["one", "caf\udce9"], "", "TRANSLATION 1 is not UTF-8: byte 0xe9 at character 4"),
        ([], b"one\tun\ncaf\xe9\tx\n", "line 2 of standard input is not UTF-8: byte 0xe9 at character 4"),
        ([], "a line without a tab\n", "line 1 of standard input has no tab between text and translation"),
        (["--attention", "map.gif", "one", "two"], "", "--attention draws PNG, SVG or PDF; name the file map.png"),
        (["--url", "ftp://x", "one", "two"], "", "--url must begin with http:// or https://"),
    ],
)
def test_wrong_use_of_score_is_told(arguments: list[str], stdin: str | bytes, told: str) -> None:
    result = CliRunner().invoke(score, arguments, input=stdin)
    assert result.exit_code == 2
    assert told in result.stderr


def test_every_model_has_a_line_and_a_map(store: Path, tmp_path: Path) -> None:
    picture = tmp_path / "maps.svg"
    result = run(
        compare, "--store", store, CAT, "--models", "worse, better@1", "--translation", CHAT, "--image", picture
    )
    lines = result.stdout.splitlines()
    assert [line.split("  ")[1] for line in lines] == [f"worse@1: {CHAT}", f"better@1: {CHAT}"]
    assert "worse@1, layer 1, head 1" in picture.read_text()
    assert "better@1, layer 1, head 1" in picture.read_text()


def test_layers_heads_and_levels_are_chosen_as_for_one_model(store: Path, tmp_path: Path) -> None:
    options = ("--attention-level", "token", "--layer", "all", "--head", "all")
    shown = run(compare, "--store", store, CAT, "--models", "worse,better", "--show-map", *options).stdout
    assert shown.count("layer 1, head 1") == 2
    assert "\u2581" in shown
    result = run(score, "--store", store, "--json", "--attention", tmp_path / "m.png", *options, CAT, CHAT)
    assert json.loads(result.stdout)["scores"][0]["segments"][0]["attention"]["level"] == "token"


def test_maps_are_shown_in_the_terminal_and_answers_as_json(store: Path) -> None:
    shown = run(compare, "--store", store, CAT, "--models", "worse,better", "--translation", CHAT, "--show-map").stdout
    assert shown.count("souris") == 4
    answer = json.loads(run(compare, "--store", store, CAT, "--models", "worse,better", "--json").stdout)
    assert [result["model"]["name"] for result in answer["results"]] == ["worse", "better"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--models", "one"], "--models names 1; name 2 to 8 models, with commas between them"),
        (["--models", "a,b", "--image", "maps"], "--image draws PNG, SVG or PDF"),
        (["--models", "a,b", "--layer", "1"], "--layer: no map is shown; add --image FILE or --show-map"),
        (
            ["--models", "a,b", "--show-map", "--json"],
            "--show-map draws between lines of text, --json prints JSON only",
        ),
        (["--models", "a,b", "--translation", "caf\udce9"], "--translation is not UTF-8: byte 0xe9 at character 4"),
        ([], "Missing option '--models'"),
    ],
)
def test_wrong_use_of_compare_is_told(arguments: list[str], told: str) -> None:
    result = CliRunner().invoke(compare, [CAT, *arguments])
    assert result.exit_code == 2
    assert told in result.stderr
