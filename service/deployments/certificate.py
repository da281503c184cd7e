"""The certificate of the HTTP port: checked at start, and given to HAProxy again whenever its file changes."""

from __future__ import annotations

import contextlib
import logging
import re
import socket
import ssl
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

from service.errors import ConfigurationError
from service.observability import table
from service.observability.logs import ROOT
from service.observability.series import series_in
from service.reread import WatchedFile, keep

WATCH_S = 2.0
ANSWER_TIMEOUT_S = 5.0

_log = logging.getLogger(f"{ROOT}.certificate")


def require_certificate(path: Path) -> None:
    """Raise ConfigurationError unless the file holds a certificate and the private key that belongs to it, as PEM."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(path, password=_no_password)
    except (ssl.SSLError, OSError, ValueError) as error:
        raise ConfigurationError(
            f"{path} cannot be used for TLS: {error}; it must hold the certificate with its chain, and its private key "
            "without a password, as PEM"
        ) from None


@contextlib.contextmanager
def renewed_certificate(path: Path | None, proxy: Path, copy: Path, metrics: Path) -> Iterator[None]:
    """Give every HAProxy whose admin socket is below `proxy` the certificate again when its file changes.

    HAProxy reads `copy`, which has what was last of use: each reload reads it again, when replicas come and go. A file
    that cannot be used leaves the certificate as it is, and an error in the log, and in the node's `metrics`.
    """
    if path is None:
        yield
        return
    stopping = threading.Event()
    thread = threading.Thread(
        target=_watch, args=(path, proxy, copy, metrics, stopping), name="certificate", daemon=True
    )
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        thread.join()


def _watch(path: Path, proxy: Path, copy: Path, metrics: Path, stopping: threading.Event) -> None:
    file, unusable = WatchedFile(path), series_in(metrics).series(table.UNUSABLE_FILE, "certificate")
    while not stopping.wait(WATCH_S):
        if not file.has_changed():
            continue
        try:
            require_certificate(path)
            _take_over(path, proxy, copy)
            unusable.set(0)
            _log.info("the certificate has been read again")
        except (ConfigurationError, OSError) as error:
            unusable.set(1)
            _log.error("the certificate stays as it is: %s", error)


def _take_over(path: Path, proxy: Path, copy: Path) -> None:
    """Have running HAProxies use the file, and those that start later; neither where one refuses it (OSError)."""
    before = copy.read_bytes()
    keep(copy, path.read_bytes())
    try:
        renew(copy, proxy.glob("**/a"))
    except OSError:
        keep(copy, before)
        raise


def renew(path: Path, sockets: Iterable[Path]) -> None:
    """Put the file's certificate into place in running HAProxies. Raises OSError when one refuses it."""
    lines = path.read_text("utf-8", "replace").splitlines()
    content = "\n".join(line for line in lines if line.strip())  # an empty line would end it
    name = re.sub(r"([^\w/.-])", r"\\\1", str(path))
    for address in sockets:
        _ask(address, f"set ssl cert {name} <<\n{content}\n\n")
        said = _ask(address, f"commit ssl cert {name}\n")
        if "Success" not in said:
            raise OSError(f"HAProxy refuses it: {said.strip()[:200]}")


def _ask(address: Path, command: str) -> str:
    """HAProxy's answer; empty when the socket is one that nobody listens on any more."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(ANSWER_TIMEOUT_S)
        try:
            connection.connect(str(address))
        except ConnectionRefusedError:
            return "Success"
        connection.sendall(command.encode())
        said = b""
        while piece := connection.recv(4096):
            said += piece
    return said.decode("ascii", "replace")


def _no_password() -> str:
    raise ValueError("its private key asks for a password")
