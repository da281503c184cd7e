"""Asks a server of this machine whether it is ready: `python -m service.deployments.probe` is the image's health check.

It reads three settings by itself and needs the standard library alone, because it starts every few seconds.
"""

from __future__ import annotations

import http.client
import os
import ssl
import sys
import urllib.request

TIMEOUT_S = 4.0


def local_url(host: str, port: int, is_https: bool) -> str:
    """Where a server that listens there is reached from its own machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    scheme = "https" if is_https else "http"
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def is_ready(url: str, timeout_s: float) -> bool:
    """Whether GET /health/ready says yes. It is asked directly, whatever HTTP_PROXY says."""
    trusting = ssl._create_unverified_context()  # our own server, by an address that its certificate need not name
    directly = urllib.request.ProxyHandler({})
    opener = urllib.request.build_opener(directly, urllib.request.HTTPSHandler(context=trusting))
    try:
        with opener.open(f"{url}/health/ready", timeout=timeout_s):
            return True
    except (OSError, http.client.HTTPException):
        return False


def main() -> int:
    """The exit status: 0 when the server that the environment describes is ready."""
    host, port = os.environ.get("ATTENDANT_HTTP_HOST"), os.environ.get("ATTENDANT_HTTP_PORT")
    is_https = bool(os.environ.get("ATTENDANT_TLS_CERTIFICATE"))
    return 0 if is_ready(local_url(host or "127.0.0.1", int(port or "8000"), is_https), TIMEOUT_S) else 1


if __name__ == "__main__":
    sys.exit(main())
