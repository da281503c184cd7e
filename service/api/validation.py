"""From the body's bytes to a valid request: parsed once, validated once, every fault reported, no text echoed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from service.api import guard
from service.api.body import RequestLimits
from service.api.requests import EXPECTED, AttentionBody, TranslateBody
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

FIELDS, ATTENTION_FIELDS = TranslateBody.model_fields, AttentionBody.model_fields


def parse(body: bytes, limits: RequestLimits) -> TranslateBody:
    """The request in the body. Raises MalformedJsonError, InvalidRequestError or TextTooLongError."""
    data = guard.parse_json(body)
    try:
        request = _validate(data)
    except InvalidRequestError:
        guard.refuse_deep_nesting(body)
        guard.refuse_duplicates(body)
        raise
    if guard.shows_more_keys_than(body, len(request.model_fields_set) + _num_attention_fields(request)):
        guard.refuse_duplicates(body)
    _check_size(request, limits)
    _check_together(request)
    return request


def validated(data: object) -> TranslateBody:
    """The request that parsed JSON is, of any size. Raises InvalidRequestError."""
    request = _validate(data)
    _check_together(request)
    return request


def _check_together(request: TranslateBody) -> None:
    """Fields that must agree with each other."""
    _check_alternatives(request)
    _check_prefixes(request)


def _num_attention_fields(request: TranslateBody) -> int:
    return 0 if isinstance(request.attention, bool) else len(request.attention.model_fields_set)


def _check_size(request: TranslateBody, limits: RequestLimits) -> None:
    texts, most = request.texts, limits.max_text_characters
    if len(texts) > limits.max_texts:
        message = "has too many texts; send them in several requests"
        raise _invalid([FieldFault("text", message, limits.max_texts, len(texts))])
    long = [(index, len(text)) for index, text in enumerate(texts) if len(text) > most]
    if long:
        names = ["text"] if isinstance(request.text, str) else [f"text[{index}]" for index, _ in long[:MAX_FAULTS]]
        message = "has too many characters; cut it into several texts"
        faults = [FieldFault(name, message, most, length) for name, (_, length) in zip(names, long, strict=False)]
        raise TextTooLongError(f"{len(long)} text(s) have more than {most} characters", faults)


def _check_alternatives(request: TranslateBody) -> None:
    given, most = request.num_alternatives, request.beam_size - 1
    if given > most:
        raise _invalid([FieldFault("num_alternatives", EXPECTED["num_alternatives"], most, given)])


def _check_prefixes(request: TranslateBody) -> None:
    given, count = request.target_prefix, len(request.texts)
    if isinstance(given, list) and len(given) != count:
        raise _invalid([FieldFault("target_prefix", EXPECTED["target_prefix"], count, len(given))])
    longest = max(map(len, request.target_prefixes), default=0)
    if longest > MAX_PREFIX_CHARACTERS:
        message = "has too many characters; shorten it"
        raise _invalid([FieldFault("target_prefix", message, MAX_PREFIX_CHARACTERS, longest)])


def _validate(data: object) -> TranslateBody:
    if not isinstance(data, dict):
        raise InvalidRequestError("the body must be a JSON object with the field `text`")
    faults = _unknown_fields(data, FIELDS, "")
    if isinstance(data.get("attention"), dict):
        faults += _unknown_fields(data["attention"], ATTENTION_FIELDS, "attention.")
    if faults:
        raise _invalid(faults)
    try:
        return TranslateBody.model_validate(data)
    except ValidationError as error:
        raise _invalid(_field_faults(error)) from None


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


def _field_faults(error: ValidationError) -> list[FieldFault]:
    """One fault a field, whichever branches of a union it failed in."""
    faults: dict[str, FieldFault] = {}
    for found in error.errors(include_url=False):
        path = _path(found["loc"])
        generic = re.sub(r"\[\d+\]", "", path)
        if found["type"] == "missing":
            fault = FieldFault(path, "is required")
        else:
            context = found.get("ctx", {})
            limit = next((context[key] for key in ("ge", "le", "max_length") if key in context), None)
            fault = FieldFault(path, EXPECTED[generic], limit, _given(found["input"], found["type"]))
        if generic not in faults or len(path) > len(faults[generic].field):
            faults[generic] = fault
    whole = "attention" if any(field.startswith("attention.") for field in faults) else None
    return [fault for field, fault in faults.items() if field != whole]


def _path(location: tuple[int | str, ...]) -> str:
    """`attention.layer` or `text[3]`: the location without the names of union branches."""
    field = str(location[0])
    for part in location[1:]:
        if isinstance(part, int):
            field += f"[{part}]"
        elif field == "attention" and part in AttentionBody.model_fields:
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
