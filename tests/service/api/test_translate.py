"""POST /v1/translate does what the OpenAPI document says, over a real engine and a real (untrained) model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from pydantic import TypeAdapter

from service.api.answers import TranslateAnswer

Translate = Callable[..., httpx.Response]
CAT = "The black cat ate the mouse."


def segment(answer: httpx.Response) -> Any:
    """The only segment of the only text."""
    (translation,) = answer.json()["translations"]
    (only,) = translation["segments"]
    return only


def test_an_answer_has_exactly_the_documented_shape(translate: Translate) -> None:
    answer = translate(
        text=[CAT, "I don't know.\nThe cat."], attention={"layer": "all", "head": "all"}, num_alternatives=2
    )
    assert answer.status_code == 200
    TypeAdapter(TranslateAnswer).validate_json(answer.content, strict=True)


def test_one_text_is_answered_like_a_list_of_one(translate: Translate) -> None:
    one, listed = translate(text=CAT).json(), translate(text=[CAT]).json()
    assert one["translations"] == listed["translations"]


def test_texts_are_answered_in_their_order(translate: Translate) -> None:
    texts = [CAT, "", "I don't know.", " \n "]
    together = translate(text=texts).json()["translations"]
    assert together == [translate(text=text).json()["translations"][0] for text in texts]


def test_a_translation_begins_with_its_prefix(translate: Translate) -> None:
    for given, texts in (("The cat", [CAT, CAT]), (["The cat", ""], [CAT, "I don't know."])):
        answer = translate(text=texts, target_prefix=given, attention=True)
        assert answer.status_code == 200
        first = answer.json()["translations"][0]
        assert first["text"].startswith("The cat")
        assert first["segments"][0]["token_scores"][0] == 0.0
    (plain, _) = translate(text=[CAT, CAT]).json()["translations"]
    assert not plain["text"].startswith("The cat")


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \u00a0"])
def test_a_blank_text_translates_to_itself(translate: Translate, text: str) -> None:
    (translation,) = translate(text=text).json()["translations"]
    assert translation["text"] == text
    assert translation["segments"] == []


def test_offsets_count_code_points_of_the_whole_text(translate: Translate) -> None:
    text = "🙂 The cat.\nI don't know."
    for part in translate(text=text, attention=True).json()["translations"][0]["segments"]:
        source = part["source"]
        assert text[source["start"] : source["end"]] == source["text"]
        assert all(text[token["start"] : token["end"]] == token["text"] for token in source["tokens"])


def test_attention_and_alignment_are_there_only_when_asked_for(translate: Translate) -> None:
    without, asked = segment(translate(text=CAT)), segment(translate(text=CAT, attention=True))
    assert "attention" not in without
    assert "alignment" not in without
    assert (asked["attention"]["level"], asked["attention"]["kind"]) == ("word", "cross")
    assert isinstance(asked["alignment"], str)


@pytest.mark.parametrize("level", ["word", "token"])
def test_a_map_has_a_row_for_each_target_token_and_rows_sum_to_one(translate: Translate, level: str) -> None:
    found = segment(translate(text=CAT, attention={"level": level}))
    (only,) = found["attention"]["maps"]
    assert len(only["weights"]) == len(found["target"]["tokens"])
    assert all(len(row) == len(found["source"]["tokens"]) for row in only["weights"])
    shares = zip(only["weights"], only["end_token"], strict=True)
    assert all(sum(row) + end_token == pytest.approx(1, abs=1e-3) for row, end_token in shares)


def test_alternatives_are_as_many_as_asked_for(translate: Translate) -> None:
    assert translate(text=CAT, beam_size=1).json()["translations"][0]["alternatives"] == []
    assert len(translate(text=CAT, beam_size=4, num_alternatives=3).json()["translations"][0]["alternatives"]) == 3


def test_output_is_cut_at_max_output_tokens(translate: Translate) -> None:
    cut = segment(translate(text=CAT, max_output_tokens=1))
    assert len(cut["token_scores"]) == 1


def test_output_has_at_least_min_output_tokens(translate: Translate) -> None:
    shortest = len(segment(translate(text=CAT))["token_scores"])
    longer = segment(translate(text=CAT, max_output_tokens=40, min_output_tokens=shortest + 5))
    assert len(longer["token_scores"]) >= shortest + 5


def test_a_least_length_beyond_the_most_tells_both(translate: Translate) -> None:
    answer = translate(text=CAT, max_output_tokens=3, min_output_tokens=4)
    assert answer.status_code == 422
    (error,) = answer.json()["errors"]
    assert (error["field"], error["limit"], error["given"]) == ("min_output_tokens", 3, 4)


def test_usage_counts_what_was_sent(translate: Translate) -> None:
    usage = translate(text=[CAT, "🙂"]).json()["usage"]
    assert usage["source_characters"] == len(CAT) + 1


def test_the_best_model_of_the_pair_answers_when_none_is_named(translate: Translate) -> None:
    assert translate(text=CAT).json()["model"]["name"] == "better"
    assert translate(text=CAT, source="en", target="fr").json()["model"]["name"] == "better"


@pytest.mark.parametrize("reference", ["worse", "worse@1"])
def test_a_model_can_be_named(translate: Translate, reference: str) -> None:
    assert translate(text=CAT, model=reference).json()["model"]["name"] == "worse"


def test_an_unknown_model_is_answered_with_those_there_are(translate: Translate) -> None:
    answer = translate(text=CAT, model="nope@7")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_model")
    assert "better@1" in answer.json()["detail"]


@pytest.mark.parametrize(
    "fields", [{"source": "fr", "target": "en"}, {"source": "xx"}, {"target": "EN"}, {"model": "worse", "source": "de"}]
)
def test_an_unknown_pair_is_answered_with_those_there_are(translate: Translate, fields: dict[str, str]) -> None:
    answer = translate(text=CAT, **fields)
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_language_pair")
    assert "en-fr" in answer.json()["detail"]


@pytest.mark.parametrize("attention", [{"layer": 9}, {"head": 99}, {"kind": "encoder"}, {"kind": "decoder"}])
def test_attention_that_the_bundle_lacks_is_refused(translate: Translate, attention: dict[str, Any]) -> None:
    answer = translate(text=CAT, attention=attention)
    assert (answer.status_code, answer.json()["code"]) == (422, "attention_not_available")


def test_a_request_that_cannot_be_in_time_is_answered_with_408(ask: Callable[..., httpx.Response]) -> None:
    headers = {"x-request-timeout-seconds": "0.001"}
    answer = ask("POST", "/v1/translate", json={"text": CAT}, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (408, "deadline_exceeded")


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "soon", "", "1_0", "1,5", "1e1", "+1", "1.", "9" * 400])
def test_a_timeout_that_is_no_positive_number_is_refused(ask: Callable[..., httpx.Response], given: str) -> None:
    answer = ask("POST", "/v1/translate", json={"text": CAT}, headers={"x-request-timeout-seconds": given})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_request")
