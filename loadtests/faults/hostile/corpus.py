"""What hostile requests are made of: recorded requests, values, texts, bytes, headers, paths, and whole connections.

The corpus of HTTP follows Kettle 2019 ("HTTP Desync Attacks") and RFC 9112, sections 5 to 11; that of text is the
Unicode of bug reports: bidirectional controls, combining marks, joined emoji.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MARK = "xyzzymark"
"""In every text that is sent: no log of the server may have it."""
HEALTH = ("/health/live", "/health/ready")

Json = Any


@dataclass(frozen=True, slots=True)
class Hostile:
    """One connection's worth of bytes."""

    kind: str
    content: bytes
    must_answer: bool = True
    """Whether it is whole and is HTTP, so that silence is a fault."""
    may_wait: bool = False
    """Whether it is unfinished, so that the server may wait for the rest until its limit."""


RECORDED: tuple[tuple[str, str, Json], ...] = (
    ("POST", "/v1/translate", {"text": f"The cat {MARK}.", "source": "en", "target": "fr"}),
    ("POST", "/v1/translate", {"text": ["Hello", MARK], "source": "en", "target": "fr", "beam_size": 2}),
    ("POST", "/v1/translate", {"text": f"I {MARK}.", "model": "en-fr-transformer", "attention": True, "utf16": True}),
    (
        "POST",
        "/v1/translate",
        {
            "text": f"We wait for {MARK}.", "source": "en", "target": "fr", "num_alternatives": 2, "signals": True,
            "length_penalty": 0.6, "coverage_penalty": 0.2, "target_prefix": "Nous", "locale_numbers": True,
            "max_output_tokens": 20, "attention": {"layer": "all", "head": 1, "level": "token", "kind": "cross"},
        },
    ),
    ("POST", "/v1/score", {"pairs": [{"text": f"A {MARK}.", "translation": "Un."}], "source": "en", "target": "fr"}),
    ("POST", "/v1/compare", {"text": f"A cat {MARK}.", "models": ["en-fr-transformer", "en-fr-bahdanau"]}),
    ("GET", "/v1/models", None),
    ("GET", "/v1/models/en-fr-transformer", None),
    ("GET", "/v1/languages", None),
    ("GET", "/openapi.json", None),
    ("GET", "/docs", None),
    ("GET", "/metrics", None),
)  # fmt: skip
WEIGHTS = (20, 10, 6, 6, 6, 2, 3, 3, 3, 1, 1, 1)

