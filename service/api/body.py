"""The HTTP side of reading a request: its media type, its bytes within a hard limit, its timeout."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from service.errors import (
    DeadlineExceededError,
    FieldFault,
    InvalidRequestError,
    PayloadTooLargeError,
    UnsupportedMediaTypeError,
)

TIMEOUT_HEADERS = (b"x-attendant-timeout-seconds", b"x-request-timeout-seconds")
"""The proxy renames the public one to the first, because Ray Serve would act on it with an answer of its own."""
MIN_TIMEOUT_S = 0.001
"""Least number of seconds that a client may ask for."""
_DECIMAL = re.compile(rb"[0-9]+(\.[0-9]+)?")


class ClientGoneError(Exception):
    """The client closed the connection before its request was whole."""


class RequestLimits(BaseModel):
    """How much one request may ask for. Also settings of the server: the descriptions are those of its reference."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    max_texts: int = Field(default=128, ge=1, le=10_000)
    """Texts per request."""
    max_text_characters: int = Field(default=5000, ge=1, le=1_000_000)
    """Characters (Unicode code points) per text."""
    max_body_bytes: int = Field(default=4 * 1024 * 1024, ge=1024, le=1 << 30)
    """Bytes per request body."""
    request_timeout_s: float = Field(default=30.0, gt=0, le=3600)
    """Seconds until a request is given up; clients may ask for less."""


def check_media_type(headers: Mapping[bytes, bytes]) -> None:
    """Raise UnsupportedMediaTypeError unless the body is declared as JSON in UTF-8 without a content coding."""
    media_type, *parameters = headers.get(b"content-type", b"").decode("latin-1").lower().split(";")
    charsets = [p.split("=", 1)[1].strip(' "') for p in parameters if p.strip().startswith("charset=")]
    if media_type.strip() != "application/json" or any(charset not in ("utf-8", "utf8") for charset in charsets):
        raise UnsupportedMediaTypeError("send the header content-type: application/json, in UTF-8")
    if headers.get(b"content-encoding", b"identity").lower() != b"identity":
        raise UnsupportedMediaTypeError("send the body without a content-encoding")


async def read_body(
    receive: Callable[[], Awaitable[Any]], headers: Mapping[bytes, bytes], max_bytes: int, timeout_s: float
) -> bytes:
    """The whole body.

    Raises PayloadTooLargeError at the first byte too many, ClientGoneError when nobody is there, and
    DeadlineExceededError when it is not whole after `timeout_s`.
    """
    declared = headers.get(b"content-length", b"0")
    if declared.isdigit() and (len(declared) > 15 or int(declared) > max_bytes):
        raise _too_large(max_bytes)
    try:
        async with asyncio.timeout(timeout_s):
            return await _chunks(receive, max_bytes)
    except TimeoutError:
        raise DeadlineExceededError(
            f"the body was not whole after {timeout_s:g} s, the request's timeout; send it faster, or a shorter one"
        ) from None


async def _chunks(receive: Callable[[], Awaitable[Any]], max_bytes: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > max_bytes:
            raise _too_large(max_bytes)
        if not message.get("more_body", False):
            return b"".join(chunks)


def timeout_s(headers: Mapping[bytes, bytes], limits: RequestLimits) -> float:
    """Seconds until the answer is of no use. Raises InvalidRequestError for a header that is no positive decimal."""
    given = next((headers[name] for name in TIMEOUT_HEADERS if name in headers), None)
    if given is None:
        return limits.request_timeout_s
    seconds = float(given) if _DECIMAL.fullmatch(given) else math.nan
    if not (math.isfinite(seconds) and seconds >= MIN_TIMEOUT_S):
        message = f"must be a number of seconds, at least {MIN_TIMEOUT_S:g}, such as 2.5"
        fault = FieldFault("x-request-timeout-seconds", message, MIN_TIMEOUT_S)
        raise InvalidRequestError(f"the header x-request-timeout-seconds {message}", [fault])
    return min(seconds, limits.request_timeout_s)


def _too_large(max_bytes: int) -> PayloadTooLargeError:
    fault = FieldFault("(body)", "has too many bytes; send several requests", max_bytes)
    return PayloadTooLargeError(f"a body has at most {max_bytes} bytes; send several requests", [fault])
