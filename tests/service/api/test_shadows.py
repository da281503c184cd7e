"""Shadow traffic: what it counts, and that it neither delays nor fails a client."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from model_store.contract.store import Store
from service.api.catalogue import Catalogue
from service.api.shadows import CLIENT, MAX_UNDER_WAY, Shadows, parsed_shadows
from service.deployments.choices import pinned
from service.deployments.replica import Replica
from service.errors import AttendantError, ConfigurationError
from service.exchanged import ScoreRequest, Translation, TranslationRequest, TranslationResult, Usage
from service.messages import Timings
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings
from service.translation.differences import Difference, Outcome


def answer(text: str) -> TranslationResult:
    """One text's, without segments."""
    translation = Translation(text, 0.0, "end", (), ())
    return TranslationResult((translation,), Usage(1, 1, 1), Timings(0.0, 0.0, 0.0), 0.1)


@dataclass
class Scripted:
    """A model that answers as told, once `go` is set."""

    manifest: Manifest
    gives: Callable[[], TranslationResult] = lambda: answer("Oui.")
    go: asyncio.Event = field(default_factory=asyncio.Event)
    asked: list[TranslationRequest] = field(default_factory=list)

    def check(self, request: TranslationRequest) -> None:
        raise NotImplementedError

    def check_score(self, request: ScoreRequest) -> None:
        raise NotImplementedError

    async def score(self, request: ScoreRequest) -> TranslationResult:
        raise NotImplementedError

    async def translate(self, request: TranslationRequest) -> TranslationResult:
        self.asked.append(request)
        await self.go.wait()
        return self.gives()


class Told:
    """What was reported."""

    def __init__(self) -> None:
        self.outcomes: list[tuple[str, str, Outcome]] = []
        self.differences: list[Difference | None] = []

    def shadowed(self, model: str, shadow: str, outcome: Outcome, difference: Difference | None) -> None:
        self.outcomes.append((model, shadow, outcome))
        self.differences.append(difference)


@pytest.fixture(scope="module")
def manifest(store: Path) -> Manifest:
    return Store(store).open("better").manifest


REQUEST = TranslationRequest(("Yes.",), client="a client")


async def followed(shadows: Shadows, model: Scripted, times: int = 1) -> None:
    """So many answered requests, and a turn of the loop."""
    for _ in range(times):
        shadows.follow(model.manifest, REQUEST, answer("Oui."), 0.1)
    await asyncio.sleep(0)


def failing() -> TranslationResult:
    raise AttendantError("no")


@pytest.mark.parametrize(
    ("gives", "outcome", "chrf"),
    [(lambda: answer("Oui."), "same", 1.0), (lambda: answer("Non."), "different", 0.1), (failing, "failed", None)],
)
def test_the_second_answer_is_compared(
    manifest: Manifest, gives: Callable[[], TranslationResult], outcome: str, chrf: float | None
) -> None:
    async def run() -> None:
        model, shadow = Scripted(manifest), Scripted(manifest.model_copy(update={"name": "other"}), gives)
        told = Told()
        shadows = Shadows(Catalogue([model, shadow]), {"better": "other"}, 1.0, told)
        shadow.go.set()
        await followed(shadows, model)
        while not told.outcomes:
            await asyncio.sleep(0)
        assert told.outcomes == [("better@1", "other@1", outcome)]
        assert [request.client for request in shadow.asked] == [CLIENT]
        assert model.asked == []
        (difference,) = told.differences
        assert (difference is None) == (chrf is None)
        if difference is not None and chrf is not None:
            assert difference.chrf == pytest.approx(chrf, abs=0.1)
            assert difference.seconds[0] == 0.1

    asyncio.run(run())


