"""The OpenAPI document and the page of it describe everything: nothing is left undocumented."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from service.api.answers import TranslateAnswer
from service.api.body import RequestLimits
from service.api.docs import ANSWER, docs_page
from service.api.exchange import Answer, Exchange, made_once
from service.api.openapi import EXAMPLE, PAIR, openapi_document, write_schemas
from service.api.requests import EXPECTED, AttentionBody, CompareBody, PairBody, ScoreBody, TranslateBody
from service.attention.selection import links_map
from tests.bundles import published

DOCUMENT = openapi_document(RequestLimits(max_texts=7, max_text_characters=99))
SCHEMAS: dict[str, Any] = DOCUMENT["components"]["schemas"]


def references(part: Any) -> set[str]:
    """Every `$ref` below `part`."""
    if isinstance(part, dict):
        return {part["$ref"]} if "$ref" in part else set().union(*map(references, part.values()))
    return set().union(*map(references, part)) if isinstance(part, list) else set()


def test_every_reference_leads_to_a_model() -> None:
    assert {reference.rsplit("/", 1)[1] for reference in references(DOCUMENT)} <= SCHEMAS.keys()


def test_every_refusal_of_the_api_is_listed_for_translate() -> None:
    responses = DOCUMENT["paths"]["/v1/translate"]["post"]["responses"]
    assert {"200", "400", "401", "404", "408", "413", "415", "422", "429", "500", "503"} <= responses.keys()
    assert "overloaded" in responses["429"]["description"]


@pytest.mark.parametrize("path", DOCUMENT["paths"])
def test_what_a_server_with_keys_refuses_is_listed_for_everything_but_health(path: str) -> None:
    (operation,) = DOCUMENT["paths"][path].values()
    assert ({"401", "429"} <= operation["responses"].keys()) == (not path.startswith("/health/"))
    if "429" in operation["responses"]:
        assert "rate_limited" in operation["responses"]["429"]["description"]
        assert "Retry-After" in operation["responses"]["429"]["headers"]


def test_a_server_that_is_not_ready_is_documented() -> None:
    ready = DOCUMENT["paths"]["/health/ready"]["get"]["responses"]
    assert "not_ready" in ready["503"]["description"]
    assert "application/problem+json" in ready["503"]["content"]


@pytest.mark.parametrize("model", [TranslateBody, AttentionBody, ScoreBody, PairBody, CompareBody])
def test_every_field_of_the_request_says_what_it_means(model: Any) -> None:
    assert all(part.get("description") for part in SCHEMAS[model.__name__]["properties"].values())


def test_every_field_of_the_request_has_words_for_its_errors() -> None:
    bodies = (TranslateBody, ScoreBody, CompareBody)
    fields = {name for body in bodies for name in body.model_fields}
    inner = {"attention": AttentionBody, "pairs": PairBody}
    fields |= {f"{field}.{name}" for field, body in inner.items() for name in body.model_fields}
    assert fields == EXPECTED.keys()


@pytest.mark.parametrize(
    ("path", "method", "statuses"),
    [
        ("/v1/translate", "post", "200 400 401 404 405 408 413 415 422 429 500 503"),
        ("/v1/score", "post", "200 400 401 404 405 408 413 415 422 429 500 503"),
        ("/v1/models", "get", "200 401 404 405 429 500"),
        ("/health/ready", "get", "200 503"),
    ],
)
def test_the_document_has_every_status_that_clients_may_see(path: str, method: str, statuses: str) -> None:
    assert set(DOCUMENT["paths"][path][method]["responses"]) == set(statuses.split())


def test_the_limits_are_the_settings() -> None:
    text, texts = SCHEMAS["TranslateBody"]["properties"]["text"]["anyOf"]
    assert (text["maxLength"], texts["maxItems"]) == (99, 7)
    assert SCHEMAS["ScoreBody"]["properties"]["pairs"]["maxItems"] == 7
    assert SCHEMAS["PairBody"]["properties"]["translation"]["maxLength"] == 99
    assert SCHEMAS["CompareBody"]["properties"]["text"]["maxLength"] == 99


def test_the_example_of_an_answer_is_one() -> None:
    TypeAdapter(TranslateAnswer).validate_python(ANSWER)
    (segment,) = ANSWER["translations"][0]["segments"]
    (one,) = segment["attention"]["maps"]
    rows = zip(one["weights"], one["end_token"], strict=True)
    assert all(sum(row) + end_token == pytest.approx(1.0, abs=0.015) for row, end_token in rows)
    default = links_map(published("en-fr-transformer").manifest)
    assert default is not None
    assert (one["layer"], one["head"], one["row_of"] == "next_step") == (default.layer, default.head, default.shift > 0)
    assert (ANSWER["translations"][0]["text"], segment["source"]["text"]) == (PAIR["translation"], EXAMPLE["text"])
    assert "end_token" in docs_page(DOCUMENT).decode()


def test_what_rows_sum_to_is_told_for_models_that_look_elsewhere_too() -> None:
    told = {name: part.get("description", "") for name, part in SCHEMAS["MapAnswer"]["properties"].items()}
    for share in ("end_token", "begin_token"):
        assert "`num_persistent`" in told[share]
        assert "`lstmn`" in told[share]
    assert "row of this kind of map" in " ".join(docs_page(DOCUMENT).decode().split())


def test_the_page_for_people_names_every_path_and_model() -> None:
    page = docs_page(DOCUMENT).decode()
    assert 'name="viewport"' in page  # for phones
    assert all(path in page for path in DOCUMENT["paths"])
    assert all(f'id="{name}"' in page for name in SCHEMAS)
    assert "components/schemas" not in page  # types have their names
    assert "https://" not in page
    assert "localhost" not in page


async def silent() -> dict[str, Any]:
    return {"type": "http.disconnect"}


def test_a_document_is_made_once_for_all_who_ask_meanwhile() -> None:
    made, inner = [], threading.Event()

    def answer() -> Answer:
        inner.wait(10.0)
        made.append(None)
        return Answer(b"{}")

    async def asked() -> list[Answer]:
        handler, exchange = made_once(answer), Exchange("GET", "/openapi.json", {}, "1", silent)
        asking = [asyncio.create_task(handler(exchange)) for _ in range(50)]
        await asyncio.sleep(0.05)
        asking.pop(0).cancel()  # who asked first goes away
        inner.set()
        return [*await asyncio.gather(*asking), await handler(exchange)]

    assert [answered.body for answered in asyncio.run(asked())] == [b"{}"] * 50
    assert len(made) == 1


def test_a_document_that_could_not_be_made_is_made_for_the_next_who_asks() -> None:
    answers = iter([MemoryError(), Answer(b"{}")])

    def answer() -> Answer:
        made = next(answers)
        if isinstance(made, MemoryError):
            raise made
        return made

    async def asked() -> Answer:
        handler, exchange = made_once(answer), Exchange("GET", "/openapi.json", {}, "1", silent)
        with pytest.raises(MemoryError):
            await handler(exchange)
        return await handler(exchange)

    assert asyncio.run(asked()).body == b"{}"


def test_schemas_that_the_server_left_for_its_replicas_make_the_same_document(tmp_path: Path) -> None:
    limits, left = RequestLimits(max_texts=5), tmp_path / "schemas.json"
    write_schemas(left)
    assert openapi_document(limits, left) == openapi_document(limits)
    assert list(openapi_document(limits, left)["components"]["schemas"]) == list(SCHEMAS)
