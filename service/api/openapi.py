"""GET /openapi.json, made from the wire models."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic_core import to_json

from service.api.answers import CompareAnswer, Problem, ScoreAnswer, TranslateAnswer
from service.api.body import MIN_TIMEOUT_S, RequestLimits
from service.api.events import EVENTS, DoneEvent, TranslationEvent
from service.api.listings import LanguagesAnswer, ModelListing, ModelsAnswer
from service.api.requests import CompareBody, ScoreBody, TranslateBody
from service.errors import AttendantError

Schema = dict[str, Any]

EXAMPLE = {"text": "The black cat ate the mouse.", "source": "en", "target": "fr", "attention": True, "signals": True}
PAIR = {"text": "The black cat ate the mouse.", "translation": "Le chat noir a mangé la souris."}
SCORE_EXAMPLE = {"pairs": [PAIR], "source": "en", "target": "fr"}
COMPARE_EXAMPLE = {"text": PAIR["text"], "models": ["en-fr-transformer", "en-fr-bahdanau"], "attention": True}
MODELS: dict[str, Any] = {
    "TranslateBody": TranslateBody,
    "TranslateAnswer": TranslateAnswer,
    "TranslationEvent": TranslationEvent,
    "DoneEvent": DoneEvent,
    "ScoreBody": ScoreBody,
    "ScoreAnswer": ScoreAnswer,
    "CompareBody": CompareBody,
    "CompareAnswer": CompareAnswer,
    "ModelsAnswer": ModelsAnswer,
    "ModelListing": ModelListing,
    "LanguagesAnswer": LanguagesAnswer,
    "Problem": Problem,
}
JSON = "application/json"
KEYS = (401, 429)
"""What a server with API keys may answer to everything but health."""
ALWAYS = (401, 404, 405, 429, 500)
TRANSLATE = (400, 401, 404, 405, 408, 413, 415, 422, 429, 500, 503)


def openapi_document(limits: RequestLimits, schemas_file: Path | None = None) -> Schema:
    """The OpenAPI 3.1 document. `schemas_file`: where `write_schemas` left what takes long to make."""
    schemas = _schemas() if schemas_file is None else json.loads(schemas_file.read_bytes())
    _limit(schemas, limits)
    model = _operation("One model that is served", "ModelListing", ALWAYS)
    model["parameters"] = [_path_parameter("name", "`name` (its newest version) or `name@version`.")]
    ready = _plain("Every model is loaded and warm; 503 before and while draining", JSON)
    ready["responses"]["503"] = _refusal(503)
    metrics = _plain("Metrics in the Prometheus text format", "text/plain")
    metrics["responses"] |= _refusals(KEYS)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Attendant",
            "version": version("attendant"),
            "description": "Machine translation that returns attention maps. Every response carries `x-request-id`, "
            "echoed when the client sent one of 1 to 128 letters, digits, dots, colons, dashes and underscores.",
        },
        "paths": {
            "/v1/translate": {"post": _streamed(_work("Translate", "Translate", EXAMPLE, limits))},
            "/v1/score": {"post": _work("Score translations that exist already", "Score", SCORE_EXAMPLE, limits)},
            "/v1/compare": {"post": _work("One text through several models", "Compare", COMPARE_EXAMPLE, limits)},
            "/v1/models": {"get": _operation("Every model served", "ModelsAnswer", ALWAYS)},
            "/v1/models/{name}": {"get": model},
            "/v1/languages": {"get": _operation("Every language pair served", "LanguagesAnswer", ALWAYS)},
            "/health/live": {"get": _plain("The process answers", JSON)},
            "/health/ready": {"get": ready},
            "/metrics": {"get": metrics},
        },
        "components": {"schemas": schemas},
    }


def write_schemas(file: Path) -> None:
    """Write the schemas of the wire models. They take 0.2 s of Python, in which a replica would answer nobody else."""
    file.write_bytes(to_json(_schemas()))


def _limit(schemas: dict[str, Schema], limits: RequestLimits) -> None:
    """Write the server's limits into the schemas of bodies."""
    text = schemas["TranslateBody"]["properties"]["text"]
    text["anyOf"][1]["maxItems"] = schemas["ScoreBody"]["properties"]["pairs"]["maxItems"] = limits.max_texts
    pair, compared = schemas["PairBody"]["properties"], schemas["CompareBody"]["properties"]
    one_text = [text["anyOf"][0], text["anyOf"][1]["items"], pair["text"], pair["translation"]]
    for each in (*one_text, compared["text"], compared["translation"]["anyOf"][0]):
        each["maxLength"] = limits.max_text_characters


def _work(summary: str, name: str, example: Schema, limits: RequestLimits) -> Schema:
    """A route that takes a body of that `name` and gives its answer."""
    operation = _operation(summary, f"{name}Answer", TRANSLATE)
    content = {JSON: {"schema": _reference(f"{name}Body"), "example": example}}
    return operation | {
        "parameters": [_timeout_header(limits)],
        "requestBody": {"required": True, "content": content},
    }


def _streamed(operation: Schema) -> Schema:
    """An operation that answers with events where the body has `stream`."""
    told = "Where the body has `stream`: events `translation` (data: TranslationEvent), then `done` (data: DoneEvent)"
    ok = operation["responses"]["200"]
    ok["content"][EVENTS] = {"schema": {"type": "string", "description": f"{told} or `error` (data: Problem)."}}
    return operation


def _schemas() -> dict[str, Schema]:
    every: Any = tuple[tuple(MODELS.values())]  # type: ignore[misc]  # one look at what several of them have
    schemas: dict[str, Schema] = TypeAdapter(every).json_schema(ref_template="#/components/schemas/{model}")["$defs"]
    return schemas


def _reference(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _operation(summary: str, answer: str, statuses: tuple[int, ...]) -> Schema:
    responses: Schema = {"200": {"description": "OK", "content": {JSON: {"schema": _reference(answer)}}}}
    return {"summary": summary, "responses": responses | _refusals(statuses)}


def _plain(summary: str, media_type: str) -> Schema:
    return {"summary": summary, "responses": {"200": {"description": "OK", "content": {media_type: {}}}}}


def _timeout_header(limits: RequestLimits) -> Schema:
    return {
        "name": "x-request-timeout-seconds",
        "in": "header",
        "description": f"Seconds until the answer is of no use; at most and by default {limits.request_timeout_s:g}. "
        "Digits, and a point with further digits if need be.",
        "schema": {"type": "number", "minimum": MIN_TIMEOUT_S},
    }


def _path_parameter(name: str, description: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "description": description, "schema": {"type": "string"}}


def _refusals(statuses: tuple[int, ...]) -> Schema:
    refusals = {str(status): _refusal(status) for status in statuses}
    if 429 in statuses:
        seconds = {"schema": {"type": "integer"}, "description": "Seconds after which to try again."}
        refusals["429"] = {**refusals["429"], "headers": {"Retry-After": seconds}}
    return refusals


def _refusal(status: int) -> Schema:
    content = {"application/problem+json": {"schema": _reference("Problem")}}
    return {"description": ", ".join(_codes().get(status, [])), "content": content}


def _codes() -> dict[int, list[str]]:
    """Slugs by HTTP status, from the tree of errors."""
    codes: dict[int, list[str]] = {}
    waiting: list[type[AttendantError]] = [AttendantError]
    while waiting:
        error = waiting.pop(0)
        waiting.extend(error.__subclasses__())
        if error.code not in codes.setdefault(error.status, []) and error.__name__ != "RequestError":
            codes[error.status].append(error.code)
    codes[500] = ["internal_error"]
    return codes
