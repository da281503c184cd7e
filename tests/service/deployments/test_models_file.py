"""Models come and go while a replica serves; a file or a bundle without use changes nothing."""

from __future__ import annotations

import asyncio
import logging
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path

import httpx
import pytest

from model_store.contract.store import Store
from service.api.ledger import Ledger
from service.api.releases import CanaryBounds, Releases
from service.deployments import replica as replica_module
from service.deployments.choices import open_bundles, pinned, up_to_date, version_of
from service.deployments.models_file import with_models_file
from service.deployments.replica import Replica
from service.errors import ConfigurationError
from service.observability.labels import WITHDRAWAL_REASONS
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.reread import WatchedFile
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings

TIMEOUT_S = 30.0
UNUSABLE = 'attendant_unusable_file_processes{file="models"}'


@pytest.fixture
def models(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store of its own with `better@1`, `better@2` and `worse@1`."""
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    monkeypatch.setattr(replica_module, "CHECK_S", 0.02)
    folder = tmp_path / "store"
    shutil.copytree(store, folder)
    assert Store(folder).publish(folder / "better" / "1").manifest.reference == "better@2"
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "models.toml"
    path.write_text('models = "better@1,worse"\n')
    return path


class Client:
    """Asks a replica that runs in this process."""

    def __init__(self, replica: Replica, metrics: Metrics, file: Path) -> None:
        self.replica, self._metrics, self._file = replica, metrics, file
        transport = httpx.ASGITransport(replica.app)
        self.http = httpx.AsyncClient(transport=transport, base_url="http://attendant", timeout=TIMEOUT_S)

    async def translate(self, **fields: str) -> httpx.Response:
        body = {"text": "The cat. A dog.", "max_output_tokens": 8, **fields}
        return await self.http.post("/v1/translate", json=body)

    async def served(self) -> list[str]:
        listed = (await self.http.get("/v1/models")).json()["models"]
        return sorted(f"{one['name']}@{one['version']}" for one in listed)

    def has(self, start: str) -> bool:
        """Whether a line of the metrics begins so."""
        return any(line.startswith(start) for line in self._metrics.exposition()[0].decode().splitlines())

    def value(self, series: str) -> float:
        lines = self._metrics.exposition()[0].decode().splitlines()
        return next((float(line.rpartition(" ")[2]) for line in lines if line.startswith(series)), 0.0)

    def write(self, text: str) -> None:
        """In one step: half a file is never read."""
        new = self._file.with_suffix(".new")
        new.write_text(text)
        new.replace(self._file)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(TIMEOUT_S):
            while not holds():
                await asyncio.sleep(0.01)


@asynccontextmanager
async def serving(store: Path, file: Path) -> AsyncIterator[Client]:
    deployed = pinned(Settings(store=store, models_file=file, max_wait_s=30.0))
    settings, metrics = up_to_date(deployed), Metrics(SeriesTable())
    replica = Replica(open_bundles(settings), settings, metrics, OnnxRuntime)
    await replica.start()
    client = Client(replica, metrics, file)
    try:
        yield client
    finally:
        await client.http.aclose()
        await replica.stop()


def test_models_change_under_load_and_every_request_is_answered(models: Path, file: Path) -> None:
    async def run() -> None:
        async with serving(models, file) as client:
            assert await client.served() == ["better@1", "worse@1"]
            versions: list[str] = []
            is_done = False

            async def ask() -> None:
                while not is_done:
                    answer = await client.translate(model="better")
                    assert answer.status_code == 200, answer.text
                    versions.append(answer.json()["model"]["version"])

            askers = [asyncio.create_task(ask()) for _ in range(4)]
            for _ in range(3):
                client.write('models = "better@2"\n')
                await client.until(lambda: client.value('attendant_model_replicas{model="better@1"}') == 0)
                assert await client.served() == ["better@2"]
                assert (await client.translate(model="worse")).status_code == 404
                client.write('models = ["better@1", "worse"]\n')
                await client.until(lambda: client.value('attendant_model_replicas{model="better@2"}') == 0)
                assert (await client.translate(model="worse")).status_code == 200
            is_done = True
            await asyncio.gather(*askers)
            changes = sum(one != other for one, other in pairwise(versions))
            assert set(versions) == {"1", "2"}
            assert 6 <= changes <= 6 * 2 * len(askers), "each change is one, but for requests that were under way"
            assert client.value('attendant_model_replicas{model="better@1"}') == 1
            assert client.value(UNUSABLE) == 0

    asyncio.run(run())


def test_a_label_and_a_shadow_come_without_a_restart(models: Path, file: Path) -> None:
    async def run() -> None:
        async with serving(models, file) as client:
            assert (await client.translate(model="better@canary")).status_code == 404
            labels = 'labels = "better@stable=1,better@canary=2"'
            client.write(f'{labels}\nmodels = "better@1"\nshadows = "better=better@2"\nshadow_share = 1\n')
            await client.until(lambda: client.value('attendant_model_replicas{model="better@2"}') == 1)
            assert (await client.translate(model="better@canary")).json()["model"]["version"] == "2"
            for reason in WITHDRAWAL_REASONS:
                assert client.has(f'attendant_canary_withdrawn_total{{model="better@2",reason="{reason}"}} 0.0')
            assert (await client.translate(model="better@1")).status_code == 200
            await client.until(lambda: client.value("attendant_shadow_requests_total{") == 1)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("models = [", "cannot be read"),
        ('num_replicas = 3\nmodels = "better@1"', "num_replicas is nothing that it may have: models, labels"),
        ('models = "better@1"\ncanary_share = 7', "canary_share: Input should be less than or equal to 1"),
        ('models = "better@1"\ncanary_share = 0.1', "canary_share: no label is a canary"),
        ('models = "better@7"', "better@7"),
        ('models = "better@2,worse"\nshadows = "worse"', "is not name=model"),
        ('models = "better@1,better@2"\nlabels = "better@canary=2"', "needs better@stable beside it"),
        ('labels = "better@new=2"', "does not say which models to serve"),
        ("", "does not say which models to serve"),
        ('models = ""', "does not say which models to serve"),
        ('models = "damaged"', "damaged"),
    ],
)
def test_what_cannot_be_served_changes_nothing_and_is_told(
    models: Path, file: Path, caplog: pytest.LogCaptureFixture, text: str, told: str
) -> None:
    shutil.copytree(models / "better" / "1", models / "damaged" / "1")
    graph = models / "damaged" / "1" / "encoder.onnx"
    graph.write_bytes(graph.read_bytes()[:-100])

    async def run() -> None:
        async with serving(models, file) as client:
            client.write(text)
            await client.until(lambda: client.value(UNUSABLE) == 1)
            assert told in caplog.text
            assert await client.served() == ["better@1", "worse@1"]
            assert (await client.translate(model="better@1")).status_code == 200
            client.write('models = "worse"')
            await client.until(lambda: client.value('attendant_model_replicas{model="better@1"}') == 0)
            assert await client.served() == ["worse@1"]
            assert client.value(UNUSABLE) == 0

    with caplog.at_level(logging.ERROR, "attendant"):
        logging.getLogger("attendant").propagate = True
        asyncio.run(run())


def test_a_bundle_that_is_repaired_is_served_without_another_change_and_its_fault_is_told_once(
    models: Path, file: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replica_module, "RETRY_S", 0.02)
    graph = models / "better" / "2" / "encoder.onnx"
    whole = graph.read_bytes()
    graph.write_bytes(whole[:-100])
    tries: list[Settings] = []

    def tried(settings: Settings) -> Settings:
        tries.append(settings)
        return pinned(settings)

    monkeypatch.setattr(replica_module, "pinned", tried)

    async def run() -> None:
        async with serving(models, file) as client:
            client.write('models = "better@2"')
            await client.until(lambda: client.value(UNUSABLE) == 1)
            before = len(tries)
            await client.until(lambda: len(tries) >= before + 3)
            assert caplog.text.count("the models stay as they were") == 1
            graph.write_bytes(whole)
            await client.until(lambda: client.value('attendant_model_replicas{model="better@1"}') == 0)
            assert await client.served() == ["better@2"]
            assert client.value(UNUSABLE) == 0
            graph.write_bytes(whole[:-100])
            client.write('models = "better@2,worse"')
            await client.until(lambda: caplog.text.count("the models stay as they were") == 2)

    with caplog.at_level(logging.ERROR, "attendant"):
        logging.getLogger("attendant").propagate = True
        asyncio.run(run())


def test_what_is_under_way_when_a_model_goes_is_finished(models: Path, file: Path) -> None:
    async def run() -> None:
        async with serving(models, file) as client:
            asked = [asyncio.create_task(client.translate(model="worse", text="The cat sat. " * 8)) for _ in range(8)]
            await asyncio.sleep(0)
            client.write('models = "better@1"')
            await client.until(lambda: client.value('attendant_model_replicas{model="worse@1"}') == 0)
            assert [answer.status_code for answer in await asyncio.gather(*asked)] == [200] * 8

    asyncio.run(run())


def test_a_replica_that_starts_beside_a_file_without_use_serves_what_was_deployed(models: Path, file: Path) -> None:
    deployed = pinned(Settings(store=models, models_file=file))
    assert deployed.models == ("better@1", "worse@1")
    file.write_text("models = 7")
    with pytest.raises(ConfigurationError, match=r"models\.toml cannot be used: models: "):
        pinned(deployed)
    assert up_to_date(deployed) == deployed


def test_the_file_alone_says_what_it_may_say(models: Path, file: Path) -> None:
    settings = Settings(store=models, models_file=file, models=("better@2",), labels=("better@new=2",))
    assert with_models_file(settings).models == ("better@1", "worse")
    assert with_models_file(settings).labels == ()
    assert with_models_file(Settings(models=("a",))).models == ("a",)


def test_replicas_are_not_replaced_for_what_the_file_may_change(models: Path, file: Path) -> None:
    one, other = (Settings(store=models, models_file=file, models=(name,)) for name in ("better@1", "better@2"))
    assert version_of(one) == version_of(other)
    assert version_of(one.model_copy(update={"models_file": None})) != version_of(
        other.model_copy(update={"models_file": None})
    )


def test_a_withdrawn_canary_stays_so_until_it_has_been_without_the_label_for_a_minute() -> None:
    clock = [100.0]
    labels = {"m@stable": "m@1", "m@canary": "m@2"}
    ledger = Ledger(clock=lambda: clock[0])
    before = Releases(labels, 1.0, ledger=ledger)
    for _ in range(100):
        before.answered("m@1", 0.01, 10, [0.9])
        before.failed("m@2")
    assert before.version_of("m") == "m@1"
    again = Releases(labels, 0.9, ledger=ledger)
    assert {again.version_of("m") for _ in range(100)} == {"m@1"}
    for _ in range(5):
        clock[0] += 30.0
        before.hold()
    other = Releases({**labels, "m@canary": "m@3"}, 1.0, ledger=ledger)
    assert other.version_of("m") == "m@3"
    clock[0] += 59.0
    assert Releases(labels, 1.0, ledger=ledger).version_of("m") == "m@1"
    clock[0] += 61.0
    anew = Releases(labels, 1.0, ledger=ledger)
    assert anew.version_of("m") == "m@2"
    for _ in range(100):  # what both came to is forgotten, too
        anew.answered("m@1", 0.01, 10, [0.9])
    anew.failed("m@2")
    assert anew.version_of("m") == "m@2"


def test_a_canary_with_other_bounds_is_judged_anew() -> None:
    labels, ledger = {"m@stable": "m@1", "m@canary": "m@2"}, Ledger()
    before = Releases(labels, 1.0, ledger=ledger)
    for _ in range(100):
        before.answered("m@1", 0.01, 10, [0.9])
        before.failed("m@2")
    lenient = CanaryBounds(canary_max_more_errors=1.0)
    assert Releases(labels, 1.0, bounds=lenient, ledger=ledger).version_of("m") == "m@2"


def test_a_link_that_comes_to_mean_another_file_is_a_change(tmp_path: Path) -> None:
    """As Kubernetes changes what a secret or a ConfigMap mounts: `keys.toml -> ..data/keys.toml`, `..data -> ..1`."""
    for version in ("1", "2"):
        (tmp_path / f"..{version}").mkdir()
        (tmp_path / f"..{version}" / "keys.toml").write_text(version)
    (tmp_path / "..data").symlink_to("..1")
    (tmp_path / "keys.toml").symlink_to("..data/keys.toml")
    settings = Settings(keys_file=tmp_path / "keys.toml")
    assert settings.keys_file is not None
    watched = WatchedFile(settings.keys_file)
    assert not watched.has_changed()
    (tmp_path / "..data").unlink()
    (tmp_path / "..data").symlink_to("..2")
    shutil.rmtree(tmp_path / "..1")
    assert watched.has_changed()
    assert watched.path.read_text() == "2"
    assert not watched.has_changed()
