"""From the body's bytes to a valid request: parsed once, validated once, every fault reported, no text echoed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from service.api import guard
from service.api.body import RequestLimits
from service.api.requests import (
    EXPECTED,
    EXPECTED_OF_ONE,
    AttentionBody,
    CompareBody,
    OptionsBody,
    PairBody,
    ScoreBody,
    TranslateBody,
)
from service.errors import FieldFault, InvalidRequestError, TextTooLongError

MAX_FAULTS = 8
"""Faults reported for one request."""
MAX_TOLD = 2
"""Faults that the error's detail tells; all are in `errors`."""
MAX_HINTS = 8
"""Unknown fields of one object that are named, with a known one of a like name."""
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,31}")
"""What may be a field's name, and no text."""
MAX_NUMBER_ECHOED = 10**15
MAX_PREFIX_CHARACTERS = 500
"""Of each `target_prefix`: it is made subwords before the request is accepted."""

Body = TypeVar("Body", TranslateBody, ScoreBody, CompareBody)
Objects = Mapping[str, type[BaseModel]]
"""The fields of a body that hold objects, or lists of them, and the model of those."""


@dataclass(frozen=True, slots=True)
class BodyShape(Generic[Body]):
    """How the bodies of one route look."""

    model: type[Body]
    needs: str
    """The field that no body can lack."""
    objects: Objects
    check: Callable[[Body], None]
    """Raises InvalidRequestError for fields that do not agree with each other."""
    check_size: Callable[[Body, RequestLimits], None]
    """Raises InvalidRequestError or TextTooLongError for what is more than a server takes."""

    def expected(self, field: str) -> str:
        """What the field takes, in words."""
        return (EXPECTED | EXPECTED_OF_ONE if self.model is CompareBody else EXPECTED)[field]


def parse(body: bytes, limits: RequestLimits, shape: BodyShape[Body]) -> Body:
    """The request in the body. Raises MalformedJsonError, InvalidRequestError or TextTooLongError."""
    data = guard.parse_json(body)
    try:
        request = _validate(data, shape)
    except InvalidRequestError:
        guard.refuse_deep_nesting(body)
        guard.refuse_duplicates(body)
        raise
    if guard.shows_more_keys_than(body, _num_keys(request)):
        guard.refuse_duplicates(body)
    shape.check_size(request, limits)
    shape.check(request)
    return request


def validated(data: object, shape: BodyShape[Body]) -> Body:
    """The request that parsed JSON is, of any size. Raises InvalidRequestError."""
    request = _validate(data, shape)
    shape.check(request)
    return request


def _num_keys(value: object) -> int:
    """Keys that the JSON of a valid body has, its objects' among them."""
    if isinstance(value, list):
        return sum(map(_num_keys, value))
    if not isinstance(value, BaseModel):
        return 0
    return sum(1 + _num_keys(getattr(value, name)) for name in value.model_fields_set)


def _check_translation(request: TranslateBody) -> None:
    _check_search(request)
    given, count = request.target_prefix, len(request.texts)
    if isinstance(given, list) and len(given) != count:
        raise _invalid([FieldFault("target_prefix", EXPECTED["target_prefix"], count, len(given))])
    _check_prefix(max(map(len, request.target_prefixes), default=0))


def _check_comparison(request: CompareBody) -> None:
    _check_search(request)
    _check_prefix(len(request.target_prefix or ""))


def _check_search(request: OptionsBody) -> None:
    given, most = request.num_alternatives, request.beam_size - 1
    if given > most:
        raise _invalid([FieldFault("num_alternatives", EXPECTED["num_alternatives"], most, given)])
    fewest, limit = request.min_output_tokens, request.max_output_tokens
    if limit is not None and fewest > limit:
        raise _invalid([FieldFault("min_output_tokens", EXPECTED["min_output_tokens"], limit, fewest)])


def _check_prefix(longest: int) -> None:
    if longest > MAX_PREFIX_CHARACTERS:
        fault = FieldFault.too_many("target_prefix", "characters", longest, MAX_PREFIX_CHARACTERS, "shorten it")
        raise _invalid([fault])


def _check_texts(request: TranslateBody, limits: RequestLimits) -> None:
    texts = request.texts
    _check_count("text", "texts", len(texts), limits.max_texts)
    is_one = isinstance(request.text, str)
    _check_lengths([("text" if is_one else f"text[{index}]", text) for index, text in enumerate(texts)], limits)


def _check_pairs(request: ScoreBody, limits: RequestLimits) -> None:
    _check_count("pairs", "pairs", len(request.pairs), limits.max_texts)
    sides = ("text", "translation")
    named = [(f"pairs[{i}].{side}", getattr(p, side)) for i, p in enumerate(request.pairs) for side in sides]
    _check_lengths(named, limits)


def _check_compared(request: CompareBody, limits: RequestLimits) -> None:
    _check_lengths([("text", request.text), ("translation", request.translation or "")], limits)


def _check_count(field: str, unit: str, given: int, most: int) -> None:
    if given > most:
        raise _invalid([FieldFault.too_many(field, unit, given, most, "send them in several requests")])


