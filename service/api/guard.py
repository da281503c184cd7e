"""Malformed bodies are refused: only I-JSON (RFC 7493) with a nesting of at most 32 passes.

Refused are invalid UTF-8, lone surrogates, NaN and infinities, duplicate keys. One pass of a parser in Rust finds most.
The rest is looked for only in bodies that are refused anyway or that show more keys than fields.
"""

from __future__ import annotations

import json
import re

from pydantic_core import from_json

from service.errors import MalformedJsonError

MAX_NESTING = 32

_KEY = re.compile(rb'"\s*:')
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_PAIR = re.compile(rb"\[\]|\{\}")
_NOT_BRACKET = bytes(set(range(256)) - set(b"[]{}"))


def parse_json(body: bytes) -> object:
    """The value in the body. Raises MalformedJsonError."""
    try:
        return from_json(body, allow_inf_nan=False)
    except ValueError as error:
        raise MalformedJsonError(_diagnosis(body, error)) from None


def shows_more_keys_than(body: bytes, num_keys: int) -> bool:
    """Whether there may be a duplicate key: cheap, and never wrong when it says no."""
    return len(_KEY.findall(body)) > num_keys


def refuse_duplicates(body: bytes) -> None:
    """Raise MalformedJsonError when an object of this (valid) JSON names a key twice."""

    def unique(pairs: list[tuple[str, object]]) -> None:
        if len({key for key, _ in pairs}) < len(pairs):
            raise MalformedJsonError("an object names the same key twice")

    json.loads(body, object_pairs_hook=unique)


def refuse_deep_nesting(body: bytes) -> None:
    """Raise MalformedJsonError when this (valid) JSON is nested over 32 levels."""
    brackets = _STRING.sub(b"", body).translate(None, _NOT_BRACKET)
    for _ in range(MAX_NESTING):
        brackets = _PAIR.sub(b"", brackets)  # takes the innermost level away
    if brackets:
        raise MalformedJsonError(f"the body is nested over {MAX_NESTING} levels")


def _diagnosis(body: bytes, error: ValueError) -> str:
    """Why the body is no JSON, without quoting it."""
    if not body.strip():
        return "the body is empty; send a JSON object with the field `text`"
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as undecodable:
        return f"the body is not UTF-8: see byte {undecodable.start}"
    place = re.search(r"line \d+ column \d+$", str(error))
    return f"the body is not valid JSON{f': see {place[0]}' if place else ''}"
