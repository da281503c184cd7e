"""Shadow traffic: a share of the requests is translated a second time by another model, and the answers are compared.

Clients get the first answer, and get it before the second translation begins. Only metrics tell of the second one.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

from model_store.contract.manifest import Manifest
from service.api.catalogue import Catalogue, Served
from service.errors import AttendantError, ConfigurationError, UnknownModelError
from service.exchanged import TranslationRequest, TranslationResult
from service.translation.differences import Difference, Outcome, compared

MAX_UNDER_WAY = 4
"""Shadow requests of a replica at once; further ones are skipped, so that shadows never fill the queue."""
CLIENT = "shadow traffic"
"""Shadows wait in a queue of their own: the engine gives clients their turns, see `Segment.client`."""


class ShadowMeter(Protocol):
    """What shadows report; `service.observability.metrics.Metrics` is the real one."""

    def shadowed(self, model: str, shadow: str, outcome: Outcome, difference: Difference | None) -> None: ...


class Shadows:
    """Starts shadow requests and compares their answers with those that clients got."""

    def __init__(self, catalogue: Catalogue, shadows: Mapping[str, str], share: float, meter: ShadowMeter) -> None:
        """`shadows` is from a model's name to the `name@version` or `name@label` that follows its requests.

        Raises ConfigurationError when one of them is not served, or when they translate other languages.
        """
        self._share, self._meter = share, meter
        self._under_way = set[asyncio.Task[None]]()
        self._shadows = {name: _of_same_pair(catalogue, name, reference) for name, reference in shadows.items()}

    def follow(self, model: Manifest, request: TranslationRequest, result: TranslationResult, seconds: float) -> None:
        """A request was answered by `model` in so many seconds: let the shadow translate it too, by chance."""
        shadow = self._shadows.get(model.name)
        if shadow is None or shadow.manifest.reference == model.reference or random.random() >= self._share:
            return
        if len(self._under_way) >= MAX_UNDER_WAY:
            self._meter.shadowed(model.reference, shadow.manifest.reference, "skipped", None)
            return
        task = asyncio.ensure_future(self._compare(model.reference, shadow, request, result, seconds))
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def stop(self) -> None:
        """Cancel what is under way."""
        for task in list(self._under_way):
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _compare(
        self, model: str, shadow: Served, request: TranslationRequest, result: TranslationResult, seconds: float
    ) -> None:
        """Translate, compare, tell the metrics; a shadow that fails is no fault of the server."""
        started, reference = time.monotonic(), shadow.manifest.reference
        try:
            other = await shadow.translate(replace(request, client=CLIENT))
        except AttendantError:
            self._meter.shadowed(model, reference, "failed", None)
            return
        difference = compared(result, other, (seconds, time.monotonic() - started))
        self._meter.shadowed(model, reference, "same" if difference.is_none else "different", difference)


def _of_same_pair(catalogue: Catalogue, name: str, reference: str) -> Served:
    try:
        model, shadow = catalogue.find(name).manifest, catalogue.find(reference)
    except UnknownModelError as error:
        raise ConfigurationError(f"shadows: {name}={reference}: {error}") from error
    if (model.source, model.target) != (shadow.manifest.source, shadow.manifest.target):
        pairs = [f"{one.source}-{one.target}" for one in (shadow.manifest, model)]
        raise ConfigurationError(f"shadows: {reference} translates {pairs[0]}, and {name} {pairs[1]}")
    if reference == name:
        raise ConfigurationError(f"shadows: {name} cannot be its own shadow; name another model or version")
    return shadow


def parsed_shadows(given: Sequence[str]) -> dict[str, str]:
    """From `name=other` and `name=other@version`. Raises ConfigurationError."""
    shadows = {}
    for one in given:
        name, _, reference = one.partition("=")
        if not name or "@" in name or not reference or name in shadows:
            example = "en-fr-transformer=en-fr-transformer@4, once for each name"
            raise ConfigurationError(f"the shadow {one!r} is not name=model, as in {example}")
        shadows[name] = reference
    return shadows
