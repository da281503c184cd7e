from __future__ import annotations

from dataclasses import replace

from service.api.body import RequestLimits
from service.api.openapi import openapi_document
from service.api.releases import CanaryBounds, Tally, behind
from service.errors import OverloadedError, TextTooLongError
from service.observability.labels import OK, OTHER, ROUTES, WITHDRAWAL_REASONS, known_code, known_route


def test_every_documented_path_is_counted_by_name() -> None:
    assert set(openapi_document(RequestLimits())["paths"]) <= ROUTES


def test_every_slug_is_counted_by_name_at_any_depth_of_the_tree() -> None:
    for code in (OK, "internal_error", OverloadedError.code, TextTooLongError.code):
        assert known_code(code) == code


def test_every_reason_to_withdraw_a_canary_is_known() -> None:
    good = Tally(num_requests=100, seconds=10.0, characters=1000, confidence=80.0, num_segments=100)
    bad = replace(good, num_errors=50), replace(good, confidence=10.0), replace(good, seconds=90.0)
    found = [behind(one, good, CanaryBounds()) for one in bad]
    assert tuple(fault[0] for fault in found if fault) == WITHDRAWAL_REASONS


def test_anything_else_is_counted_together() -> None:
    assert known_code("made_up") == OTHER
    assert known_route("/../../etc") == OTHER
