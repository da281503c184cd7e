"""The models that are served, and the choice of one for a request."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from typing import Protocol

from model_store.contract.manifest import Manifest
from service.api.releases import Releases
from service.errors import UnknownLanguagePairError, UnknownModelError
from service.exchanged import ScoreRequest, TranslationRequest, TranslationResult
from service.translation.streaming import TextDone


class Served(Protocol):
    """One model that can translate; `service.translation.translator.Translator` is the real one."""

    @property
    def manifest(self) -> Manifest:
        """What the model's bundle promises."""
        ...

    def check(self, request: TranslationRequest) -> None:
        """Refuse what the model cannot do, before any work."""
        ...

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        """Translate; cancelling the awaiting task frees the work."""
        ...

    def stream(self, request: TranslationRequest) -> AsyncGenerator[TextDone, None]:
        """Translate text by text; closing the generator frees the work."""
        ...

    def check_score(self, request: ScoreRequest) -> None:
        """Refuse what the model cannot score, before any work."""
        ...

    async def score(self, request: ScoreRequest) -> TranslationResult:
        """Score translations that exist already."""
        ...


class Catalogue:
    """Every model served, by name and by language pair."""

    def __init__(
        self,
        served: Sequence[Served],
        runtimes: Mapping[str, str] | None = None,
        releases: Releases | None = None,
    ) -> None:
        """`runtimes` says by `name@version` what runs a model, see `Runtime.kind`."""
        self.releases = releases or Releases()
        self.runtimes = runtimes or {}
        self._by_age = sorted(served, key=lambda one: (one.manifest.name, int(one.manifest.version)))
        names = sorted({one.manifest.name for one in self._by_age})
        self.manifests = [one.manifest for name in names for one in reversed(self._by_age) if one.manifest.name == name]
        """Manifests of all models served, by name, newest first."""
        self.pairs = _defaults(self._by_age)
        """The default model of each language pair, before labels choose its version."""

    def find(self, reference: str) -> Served:
        """The model of that `name` (its newest version), `name@version` or `name@label`. Raises UnknownModelError."""
        reference = self.releases.resolved(reference)
        for one in reversed(self._by_age):
            if reference in (one.manifest.name, one.manifest.reference):
                return one
        known = ", ".join([*(manifest.reference for manifest in self.manifests), *self.releases.labels])
        raise UnknownModelError(f"no such model is served; there are: {known}")

    def _released(self, one: Served) -> Served:
        """The version of the same name that labels choose; without labels this one."""
        reference = self.releases.version_of(one.manifest.name)
        return one if reference is None else self.find(reference)

    def default_of(self, source: str, target: str) -> Served:
        """The model that answers requests which name only this pair, but for those that a canary takes."""
        one = self.pairs[source, target]
        reference = self.releases.stable_of(one.manifest.name)
        return one if reference is None else self.find(reference)

    def choose(self, model: str | None, source: str | None, target: str | None) -> Served:
        """The model for a request. Raises UnknownModelError or UnknownLanguagePairError."""
        pairs = self.pairs if model is None else {}
        if model is not None:
            one = self._released(self.find(model)) if "@" not in model else self.find(model)
            pairs = {(one.manifest.source, one.manifest.target): one}
        source = _served_code(source, {pair[0] for pair in pairs})
        target = _served_code(target, {pair[1] for pair in pairs})
        fitting = [one for (s, t), one in pairs.items() if source in (None, s) and target in (None, t)]
        if len(fitting) == 1:
            return fitting[0] if model else self._released(fitting[0])
        listed = ", ".join(f"{s}-{t}" for s, t in pairs)
        if not fitting:
            owner = "that model translates" if model else "pairs served:"
            raise UnknownLanguagePairError(f"that language pair is not served; {owner} {listed}")
        raise UnknownLanguagePairError(f"several language pairs fit; name `source` and `target`, one of: {listed}")


def _served_code(code: str | None, served: Collection[str]) -> str | None:
    """The language of `served` that `code` means: `EN` and `en-US` mean `en` unless the region is served."""
    if code is None or code in served:
        return code
    by_case = {one.lower(): one for one in served}
    plain = code.lower().replace("_", "-")
    return by_case.get(plain) or by_case.get(plain.split("-", 1)[0], code)


def _defaults(by_age: Sequence[Served]) -> dict[tuple[str, str], Served]:
    """For each pair the model with the highest measured score; of equals the last name's newest.

    Scores are compared on one test set, the first that any of the pair's models names, in the precision served.
    """
    pairs: dict[tuple[str, str], list[Served]] = {}
    for one in by_age:
        pairs.setdefault((one.manifest.source, one.manifest.target), []).append(one)
    return {pair: _best(models) for pair, models in sorted(pairs.items())}


def _best(models: Sequence[Served]) -> Served:
    scores = [_scores(one.manifest) for one in models]
    measure = next((name for one in scores for name in one), ("", ""))
    ranks = [one.get(measure, -math.inf) for one in scores]
    return models[max(range(len(models)), key=lambda i: (ranks[i], i))]


def _scores(manifest: Manifest) -> dict[tuple[str, str], float]:
    """Scores of the weights as they are served, by metric and test set; of several the manifest's first."""
    scores: dict[tuple[str, str], float] = {}
    for measured in manifest.quality:
        if measured.precision == manifest.precision:
            scores.setdefault((measured.metric, measured.test_set), measured.score)
    return scores
