"""Streamed translations: events say what the whole answer says; errors and departures in the midst of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from pydantic import TypeAdapter

from model_store.contract.bundle import Bundle
from service.api.app import Api
from service.api.body import RequestLimits
from service.api.catalogue import Catalogue
from service.api.events import DoneEvent, TranslationEvent
from service.deployments.replica import Replica
from service.errors import AttendantError, DeadlineExceededError, OverloadedError
from service.exchanged import TranslationRequest
from service.observability.metrics import Metrics
from service.translation.streaming import TextDone
from tests.service.api.conftest import Ask, ask_app

TEXTS = ["The black cat. It is, sir!", "", "I don't know.\n\nThe mouse.", "sir"]


def events(body: str) -> list[tuple[str, Any]]:
    """Names and data of the events of a stream."""
    assert body.endswith("\n\n")
    found = []
    for part in body.removesuffix("\n\n").split("\n\n"):
        name, data = part.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"attention": True, "signals": True, "utf16": True, "num_alternatives": 2},
        {"attention": {"level": "token"}, "target_prefix": ["Le", "", "", "Mon"], "beam_size": 1},
    ],
)
def test_the_events_say_what_the_whole_answer_says(ask: Ask, options: dict[str, Any]) -> None:
    body = {"text": TEXTS, "max_output_tokens": 12, **options}
    whole = ask("POST", "/v1/translate", json=body).json()
    answer = ask("POST", "/v1/translate", json={**body, "stream": True}, headers={"x-request-id": "mine"})
    assert answer.headers["content-type"] == "text/event-stream"
    assert answer.headers["x-request-id"] == "mine"
    *texts, (last, done) = events(answer.text)
    assert {name for name, _ in texts} == {"translation"}
    by_index = {data["index"]: data["translation"] for _, data in texts}
    assert [by_index[i] for i in range(len(TEXTS))] == whole["translations"]
    assert (last, done["id"], done["model"], done["usage"]) == ("done", "mine", whole["model"], whole["usage"])
    for _, data in texts:
        TypeAdapter(TranslationEvent).validate_python(data)
    TypeAdapter(DoneEvent).validate_python(done)


def test_a_refusal_before_the_first_text_is_a_problem_like_any_other(ask: Ask) -> None:
    answer = ask("POST", "/v1/translate", json={"text": "a" * 101, "stream": True})
    assert (answer.status_code, answer.json()["code"]) == (422, "text_too_long")
    answer = ask("POST", "/v1/translate", json={"text": "a", "stream": "yes"})
    assert answer.json()["errors"][0]["message"] == "must be true or false"
    assert ask("POST", "/v1/compare", json={"text": "a", "models": ["a", "b"], "stream": True}).status_code == 422


class Scripted:
    """Answers the first text, as the replica does; then whatever the test wants happens."""

    def __init__(self, replica: Replica, error: Exception | None, at: int = 1) -> None:
        self._real = replica.app._catalogue.default_of("en", "fr")
        self.manifest = self._real.manifest
        self._error, self._at = error, at
        self.is_closed = False

    def check(self, request: TranslationRequest) -> None:
        self._real.check(request)

    async def stream(self, request: TranslationRequest) -> AsyncGenerator[TextDone, None]:
        try:
            for number in range(2):
                if number == self._at:
                    if self._error is not None:
                        raise self._error
                    await asyncio.Event().wait()
                async for done in self._real.stream(request):
                    yield done
        finally:
            self.is_closed = True


def api_of(served: Scripted) -> tuple[Api, Metrics]:
    metrics = Metrics()
    return Api(Catalogue([served]), RequestLimits(), metrics), metrics  # type: ignore[list-item]


BODY = {"text": "The cat.", "max_output_tokens": 5, "stream": True}


@pytest.mark.parametrize(
    ("error", "code"),
    [(DeadlineExceededError("late"), "deadline_exceeded"), (ValueError("no"), "internal_error")],
)
def test_an_error_after_the_first_text_is_the_last_event(replica: Replica, error: Exception, code: str) -> None:
    api, metrics = api_of(Scripted(replica, error))
    answer = ask_app(api, "POST", "/v1/translate", json=BODY)
    assert answer.status_code == 200
    assert [name for name, _ in events(answer.text)] == ["translation", "error"]
    problem = events(answer.text)[-1][1]
    assert (problem["code"], problem["request_id"]) == (code, answer.headers["x-request-id"])
    assert f'code="{code}"' in metrics.exposition("")[0].decode()


@pytest.mark.parametrize("error", [OverloadedError("full", retry_after_s=2), AttendantError("the model failed")])
def test_an_error_at_the_first_text_has_its_own_status(replica: Replica, error: AttendantError) -> None:
    answer = ask_app(api_of(Scripted(replica, error, at=0))[0], "POST", "/v1/translate", json=BODY)
    assert (answer.status_code, answer.json()["code"]) == (error.status, error.code)


def test_a_stream_that_takes_too_long_ends_with_its_deadline(replica: Replica) -> None:
    served = Scripted(replica, None)
    headers = {"x-request-timeout-seconds": "0.3"}
    answer = ask_app(api_of(served)[0], "POST", "/v1/translate", json=BODY, headers=headers)
    assert [name for name, _ in events(answer.text)] == ["translation", "error"]
    assert events(answer.text)[-1][1]["code"] == "deadline_exceeded"
    assert served.is_closed


def test_who_leaves_in_the_midst_of_a_stream_takes_its_work_along(replica: Replica) -> None:
    served = Scripted(replica, None)
    api, metrics = api_of(served)

    async def run() -> None:
        sent, first, is_given = [], asyncio.Event(), False

        async def receive() -> Any:
            nonlocal is_given
            if not is_given:
                is_given = True
                return {"type": "http.request", "body": json.dumps(BODY).encode(), "more_body": False}
            await first.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)
            if message.get("body"):
                first.set()

        headers = [(b"content-type", b"application/json")]
        await api({"type": "http", "method": "POST", "path": "/v1/translate", "headers": headers}, receive, send)
        assert len(asyncio.all_tasks()) == 1

    asyncio.run(run())
    assert served.is_closed
    assert 'code="cancelled"' in metrics.exposition("")[0].decode()


def test_the_document_names_the_events(ask: Ask) -> None:
    document = ask("GET", "/openapi.json").json()
    content = document["paths"]["/v1/translate"]["post"]["responses"]["200"]["content"]
    assert set(content) == {"application/json", "text/event-stream"}
    assert {"TranslationEvent", "DoneEvent"} <= document["components"]["schemas"].keys()


def test_a_bundle_answers_alike_in_streams_of_any_order(replica: Replica, bundles: list[Bundle]) -> None:
    def translated(texts: list[str]) -> dict[str, Any]:
        answer = ask_app(replica.app, "POST", "/v1/translate", json={**BODY, "text": texts, "model": "better"})
        return {texts[data["index"]]: data["translation"] for name, data in events(answer.text) if name != "done"}

    assert translated(TEXTS) == translated(TEXTS[::-1])
