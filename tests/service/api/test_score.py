"""POST /v1/score and POST /v1/compare do what the OpenAPI document says, over real (untrained) models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from service.api.answers import CompareAnswer, ScoreAnswer
from service.api.requests import CompareBody, PairBody, ScoreBody

Ask = Callable[..., httpx.Response]
CAT = "The black cat ate the mouse."
CHAT = "Le chat noir a mangé la souris."
PAIR = {"text": CAT, "translation": CHAT}


@pytest.fixture
def score(ask: Ask) -> Ask:
    return lambda **body: ask("POST", "/v1/score", json=body)


@pytest.fixture
def compare(ask: Ask) -> Ask:
    return lambda **body: ask("POST", "/v1/compare", json=body)


def test_answers_have_exactly_the_documented_shape(score: Ask, compare: Ask) -> None:
    pairs = [PAIR, {"text": "I don't know. The cat.", "translation": "Je ne sais pas. Le chat."}]
    answer = score(pairs=pairs, attention={"level": "token"})
    assert answer.status_code == 200
    TypeAdapter(ScoreAnswer).validate_json(answer.content, strict=True)
    assert [len(scored["segments"]) for scored in answer.json()["scores"]] == [1, 2]
    answer = compare(text=CAT, models=["worse", "better@1"], attention=True, num_alternatives=1, beam_size=2)
    assert answer.status_code == 200
    TypeAdapter(CompareAnswer).validate_json(answer.content, strict=True)


def test_scores_are_means_of_token_scores_and_pairs_keep_their_order(score: Ask) -> None:
    pairs = [PAIR, {"text": "", "translation": " "}, {"text": "The cat.", "translation": "Le chat."}]
    scored = score(pairs=pairs).json()["scores"]
    assert scored[1] == {"score": 0.0, "segments": []}
    assert scored == [score(pairs=[one]).json()["scores"][0] for one in pairs]
    for one in (scored[0], scored[2]):
        tokens = [each for segment in one["segments"] for each in segment["token_scores"]]
        assert one["score"] == pytest.approx(sum(tokens) / len(tokens), abs=1e-4)


def test_maps_come_only_when_asked_for_and_say_what_rows_and_columns_are(score: Ask) -> None:
    assert "attention" not in score(pairs=[PAIR]).json()["scores"][0]["segments"][0]
    (segment,) = score(pairs=[PAIR], attention=True).json()["scores"][0]["segments"]
    attention = segment["attention"]
    assert (attention["kind"], attention["rows"], attention["columns"]) == ("cross", "target", "source")
    (one,) = attention["maps"]
    assert len(one["weights"]) == len(segment["target"]["tokens"])
    for row, end_token in zip(one["weights"], one["end_token"], strict=True):
        assert sum(row) + end_token == pytest.approx(1.0, abs=1e-3)


def test_all_models_of_a_comparison_show_the_same_translation(compare: Ask, score: Ask) -> None:
    results = compare(text=CAT, models=["worse", "better"], translation=CHAT, attention=True).json()["results"]
    assert [result["model"]["name"] for result in results] == ["worse", "better"]
    (scored,) = score(pairs=[PAIR], model="worse", attention=True).json()["scores"]
    for result in results:
        (translation,) = result["translations"]
        assert translation["text"] == CHAT
        assert (translation["score"], translation["segments"]) == (scored["score"], scored["segments"])


def test_each_model_of_a_comparison_answers_as_it_does_alone(compare: Ask, ask: Ask) -> None:
    (one, other) = compare(text=CAT, models=["worse", "better"], attention=True, beam_size=2).json()["results"]
    body = {"text": CAT, "model": "worse", "attention": True, "beam_size": 2}
    assert one["translations"] == ask("POST", "/v1/translate", json=body).json()["translations"]
    assert other["model"]["name"] == "better"


PATHS = {"score": "/v1/score", "compare": "/v1/compare"}


@pytest.mark.parametrize(
    ("route", "body", "field", "message"),
    [
        ("score", {}, "pairs", "is required"),
        ("score", {"pairs": []}, "pairs", "must be a list of one or more objects with `text` and `translation`"),
        ("score", {"pairs": [{"text": "a"}]}, "pairs[0].translation", "is required"),
        ("score", {"pairs": [PAIR, {"text": 3, "translation": "b"}]}, "pairs[1].text", "must be a string"),
        ("score", {"pairs": [{**PAIR, "zz": 1}]}, "pairs[0].zz", "there is no such field; the fields are "
         "pairs[0].text, pairs[0].translation"),
        ("score", {"pairs": [PAIR], "text": "x"}, "text", "there is no such field"),
        ("score", {"pairs": [PAIR] * 9}, "pairs", "has 9 pairs, 8 are the most; send them in several requests"),
        ("score", {"pairs": [{**PAIR, "translation": ""}]}, "pairs[0]", "has no translation"),
        ("compare", {"text": "a", "models": ["worse"]}, "models", "must be a list of 2 to 8 names of models"),
        ("compare", {"text": ["a"], "models": ["worse", "better"]}, "text", "must be a string"),
        ("compare", {"text": "a", "models": ["worse", "better"], "model": "b"}, "model", "there is no such field"),
        ("compare", {"text": "a", "models": ["worse", "better"], "beam_size": 2, "num_alternatives": 2},
         "num_alternatives", "must be a whole number from 0 to beam_size - 1"),
        ("compare", {"text": "a", "models": ["worse", "better"], "target_prefix": ["Le"]}, "target_prefix",
         "must be a string or null"),
        ("compare", {"text": "Hello.", "models": ["worse", "better"], "translation": ""}, "translation",
         "does not fit: `text` has no translation"),
        ("compare", {"text": " ", "models": ["worse", "better"], "translation": "b"}, "translation",
         "does not fit: `text` has nothing to translate"),
    ],
)  # fmt: skip
def test_faults_name_field_and_remedy(ask: Ask, route: str, body: dict[str, Any], field: str, message: str) -> None:
    answer = ask("POST", PATHS[route], json=body)
    assert answer.status_code == 422
    (fault, *_) = answer.json()["errors"]
    assert fault["field"] == field
    assert fault["message"].startswith(message)


def test_a_fault_of_a_comparisons_translation_is_told_without_pairs(compare: Ask) -> None:
    problem = compare(text="Hello.", models=["worse", "better"], translation="").json()
    assert problem["detail"] == "`translation` does not fit: `text` has no translation"


def test_what_is_charged_for_are_both_sides() -> None:
    assert ScoreBody(pairs=[PairBody(text="abc", translation="defg"), PairBody(text="", translation="h")]
                     ).num_characters == 8  # fmt: skip
    assert CompareBody(text="abc", models=["a", "b"]).num_characters == 6
    assert CompareBody(text="abc", models=["a", "b"], translation="defg").num_characters == 14


@pytest.mark.parametrize("side", ["text", "translation"])
def test_a_text_that_is_too_long_is_named(score: Ask, side: str) -> None:
    answer = score(pairs=[PAIR, {**PAIR, side: "a" * 101}])
    assert (answer.status_code, answer.json()["code"]) == (422, "text_too_long")
    (fault,) = answer.json()["errors"]
    assert fault == {
        "field": f"pairs[1].{side}",
        "message": "has 101 characters, 100 are the most; cut it into several texts",
        "limit": 100,
        "given": 101,
    }


def test_an_unknown_model_and_a_kind_that_a_model_lacks_are_refused(score: Ask, compare: Ask) -> None:
    assert score(pairs=[PAIR], model="nobody").json()["code"] == "unknown_model"
    assert compare(text=CAT, models=["worse", "nobody"]).json()["code"] == "unknown_model"
    answer = score(pairs=[PAIR], attention={"kind": "encoder"})
    assert (answer.status_code, answer.json()["code"]) == (422, "attention_not_available")
    assert "it exports cross layer 1 head 1" in answer.json()["detail"]


def test_a_key_that_is_named_twice_is_refused(ask: Ask) -> None:
    twice = b'{"pairs": [{"text": "a", "translation": "b", "text": "c"}]}'
    answer = ask("POST", "/v1/score", content=twice, headers={"content-type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed_json")


def test_only_post_is_taken(ask: Ask) -> None:
    for path in PATHS.values():
        answer = ask("GET", path)
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
