"""Tightens the HAProxy configuration that Ray Serve writes, then becomes HAProxy.

Ray starts this in HAProxy's place (RAY_SERVE_HAPROXY_BINARY_PATH) at every start and reload, so it is one file of
standard library only, run without site-packages. A configuration without the places that it changes is refused: better
no server than one with its guards missing.
"""

from __future__ import annotations

import argparse
import ctypes
import hashlib
import json
import os
import re
import signal
from dataclasses import dataclass
from pathlib import Path

BUFFER_BYTES = 65536
"""HAProxy's buffer: longest request head, and the longest request that can be sent again to another replica."""
HEADER_BYTES = BUFFER_BYTES - 1024
"""HAProxy keeps 1,024 bytes of its buffer for rewriting."""
IDLE_S = 75
"""Seconds after which an idle connection is closed; load balancers close theirs after 60."""

PASS_HEADER = "x-attendant-pass"
"""The header that has `proxy_pass`; `service.api.exchange` has the same."""
CLIENT_HEADER = "x-attendant-client"
"""The header that has the client's address; `service.api.exchange` has the same."""
SENT_HEADER = "x-attendant-sent"
"""The header that says when the proxy had the whole request, and which proxy; `service.api.exchange` has the same."""

_PR_SET_PDEATHSIG = 1
_LEAVING = re.compile(r"\s*http-request return status 5\d\d .* if healthcheck$")
_STAYING = re.compile(r"\s*http-request return status 200 .* if healthcheck\b")
"""Serve's own health: a proxy that Serve is about to stop says no; load balancers that ask us must be told, too."""
_HIDE = '    http-request set-path /-internal if { path,url_dec -m beg "/-/" }'
"""Serve's own pages; a path without escapes is its own decoding."""
_ERRORS = {
    400: ("invalid_request", "Bad request", "the request is not valid HTTP, or not for a path"),
    408: ("deadline_exceeded", "The deadline passed", "the request did not arrive in time"),
    405: ("method_not_allowed", "Method not allowed", "no path takes this method"),
    413: ("payload_too_large", "The body is too large", "the body has more bytes than the server takes"),
    500: ("internal_error", "Internal error", "the proxy made a mistake"),
    502: ("not_ready", "The server is not ready", "a replica stopped while it answered; try again"),
    503: ("not_ready", "The server is not ready", "no replica is ready; try again"),
    504: ("deadline_exceeded", "The deadline passed", "no replica answered in time"),
}
_PAGES = {400: 400, 408: 408, 502: 503, 504: 408}
"""Errors answered with a page from a file, and the status on it: the only way to hide a status that our API does not
know. What HAProxy cannot read as HTTP at all it answers with a page of its own, of HTML, which nothing replaces."""
_METHODS = "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH"
"""Those that replicas can read; what they do not take they refuse themselves."""
_DROPPED_SECTIONS = ("frontend prometheus", "listen stats")
"""Pages that would listen on every interface without a password."""
_DROPPED_LINES = re.compile(r"\s*(log |no log|option httplog|option log-health-checks|errorfile |server .* backup$|#)")
"""Logs nobody reads; Ray's error pages; Ray's slow fallback proxy, which would hold requests that nobody can answer."""


@dataclass(frozen=True)
class ProxyLimits:
    """What the proxy enforces before a request reaches a replica."""

    host: str = "127.0.0.1"
    """Address to listen on; replicas stay on loopback whatever it is."""
    folder: str = "."
    """Where pages for errors are written."""
    token: str = ""
    """File of the token from which the proxy's pass is made; replicas answer nobody else."""
    certificate: str = ""
    """PEM file with a private key: HTTPS. Empty is HTTP."""
    tells_serves_health: bool = False
    """Whether GET /-/healthz answers, by which KubeRay knows a pod that takes requests."""
    max_body_bytes: int = 4 * 1024 * 1024
    request_read_s: int = 8
    """Seconds in which a request (head, and body up to the buffer) must have arrived."""
    unread_s: int = 8
    """Seconds for which a client may leave what it was sent unread, once the kernel's buffers are full."""


def proxy_pass(token: str) -> str:
    """What HAProxy shows replicas, so that they answer nobody who goes round it: made from Ray's token."""
    return hashlib.sha256(f"attendant proxy {token}".encode()).hexdigest()


