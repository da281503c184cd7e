from __future__ import annotations

from service.api.body import RequestLimits
from service.api.openapi import openapi_document
from service.errors import OverloadedError, TextTooLongError
from service.observability.labels import OK, OTHER, ROUTES, known_code, known_route


def test_every_documented_path_is_counted_by_name() -> None:
    assert set(openapi_document(RequestLimits())["paths"]) <= ROUTES


def test_every_slug_is_counted_by_name_at_any_depth_of_the_tree() -> None:
    for code in (OK, "internal_error", OverloadedError.code, TextTooLongError.code):
        assert known_code(code) == code


def test_anything_else_is_counted_together() -> None:
    assert known_code("made_up") == OTHER
    assert known_route("/../../etc") == OTHER
