"""Traces, as a collector that speaks OTLP over HTTP gets them."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from model_store.contract.store import Store
from service.deployments.replica import Replica
from service.errors import ConfigurationError
from service.observability.metrics import Metrics
from service.observability.series import DIRECTORY_VARIABLE, SeriesTable
from service.observability.traces import open_tracing
from service.runtime.onnx import OnnxRuntime
from service.settings import Settings

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
OTHER = "1" * 32


class Collector(BaseHTTPRequestHandler):
    """Keeps what it gets."""

    got: list[tuple[str, bytes]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.got.append((self.path, gzip.decompress(body) if self.headers["content-encoding"] == "gzip" else body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@pytest.fixture
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """Its URL, and what it got."""
    got: list[tuple[str, bytes]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Kept", (Collector,), {"got": got}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    thread.join()
    server.server_close()


def spans(got: list[tuple[str, bytes]]) -> list[Any]:
    """All spans of all messages."""
    assert {path for path, _ in got} == {"/v1/traces"}
    messages = [ExportTraceServiceRequest.FromString(body) for _, body in got]
    return [s for message in messages for r in message.resource_spans for scope in r.scope_spans for s in scope.spans]


def test_a_request_has_a_span_for_each_phase_in_the_clients_trace(
    store: Path,
    collector: tuple[str, list[tuple[str, bytes]]],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.delenv(DIRECTORY_VARIABLE, raising=False)
    url, got = collector
    settings = Settings(store=store, otlp_endpoint=url)
    metrics = Metrics(SeriesTable())
    caplog.set_level("INFO")

    async def run() -> None:
        replica = Replica(Store(store).open_all(), settings, metrics, OnnxRuntime)
        await replica.start()
        async with httpx.AsyncClient(transport=httpx.ASGITransport(replica.app), base_url="http://a") as client:
            headers = {"traceparent": f"00-{TRACE}-{PARENT}-01", "x-request-id": "mine"}
            fields = {"text": "The secret cat.", "model": "better"}
            assert (await client.post("/v1/translate", json=fields, headers=headers)).status_code == 200
            assert (await client.post("/v1/translate", json={"text": 7})).status_code == 422
            assert (await client.get("/v1/models")).status_code == 200
            shown = await client.get("/metrics", headers={"accept": "application/openmetrics-text; version=1.0.0"})
            assert (await client.get("/metrics")).text.count("trace_id") == 0
            exemplars = [line for line in shown.text.splitlines() if "trace_id" in line]
            assert any('outcome="ok"' in one and f'# {{trace_id="{TRACE}"}} ' in one for one in exemplars)
            assert len(exemplars) == 2, "one of each outcome"
            headers = {"traceparent": f"00-{OTHER}-{PARENT}-00"}
            assert (await client.post("/v1/translate", json={"text": 7}, headers=headers)).status_code == 422
            assert OTHER not in metrics.exposition("application/openmetrics-text")[0].decode(), "it is not sampled"
        await replica.stop()

    asyncio.run(run())
    found = spans(got)
    whole, refused = (span for span in found if span.name == "POST /v1/translate")
    assert (whole.trace_id.hex(), whole.parent_span_id.hex()) == (TRACE, PARENT)
    assert refused.trace_id.hex() != TRACE
    attributes = {a.key: a.value.string_value or a.value.int_value for a in whole.attributes}
    assert attributes["attendant.request_id"] == "mine"
    assert attributes["attendant.model"] == "better@1"
    assert attributes["http.response.status_code"] == 200
    phases = [span for span in found if span.parent_span_id == whole.span_id]
    assert [phase.name for phase in phases] == ["read", "queue", "encode", "decode", "write"]
    times = [time for phase in phases for time in (phase.start_time_unix_nano, phase.end_time_unix_nano)]
    assert times == sorted(times)
    assert whole.start_time_unix_nano == times[0]
    assert times[-1] <= whole.end_time_unix_nano
    assert [span.name for span in found if span.parent_span_id == refused.span_id] == ["read"]
    assert len(found) == 8, "a GET has none"
    assert b"secret" not in b"".join(body for _, body in got)


def test_without_an_endpoint_there_are_no_traces() -> None:
    assert open_tracing(None) is None


def test_without_the_package_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "opentelemetry.exporter.otlp.proto.http.trace_exporter", None)
    with pytest.raises(ConfigurationError, match=r"^otlp_endpoint: traces need the extra `traces`; pip install "):
        open_tracing("http://127.0.0.1:4318")