def _check_lengths(texts: Sequence[tuple[str, str]], limits: RequestLimits) -> None:
    """Refuse texts, each with the name of its field, that are too long."""
    most = limits.max_text_characters
    long = [(field, len(text)) for field, text in texts if len(text) > most]
    if long:
        remedy = "cut it into several texts"
        faults = [FieldFault.too_many(field, "characters", length, most, remedy) for field, length in long[:MAX_FAULTS]]
        raise TextTooLongError(f"{len(long)} text(s) have more than {most} characters", faults)


ATTENTION = {"attention": AttentionBody}
TRANSLATION = BodyShape(TranslateBody, "text", ATTENTION, _check_translation, _check_texts)
SCORES = BodyShape(ScoreBody, "pairs", {**ATTENTION, "pairs": PairBody}, lambda _: None, _check_pairs)
COMPARISON = BodyShape(CompareBody, "models", ATTENTION, _check_comparison, _check_compared)


def _validate(data: object, shape: BodyShape[Body]) -> Body:
    if not isinstance(data, dict):
        raise InvalidRequestError(f"the body must be a JSON object with the field `{shape.needs}`")
    faults = _unknown_fields(data, shape.model.model_fields, "")
    for name, model in shape.objects.items():
        for prefix, value in _objects(name, data.get(name)):
            faults += _unknown_fields(value, model.model_fields, prefix)
    if faults:
        raise _invalid(faults)
    try:
        return shape.model.model_validate(data)
    except ValidationError as error:
        raise _invalid(_field_faults(error, shape)) from None


def _objects(name: str, value: object) -> Iterator[tuple[str, dict[str, object]]]:
    """The objects in the field `name`, each with the beginning of its fields' names."""
    if isinstance(value, dict):
        yield f"{name}.", value
    for number, one in enumerate(value if isinstance(value, list) else ()):
        if isinstance(one, dict):
            yield f"{name}[{number}].", one


def _unknown_fields(data: Mapping[str, object], known: Mapping[str, object], prefix: str) -> list[FieldFault]:
    """A fault for each key that is not among the `known` ones.

    A key is named when it looks like a field's name; others may be anything, a text too, and are counted in `given`.
    The known ones are listed once.
    """
    unknown = [key for key in data if key not in known]
    named = [key for key in unknown if NAME.fullmatch(key)][:MAX_HINTS]
    faults: list[FieldFault] = []
    is_listed = False
    for key in named:
        close = difflib.get_close_matches(key.lower(), list(known), n=1)
        hint = f"; did you mean `{prefix}{close[0]}`?" if close else "" if is_listed else f"; {_list_of(known, prefix)}"
        is_listed = is_listed or not close
        faults.append(FieldFault(f"{prefix}{key}", f"there is no such field{hint}"))
    if others := len(unknown) - len(named):
        faults.append(
            FieldFault(f"{prefix}(unknown)", f"there is no such field; {_list_of(known, prefix)}", None, others)
        )
    return faults


def _list_of(fields: Iterable[str], prefix: str) -> str:
    return f"the fields are {', '.join(f'{prefix}{field}' for field in fields)}"


def _field_faults(error: ValidationError, shape: BodyShape[Any]) -> list[FieldFault]:
    """One fault a field, whichever branches of a union it failed in."""
    faults: dict[str, FieldFault] = {}
    for found in error.errors(include_url=False):
        path = _path(found["loc"], shape.objects)
        generic = re.sub(r"\[\d+\]", "", path)
        if found["type"] == "missing":
            fault = FieldFault(path, "is required")
        else:
            context = found.get("ctx", {})
            limit = next((context[key] for key in ("ge", "le", "max_length") if key in context), None)
            fault = FieldFault(path, shape.expected(generic), limit, _given(found["input"], found["type"]))
        if generic not in faults or len(path) > len(faults[generic].field):
            faults[generic] = fault
    whole = "attention" if any(field.startswith("attention.") for field in faults) else None
    return [fault for field, fault in faults.items() if field != whole]


def _path(location: tuple[int | str, ...], objects: Objects) -> str:
    """`attention.layer` or `text[3]`: the location without the names of union branches."""
    field = str(location[0])
    for part in location[1:]:
        if isinstance(part, int):
            field += f"[{part}]"
        elif (found := objects.get(str(location[0]))) is not None and part in found.model_fields and "." not in field:
            field += f".{part}"
    return field


def _given(value: object, fault: str) -> int | float | None:
    """What an error may say about a value: a number itself, or how long it is when that is the fault."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) < MAX_NUMBER_ECHOED else None  # NaN and infinities neither
    is_of_wrong_length = fault.endswith(("too_long", "too_short"))
    return len(value) if is_of_wrong_length and isinstance(value, str | list | dict) else None


def _invalid(faults: list[FieldFault]) -> InvalidRequestError:
    """The error whose detail says what is wrong with the first fields, and that there are more."""
    told = "; ".join(f"`{fault.field}` {fault.message}" for fault in faults[:MAX_TOLD])
    more = f"; and {len(faults) - MAX_TOLD} more" if len(faults) > MAX_TOLD else ""
    return InvalidRequestError(told + more, faults[:MAX_FAULTS])
