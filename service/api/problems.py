"""Errors on the wire: application/problem+json (RFC 9457), at most 2 kB whatever was sent."""

from __future__ import annotations

import logging
import math

from pydantic_core import to_json

from service.api.answers import FaultAnswer, Problem
from service.errors import AttendantError, FieldFault
from service.observability.logs import FIELDS, ROOT

_log = logging.getLogger(f"{ROOT}.api")

MEDIA_TYPE = "application/problem+json"
MAX_BYTES = 2048
MAX_DETAIL_CHARACTERS = 600
_BROWSER = b'Bearer, Basic realm="Attendant: any name, and an API key as the password", charset="UTF-8"'


def as_problem(error: Exception, request_id: str) -> AttendantError:
    """What a client is told of `error`. One that is no AttendantError is logged, and told as the server's mistake."""
    if isinstance(error, AttendantError):
        return error
    _log.error("a request failed: %s", type(error).__name__, exc_info=error, extra={FIELDS: {"request_id": request_id}})
    return AttendantError("the server made a mistake; the request id names its log line")


def problem_body(error: AttendantError, request_id: str) -> bytes:
    """The body that tells `error`; faulty fields are left out from the end until it fits."""
    problem: Problem = {
        "type": f"urn:attendant:problem:{error.code}",
        "title": error.title,
        "status": error.status,
        "detail": _cut(error.detail),
        "code": error.code,
        "request_id": request_id,
    }
    faults = [_fault(fault) for fault in error.faults]
    while faults:
        body = to_json({**problem, "errors": faults})
        if len(body) <= MAX_BYTES:
            return body
        faults.pop()
    return to_json(problem)


def _cut(detail: str) -> str:
    """As much of it as a client is told, with a sign where the rest is left out."""
    return detail if len(detail) <= MAX_DETAIL_CHARACTERS else f"{detail[: MAX_DETAIL_CHARACTERS - 1]}…"


def problem_headers(error: AttendantError, is_for_browser: bool = False) -> list[tuple[bytes, bytes]]:
    """Retry-After in whole seconds, rounded up, where the error says when to come back; the scheme of keys.

    A browser knows one scheme for which it asks its user: Basic (RFC 7617).
    """
    if error.status == 401:
        return [(b"www-authenticate", _BROWSER if is_for_browser else b"Bearer")]
    if error.retry_after_s is None:
        return []
    return [(b"retry-after", str(max(1, math.ceil(error.retry_after_s))).encode())]


def _fault(fault: FieldFault) -> FaultAnswer:
    answer: FaultAnswer = {"field": fault.field, "message": fault.message}
    if fault.limit is not None:
        answer["limit"] = fault.limit
    if fault.given is not None:
        answer["given"] = fault.given
    return answer
