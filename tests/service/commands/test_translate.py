"""attendant translate, with a real runtime and with a real HTTP server."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from model_store.contract.errors import UnknownBundleError
from service.commands.translate import TEXTS_PER_REQUEST, translate
from service.errors import AttentionNotAvailableError, UnknownLanguagePairError
from tests.bundles import published

PNG = b"\x89PNG\r\n"


def run(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    result = CliRunner().invoke(translate, [str(a) for a in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


# ---- in this process ------------------------------------------------------------------------------------------------


def test_a_text_is_translated_by_the_best_model_of_the_store(store: Path) -> None:
    result = run("--store", store, "--json", "The cat.")
    answer = json.loads(result.stdout)
    assert answer["model"]["name"] == "better"
    assert answer["translations"][0]["segments"][0]["source"]["text"] == "The cat."
    assert "attention" not in answer["translations"][0]["segments"][0]


def test_a_model_can_be_named_with_its_version(store: Path) -> None:
    answer = json.loads(run("--store", store, "--model", "worse@1", "--json", "x").stdout)
    assert (answer["model"]["name"], answer["model"]["version"]) == ("worse", "1")


def test_every_line_of_standard_input_is_a_text(store: Path) -> None:
    lines = ["The cat.", "", "The mouse. It is."] * TEXTS_PER_REQUEST
    result = run("--store", store, "--beam-size", "1", "--max-output-tokens", "2", stdin="\n".join(lines) + "\n")
    printed = result.stdout.split("\n")
    assert len(printed) == len(lines) + 1
    assert printed[1] == ""
    dash = run("--store", store, "--beam-size", "1", "--max-output-tokens", "2", "-", stdin="\n".join(lines) + "\n")
    assert dash.stdout == result.stdout


def test_a_document_keeps_what_is_no_text(store: Path, tmp_path: Path) -> None:
    document = tmp_path / "messages.json"
    document.write_text('{\n  "id": "m_1",\n  "title": "The cat.",\n  "more": ["The mouse.", ""]\n}\n', "utf-8")
    result = run("--store", store, "--max-output-tokens", "4", "--document", document)
    assert json.loads(result.stdout).keys() == {"id", "title", "more"}
    assert json.loads(result.stdout)["id"] == "m_1"
    assert result.stdout.startswith('{\n  "id"')
    assert result.stdout.endswith("]\n}\n")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("A text",), "--document names the text; leave TEXT out"),
        (("--json",), "a document is printed as it is: leave --attention, --show-map, --json"),
        (("--target-prefix", "Le"), "--target-prefix is for one text; leave it out with --document"),
    ],
)
def test_a_document_stands_alone(store: Path, tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    document = tmp_path / "letter.txt"
    document.write_text("The cat.", "utf-8")
    result = run("--store", store, "--document", document, *options)
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


def test_a_document_is_utf8(store: Path, tmp_path: Path) -> None:
    document = tmp_path / "letter.txt"
    document.write_bytes(b"caf\xe9")
    result = run("--store", store, "--document", document)
    assert result.exit_code == 1
    assert f"{document} is not UTF-8 (byte 3); save it as UTF-8" in result.stderr


def test_attention_is_drawn_and_shown(store: Path, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    result = run("--store", store, "--attention", picture, "--show-map", "The cat.", "I.")
    assert picture.read_bytes().startswith(PNG)
    assert f"Attention saved to {picture}" in result.stderr
    assert "saved" not in result.stdout
    assert result.stdout.count("(layer 1, head 1)") == 2


def test_tokens_are_shown_when_asked_for(store: Path, tmp_path: Path) -> None:
    options = ("--json", "--attention-level", "token", "--layer", "all", "--head", "all")
    drawn = ("--attention", tmp_path / "map.svg")
    (segment,) = json.loads(run("--store", store, *drawn, *options, "mouse").stdout)["translations"][0]["segments"]
    assert segment["attention"]["level"] == "token"
    assert len(segment["source"]["tokens"]) > 1


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (("--layer", "1"), "--layer: no map is shown; add --attention FILE or --show-map"),
        (("--head", "1", "--json"), "--head: no map is shown; add --attention FILE or --show-map"),
        (("--show-map", "--json"), "leave one of them out"),
        (("--attention", "map.gif"), "--attention draws PNG, SVG or PDF; name the file map.png"),
    ],
)
def test_options_that_do_not_go_together_are_refused(store: Path, options: tuple[str, ...], remedy: str) -> None:
    result = run("--store", store, *options, "mouse")
    assert result.exit_code == 2
    assert remedy in result.stderr


def test_alternatives_are_listed_below_the_translation(store: Path) -> None:
    lines = run("--store", store, "--alternatives", "2", "The cat.").stdout.splitlines()
    assert [line[:5] for line in lines[-2:]] == ["  2. ", "  3. "]


def test_nothing_is_drawn_of_a_blank_text(store: Path, tmp_path: Path) -> None:
    result = run("--store", store, "--attention", tmp_path / "map.png", "  ")
    assert result.exit_code == 1
    assert result.stderr == "Error: there is no attention to draw: nothing was translated, or the model has none\n"
    assert result.stdout == "  \n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("texts", "stdin", "place"),
    [
        ([], b"The cat.\ncaf\xe9\n", "line 2 of standard input is not UTF-8: byte 0xe9 at character 4"),
        (["--model", "\udce9", "The cat."], b"", "--model is not UTF-8: byte 0xe9 at character 1"),
        (["The cat.", "caf\udce9"], b"", "TEXT 2 is not UTF-8: byte 0xe9 at character 4"),
    ],
)
def test_bytes_that_are_no_utf8_are_refused(store: Path, texts: list[str], stdin: bytes, place: str) -> None:
    result = run("--store", store, *texts, stdin=stdin)
    assert result.exit_code == 2
    assert f"{place}; convert the text first" in " ".join(result.stderr.split())


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--model", "nobody"], UnknownBundleError),
        (["--source", "de"], UnknownLanguagePairError),
        (["--show-map", "--layer", "9"], AttentionNotAvailableError),
    ],
)
def test_what_the_store_cannot_do_is_refused(store: Path, options: list[str], error: type[Exception]) -> None:
    with pytest.raises(error):
        run("--store", store, *options, "x")


def test_an_empty_store_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownBundleError, match="holds no bundle"):
        run("--store", tmp_path, "x")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--layer", "0"], "'0' is neither a number from 1 to 1000 nor default or all"),
        (["--head", "best"], "nor mean or default or all"),
        (["--alternatives", "4"], "--alternatives must be less than --beam-size"),
        (
            ["--max-output-tokens", "3", "--min-output-tokens", "4"],
            "--min-output-tokens must not be more than --max-output-tokens",
        ),
        (["--attention", "map.jpg"], "name the file map.png"),
        (["--attention", "no-such-folder/map.png"], "there is no folder no-such-folder"),
        (["--beam-size", "17"], "17 is not in the range"),
        (["--url", "127.0.0.1:8000"], "--url must begin with http:// or https://"),
        (["--url", ""], "--url must begin with http:// or https://"),
        (["--url", "http://127.0.0.1:8000"], "--store is not used with --url"),
    ],
)
def test_wrong_usage_is_told_before_any_model_is_loaded(tmp_path: Path, options: list[str], message: str) -> None:
    result = run("--store", tmp_path, *options, "x")
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


# ---- by a server ----------------------------------------------------------------------------------------------------


@dataclass
class Server:
    """Answers POST /v1/translate with each text in capitals, or with a problem."""

    url: str = ""
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    status: int = 200
    problem: bytes = b""

    def answer(self, body: dict[str, Any]) -> bytes:
        self.bodies.append(body)
        model = {"name": "remote", "version": "7", "architecture": "x", "source": "en", "target": "fr"}
        translations = [self._translation(text) for text in body["text"]]
        return self.problem or json.dumps({"model": model, "translations": translations}).encode()

    @staticmethod
    def _translation(text: str) -> dict[str, Any]:
        side = {"text": text, "start": 0, "end": len(text), "tokens": [{"text": text, "start": 0, "end": len(text)}]}
        attention = {"maps": [{"layer": 1, "head": "mean", "weights": [[1.0]]}]}
        segments = [{"source": side, "target": side, "attention": attention}]
        return {"text": text.upper(), "alternatives": [], "segments": segments}


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.path == "/v1/translate"
            state.keys.append(self.headers["authorization"])
            body = state.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(state.status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        state.url = f"http://127.0.0.1:{listening.server_port}"
        thread = threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield state
        listening.shutdown()
        thread.join()


def test_a_server_is_asked_as_the_api_says(server: Server, tmp_path: Path) -> None:
    picture = tmp_path / "map.png"
    result = run("--url", server.url + "/", "--model", "remote", "--attention", picture, "--head", "2", "one", "two")
    assert result.stdout == "ONE\nTWO\n"
    assert picture.read_bytes().startswith(PNG)
    (body,) = server.bodies
    assert body == {
        "model": "remote",
        "text": ["one", "two"],
        "beam_size": 4,
        "length_penalty": 1.0,
        "coverage_penalty": 0.0,
        "num_alternatives": 0,
        "min_output_tokens": 0,
        "attention": {"level": "word", "layer": "default", "head": 2, "kind": "cross"},
    }


def test_a_key_is_sent_as_a_bearer_token(server: Server, tmp_path: Path) -> None:
    (tmp_path / "key").write_text("att_secret\n")
    run("--url", server.url, "--key-file", tmp_path / "key", "one")
    run("--url", server.url, "one")
    assert server.keys == ["Bearer att_secret", None]


def test_many_lines_are_sent_in_several_requests(server: Server) -> None:
    result = run("--url", server.url, stdin="a\n" * (TEXTS_PER_REQUEST + 1))
    assert result.stdout == "A\n" * (TEXTS_PER_REQUEST + 1)
    assert [len(body["text"]) for body in server.bodies] == [TEXTS_PER_REQUEST, 1]
    assert "attention" not in server.bodies[0]


def test_a_problem_is_told_with_its_code(server: Server) -> None:
    server.status, server.problem = 429, b'{"detail": "the queue is full", "code": "overloaded"}'
    result = run("--url", server.url, "x")
    assert result.exit_code == 1
    assert f"{server.url} answered 429: the queue is full (overloaded)" in result.stderr


def test_another_kind_of_server_is_told_from_ours(server: Server) -> None:
    server.status, server.problem = 404, b"<html>"
    assert "is this an Attendant server?" in run("--url", server.url, "x").stderr


@pytest.mark.parametrize("status", [200, 500])
@pytest.mark.parametrize(
    "body",
    [b"<html>", b" ", b"\xff", b'["a"]', b"null", b"{}", b'{"detail": []}', b'{"model": {}, "translations": []}',
     b'{"model": {"name": "a", "version": "1"}, "translations": [1]}'],
)  # fmt: skip
def test_an_answer_that_is_not_ours_is_an_error_of_one_line(server: Server, status: int, body: bytes) -> None:
    server.status, server.problem = status, body
    result = run("--url", server.url, "x")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert f"{server.url} answered {status}" in result.stderr
    assert "is this an Attendant server?" in result.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://["])
def test_a_server_that_does_not_answer_is_an_error_of_one_line(url: str) -> None:
    result = run("--url", url, "x")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


def test_a_model_that_kernels_do_not_know_translates_without_a_word_about_it() -> None:
    published("en-fr-lstmn")
    result = run("--model", "en-fr-lstmn", "The cat.")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
