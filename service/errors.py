"""Everything that can go wrong for a caller. One slug each, for JSON, logs and metrics, and one HTTP status.

AttendantError                       500 internal_error
├── RequestError                     400
│   ├── UnauthorizedError            401 unauthorized
│   ├── MalformedJsonError           400 malformed_json
│   ├── UnsupportedMediaTypeError    415 unsupported_media_type
│   ├── PayloadTooLargeError         413 payload_too_large
│   ├── InvalidRequestError          422 invalid_request
│   │   ├── TextTooLongError         422 text_too_long
│   │   ├── AttentionNotAvailableError 422 attention_not_available
│   │   └── ScoresNotAvailableError  422 scores_not_available
│   ├── UnknownModelError            404 unknown_model
│   ├── UnknownLanguagePairError     404 unknown_language_pair
│   ├── UnknownRouteError            404 unknown_route
│   └── MethodNotAllowedError        405 method_not_allowed
├── DeadlineExceededError            408 deadline_exceeded
├── OverloadedError                  429 overloaded
├── RateLimitedError                 429 rate_limited
├── CancelledError                   499 cancelled (never sent: the client has gone)
├── NotReadyError                    503 not_ready
└── ConfigurationError               500 configuration (start-up only, never sent)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class FieldFault:
    """One faulty field. `given` is a size or a number, never the user's text."""

    field: str
    message: str
    limit: int | float | str | None = None
    given: int | float | None = None

    @classmethod
    def too_many(cls, field: str, unit: str, given: int, limit: int, remedy: str) -> FieldFault:
        """Of a field with more of something than is taken."""
        return cls(field, f"has {given} {unit}, {limit} are the most; {remedy}", limit, given)


class AttendantError(Exception):
    """Base of all. `detail` is shown to the caller and holds nothing of the user's text."""

    code: ClassVar[str] = "internal_error"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "Internal error"

    def __init__(self, detail: str, faults: Sequence[FieldFault] = (), retry_after_s: float | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.faults = tuple(faults)
        self.retry_after_s = retry_after_s


class RequestError(AttendantError):
    """The request itself is at fault."""

    code, status, title = "invalid_request", 400, "Bad request"


class UnauthorizedError(RequestError):
    """No API key, or one that is not known."""

    code, status, title = "unauthorized", 401, "An API key is needed"


class ForbiddenError(RequestError):
    """Somebody asks a replica past its proxy."""

    code, status, title = "forbidden", 403, "Only the proxy may ask a replica"


class MalformedJsonError(RequestError):
    """The body is no JSON: bad syntax, bad UTF-8, lone surrogates, NaN, or nested too deep."""

    code, status, title = "malformed_json", 400, "The body is not valid JSON"


class UnsupportedMediaTypeError(RequestError):
    """The body is declared to be something else than JSON."""

    code, status, title = "unsupported_media_type", 415, "The body must be application/json"


class PayloadTooLargeError(RequestError):
    """The body has more bytes than the server takes."""

    code, status, title = "payload_too_large", 413, "The body is too large"


class InvalidRequestError(RequestError):
    """JSON that is no request: unknown, missing or out-of-range fields."""

    code, status, title = "invalid_request", 422, "The request is not valid"


class TextTooLongError(InvalidRequestError):
    """A text has more characters than the server takes."""

    code, status, title = "text_too_long", 422, "A text is too long"


class AttentionNotAvailableError(InvalidRequestError):
    """The bundle does not export the attention that was asked for."""

    code, status, title = "attention_not_available", 422, "That attention is not available"


class ScoresNotAvailableError(InvalidRequestError):
    """The bundle cannot score a translation that exists already."""

    code, status, title = "scores_not_available", 422, "That model gives no scores"


class UnknownModelError(RequestError):
    """No such model is served."""

    code, status, title = "unknown_model", 404, "Unknown model"


class UnknownLanguagePairError(RequestError):
    """No model for that pair is served."""

    code, status, title = "unknown_language_pair", 404, "Unknown language pair"


class UnknownRouteError(RequestError):
    """No such path."""

    code, status, title = "unknown_route", 404, "No such path"


class MethodNotAllowedError(RequestError):
    """The path does not take that method."""

    code, status, title = "method_not_allowed", 405, "Method not allowed"


class DeadlineExceededError(AttendantError):
    """The answer was not ready in time."""

    code, status, title = "deadline_exceeded", 408, "The deadline passed"


class OverloadedError(AttendantError):
    """The queue is full; try again after `retry_after_s`."""

    code, status, title = "overloaded", 429, "The server is overloaded"


class RateLimitedError(AttendantError):
    """A limit of the client's API key is reached; try again after `retry_after_s`."""

    code, status, title = "rate_limited", 429, "A limit of the API key is reached"


class CancelledError(AttendantError):
    """The client went away."""

    code, status, title = "cancelled", 499, "The client closed the request"


class NotReadyError(AttendantError):
    """Starting or draining."""

    code, status, title = "not_ready", 503, "The server is not ready"


class ConfigurationError(AttendantError):
    """A setting that cannot be used; raised at start, before anything listens."""

    code, status, title = "configuration", 500, "A setting is not valid"
