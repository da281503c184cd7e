"""A private Ray, with Serve and HAProxy on it, for as long as a `with` lasts."""

from __future__ import annotations

import contextlib
import fcntl
import io
import logging
import math
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from service.deployments.draining import finish_requests
from service.deployments.environment import HEARTBEATS, METRICS, free_ports, prepare, ray_environment
from service.deployments.heartbeat import Watchdog
from service.deployments.processes import end_what_is_left, processes_of
from service.deployments.proxy_answers import ProxyAnswers
from service.errors import AttendantError
from service.observability.logs import ROOT
from service.settings import Settings

OBJECT_STORE_BYTES = 80 * 1024 * 1024
"""Nearly the least that Ray takes: nothing of ours goes through its object store."""
MAX_TEMPORARY_CHARACTERS = 17
"""Under a longer path the names of Unix sockets would not fit, with what Ray adds; /tmp is taken instead."""

LEAST_FREE_BYTES = 16 * 1024 * 1024
"""Of the disk that the private folder is on: the replicas' ledger takes 8.5 MB, Ray's logs 2 MB, the metrics of each
replica that ever ran half a MB. Without room Ray ends in a long text that does not say so."""
PREFIX, OWNER = "attendant-", "owner"
"""How the name of a private folder begins, and the file in it that is locked for as long as its process lives."""


ADVICE = " Some common causes include"
"""How a general part of Ray's errors begins."""
_log = logging.getLogger(f"{ROOT}.ray")


class StartError(AttendantError):
    """The server could not be started."""

    code, title = "start", "The server did not start"


@contextlib.contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder that only this user can read, gone afterwards. Raises StartError when there is no room for one."""
    remove_left_behind()
    base = _base()
    if (free := shutil.disk_usage(base).free) < LEAST_FREE_BYTES:
        told = f"{base} has {free // 1024} KiB free, and a server writes {LEAST_FREE_BYTES // 1024} KiB there"
        remedy = f"make room, or set TMPDIR to another folder (of at most {MAX_TEMPORARY_CHARACTERS} characters)"
        raise StartError(f"{told}: logs, metrics, sockets; {remedy}")
    folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=base))
    try:
        with (folder / "new").open("w") as owner:
            fcntl.flock(owner, fcntl.LOCK_EX)
            (folder / "new").rename(folder / OWNER)  # nobody sees it unlocked while this process lives
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _base() -> str:
    """Where private folders are made. Raises StartError when there is no room for one."""
    try:
        base = tempfile.gettempdir()
    except FileNotFoundError as error:
        raise StartError(f"{error.strerror}; make room, or set TMPDIR to another folder") from None
    return base if len(base) <= MAX_TEMPORARY_CHARACTERS else "/tmp"


def remove_left_behind() -> None:
    """Remove this user's folders of processes that were killed, unless something that they started still runs.

    Raises StartError when there is no room for a folder.
    """
    for folder in Path(_base()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):  # it is no such folder, or its owner lives and has the lock
            if folder.lstat().st_uid == os.getuid() and not folder.is_symlink():
                with (folder / OWNER).open() as owner:
                    fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    if not any(processes_of(folder)):
                        shutil.rmtree(folder)


@contextlib.contextmanager
def watched(folder: Path) -> Iterator[None]:
    """A watchdog over the heartbeats of the replicas in `folder`, and a count of what HAProxy answers by itself, for as
    long as the block runs."""
    watches = Watchdog(folder / HEARTBEATS), ProxyAnswers(folder, folder / METRICS)
    for watch in watches:
        watch.start()
    try:
        yield
    finally:
        for watch in watches:
            watch.stop()


@contextlib.contextmanager
def private_ray(settings: Settings, folder: Path) -> Iterator[None]:
    """Ray and Serve's HAProxy, listening on the settings' HTTP port; all of it has ended afterwards.

    On KeyboardInterrupt nothing is drained.
    """
    prepare(settings, folder)
    os.environ.update(ray_environment(settings, folder, free_ports(4)))
    os.environ.pop("RAY_ADDRESS", None)
    import ray
    from ray import serve
    from ray.serve.config import HTTPOptions

    logging.getLogger("ray").setLevel(logging.ERROR)
    logging.getLogger("ray.serve").setLevel(logging.ERROR)
    _log_errors_of_ray()
    try:
        try:
            ray.init(
                address="local",
                num_cpus=math.ceil(settings.most_replicas * settings.cpus_per_replica),
                object_store_memory=OBJECT_STORE_BYTES,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=str(folder / "ray"),
            )
            serve.start(http_options=HTTPOptions(host="127.0.0.1", port=settings.http_port))
        except SystemExit:  # SIGTERM, for which Ray has a handler of its own until we take it back
            raise KeyboardInterrupt from None
        except Exception as error:
            raise StartError(f"Ray or its proxy did not start: {last_line(error)}") from error
        try:
            yield
        except KeyboardInterrupt:
            raise
        except BaseException:
            shut_serve_down()
            raise
        else:
            finish_requests(folder, settings.drain_timeout_s)
            shut_serve_down()
    finally:
        with _quiet():
            ray.shutdown()
        end_what_is_left(folder)


def _log_errors_of_ray() -> None:
    """What Ray would print on standard output, in colours, becomes a line of the log: above all that a process died."""
    import ray

    def log(data: dict[str, Any], **_: object) -> None:
        for text in data["lines"]:
            _log.warning("Ray: %s", text.partition(ADVICE)[0])

    ray._private.worker.print_to_stdstream = log  # type: ignore[assignment]


def run(application: Any, name: str) -> None:
    """Deploy the application and wait until it is healthy. Raises StartError with Serve's reason."""
    from ray import serve

    try:
        serve.run(application, name=name, route_prefix="/")
    except RuntimeError as error:
        deployments = serve.status().applications[name].deployments.values()
        reasons = [last_line(deployment.message) for deployment in deployments if deployment.message]
        raise StartError(f"the replicas did not start: {'; '.join(reasons) or last_line(error)}") from error


def last_line(error: object) -> str:
    """What a traceback in text says at its end."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else repr(error)


def shut_serve_down() -> None:
    """Drain the replicas, stop HAProxy."""
    from ray import serve

    with _quiet():
        serve.shutdown()  # type: ignore[no-untyped-call]


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence both streams and what Ray says: it reports that it lost the controller that it was told to kill."""
    _log.disabled = True
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        _log.disabled = False
