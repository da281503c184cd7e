"""API keys: who may ask, how much, and what nobody is told."""

from __future__ import annotations

import asyncio
import base64
import io
import json
import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from service.api.app import Api
from service.api.body import RequestLimits
from service.api.catalogue import Catalogue
from service.api.keys import Keyring, new_key, read_keys
from service.api.ledger import Ledger
from service.commands.keys import keys
from service.deployments.choices import open_bundles, require_doors
from service.deployments.replica import Replica
from service.errors import ConfigurationError, OverloadedError, RateLimitedError, UnauthorizedError
from service.observability.logs import configure_logging
from service.observability.metrics import Metrics
from service.observability.series import SeriesTable
from service.runtime.onnx import OnnxRuntime
from service.runtime.scripted import ScriptedRuntime
from service.settings import Settings
from tests.service.api.conftest import ask_app


class Clock:
    """A clock that stands still until it is told."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def write(path: Path, **limits: dict[str, int]) -> dict[str, bytes]:
    """A file with a key for each name; returns the headers that the keys are sent in."""
    headers, lines = {}, []
    for name, values in limits.items():
        key, digest = new_key()
        headers[name] = b"Bearer " + key.encode()
        lines += [f"[{name}]", f'sha256 = "{digest}"', *(f"{limit} = {most}" for limit, most in values.items())]
    path.write_text("\n".join(lines))
    return headers


def let_in(ring: Keyring, header: bytes) -> str:
    """The name of the key in a header, whose request has begun."""
    name = ring.known(header)
    ring.admit(name)
    return name


def test_a_key_is_known_by_its_name_and_others_are_refused(tmp_path: Path) -> None:
    headers = write(tmp_path / "keys.toml", web={}, batch={})
    ring = Keyring(tmp_path / "keys.toml", clock=Clock())
    assert [ring.known(header) for header in headers.values()] == ["web", "batch"]
    assert ring.known(headers["web"].replace(b"Bearer", b"bearer")) == "web"
    for wrong in (b"", b"Bearer", b"Bearer ", b"Basic " + headers["web"][7:], headers["web"][:-1], b"Bearer \xff\xfe"):
        with pytest.raises(UnauthorizedError):
            ring.known(wrong)


def test_requests_are_limited_by_the_minute_and_told_when_to_come_back(tmp_path: Path) -> None:
    headers, clock = write(tmp_path / "k", web={"requests_per_minute": 6}, other={}), Clock()
    ring = Keyring(tmp_path / "k", clock=clock)
    for _ in range(6):
        let_in(ring, headers["web"])
    with pytest.raises(RateLimitedError, match=r"6 requests a minute \(`requests_per_minute`\)$") as refused:
        let_in(ring, headers["web"])
    assert refused.value.retry_after_s == pytest.approx(10.0)
    let_in(ring, headers["other"])
    clock.now += 10.0
    let_in(ring, headers["web"])


@given(st.lists(st.tuples(st.floats(0, 30), st.integers(0, 500)), max_size=60))
def test_no_more_characters_pass_than_the_limit_and_one_request(steps: list[tuple[float, int]]) -> None:
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder:
        headers = write(Path(folder) / "k", web={"characters_per_minute": 600})
        ring = Keyring(Path(folder) / "k", clock=clock)
    name, passed = let_in(ring, headers["web"]), 0
    for seconds, characters in steps:
        clock.now += seconds
        try:
            ring.charge(name, characters)
        except RateLimitedError as refused:
            clock.now += (refused.retry_after_s or 0.0) + 1e-6
            ring.charge(name, characters)  # as told
        passed += characters
        assert passed <= 600 + clock.now * 10 + 500 + 1e-3


def test_characters_that_are_given_back_can_be_used_again(tmp_path: Path) -> None:
    headers = write(tmp_path / "k", web={"characters_per_minute": 60}, free={})
    ring = Keyring(tmp_path / "k", clock=Clock())
    for name in map(ring.known, headers.values()):
        for _ in range(3):
            ring.charge(name, 1000)
            ring.give_back(name, 1000)
    ring.charge("web", 60)
    with pytest.raises(RateLimitedError, match="60 characters a minute"):
        ring.charge("web", 1)


def test_requests_under_way_are_limited_and_other_machines_have_their_share(tmp_path: Path) -> None:
    headers = write(tmp_path / "k", web={"max_concurrent": 3, "requests_per_minute": 8})
    ring = Keyring(tmp_path / "k", share=lambda: 0.5, clock=Clock())
    names = [let_in(ring, headers["web"]) for _ in range(2)]
    with pytest.raises(RateLimitedError, match="3 requests are under way"):
        let_in(ring, headers["web"])
    ring.finished(names[0])
    let_in(ring, headers["web"])
    ring.finished(names[1])
    let_in(ring, headers["web"])
    ring.finished(names[1])
    with pytest.raises(RateLimitedError, match="8 requests a minute"):
        let_in(ring, headers["web"])


def test_a_request_that_the_minute_refuses_is_not_under_way(tmp_path: Path) -> None:
    headers, clock = write(tmp_path / "k", web={"max_concurrent": 2, "requests_per_minute": 1}), Clock()
    ring = Keyring(tmp_path / "k", clock=clock)
    let_in(ring, headers["web"])
    for _ in range(5):
        with pytest.raises(RateLimitedError, match="1 requests a minute"):
            let_in(ring, headers["web"])
    clock.now += 60.0
    let_in(ring, headers["web"])


def test_a_process_that_starts_beside_a_broken_file_has_the_keys_that_were_last_of_use(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, kept = tmp_path / "k", tmp_path / "kept"
    headers = write(path, web={})
    Keyring(path, kept=kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    path.write_text(path.read_text() + "\nbroken [")
    ring = Keyring(path, clock=(clock := Clock()), kept=kept)
    assert ring.known(headers["web"]) == "web"
    assert not ring.look()
    assert "API keys stay as they were" in caplog.text
    headers = write(path, other={})
    clock.now += 2.0
    assert ring.known(headers["other"]) == "other"
    assert ring.look()
    path.write_text("broken [")
    clock.now += 2.0
    assert not ring.look()
    path.unlink()
    assert Keyring(path, kept=kept).known(headers["other"]) == "other"
    with pytest.raises(ConfigurationError, match="cannot be read"):
        Keyring(path, kept=tmp_path / "none")


def test_a_limit_that_comes_later_counts_the_requests_that_are_under_way(tmp_path: Path) -> None:
    path, clock = tmp_path / "k", Clock()
    headers = write(path, web={})
    ring = Keyring(path, clock=clock)
    names = [let_in(ring, headers["web"]) for _ in range(5)]
    path.write_text(path.read_text() + "\nmax_concurrent = 3\n")
    clock.now += 2.0
    for name in names[:3]:
        with pytest.raises(RateLimitedError, match="3 requests are under way"):
            let_in(ring, headers["web"])
        ring.finished(name)
    let_in(ring, headers["web"])
    with pytest.raises(RateLimitedError, match="3 requests are under way"):
        let_in(ring, headers["web"])


def test_replicas_of_a_machine_count_together(tmp_path: Path) -> None:
    headers = write(tmp_path / "k", web={"max_concurrent": 3, "characters_per_minute": 100})
    one, other = (Keyring(tmp_path / "k", Ledger(tmp_path / "ledger")) for _ in range(2))
    for ring in (one, other, one):
        name = let_in(ring, headers["web"])
    for ring in (one, other):
        with pytest.raises(RateLimitedError, match="3 requests are under way"):
            let_in(ring, headers["web"])
    other.finished(name)
    let_in(one, headers["web"])
    one.charge(name, 200)
    with pytest.raises(RateLimitedError, match="100 characters a minute"):
        other.charge(name, 1)


def test_a_changed_file_is_read_again_and_a_broken_one_changes_nothing(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path, clock = tmp_path / "k", Clock()
    old = write(path, web={})
    ring = Keyring(path, clock=clock)
    new = write(path, web={}, second={"max_concurrent": 4})
    assert let_in(ring, old["web"]) == "web"  # not looked at yet
    clock.now += 2.0
    assert let_in(ring, new["second"]) == "second"
    with pytest.raises(UnauthorizedError):
        let_in(ring, old["web"])
    path.write_text("[web]\nsha256 = 'nonsense'\n")
    clock.now += 2.0
    with caplog.at_level(logging.ERROR):
        assert let_in(ring, new["web"]) == "web"
    assert "API keys stay as they were" in caplog.text
    assert "nonsense" not in caplog.text
    path.unlink()
    clock.now += 2.0
    assert let_in(ring, new["web"]) == "web"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "it holds no key; `attendant keys new NAME` makes one"),
        ("[Web]\nsha256 = 'a'\n", "'Web' is no name of a key"),
        ("[web]\nsha256 = 'a'\n", "web.sha256"),
        (f"[web]\nsha256 = '{'a' * 64}'\nrequests = 5\n", "web.requests is nothing that a key may have: sha256, req"),
        ("web = 3\n", "web is no table; write [web] and what belongs to it below"),
        (f"[web]\nsha256 = '{'a' * 64}'\nmax_concurrent = 0\n", "web.max_concurrent: Input should be greater than or"),
        (f"[a]\nsha256 = '{'a' * 64}'\n[b]\nsha256 = '{'a' * 64}'\n", "two names have the same key"),
        ("[web", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "k"
    path.write_text(text)
    with pytest.raises(ConfigurationError) as refused:
        read_keys(path)
    assert told in str(refused.value)


def test_the_command_makes_keys_that_work_and_writes_no_key_down(tmp_path: Path) -> None:
    path, run = tmp_path / "keys.toml", CliRunner().invoke
    made = run(keys, ["new", "web", "--file", str(path), "--requests-per-minute", "60"])
    other = run(keys, ["new", "batch", "--file", str(path)])
    key = made.stdout.strip()
    assert key not in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    ring = Keyring(path)
    assert let_in(ring, f"Bearer {key}".encode()) == "web"
    assert let_in(ring, f"Bearer {other.stdout.strip()}".encode()) == "batch"
    listed = run(keys, ["list", "--file", str(path)]).stdout
    assert listed == "web: requests per minute 60\nbatch: no limits\n"
    again = run(keys, ["new", "web", "--file", str(path)])
    assert again.exit_code == 2
    assert "has a key called web" in again.stderr


@pytest.mark.parametrize(("host", "refused"), [("127.0.0.1", False), ("::1", False), ("0.0.0.0", True), ("db", True)])
def test_only_loopback_is_open_without_being_told(tmp_path: Path, host: str, refused: bool) -> None:
    write(tmp_path / "k", web={})
    require_doors(Settings(http_host=host, open=True))
    require_doors(Settings(http_host=host, keys_file=tmp_path / "k"))
    if not refused:
        require_doors(Settings(http_host=host))
        return
    with pytest.raises(ConfigurationError, match="in with `--open` or"):
        require_doors(Settings(http_host=host))


@pytest.fixture(scope="module")
def headers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    path = tmp_path_factory.mktemp("keys") / "keys.toml"
    found = write(path, web={}, small={"characters_per_minute": 60}, single={"max_concurrent": 1})
    return {**found, "path": str(path).encode()}


@pytest.fixture(scope="module")
def guarded(store: Path, headers: dict[str, bytes]) -> Iterator[Replica]:
    settings = Settings(store=store, models=("worse",), keys_file=Path(headers["path"].decode()))
    replica = Replica(open_bundles(settings), settings, Metrics(), OnnxRuntime)
    asyncio.run(replica.start())
    yield replica
    asyncio.run(replica.stop())


def ask(replica: Replica, method: str, path: str, header: bytes | None = None, **options: Any) -> httpx.Response:
    sent = {} if header is None else {"authorization": header.decode()}
    return ask_app(replica.app, method, path, headers=sent, **options)


@pytest.mark.parametrize("path", ["/v1/translate", "/v1/score", "/v1/models", "/metrics", "/web/page.js", "/nowhere"])
def test_nothing_but_health_answers_without_a_key(guarded: Replica, headers: dict[str, bytes], path: str) -> None:
    answer = ask(guarded, "POST" if path in ("/v1/translate", "/v1/score") else "GET", path, json={"text": "a"})
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert answer.headers["www-authenticate"] == "Bearer"
    assert ask(guarded, "GET", "/health/live").status_code == 200
    assert ask(guarded, "GET", "/health/ready").status_code == 200
    assert ask(guarded, "GET", path, headers["web"]).status_code in (200, 404, 405)


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_browser_asks_its_user_for_a_key(guarded: Replica, headers: dict[str, bytes], path: str) -> None:
    answer = ask(guarded, "GET", path)
    assert answer.status_code == 401
    assert 'Basic realm="Attendant' in answer.headers["www-authenticate"]
    key = headers["web"].removeprefix(b"Bearer ")
    typed = b"Basic " + base64.b64encode(b"anybody:" + key)
    assert ask(guarded, "GET", path, typed).headers["content-type"].startswith("text/html")
    assert ask(guarded, "POST", "/v1/translate", typed, json={"text": "a"}).status_code == 200


@pytest.mark.parametrize("value", [b"", b"!", b"YTpi", b"YQ==", base64.b64encode(b"a:\xff"), b"YTpi=", b"\xe9"])
def test_what_is_no_key_in_basic_authentication_is_refused(guarded: Replica, value: bytes) -> None:
    sent = {"authorization": (b"Basic " + value).decode("latin-1").encode("latin-1")}
    answer = ask_app(guarded.app, "GET", "/", headers=sent)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


def test_limits_hold_and_the_name_of_the_key_is_counted(guarded: Replica, headers: dict[str, bytes]) -> None:
    text = {"text": "The cat sat. " * 5}
    assert ask(guarded, "POST", "/v1/translate", headers["small"], json=text).status_code == 200
    answer = ask(guarded, "POST", "/v1/translate", headers["small"], json=text)
    assert (answer.status_code, answer.json()["code"]) == (429, "rate_limited")
    assert 1 <= int(answer.headers["retry-after"]) <= 60
    for _ in range(3):  # one after the other: never two at once
        assert ask(guarded, "POST", "/v1/translate", headers["single"], json=text).status_code == 200
    metrics = ask(guarded, "GET", "/metrics", headers["web"]).text
    assert 'attendant_key_requests_total{code="rate_limited",key="small"} 1' in metrics
    assert 'attendant_key_requests_total{code="ok",key="single"} 3' in metrics
    assert not any(header[7:].decode() in metrics for name, header in headers.items() if name != "path")


def test_who_is_refused_at_the_door_is_counted_and_has_a_line(store: Path, tmp_path: Path) -> None:
    headers = write(tmp_path / "k", once={"requests_per_minute": 1}, none={"max_concurrent": 1})
    ring = Keyring(tmp_path / "k", clock=Clock())
    metrics, stream = Metrics(SeriesTable(None)), io.StringIO()
    api = Api(Catalogue([]), RequestLimits(), metrics, keyring=ring)
    configure_logging(stream=stream)

    def asked(name: str, body: dict[str, Any] | None = None) -> int:
        sent = {"authorization": headers[name].decode()} if name else {}
        return ask_app(api, "POST", "/v1/translate", headers=sent, json=body or {}).status_code

    assert [asked("once"), asked("once"), asked("")] == [422, 429, 401]
    ring.admit("none")  # one is under way, and goes on while others are refused
    assert [asked("none"), asked("none")] == [429, 429]
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [(line["route"], line.get("key", ""), line["code"]) for line in lines] == [
        ("/v1/translate", "once", "invalid_request"),
        ("/v1/translate", "once", "rate_limited"),
        ("/v1/translate", "", "unauthorized"),
        ("/v1/translate", "none", "rate_limited"),
        ("/v1/translate", "none", "rate_limited"),
    ]
    shown = metrics.exposition()[0].decode()
    assert 'attendant_key_requests_total{code="rate_limited",key="once"} 1' in shown
    assert 'attendant_key_requests_total{code="rate_limited",key="none"} 2' in shown
    assert 'attendant_requests_total{code="rate_limited",model="other",route="/v1/translate"} 3' in shown
    assert 'attendant_requests_total{code="unauthorized",model="other",route="/v1/translate"} 1' in shown


def test_who_finds_no_room_is_not_charged(store: Path, headers: dict[str, bytes]) -> None:
    settings = Settings(store=store, models=("worse",), keys_file=Path(headers["path"].decode()))
    runtime = ScriptedRuntime(vocabulary_size=290)
    replica = Replica(open_bundles(settings), settings, Metrics(SeriesTable(None)), lambda bundle: runtime)
    asyncio.run(replica.start())
    (worker,) = replica._workers.values()

    def full(*_: object) -> None:
        raise OverloadedError("the queue is full")

    room, worker.handle._engine.submit = worker.handle._engine.submit, full  # type: ignore[method-assign, assignment]
    text = {"text": "The cat sat. " * 5}
    answers = [ask(replica, "POST", "/v1/translate", headers["small"], json=text) for _ in range(3)]
    assert [answer.json()["code"] for answer in answers] == ["overloaded"] * 3
    worker.handle._engine.submit = room  # type: ignore[method-assign]
    answers = [ask(replica, "POST", "/v1/translate", headers["small"], json=text) for _ in range(2)]
    assert [answer.json().get("code", "ok") for answer in answers] == ["ok", "rate_limited"]
    asyncio.run(replica.stop())