def tighten(config: str, limits: ProxyLimits, shown: str) -> str:
    """The configuration with our rules; replicas are shown the pass. Raises ValueError without a place for them."""
    sections = re.split(r"^(?=\S)", config, flags=re.MULTILINE)
    kept = [section for section in sections if not section.startswith(_DROPPED_SECTIONS)]
    changed = [_changed(section, limits, shown) for section in kept]
    for name in ("global\n", "defaults\n", "frontend http_frontend\n"):
        if sum(section.startswith(name) for section in changed) != 1:
            raise ValueError(f"Ray's HAProxy configuration has not exactly one section {name.strip()!r}")
    return "".join([*changed, _successor(limits)])


def _changed(section: str, limits: ProxyLimits, shown: str) -> str:
    lines = [line for line in section.splitlines() if line.strip() and not _DROPPED_LINES.match(line)]
    if section.startswith("global"):
        lines = [line.replace("mode 666", "mode 600") for line in lines] + ["    tune.http.maxhdr 128"]
    elif section.startswith("defaults"):
        lines += _defaults(limits)
    elif section.startswith("frontend http_frontend"):
        lines = _frontend(lines, limits, shown)
    elif section.startswith("backend default_backend"):  # nothing is deployed: starting, or stopping
        lines = [lines[0], f"    http-request return status 503 {_problem(503)}"]
    elif section.startswith("backend "):  # replicas: what was sent must be acknowledged, or the link is gone
        lines = [f"{line} tcp-ut 2s" if line.lstrip().startswith("server ") else line for line in lines]
    return "\n".join(lines) + "\n" if lines else ""


def _defaults(limits: ProxyLimits) -> list[str]:
    """Later lines win over Ray's."""
    return [
        f"    timeout http-request {limits.request_read_s}s",
        f"    timeout http-keep-alive {IDLE_S}s",
        # A replica whose machine or link is gone says nothing more: the kernel asks, and HAProxy tries another.
        "    option srvtcpka",
        *(f"    srvtcpka-{name}" for name in ("idle 1s", "intvl 1s", "cnt 2")),
        *(f"    http-error status {status} {_problem(status)}" for status in _ERRORS if status not in _PAGES),
        *(f"    errorfile {status} {limits.folder}/{status}.http" for status in _PAGES),
    ]


def _frontend(lines: list[str], limits: ProxyLimits, shown: str) -> list[str]:
    binds = [i for i, line in enumerate(lines) if line.strip().startswith("bind ")]
    if len(binds) != 1:
        raise ValueError("Ray's HAProxy frontend has not exactly one bind line")
    port = lines[binds[0]].rpartition(":")[2]
    host = f"[{limits.host}]" if ":" in limits.host else limits.host
    if any(_LEAVING.match(line) for line in lines) and not any(_STAYING.match(line) for line in lines):
        lines.insert(binds[0] + 1, f"    http-request return status 503 {_problem(503)} if {{ path /health/ready }}")
    secured = (
        f" ssl crt {quoted(limits.certificate)} alpn h2,http/1.1 ssl-min-ver TLSv1.2" if limits.certificate else ""
    )
    lines[binds[0]] = f"    bind {host}:{port}{secured} tcp-ut {limits.unread_s}s"
    lines.insert(binds[0] + 1, f"    bind unix@{_socket(limits)} mode 600 accept-proxy")
    choices = [i for i, line in enumerate(lines) if line.strip().startswith(("use_backend ", "default_backend "))]
    if not choices:
        raise ValueError("Ray's HAProxy frontend names no backend")
    lines.insert(choices[0], "    use_backend successor if { stopping }")
    return [*lines[: binds[0] + 2], *_rules(limits, shown), *lines[binds[0] + 2 :]]


def _successor(limits: ProxyLimits) -> str:
    """The backend of an HAProxy that a reload has replaced: idle connections stay with it, and their next request must
    not meet replicas of yesterday. The successor sees the client's address, and counts and answers for itself."""
    lines = [
        "backend successor",
        "    retry-on conn-failure",
        f"    server successor unix@{_socket(limits)} send-proxy-v2",
    ]
    return "\n".join(lines) + "\n"


def _socket(limits: ProxyLimits) -> str:
    return f"{limits.folder}/front"


