"""Routes, methods, headers, identities: what every answer has in common."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from pydantic import TypeAdapter

from service.api.app import Api
from service.api.body import RequestLimits
from service.api.catalogue import Catalogue
from service.api.listings import LanguagesAnswer, ModelListing, ModelsAnswer
from service.deployments.replica import Replica
from service.observability.logs import configure_logging
from service.observability.metrics import Metrics
from service.observability.series import SeriesTable
from service.observability.traces import Tracing
from service.translation.translator import Translator
from tests.service.api.conftest import ask_app

Ask = Callable[..., httpx.Response]
JSON = {"content-type": "application/json"}
PATHS = ["/v1/models", "/v1/models/better", "/v1/languages", "/health/live", "/health/ready", "/metrics", "/docs"]


@pytest.mark.parametrize("path", [*PATHS, "/openapi.json"])
def test_every_page_is_there(ask: Ask, path: str) -> None:
    answer = ask("GET", path)
    assert answer.status_code == 200
    assert answer.headers["x-request-id"]


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_the_body(ask: Ask, path: str) -> None:
    head, get = ask("HEAD", path), ask("GET", path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]


@pytest.mark.parametrize(
    "path",
    ["/web", "/web/", "/v1", "/v1/translate/", "/v1/models/a/b", "/v1/models/", "/V1/translate", "/-/routes", "/%00"],
)
def test_an_unknown_path_is_a_problem(ask: Ask, path: str) -> None:
    answer = ask("GET", path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] in ("unknown_route", "unknown_model")


@pytest.mark.parametrize(("path", "allowed"), [("/v1/translate", "POST"), ("/v1/models", "GET, HEAD")])
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "NONSENSE"])
def test_another_method_is_a_problem_that_tells_what_is_allowed(ask: Ask, path: str, allowed: str, method: str) -> None:
    answer = ask(method, path)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
    assert answer.headers["allow"] == allowed


@pytest.mark.parametrize("given", ["abc-123", "a" * 128, "0190:A_b.c"])
def test_a_sane_request_id_is_echoed(ask: Ask, given: str) -> None:
    answer = ask("GET", "/nope", headers={"x-request-id": given})
    assert answer.headers["x-request-id"] == given == answer.json()["request_id"]


@pytest.mark.parametrize("given", ["", "a" * 129, "a b", 'a"b', "é", "<script>", "a,b"])
def test_any_other_request_id_is_replaced(ask: Ask, given: str) -> None:
    answer = ask("GET", "/nope", headers={"x-request-id": given.encode()})
    assert answer.headers["x-request-id"] == answer.json()["request_id"] != given


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"content-type": "text/plain"},
        {"content-type": "application/x-www-form-urlencoded"},
        {"content-type": "application/jsonp"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/json; charset=utf-16"},
        {"content-type": b"\xff\xfe"},
        JSON | {"content-encoding": "gzip"},
    ],
)
def test_a_body_that_is_not_declared_as_plain_json_is_refused(ask: Ask, headers: dict[str, Any]) -> None:
    answer = ask("POST", "/v1/translate", content=b'{"text": "hi"}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "media_type", ["application/json", "Application/JSON; charset=UTF-8", "application/json;charset=utf8"]
)
def test_json_may_be_declared_in_several_ways(ask: Ask, media_type: str) -> None:
    content = b'{"text": "hi", "max_output_tokens": 2}'
    assert ask("POST", "/v1/translate", content=content, headers={"content-type": media_type}).status_code == 200


def test_a_body_is_refused_at_the_first_byte_too_many_without_a_declared_length(replica: Replica) -> None:
    read = 0

    async def endless() -> Any:
        nonlocal read
        read += 1
        return {"type": "http.request", "body": b"x" * 4096, "more_body": True}

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/v1/translate",
        "headers": [(b"content-type", b"application/json")],
    }
    asyncio.run(replica.app(scope, endless, send))
    assert sent[0]["status"] == 413
    assert read == (1 << 17) // 4096 + 1


def test_a_body_that_never_comes_ends_with_the_requests_own_timeout(replica: Replica) -> None:
    messages = iter([{"type": "http.request", "body": b'{"te', "more_body": True}])
    sent: list[Any] = []

    async def trickle() -> Any:
        for message in messages:
            return message
        return await asyncio.get_running_loop().create_future()

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"x-request-timeout-seconds", b"0.01")]
    scope = {"type": "http", "method": "POST", "path": "/v1/translate", "headers": headers}
    asyncio.run(replica.app(scope, trickle, send))
    assert sent[0]["status"] == 408
    assert (b"content-type", b"application/problem+json") in sent[0]["headers"]
    problem = json.loads(sent[1]["body"])
    assert problem["code"] == "deadline_exceeded"
    assert problem["detail"].startswith("the body was not whole after 0.01 s")


def test_a_mistake_of_the_server_is_logged_with_the_id_that_the_client_was_told(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("the secret cat")

    monkeypatch.setattr(Translator, "check", broken)
    stream = io.StringIO()
    configure_logging(stream=stream)
    answer = ask("POST", "/v1/translate", json={"text": "the secret cat"}, headers={"x-request-id": "mine"})
    assert (answer.status_code, answer.json()["request_id"]) == (500, "mine")
    failure, access = map(json.loads, stream.getvalue().splitlines())
    assert (failure["logger"], failure["request_id"], failure["level"]) == ("attendant.api", "mine", "error")
    assert access["request_id"] == "mine"
    assert "secret" not in stream.getvalue()


def test_only_a_post_to_what_takes_one_has_a_trace() -> None:
    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    limits, metrics = RequestLimits(), Metrics(SeriesTable(None))
    api = Api(Catalogue([]), limits, metrics, is_ready=lambda: False, tracing=Tracing(provider))
    asked = [("GET", "/health/ready"), ("GET", "/v1/translate"), ("POST", "/v1/models"), ("POST", "/v1/score")]
    assert [ask_app(api, *one).status_code for one in asked] == [503, 405, 405, 415]
    assert {span.name for span in spans.get_finished_spans() if span.parent is None} == {"POST /v1/score"}


@pytest.mark.parametrize("declared", ["131073", "9" * 14, "9" * 5000])
def test_a_declared_length_too_many_is_refused_unread(ask: Ask, declared: str) -> None:
    answer = ask("POST", "/v1/translate", content=b"{}", headers=JSON | {"content-length": declared})
    assert (answer.status_code, answer.json()["code"]) == (413, "payload_too_large")


def test_models_are_described_from_their_manifests(ask: Ask) -> None:
    models = TypeAdapter(ModelsAnswer).validate_json(ask("GET", "/v1/models").content, strict=True)["models"]
    assert [(model["name"], model["is_default"]) for model in models] == [("better", True), ("worse", False)]
    assert all(model["quality"] and model["files"] and model["attention"]["layers"] for model in models)


@pytest.mark.parametrize("reference", ["worse", "worse@1"])
def test_one_model_is_described(ask: Ask, reference: str) -> None:
    model = TypeAdapter(ModelListing).validate_json(ask("GET", f"/v1/models/{reference}").content, strict=True)
    assert (model["name"], model["version"]) == ("worse", "1")


def test_languages_name_the_default_model(ask: Ask) -> None:
    (pair,) = TypeAdapter(LanguagesAnswer).validate_json(ask("GET", "/v1/languages").content, strict=True)["pairs"]
    assert pair == {"source": "en", "target": "fr", "default_model": "better@1", "models": ["better@1", "worse@1"]}


def test_every_request_is_counted_by_route_and_outcome(ask: Ask) -> None:
    def counted() -> float:
        lines = ask("GET", "/metrics").text.splitlines()
        wanted = 'attendant_requests_total{code="unknown_route",model="other",route="other"}'
        return sum(float(line.rsplit(" ", 1)[1]) for line in lines if line.startswith(wanted))

    before = counted()
    ask("GET", "/somewhere/else")
    assert counted() == before + 1