TEXTS = (
    "", " ", "\0", "\0" * 50, "\ufeff", "\u202e" + MARK, "\u2066\u2067\u2068" * 30, "a" + "\u0301" * 300,
    "👩‍👩‍👧‍👦" * 40, "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "\U0010ffff" * 20,
    "\ufffe\uffff", "ﷺ" * 100, "𝕿𝖍𝖊 𝖖𝖚𝖎𝖈𝖐", "Ω≈ç√∫˜µ≤≥÷", "ก็็็็็็็็็็", "\r\n" * 200, "\t" * 999,
    "A" * 5000, "?" * 4999, "1" * 3000,
    "((((" * 400, "<script>alert(1)</script>", "'; DROP TABLE models; --", "{{7*7}}${7*7}%{7*7}", "../../etc/passwd",
    "%00%0d%0a", "\\u0000", "&lt;&amp;#0;", "https://" + "a" * 3000, "a@" * 900, "`" * 501, "⟦1⟧⟦2⟧", "<unk></s>▁▁",
    "the " * 1200, "no. " * 1200, "Mr. " * 1200, ". " * 2400, "I, " * 1500, "\u2028\u2029" * 99, "中文" * 900,
    "Ships to " + "🇩🇪" * 20 + " today.", "Ships to " + "🇩🇪" * 2000 + " today.", "👍🏻" * 2000 + " ok",
    "🏿" * 4000 + " ok", "👩\u200d👩\u200d👧" * 900 + " ok", "K.-H. " * 800, "/A." * 1600, "$2.5" * 1200,
    "\"A. " * 1200, "A11" + "-11" * 30 + ", B2-Haus", "\u1160" * 50, "\x1b[31m", "\x7f\x80\x9f",
    "See https://a.org, then https://a.org again.", "https://a.org suffit.", "a@b.org, a@b.org \U0001f600",
    "\U0001f600 a@b.org",
)  # fmt: skip
VALUES: tuple[Json, ...] = (
    None, True, False, 0, 1, -1, 16, 17, 4.5, 1e308, -1e308, 5e-324, 2**31, 2**63, 2**64, 10**400, "4", "", [], {},
    [[]], [None], {"": ""}, {"layer": "all"}, {"layer": -1}, {"head": 10**9}, {"level": []}, "default",
    "en-fr-transformer@1", "en-fr-transformer@", "@", "en-fr-transformer@stable", "EN", "en-US", "x" * 5000, [1] * 500,
    ["a"] * 129,
    [""] * 128,
)  # fmt: skip
RAW_BODIES = (
    b"", b"\0", b"{", b"[" * 5000, b'{"a":' * 5000, b'"', b"null", b"NaN", b'{"text": NaN}', b'{"text": "\\ud800"}',
    b'{"text": "\xff"}', b'{"text": "\xed\xa0\x80"}', b'{"text": "a", "text": "b"}', b'\xef\xbb\xbf{"text": "a"}',
    '{"text": "a"}'.encode("utf-16"), b'{"text": "a"}' * 2, b'{"text": "a",}', b"<?xml version='1.0'?><a/>", b"text=a",
    b'{"text": 1e99999}', b'{"text": "a", "beam_size": ' + b"9" * 5000 + b"}", b" " * 60000 + b"{}",
    b"\x1f\x8b\x08" * 99,
)  # fmt: skip
HEADERS = (
    "content-type: text/plain", "content-type: application/json; charset=utf-16", "content-type:", "accept: \x01",
    "content-encoding: gzip", "content-encoding: zstd", "accept-encoding: *;q=0", "expect: 100-continue",
    "x-request-id: " + "a" * 4000, "x-request-id: a\tb", "x-request-id: ü", "x-request-timeout-seconds: 5e-324",
    "x-request-timeout-seconds: -1", "x-request-timeout-seconds: nan", "x-request-timeout-seconds: 1e400",
    "x-request-timeout-seconds: 0.001", "authorization: Bearer ", "authorization: Bearer " + "a" * 9000,
    "authorization: Basic YTpi", "cookie: " + "a=b; " * 900, "host: evil.example", "upgrade: websocket",
    "connection: upgrade", "upgrade: h2c", "serve_multiplexed_model_id: ../x", "x-attendant-pass: 00",
    "x-attendant-timeout-seconds: 0", "x-forwarded-for: 127.0.0.1", "x-http-method-override: DELETE", "range: bytes=0-",
    "te: trailers", "transfer-encoding: identity", "traceparent: 00-" + "0" * 32 + "-" + "0" * 16 + "-01",
    "traceparent: " + "f" * 900, "origin: null", "if-none-match: *", "max-forwards: 0",
)  # fmt: skip
PATHS = (
    "/", "//", "/v1", "/v1/", "/v1/translate/", "/v1//translate", "/V1/TRANSLATE", "/v1/translate?x=1",
    "/v1/%74ranslate", "/v1/translate%00", "/v1/models/", "/v1/models/%2e%2e%2f", "/v1/models/../../x",
    "/v1/models/" + "a" * 9000, "/-/routes", "/-/healthz", "/%2d/routes", "/-internal", "/./-/routes",
    "/a/../-/routes", "/metrics/", "/..;/metrics", "*", "/?" * 900, "/v1/models/%ff%fe",
    "http://evil.example/v1/models", "/health/ready/../../metrics", "/v1/models/en-fr-transformer%40x",
)  # fmt: skip
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "PROPFIND", "get", "G" * 500)

