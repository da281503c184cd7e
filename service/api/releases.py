"""Labels of versions (`stable`, `canary`), and a canary that takes a share of the requests until it falls behind."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from service.api.ledger import Ledger, Tally
from service.errors import ConfigurationError
from service.observability.logs import ROOT

STABLE, CANARY = "stable", "canary"
"""Labels with a meaning; all others only name a version."""

_log = logging.getLogger(f"{ROOT}.releases")


class CanaryBounds(BaseModel):
    """What keeps a canary in service. Also settings of the server: the descriptions are those of its reference."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    canary_min_answers: int = Field(default=100, ge=1, le=1_000_000)
    """Answers of each version on one machine before a canary is judged."""
    canary_max_more_errors: float = Field(default=0.02, ge=0, le=1)
    """Share of its requests that a canary may fail beyond the share that the other version fails."""
    canary_max_less_confidence: float = Field(default=0.05, ge=0, le=1)
    """By which a canary's mean confidence may be lower than the other version's."""
    canary_max_times_latency: float = Field(default=2.0, ge=1, le=1000)
    """Times as long as the other version that a canary may take for a source character."""


@dataclass
class Releases:
    """Which version answers a request that names none."""

    labels: Mapping[str, str] = field(default_factory=dict)
    """From `name@label` to `name@version`."""
    canary_share: float = 0.0
    on_withdrawn: Callable[[str, str], None] = lambda model, reason: None
    """Told `name@version` and `errors`, `confidence` or `latency` when a canary is withdrawn."""
    bounds: CanaryBounds = field(default_factory=CanaryBounds)
    ledger: Ledger = field(default_factory=Ledger)
    """Where what the versions come to is counted, by all who share it."""

    def __post_init__(self) -> None:
        self._trials = {canary: f"{canary} {self.bounds!r}" for canary in canaries(self.labels)}
        """What each canary is judged in, by its `name@version`: other bounds begin anew."""
        self._withdrawn: set[str] = set()
        self.hold()

    def hold(self) -> None:
        """Say that these canaries have the label still, and hear which are withdrawn; called every second."""
        self._withdrawn |= {canary for canary, trial in self._trials.items() if self.ledger.hold(trial)}

    def resolved(self, reference: str) -> str:
        """The `name@version` that a label means; any other reference as it is."""
        return self.labels.get(reference, reference)

    def version_of(self, name: str) -> str | None:
        """The `name@version` for a request that names no version; None leaves the choice to others.

        With a canary it is the canary for its share of the requests, drawn by chance.
        """
        canary = self.labels.get(f"{name}@{CANARY}")
        if canary is not None and canary not in self._withdrawn and random.random() < self.canary_share:
            return canary
        return self.stable_of(name)

    def stable_of(self, name: str) -> str | None:
        """The `name@version` that answers what a canary does not; None leaves the choice to others."""
        return self.labels.get(f"{name}@{STABLE}")

    def failed(self, model: str) -> None:
        """A request to that `name@version` failed by our fault."""
        self._count(model, Tally(num_requests=1, num_errors=1))

    def answered(self, model: str, seconds: float, characters: int, confidences: Sequence[float]) -> None:
        """A request to that `name@version` was answered; `confidences` are those of its segments that have one."""
        tally = Tally(
            num_requests=1,
            seconds=seconds,
            characters=characters,
            confidence=sum(confidences),
            num_segments=len(confidences),
        )
        self._count(model, tally)

    def _count(self, model: str, tally: Tally) -> None:
        """Count requests beside those of other versions, and withdraw a canary of theirs that has fallen behind."""
        name = model.partition("@")[0]
        canary, stable = self.labels.get(f"{name}@{CANARY}"), self.stable_of(name)
        if canary is None or stable is None or canary in self._withdrawn:
            return
        trial = self._trials[canary]
        self.ledger.add(trial, model, tally)
        new, old = self.ledger.tally(trial, canary), self.ledger.tally(trial, stable)
        if min(new.num_requests, old.num_requests) >= self.bounds.canary_min_answers:
            self._judge(canary, behind(new, old, self.bounds))

    def _judge(self, canary: str, fault: tuple[str, str] | None) -> None:
        if fault is None:
            return
        if self.ledger.withdraw(self._trials[canary]):
            reason, told = fault
            _log.error("the canary %s is withdrawn from this machine: %s", canary, told)
            self.on_withdrawn(canary, reason)
        self.hold()


def behind(new: Tally, old: Tally, bounds: CanaryBounds) -> tuple[str, str] | None:
    """Why the new one may not go on, as a slug and in words; None when it may."""
    errors = new.num_errors / new.num_requests, old.num_errors / old.num_requests
    if errors[0] > errors[1] + bounds.canary_max_more_errors:
        return "errors", f"{errors[0]:.1%} of its requests failed, {errors[1]:.1%} of the other version's"
    confidence = new.confidence / max(1, new.num_segments), old.confidence / max(1, old.num_segments)
    least = confidence[1] - bounds.canary_max_less_confidence
    if new.num_segments and old.num_segments and confidence[0] < least:
        return "confidence", f"its mean confidence was {confidence[0]:.2f}, the other version's {confidence[1]:.2f}"
    pace = new.seconds / max(1, new.characters), old.seconds / max(1, old.characters)
    if pace[1] > 0 and pace[0] > pace[1] * bounds.canary_max_times_latency:
        return "latency", f"it took {pace[0] / pace[1]:.1f} times as long for each character"
    return None


def canaries(labels: Mapping[str, str]) -> set[str]:
    """The `name@version` of each canary among `labels`, from `name@label` to `name@version`."""
    return {model for label, model in labels.items() if label.endswith(f"@{CANARY}")}


def parsed_labels(given: Sequence[str]) -> dict[str, str]:
    """From `name@label=version`. Raises ConfigurationError, also for a canary without a stable version."""
    labels = {}
    for one in given:
        left, _, version = one.partition("=")
        name, _, label = left.partition("@")
        if not (name and label and version.isdigit()) or label.isdigit():
            raise ConfigurationError(f"the label {one!r} is not name@label=version, as in en-fr-transformer@canary=4")
        labels[left] = f"{name}@{version}"
    for one, reference in labels.items():
        name, _, label = one.partition("@")
        if label == CANARY and f"{name}@{STABLE}" not in labels:
            raise ConfigurationError(
                f"the label {one}={reference.partition('@')[2]} needs {name}@{STABLE} beside it: without a stable "
                f"version the newest one, which may be the canary, answers every request; add {name}@{STABLE}=VERSION"
            )
    return labels
