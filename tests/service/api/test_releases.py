"""Labels of versions, a canary's share, and a canary that is withdrawn."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from service.api.app import Api
from service.api.body import RequestLimits
from service.api.catalogue import Catalogue
from service.api.exchange import CLIENT_HEADER, PASS_HEADER, SENT_HEADER
from service.api.ledger import Ledger, Tally
from service.api.releases import CANARY, CanaryBounds, Releases, behind, parsed_labels
from service.errors import AttendantError, ConfigurationError, InvalidRequestError, NotReadyError, OverloadedError
from service.exchanged import ScoreRequest, TranslationRequest, TranslationResult, Usage
from service.messages import Timings
from service.observability.metrics import Metrics
from service.observability.series import SeriesTable
from service.settings import read_settings
from tests.service.api.conftest import ask_app

BOUNDS = CanaryBounds()
MIN_ANSWERS = BOUNDS.canary_min_answers
LABELS = {"m@stable": "m@1", "m@canary": "m@2"}


def drawn(releases: Releases, times: int = 2000) -> Counter[str | None]:
    """How often each version was chosen."""
    return Counter(releases.version_of("m") for _ in range(times))


def test_a_label_means_a_version() -> None:
    releases = Releases(LABELS)
    assert [releases.resolved(one) for one in ("m@canary", "m@2", "m", "n@canary")] == ["m@2", "m@2", "m", "n@canary"]


def test_without_labels_nothing_is_chosen_and_without_a_share_the_stable_one() -> None:
    assert Releases().version_of("m") is None
    assert Releases({"m@old": "m@1"}, 1.0).version_of("m") is None
    assert set(drawn(Releases(LABELS))) == {"m@1"}
    assert Releases(LABELS, 1.0).version_of("other") is None


def test_a_canary_takes_its_share() -> None:
    assert 0.2 < drawn(Releases(LABELS, 0.25))["m@2"] / 2000 < 0.3
    assert set(drawn(Releases(LABELS, 1.0))) == {"m@2"}


def feed(releases: Releases, model: str, times: int, confidence: float = 0.8, seconds: float = 0.1) -> None:
    """Answers of one version."""
    for _ in range(times):
        releases.answered(model, seconds, 100, [confidence])


@pytest.mark.parametrize("fault", ["errors", "confidence", "latency"])
def test_a_canary_that_falls_behind_is_withdrawn_and_says_why(fault: str, caplog: pytest.LogCaptureFixture) -> None:
    told: list[tuple[str, str]] = []
    releases = Releases(LABELS, 1.0, lambda model, reason: told.append((model, reason)))
    feed(releases, "m@1", MIN_ANSWERS)
    feed(releases, "m@2", MIN_ANSWERS - 1, *((0.7, 0.1) if fault == "confidence" else (0.8, 0.1)))
    assert set(drawn(releases)) == {"m@2"}
    with caplog.at_level(logging.ERROR):
        if fault == "errors":
            for _ in range(5):
                releases.failed("m@2")
        else:
            feed(releases, "m@2", 50, *((0.7, 0.1) if fault == "confidence" else (0.8, 0.5)))
    assert set(drawn(releases)) == {"m@1"}
    assert told == [("m@2", fault)]
    assert "the canary m@2 is withdrawn from this machine" in caplog.text


def test_replicas_of_a_machine_judge_together_and_one_of_them_tells(tmp_path: Path) -> None:
    told: list[str] = []
    replicas = [
        Releases(LABELS, 1.0, lambda model, reason: told.append(reason), ledger=Ledger(tmp_path / "ledger"))
        for _ in range(4)
    ]
    for releases in replicas:
        feed(releases, "m@1", MIN_ANSWERS // 4)
    for releases in replicas:
        assert set(drawn(releases)) == {"m@2"}
        feed(releases, "m@2", MIN_ANSWERS // 4, 0.5)
    assert told == ["confidence"]
    for releases in replicas:
        releases.hold()  # a replica hears of it within a second
        assert set(drawn(releases)) == {"m@1"}
    assert Releases(LABELS, 1.0, ledger=Ledger(tmp_path / "ledger")).version_of("m") == "m@1"
    assert told == ["confidence"]


def test_a_canary_as_good_as_the_other_stays() -> None:
    releases = Releases(LABELS, 1.0)
    for _ in range(3):
        feed(releases, "m@1", MIN_ANSWERS)
        feed(releases, "m@2", MIN_ANSWERS)
        releases.failed("m@2")
    assert set(drawn(releases)) == {"m@2"}


@pytest.mark.parametrize(
    ("fault", "given"),
    [
        ("errors", {"canary_max_more_errors": 0.5}),
        ("confidence", {"canary_max_less_confidence": 0.2}),
        ("latency", {"canary_max_times_latency": 9.0}),
        ("latency", {"canary_min_answers": 3 * MIN_ANSWERS}),
    ],
)
def test_the_bounds_are_those_of_the_settings(fault: str, given: dict[str, float]) -> None:
    for bounds, stays in ((BOUNDS, False), (CanaryBounds.model_validate(given), True)):
        releases = Releases(LABELS, 1.0, bounds=bounds)
        feed(releases, "m@1", 2 * MIN_ANSWERS)
        confidence, seconds = (0.7 if fault == "confidence" else 0.8), (0.5 if fault == "latency" else 0.1)
        feed(releases, "m@2", 2 * MIN_ANSWERS, confidence, seconds)
        for _ in range(20 if fault == "errors" else 0):
            releases.failed("m@2")
        assert (set(drawn(releases)) == {"m@2"}) is stays


counts = st.builds(
    lambda errors, right, seconds, confidence: Tally(
        errors + right, errors, seconds, 100 * right, confidence * right, right
    ),
    st.integers(0, 50),
    st.integers(1, 1000),
    st.floats(0.001, 1000),
    st.floats(0, 1),
)


@given(counts)
def test_nothing_is_behind_itself(tally: Tally) -> None:
    assert behind(tally, tally, BOUNDS) is None


@given(counts, counts)
def test_of_two_only_one_is_behind_by_errors(one: Tally, other: Tally) -> None:
    faults = [behind(one, other, BOUNDS), behind(other, one, BOUNDS)]
    assert sum(fault is not None and fault[0] == "errors" for fault in faults) <= 1


@pytest.mark.parametrize("label", ["m", "m@canary", "m@canary=x", "m@1=2", "@canary=1", "m@=1"])
def test_a_malformed_label_is_refused(label: str) -> None:
    with pytest.raises(ConfigurationError, match="is not name@label=version, as in en-fr-transformer@canary=4"):
        parsed_labels([label])


@pytest.mark.parametrize("labels", [["m@canary=2"], ["m@old=1", "n@stable=1", "m@canary=2"]])
def test_a_canary_without_a_stable_version_is_refused(labels: list[str]) -> None:
    told = r"the label m@canary=2 needs m@stable beside it: .*; add m@stable=VERSION"
    with pytest.raises(ConfigurationError, match=told):
        parsed_labels(labels)
    with pytest.raises(ConfigurationError, match=f"ATTENDANT_LABELS: {told}"):
        read_settings({"ATTENDANT_LABELS": ",".join(labels)})


def test_labels_are_read() -> None:
    assert parsed_labels(["m@stable=1", "m@canary=2"]) == LABELS


class Failing:
    """A model whose translations raise `error`."""

    def __init__(self, manifest: Manifest, error: Exception) -> None:
        self.manifest, self._error = manifest, error

    def check(self, request: TranslationRequest) -> None:
        pass

    def check_score(self, request: ScoreRequest) -> None:
        raise NotImplementedError

    async def score(self, request: ScoreRequest) -> TranslationResult:
        raise NotImplementedError

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        raise self._error


@pytest.mark.parametrize(
    ("error", "is_ours"),
    [
        (NotReadyError("the engine stands still"), True),
        (AttendantError("something broke"), True),
        (ZeroDivisionError("a bug"), True),
        (OverloadedError("too much waits"), False),
        (InvalidRequestError("that is no request"), False),
    ],
)
def test_what_counts_against_a_version_is_what_fails_by_our_fault(
    bundles: list[Bundle], error: Exception, is_ours: bool
) -> None:
    manifest = bundles[0].manifest
    releases = Releases({f"{manifest.name}@{CANARY}": manifest.reference})
    withdrawn: list[str] = []
    releases.failed = withdrawn.append  # type: ignore[method-assign]
    api = Api(Catalogue([Failing(manifest, error)], releases=releases), RequestLimits(), Metrics())
    answer = ask_app(api, "POST", "/v1/translate", json={"text": "a", "model": manifest.name})
    assert answer.status_code == getattr(error, "status", 500)
    assert withdrawn == ([manifest.reference] if is_ours else [])


class Answering(Failing):
    """A model that answers with no translation at all."""

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        return TranslationResult((), Usage(7, 2, 2), Timings(0.0, 0.0, 0.0), 0.25)


@pytest.mark.parametrize("label", ["", CANARY])
def test_answers_of_a_version_with_a_label_are_compared(bundles: list[Bundle], label: str) -> None:
    manifest = bundles[0].manifest
    releases = Releases({f"{manifest.name}@{label}": manifest.reference} if label else {})
    told = list[tuple[str, int, list[float]]]()

    def answered(model: str, seconds: float, characters: int, confidences: list[float]) -> None:
        told.append((model, characters, confidences))

    releases.answered = answered  # type: ignore[assignment]
    served = Answering(manifest, AttendantError("it answers"))
    api = Api(Catalogue([served], releases=releases), RequestLimits(), Metrics())
    assert ask_app(api, "POST", "/v1/translate", json={"text": "a", "model": manifest.name}).status_code == 200
    assert told == ([(manifest.reference, 7, [])] if label else [])


class Waiting(Failing):
    """A model whose translations never end."""

    def __init__(self, manifest: Manifest) -> None:
        super().__init__(manifest, AttendantError("it never ends"))

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        return await asyncio.get_running_loop().create_future()


def test_a_client_that_goes_away_is_no_failure_of_the_version(bundles: list[Bundle]) -> None:
    manifest = bundles[0].manifest
    releases = Releases({f"{manifest.name}@{CANARY}": manifest.reference})
    failed: list[str] = []
    releases.failed = failed.append  # type: ignore[method-assign]
    metrics = Metrics(SeriesTable(None))
    api = Api(Catalogue([Waiting(manifest)], releases=releases), RequestLimits(), metrics)
    body = json.dumps({"text": "a", "model": manifest.name}).encode()
    messages = iter([{"type": "http.request", "body": body}, {"type": "http.disconnect"}])
    sent: list[Any] = []

    async def receive() -> Any:
        return next(messages)

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": "/v1/translate", "headers": headers}
    asyncio.run(api(scope, receive, send))
    assert sent == []
    assert failed == []
    counted = 'attendant_requests_total{code="cancelled",model="other",route="/v1/translate"} 1'
    assert counted in metrics.exposition()[0].decode()


class Noting(Failing):
    """A model that notes who asks."""

    def __init__(self, manifest: Manifest) -> None:
        super().__init__(manifest, AttendantError("it only notes"))
        self.clients: list[str] = []
        self.were_admitted: list[bool] = []

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        self.clients.append(request.client)
        self.were_admitted.append(request.was_admitted)
        return await super().translate(request)


def test_clients_without_keys_take_turns_by_the_address_that_the_proxy_saw(bundles: list[Bundle]) -> None:
    served = Noting(bundles[0].manifest)
    body = {"text": "a", "model": served.manifest.name}
    seen = {CLIENT_HEADER.decode(): "192.0.2.7"}
    behind = Api(Catalogue([served]), RequestLimits(), Metrics(), proxy_pass=b"pass")
    ask_app(behind, "POST", "/v1/translate", json=body, headers={PASS_HEADER.decode(): "pass", **seen})
    ask_app(behind, "POST", "/v1/translate", json=body, headers={PASS_HEADER.decode(): "other", **seen})
    alone = Api(Catalogue([served]), RequestLimits(), Metrics())  # nobody may say that of himself
    ask_app(alone, "POST", "/v1/translate", json=body, headers=seen)
    assert served.clients == ["192.0.2.7", ""]


def test_a_request_that_a_lost_replica_held_is_admitted_for_good(bundles: list[Bundle]) -> None:
    served, now_ms = Noting(bundles[0].manifest), round(time.time() * 1000)
    behind = Api(Catalogue([served]), RequestLimits(), Metrics(), proxy_pass=b"pass")
    alone = Api(Catalogue([served]), RequestLimits(), Metrics())  # nobody may say that of himself
    body = {"text": "a", "model": served.manifest.name}
    for api in (behind, alone):
        for age_ms in (0, 60_000):
            headers = {PASS_HEADER.decode(): "pass", SENT_HEADER.decode(): f"{now_ms - age_ms} proxy"}
            ask_app(api, "POST", "/v1/translate", json=body, headers=headers)
    assert served.were_admitted == [False, True, False, False]