_INNER = b"GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n"
_POST = b"POST /v1/translate HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n"
_GET = b"GET /v1/models HTTP/1.1\r\nhost: a\r\n"
SMUGGLING: tuple[Hostile, ...] = (
    Hostile("CL.TE", _POST + b"content-length: 6\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("TE.CL", _POST + b"transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n8\r\nSMUGGLED\r\n0\r\n\r\n"),
    Hostile("TE.TE", _POST + b"transfer-encoding: chunked\r\ntransfer-encoding: x\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("chunked twice", _POST + b"transfer-encoding: chunked, chunked\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("chunked in quotes", _POST + b'transfer-encoding: "chunked"\r\n\r\n0\r\n\r\n' + _INNER),
    Hostile("chunked behind a tab", _POST + b"transfer-encoding:\tchunked\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("chunked, vertical tab", _POST + b"transfer-encoding: \x0bchunked\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("space before the colon", _POST + b"transfer-encoding : chunked\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("folded header", _POST + b"transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n" + _INNER),
    Hostile("two lengths", _POST + b"content-length: 0\r\ncontent-length: 35\r\n\r\n" + _INNER),
    Hostile("a list of lengths", _POST + b"content-length: 0, 35\r\n\r\n" + _INNER),
    Hostile("length with a sign", _POST + b"content-length: +0\r\n\r\n" + _INNER),
    Hostile("negative length", _POST + b"content-length: -1\r\n\r\n" + _INNER),
    Hostile("length in hexadecimal", _POST + b"content-length: 0x0\r\n\r\n" + _INNER),
    Hostile("length beyond 64 bits", _POST + b"content-length: 18446744073709551616\r\n\r\n"),
    Hostile("huge length", _POST + b"content-length: 9223372036854775807\r\n\r\n"),
    Hostile("GET with a body", _GET + b"content-length: %d\r\n\r\n" % len(_INNER) + _INNER),
    Hostile("bare line feeds", b"GET /v1/models HTTP/1.1\nhost: a\n\n"),
    Hostile("carriage returns", b"GET /v1/models HTTP/1.1\rhost: a\r\r", must_answer=False, may_wait=True),
    Hostile("zero byte in a header", _GET + b"x: a\0b\r\n\r\n"),
    Hostile("zero byte in a path", b"GET /v1/\0models HTTP/1.1\r\nhost: a\r\n\r\n"),
    Hostile("no host", b"GET /v1/models HTTP/1.1\r\n\r\n"),
    Hostile("two hosts", b"GET /v1/models HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n"),
    Hostile("header without a name", _GET + b": a\r\n\r\n"),
    Hostile("header without a colon", _GET + b"abc\r\n\r\n"),
    Hostile("HTTP/0.9", b"GET /v1/models\r\n\r\n"),
    Hostile("HTTP/1.0", b"GET /v1/models HTTP/1.0\r\n\r\n"),
    Hostile("HTTP/2.0 in the line", b"GET /v1/models HTTP/2.0\r\nhost: a\r\n\r\n"),
    Hostile("HTTP/9.9", b"GET /v1/models HTTP/9.9\r\nhost: a\r\n\r\n"),
    Hostile("preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(9), must_answer=False, may_wait=True),
    Hostile("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32), must_answer=False, may_wait=True),
    Hostile("300 headers", _GET + b"".join(b"x%d: a\r\n" % i for i in range(300)) + b"\r\n"),
    Hostile("a header of 70 kB", _GET + b"x: " + b"a" * 70_000 + b"\r\n\r\n"),
    Hostile("a path of 70 kB", b"GET /" + b"a" * 70_000 + b" HTTP/1.1\r\nhost: a\r\n\r\n"),
    Hostile("chunk size beyond 64 bits", _POST + b"transfer-encoding: chunked\r\n\r\n" + b"f" * 20 + b"\r\na\r\n"),
    Hostile("chunk size with a sign", _POST + b"transfer-encoding: chunked\r\n\r\n-1\r\na\r\n0\r\n\r\n"),
    Hostile("chunk extension", _POST + b"transfer-encoding: chunked\r\n\r\n2;" + b"a" * 9000 + b"\r\n{}\r\n0\r\n\r\n"),
    Hostile("trailers", _POST + b"transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\ncontent-length: 9\r\n\r\n"),
    Hostile("chunks of a byte", _POST + b"transfer-encoding: chunked\r\n\r\n" + b"1\r\n{\r\n" * 500 + b"0\r\n\r\n"),
    Hostile("pipelined", _GET + b"\r\n" + b"GET /v1/languages HTTP/1.1\r\nhost: a\r\n\r\n" * 20),
    Hostile("body too short", _POST + b'content-length: 90\r\n\r\n{"text": "a', may_wait=True),
    Hostile("head too short", _POST + b"content-le", may_wait=True),
    Hostile("one letter", b"G", must_answer=False, may_wait=True),
    Hostile("nothing", b"", must_answer=False, may_wait=True),
)