def test_shadows_beyond_the_limit_are_skipped_and_the_rest_ends_with_the_server(manifest: Manifest) -> None:
    async def run() -> None:
        model, shadow = Scripted(manifest), Scripted(manifest.model_copy(update={"name": "other"}))
        told = Told()
        shadows = Shadows(Catalogue([model, shadow]), {"better": "other"}, 1.0, told)
        await followed(shadows, model, MAX_UNDER_WAY + 2)
        assert [outcome for _, _, outcome in told.outcomes] == ["skipped"] * 2
        assert len(shadow.asked) == MAX_UNDER_WAY
        await shadows.stop()
        await followed(shadows, model)
        assert len(shadow.asked) == MAX_UNDER_WAY + 1
        await shadows.stop()

    asyncio.run(run())


@pytest.mark.parametrize(("shadows", "share"), [({}, 1.0), ({"better": "other"}, 0.0), ({"other": "better"}, 1.0)])
def test_what_has_no_shadow_or_no_share_is_translated_once(
    manifest: Manifest, shadows: dict[str, str], share: float
) -> None:
    async def run() -> None:
        model, shadow = Scripted(manifest), Scripted(manifest.model_copy(update={"name": "other"}))
        told = Told()
        await followed(Shadows(Catalogue([model, shadow]), shadows, share, told), model, 20)
        assert (told.outcomes, shadow.asked) == ([], [])

    asyncio.run(run())


def test_a_shadow_must_be_served_and_translate_the_same_languages(manifest: Manifest) -> None:
    other = Scripted(manifest.model_copy(update={"name": "other", "target": "zz"}))
    catalogue = Catalogue([Scripted(manifest), other])
    with pytest.raises(ConfigurationError, match=r"^shadows: other translates en-zz, and better en-fr$"):
        Shadows(catalogue, {"better": "other"}, 1.0, Told())
    with pytest.raises(ConfigurationError, match=r"^shadows: better=nope: no such model is served; there are: "):
        Shadows(catalogue, {"better": "nope"}, 1.0, Told())
    with pytest.raises(ConfigurationError, match=r"^shadows: better cannot be its own shadow; "):
        Shadows(catalogue, {"better": "better"}, 1.0, Told())


@pytest.mark.parametrize("given", ["m", "=n", "m@1=n", "m="])
def test_a_malformed_shadow_is_refused(given: str) -> None:
    with pytest.raises(ConfigurationError, match="is not name=model, as in en-fr-transformer=en-fr-transformer@4"):
        parsed_shadows([given])


def test_a_model_has_one_shadow() -> None:
    assert parsed_shadows(["m=n", "o=n@2"]) == {"m": "n", "o": "n@2"}
    with pytest.raises(ConfigurationError, match="once for each name"):
        parsed_shadows(["m=n", "m=o"])


def test_a_replica_counts_its_shadows(store: Path, bundles: list[Bundle], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    settings = Settings(store=store, models=("better",), shadows=("better=worse",), shadow_share=1.0)
    assert pinned(settings).models == ("better@1", "worse@1")
    metrics = Metrics(SeriesTable())

    async def run() -> str:
        replica = Replica(bundles, settings, metrics, OnnxRuntime)
        await replica.start()
        transport, shown = httpx.ASGITransport(replica.app), ""
        async with httpx.AsyncClient(transport=transport, base_url="http://attendant") as client:
            fields = {"text": ["The cat.", "A dog."], "model": "better", "signals": True}
            response = await client.post("/v1/translate", json=fields)
            assert response.json()["model"]["name"] == "better"
            while "shadow_requests_total{" not in shown:
                await asyncio.sleep(0.05)  # the engine's thread needs the interpreter lock, too
                shown = metrics.exposition()[0].decode()
        await replica.stop()
        return shown

    shown = asyncio.run(run())
    labels = 'model="better@1",outcome="same",shadow="worse@1"'
    assert f"attendant_shadow_requests_total{{{labels}}} 1.0" in shown
    assert 'attendant_shadow_chrf_ratio_sum{model="better@1",shadow="worse@1"} 1.0' in shown
    entropies = re.findall(r"attendant_shadow_attention_entropy_total{.*} (.*)", shown)
    assert len(set(entropies)) == 1, "the same network, and the same entropy"
    assert len(entropies) == 2