def _rules(limits: ProxyLimits, shown: str) -> list[str]:
    """One sane x-request-id on everything; Ray's own headers and pages out of clients' reach; bodies within bounds."""
    digits = len(str(limits.max_body_bytes)) + 1  # HAProxy's numbers of 32 bits begin again at 0
    most = f"a body has at most {limits.max_body_bytes} bytes; send several requests"
    return [
        # Translations that no replica answered: `proxy_answers.py` reads the count.
        "    stick-table type integer size 1 store gpc(1)",
        "    http-request track-sc0 int(0)",
        "    http-request set-var(txn.translates) bool(true) if { path /v1/translate }",
        "    http-response set-var(txn.answered) bool(true)",
        "    http-after-response sc-inc-gpc(0,0) if { status 500:599 } { var(txn.translates) -m bool }"
        " !{ var(txn.answered) -m bool }",
        "    unique-id-format %[uuid]",
        "    acl sane_id req.hdr(x-request-id) -m reg ^[A-Za-z0-9._:-]{1,128}$",
        "    acl many_ids req.hdr_cnt(x-request-id) gt 1",
        "    http-request set-header x-request-id %[unique-id] if many_ids or !sane_id",
        "    http-request set-var(txn.request_id) req.hdr(x-request-id)",
        "    http-after-response set-header x-request-id %[unique-id]",
        "    http-after-response set-header x-request-id %[var(txn.request_id)] if { var(txn.request_id) -m found }",
        "    http-after-response set-header x-content-type-options nosniff",
        "    http-after-response del-header server",
        "    http-request del-header x-attendant- -m beg",
        f"    http-request set-header {PASS_HEADER} {shown}",
        f"    http-request set-header {CLIENT_HEADER} %[src,ipmask(32,64)]",  # IPv6 gives each site 64 bits of its own
        "    http-request set-header x-attendant-timeout-seconds %[req.hdr(x-request-timeout-seconds)]"
        " if { req.hdr(x-request-timeout-seconds) -m found }",
        "    http-request del-header x-request-timeout-seconds if !{ stopping }",
        # The API sees for itself when a client goes away; Serve's own watch would cost two tasks a request.
        "    http-request set-header x-request-disconnect-disabled ?1",
        "    http-request del-header upgrade",  # to WebSocket, which no path speaks
        "    http-request del-header serve -m beg",
        "    http-request del-header x-serve -m beg",
        f"    http-request return status 413 {_problem(413, most)}"
        f" if {{ req.hdr_val(content-length) gt {limits.max_body_bytes} }}"
        f" or {{ req.hdr(content-length) -m len {digits}: }}",
        f"    http-request return status 400 {_problem(400)} if !{{ path_beg / }}",
        f"    http-request return status 405 {_problem(405)} if !{{ method {_METHODS} }}",
        _HIDE + (" !{ path /-/healthz }" if limits.tells_serves_health else ""),
        f"    http-request wait-for-body time {limits.request_read_s}s",  # against slow senders
        f"    http-request set-header {SENT_HEADER} %[date(0,ms)]\\ %[hostname]",
    ]


def _problem(status: int, told: str = "") -> str:
    """Arguments of `http-error` and `return`: a problem+json body with the request's id; see `_problem_json`."""
    body = _problem_json(status, told).replace('"request_id": ""', '"request_id": "%[var(txn.request_id)]"')
    retry = ' hdr retry-after "1"' if status == 503 else ""
    return f"content-type application/problem+json lf-string {quoted(body)}{retry}"


def _problem_json(status: int, told: str = "") -> str:
    """The same body as text; `told` takes the place of the status's usual detail."""
    code, title, detail = _ERRORS[status]
    body = {"type": f"urn:attendant:problem:{code}", "title": title, "status": _PAGES.get(status, status)}
    return json.dumps({**body, "detail": told or detail, "code": code, "request_id": ""})


def error_pages() -> dict[str, str]:
    """Whole responses, by file name. Their request_id is empty: the header x-request-id has it, where it was HTTP."""
    pages = {}
    for status, sent in _PAGES.items():
        body = _problem_json(status)
        retry = "retry-after: 1\r\n" if sent == 503 else ""
        head = f"HTTP/1.1 {sent} {_ERRORS[status][1]}\r\ncontent-type: application/problem+json\r\n{retry}"
        pages[f"{status}.http"] = f"{head}content-length: {len(body)}\r\n\r\n{body}"
    return pages


def quoted(text: str) -> str:
    """A double-quoted word of HAProxy's configuration."""
    return '"' + re.sub(r'([\\"$])', r"\\\1", text) + '"'


def main() -> None:
    """Tighten the configuration named by -f in place, then run HAProxy on it; it ends when Ray's manager does."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", required=True)
    parser.add_argument("--limits", required=True, help="ProxyLimits as JSON.")
    known, rest = parser.parse_known_args()
    limits, path = ProxyLimits(**json.loads(known.limits)), Path(rest[rest.index("-f") + 1])
    for name, page in error_pages().items():
        Path(limits.folder, name).write_text(page, "ascii")
    shown = proxy_pass(Path(limits.token).read_text("ascii"))
    path.write_text(tighten(path.read_text("utf-8"), limits, shown), "utf-8")
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    os.execv(known.binary, [known.binary, *rest])


if __name__ == "__main__":
    main()
