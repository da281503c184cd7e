"""Whatever is posted, the answer is the right refusal: never a 5xx, never over 2 kB, never what was sent."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.api.problems import MAX_BYTES, problem_body
from service.api.requests import OptionsBody
from service.errors import UnknownModelError
from service.messages import SearchOptions

Ask = Callable[..., httpx.Response]

SIZE = 64 * 1024
SECRET = "xyzzysecret"
FILL = (SECRET + " ") * (SIZE // (len(SECRET) + 1))
MALFORMED, INVALID, TOO_LONG = (400, "malformed_json"), (422, "invalid_request"), (422, "text_too_long")


def body(**fields: object) -> bytes:
    return json.dumps({"text": "hi", **fields}).encode()


def filled(prefix: bytes, unit: bytes, suffix: bytes = b"") -> bytes:
    """`prefix`, as many `unit` as fit into 64 KiB, `suffix`."""
    return prefix + unit * ((SIZE - len(prefix) - len(suffix)) // len(unit)) + suffix


HOSTILE: dict[str, tuple[bytes, tuple[int, str]]] = {
    "nothing": (b"", MALFORMED),
    "only blanks": (filled(b"", b" "), MALFORMED),
    "zero bytes": (filled(b"", b"\0"), MALFORMED),
    "no JSON": (FILL.encode(), MALFORMED),
    "truncated": (body(text=FILL)[:-10], MALFORMED),
    "something after the end": (body() + FILL.encode(), MALFORMED),
    "two documents": (body() + body(text=FILL), MALFORMED),
    "trailing comma": (filled(b'{"text": [', b'"a",', b"]}"), MALFORMED),
    "single quotes": (filled(b"{'text': '", b"a", b"'}"), MALFORMED),
    "comments": (filled(b"/*", b"a", b'*/{"text": "hi"}'), MALFORMED),
    "byte order mark": (b"\xef\xbb\xbf" + body(text=FILL), MALFORMED),
    "UTF-16": (body(text=FILL[: SIZE // 2]).decode().encode("utf-16"), MALFORMED),
    "invalid UTF-8": (filled(b'{"text": "', b"\xff", b'"}'), MALFORMED),
    "overlong UTF-8": (filled(b'{"text": "', b"\xc0\xaf", b'"}'), MALFORMED),
    "surrogates as UTF-8": (filled(b'{"text": "', b"\xed\xa0\x80", b'"}'), MALFORMED),
    "lone high surrogate": (filled(b'{"text": "', b"\\ud800", b'"}'), MALFORMED),
    "lone low surrogate": (filled(b'{"text": "', b"\\udc00", b'"}'), MALFORMED),
    "lone surrogate in a key": (b'{"text": "hi", "\\ud800": 1}', MALFORMED),
    "control characters in a string": (filled(b'{"text": "', b"\x01", b'"}'), MALFORMED),
    "bad escape": (filled(b'{"text": "', b"\\x", b'"}'), MALFORMED),
    "NaN": (b'{"text": "hi", "length_penalty": NaN}', MALFORMED),
    "Infinity": (b'{"text": "hi", "length_penalty": Infinity}', MALFORMED),
    "NaN in an unknown field": (filled(b'{"text": "hi", "x": [', b"NaN,", b"1]}"), MALFORMED),
    "too many brackets": (filled(b"", b"["), MALFORMED),
    "too many braces": (filled(b"", b'{"a":'), MALFORMED),
    "nested 33 deep": (b'{"text": ' + b"[" * 33 + b"]" * 33 + b"}", MALFORMED),
    "nested 150 deep in an unknown field": (b'{"x": ' + b"[" * 150 + b"]" * 150 + b"}", MALFORMED),
    "nested objects": (b'{"attention": ' * 40 + b"1" + b"}" * 40, MALFORMED),
    "number of 64 KiB": (filled(b'{"text": "hi", "beam_size": ', b"9", b"}"), MALFORMED),
    "duplicate key": (b'{"text": "hi", "text": "ho"}', MALFORMED),
    "escaped duplicate key": (b'{"text": "hi", "te\\u0078t": "ho"}', MALFORMED),
    "duplicate key inside": (b'{"text": "hi", "attention": {"layer": 1, "layer": 1}}', MALFORMED),
    "leading zero": (b'{"text": "hi", "beam_size": 04}', MALFORMED),
    "null": (b"null", INVALID),
    "a string": (json.dumps(FILL).encode(), INVALID),
    "a list": (filled(b"[", b"1,", b"1]"), INVALID),
    "a list of requests": (b"[" + body() + b"]", INVALID),
    "an empty object": (b"{}", INVALID),
    "nested 20 deep": (b'{"text": ' + b"[" * 20 + b"]" * 20 + b"}", INVALID),
    "no text": (b'{"source": "en"}', INVALID),
    "text is null": (body(text=None), INVALID),
    "text is a number": (body(text=4), INVALID),
    "text is an object": (body(text={SECRET: FILL}), INVALID),
    "no texts": (body(text=[]), INVALID),
    "texts of numbers": (filled(b'{"text": [', b"1,", b"1]}"), INVALID),
    "one text of another type": (body(text=["hi", "ho", None]), INVALID),
    "too many texts": (filled(b'{"text": [', b'"",', b'""]}'), INVALID),
    "text too long": (body(text=FILL), TOO_LONG),
    "text too long by one": (body(text="🙂" * 101), TOO_LONG),
    "several texts too long": (body(text=["a", FILL, "b", FILL[: SIZE // 4]]), TOO_LONG),
    "unknown field": (body(**{f"a {SECRET}": 1}), INVALID),
    "thousands of unknown fields": (body(**{f"a {SECRET}{i}": i for i in range(3000)}), INVALID),
    "unknown field with a name of 64 KiB": (body(**{FILL: 1}), INVALID),
    "unknown field inside": (body(attention={f"a {SECRET}": 1}), INVALID),
    "private-looking field": (body(__class__="x", model_config={}), INVALID),
    "beam_size 0": (body(beam_size=0), INVALID),
    "beam_size 17": (body(beam_size=17), INVALID),
    "beam_size of 4,000 digits": (filled(b'{"text": "hi", "beam_size": ', b"9")[:4000] + b"}", INVALID),
    "negative beam_size": (body(beam_size=-(10**300)), INVALID),
    "beam_size as text": (body(beam_size=SECRET), INVALID),
    "beam_size as a digit string": (body(beam_size="4"), INVALID),
    "beam_size true": (body(beam_size=True), INVALID),
    "beam_size 4.5": (body(beam_size=4.5), INVALID),
    "length_penalty 1e999": (b'{"text": "hi", "length_penalty": 1e999}', INVALID),
    "length_penalty -1e999": (b'{"text": "hi", "length_penalty": -1e999}', INVALID),
    "length_penalty 2.1": (body(length_penalty=2.1), INVALID),
    "length_penalty huge integer": (body(length_penalty=10**400), INVALID),
    "as many alternatives as hypotheses": (body(beam_size=2, num_alternatives=2), INVALID),
    "prefixes of other texts": (body(target_prefix=[SECRET, SECRET]), INVALID),
    "prefix that is a number": (body(target_prefix=3), INVALID),
    "prefix too long": (body(target_prefix="a " * 5000), INVALID),
    "max_output_tokens 0": (body(max_output_tokens=0), INVALID),
    "max_output_tokens huge": (body(max_output_tokens=2**63), INVALID),
    "min_output_tokens beyond max": (body(max_output_tokens=3, min_output_tokens=4), INVALID),
    "min_output_tokens -1": (body(min_output_tokens=-1), INVALID),
    "min_output_tokens beyond the model": (body(min_output_tokens=100_000), INVALID),
    "language of 64 KiB": (body(source=FILL), INVALID),
    "language empty": (body(target=""), INVALID),
    "model of 64 KiB": (body(model=FILL), INVALID),
    "unknown model": (body(model=SECRET), (404, "unknown_model")),
    "model with a path": (body(model="../../etc/passwd"), (404, "unknown_model")),
    "unknown language": (body(source=SECRET), (404, "unknown_language_pair")),
    "attention null": (body(attention=None), INVALID),
    "attention 1": (body(attention=1), INVALID),
    "attention as text": (body(attention=SECRET), INVALID),
    "attention layer 0": (body(attention={"layer": 0}), INVALID),
    "attention layer huge": (body(attention={"layer": 10**30}), INVALID),
    "attention layer mean": (body(attention={"layer": "mean"}), INVALID),
    "attention head list": (body(attention={"head": [1] * 1000}), INVALID),
    "attention level": (body(attention={"level": SECRET}), INVALID),
    "attention kind": (body(attention={"kind": FILL}), INVALID),
    "layer there is not": (body(attention={"layer": 1000}), (422, "attention_not_available")),
    "over the body limit": (body(text=[FILL, FILL, FILL]), (413, "payload_too_large")),
}


def post(ask: Ask, content: bytes) -> httpx.Response:
    return ask("POST", "/v1/translate", content=content, headers={"content-type": "application/json"})


def assert_is_a_proper_problem(answer: httpx.Response) -> None:
    problem = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    assert len(answer.content) <= MAX_BYTES
    assert problem["status"] == answer.status_code
    assert problem["request_id"] == answer.headers["x-request-id"]
    assert {"type", "title", "status", "detail", "code", "request_id"} <= problem.keys()
    assert SECRET not in answer.text


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_bodies_get_the_right_refusal(ask: Ask, kind: str) -> None:
    content, (status, code) = HOSTILE[kind]
    answer = post(ask, content)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert_is_a_proper_problem(answer)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = ("text", "source", "target", "model", "beam_size", "length_penalty", "num_alternatives", "attention")
KEYS = st.sampled_from([*FIELDS, "max_output_tokens", "x"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(KEYS, JSON, max_size=5))
def test_no_mixture_of_fields_and_values_makes_a_server_error(ask: Ask, fields: dict[str, object]) -> None:
    answer = post(ask, json.dumps(fields).encode())
    assert answer.status_code in (200, 400, 404, 422)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200).filter(lambda content: b'"text"' not in content))  # {"text":""} is drawn, and valid
def test_no_bytes_make_a_server_error(ask: Ask, content: bytes) -> None:
    answer = post(ask, content)
    assert answer.status_code in (400, 422)
    assert_is_a_proper_problem(answer)


def test_a_fault_names_the_field_the_limit_and_the_value(ask: Ask) -> None:
    (fault,) = post(ask, body(beam_size=99)).json()["errors"]
    assert fault == {"field": "beam_size", "message": "must be a whole number from 1 to 16", "limit": 16, "given": 99}


@pytest.mark.parametrize(("field", "value"), [("beam_size", "4"), ("length_penalty", "1"), ("beam_size", [1, 2])])
def test_a_value_of_another_type_is_not_told_by_a_length_that_looks_right(ask: Ask, field: str, value: object) -> None:
    (fault,) = post(ask, body(**{field: value})).json()["errors"]
    assert fault["field"] == field
    assert "given" not in fault


def test_every_faulty_field_is_told_at_once(ask: Ask) -> None:
    faults = post(ask, body(beam_size=99, length_penalty=-1, source=5, attention={"layer": "x", "head": 0})).json()[
        "errors"
    ]
    assert [fault["field"] for fault in faults] == [
        "source", "beam_size", "length_penalty", "attention.layer", "attention.head",
    ]  # fmt: skip


def test_a_long_text_is_told_by_its_index_and_size(ask: Ask) -> None:
    (fault,) = post(ask, body(text=["a", "b" * 101])).json()["errors"]
    assert (fault["field"], fault["limit"], fault["given"]) == ("text[1]", 100, 101)


def test_a_misspelt_field_is_answered_with_the_likely_one(ask: Ask) -> None:
    (fault,) = post(ask, body(bean_size=3)).json()["errors"]
    assert "`beam_size`" in fault["message"]


def test_unknown_fields_are_named_with_a_known_one_like_them(ask: Ask) -> None:
    faults = post(ask, body(bean_size=3, **{f"zz{i}": i for i in range(20)})).json()["errors"]
    assert [fault["field"] for fault in faults] == ["bean_size", *(f"zz{i}" for i in range(7))]
    assert "`beam_size`" in faults[0]["message"]
    assert "the fields are text, source" in faults[1]["message"]
    assert all(fault["message"] == "there is no such field" for fault in faults[2:])


def test_a_detail_that_is_cut_says_so() -> None:
    told = [json.loads(problem_body(UnknownModelError(detail), "r"))["detail"] for detail in ("a" * 600, "a" * 601)]
    assert told == ["a" * 600, "a" * 599 + "…"]


def test_the_detail_names_the_first_faults_and_counts_the_others(ask: Ask) -> None:
    wrong = {"beam_size": 0, "length_penalty": -1, "num_alternatives": -1, "signals": 3, "locale_numbers": 3}
    answer = post(ask, body(**wrong)).json()
    assert len(answer["errors"]) == len(wrong)
    assert answer["detail"].endswith("; and 3 more")
    assert [each["field"] for each in answer["errors"] if f"`{each['field']}`" in answer["detail"]] == [*wrong][:2]


def test_unknown_keys_that_look_like_text_are_counted_and_not_echoed(ask: Ask) -> None:
    faults = post(ask, body(bean_size=3, **{f"my text {i}": i for i in range(20)})).json()["errors"]
    assert [(fault["field"], fault.get("given")) for fault in faults] == [("bean_size", None), ("(unknown)", 20)]


def test_a_prefix_may_have_so_many_characters_and_no_more(ask: Ask) -> None:
    assert post(ask, body(target_prefix="a" * 500)).json().get("errors", [{"given": 0}])[0]["given"] != 500
    (fault,) = post(ask, body(target_prefix="a" * 501)).json()["errors"]
    assert (fault["field"], fault["limit"], fault["given"]) == ("target_prefix", 500, 501)


def test_an_empty_request_searches_by_the_engines_own_defaults() -> None:
    assert OptionsBody().search_options == SearchOptions()


def test_keys_that_only_stand_in_the_text_are_no_duplicates(ask: Ask) -> None:
    assert post(ask, body(text='{"text": "a", "text": "b"}', max_output_tokens=3)).status_code == 200
