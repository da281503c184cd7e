"""Closed sets of label values. A name that a client made up never becomes a label: it is counted as `other`."""

from __future__ import annotations

import functools

from service.errors import AttendantError

OK = "ok"
OTHER = "other"
ROUTES = frozenset(
    {"/v1/translate", "/v1/score", "/v1/compare", "/v1/models", "/v1/models/{name}", "/v1/languages"}
    | {"/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"}
)
"""Templates of the paths that are counted by name."""
WITHDRAWAL_REASONS = ("errors", "confidence", "latency")
"""Why a canary may be withdrawn."""


def known_route(route: str) -> str:
    """The route's template, or `other`."""
    return route if route in ROUTES else OTHER


def known_code(code: str) -> str:
    """`ok` or an error's slug, or `other`."""
    return code if code in _codes() else OTHER


@functools.cache
def _codes() -> frozenset[str]:
    found = {OK}
    waiting: list[type[AttendantError]] = [AttendantError]
    while waiting:
        error = waiting.pop()
        found.add(error.code)
        waiting.extend(error.__subclasses__())
    return frozenset(found)
