"""A real Prometheus reads our configuration, scrapes our exposition and answers every panel's query."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from service.exchanged import (
    AttentionSignals,
    Signals,
    TokenizedText,
    TranslatedSegment,
    Translation,
    TranslationResult,
    Usage,
)
from service.messages import FinishReason, Timings, Warned
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.observability.table import BUILD_INFO, MODEL_INFO, MODEL_REPLICAS
from service.translation.differences import compared
from tests.deploy.promql import ALERTS, ROOT, panels, queries

pytestmark = pytest.mark.skipif(
    not (shutil.which("prometheus") and shutil.which("promtool")),
    reason="prometheus and promtool are not installed (Debian: apt-get install prometheus)",
)

CONFIG = ROOT / "deploy/prometheus/prometheus.yml"
MODEL = "en-fr-tiny@1"
TRACE = "0af7651916cd43dd8448eb211c80319c"
SIDE = TokenizedText("cat", 0, 3, ())
SEGMENT = TranslatedSegment(
    SIDE, SIDE, -0.4, (-0.4,), FinishReason.EOS, None, None,
    Signals(0.7, -0.4, -0.9, 0.0, 0, ("cat",), 4), AttentionSignals(0.3, (1,), 4), (Warned.LOOP,),
)  # fmt: skip
RESULT = TranslationResult(
    (Translation("cat", -0.4, FinishReason.EOS, (SEGMENT,), (), ("copies",)),),
    Usage(3, 2, 2),
    Timings(0.0, 0.0, 0.0),
    0.0,
)


def promtool(*arguments: str) -> None:
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_promtool_accepts_the_configuration_and_the_rules() -> None:
    promtool("check", "config", str(CONFIG))
    promtool("check", "rules", str(ALERTS))


@pytest.mark.parametrize("name", ["alerts.test.yaml", "hours.test.yaml", "drifts.test.yaml"])
def test_alerts_fire_on_what_they_are_for_and_not_on_a_healthy_server(name: str) -> None:
    promtool("test", "rules", str(Path(__file__).with_name(name)))


# ---- a server to scrape ---------------------------------------------------------------------------------------------


def work(metrics: Metrics) -> None:
    """What a replica counts between two scrapes."""
    engine = metrics.engine_observer(MODEL)
    for code in ("ok", "ok", "ok", "overloaded", "internal_error"):
        metrics.request_started()
        metrics.request_finished("/v1/translate", MODEL, code, 0.02)
    metrics.translated(MODEL, 3, 84)
    metrics.signalled(MODEL, RESULT)
    engine.depth(2, 12)
    engine.encoded(3, 20, 24, 0.002)
    engine.stepped(1, 12, 80, 96, 0.0017)
    for reason in FinishReason:
        engine.finished(reason, Timings(0.001, 0.002, 0.02), 8, 9)
    engine.dropped("deadline_exceeded")
    metrics.engine_stalled(MODEL, 0.0)
    metrics.predicted_wait(MODEL, 0.1)
    metrics.key_used("website", "ok")
    metrics.canaries_offered([MODEL])
    metrics.canary_withdrawn(MODEL, "errors")
    metrics.request_traced("/v1/translate", MODEL, "ok", 0.02, TRACE)
    metrics.shadowed(MODEL, "other@1", "different", compared(RESULT, RESULT, (0.1, 0.2)))


@pytest.fixture
def metrics(monkeypatch: pytest.MonkeyPatch) -> Metrics:
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    series = SeriesTable()
    labels = (MODEL, "en-fr-tiny", "1", "transformer", "en", "fr", "int8", "kernels")
    series.series(MODEL_INFO, *labels).set(1)
    series.series(MODEL_REPLICAS, MODEL).set(1)
    series.series(BUILD_INFO, "0", "3").set(1)
    found = Metrics(series)
    found.replica_started()
    found.process_started()
    found.autoscales(1, 3)
    found.replicas_wanted(1.5)
    found.ready(True)
    return found


@pytest.fixture
def target(metrics: Metrics) -> Iterator[str]:
    """Host and port of a server that works a little before each scrape, so that every rate has something to show."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            work(metrics)
            body, content_type = metrics.exposition(self.headers["accept"])
            self.send_response(200)
            self.send_header("content-type", content_type)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join(10)


@pytest.fixture
def prometheus(target: str, tmp_path: Path) -> Iterator[httpx.Client]:
    """A Prometheus of this test alone, with our configuration, every second instead of every ten."""
    config = yaml.safe_load(CONFIG.read_text())
    config["global"] |= {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"}
    config["rule_files"] = [str(ALERTS)]
    config["alerting"]["alertmanagers"] = []
    config["scrape_configs"][0]["static_configs"] = [{"targets": [target]}]
    (tmp_path / "prometheus.yml").write_text(yaml.safe_dump(config))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    flags = [f"--config.file={tmp_path}/prometheus.yml", f"--storage.tsdb.path={tmp_path}/data"]
    with (tmp_path / "log").open("w") as log:
        flags.append("--enable-feature=exemplar-storage")
        command = ["prometheus", *flags, f"--web.listen-address={address}"]
        process = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            with httpx.Client(base_url=f"http://{address}/api/v1/", trust_env=False) as client:
                yield client
        finally:
            process.terminate()
            process.wait(20)


def wait_until(answer: Callable[[], Any], seconds: float = 60) -> Any:
    """The first answer that is not empty; what was missing fails the test."""
    end = time.monotonic() + seconds
    pause = threading.Event()
    while time.monotonic() < end:
        with suppress(httpx.TransportError):
            if found := answer():
                return found
        pause.wait(0.25)
    raise AssertionError(f"nothing within {seconds} s")


def data(prometheus: httpx.Client, expression: str) -> list[Any]:
    answer = prometheus.get("query", params={"query": expression})
    if answer.status_code == 503:  # still starting
        return []
    body = answer.json()
    assert body["status"] == "success", (expression, body)
    found: list[Any] = body["data"]["result"]
    return found


def test_every_panel_shows_data_and_every_alert_is_evaluated(prometheus: httpx.Client) -> None:
    shown = {where: expression for where, expression in queries().items() if where.startswith("panel")}
    assert len(shown) >= len(panels())

    for where, expression in shown.items():
        results = wait_until(lambda expression=expression: data(prometheus, expression))
        assert all(result["value"][1] != "NaN" for result in results), where

    def evaluated() -> list[dict[str, Any]]:
        rules = [r for group in prometheus.get("rules").json()["data"]["groups"] for r in group["rules"]]
        return rules if all(rule["health"] != "unknown" for rule in rules) else []

    rules = wait_until(evaluated)
    assert {rule["health"] for rule in rules} == {"ok"}
    assert len(rules) == len([where for where in queries() if where.startswith("alert")])


def test_the_trace_of_a_request_is_found_from_its_bucket(prometheus: httpx.Client) -> None:
    def exemplars() -> Any:
        now = time.time()
        asked = {"query": "attendant_request_seconds_bucket", "start": now - 60, "end": now}
        answer = prometheus.get("query_exemplars", params=asked)
        return answer.json()["data"] if answer.status_code == 200 else None  # 503 while it starts

    (found,) = wait_until(exemplars)
    assert (found["seriesLabels"]["le"], found["seriesLabels"]["model"]) == ("0.025", MODEL)
    assert {one["labels"]["trace_id"] for one in found["exemplars"]} == {TRACE}
    assert {one["value"] for one in found["exemplars"]} == {"0.02"}
