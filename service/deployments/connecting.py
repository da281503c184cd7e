"""This process as one of a cluster's drivers: for `attendant deploy`, `status` and `top`."""

from __future__ import annotations

import contextlib
import logging
import os
import signal
from collections.abc import Iterator

from service.deployments.cluster import StartError, last_line, private_folder
from service.deployments.environment import node_environment, prepare
from service.deployments.node import require_head
from service.settings import Settings

PATIENCE_S = 5
"""For a head's control to answer at all; Ray would try for minutes."""
RECONNECT_S = 60
"""For a head that has gone meanwhile to be there again; Ray ends this process otherwise."""


@contextlib.contextmanager
def connected(head: str, token: str) -> Iterator[None]:
    """This process is one of the cluster's drivers. Raises StartError when the cluster does not answer."""
    require_head(head)
    with private_folder() as folder:
        prepare(Settings(), folder, token)
        os.environ.update(node_environment(Settings(), folder, token))
        os.environ.update(
            RAY_py_gcs_connect_timeout_s=str(PATIENCE_S), RAY_gcs_rpc_server_reconnect_timeout_s=str(RECONNECT_S)
        )
        import ray
        from ray import serve  # noqa: F401 it sets its loggers up

        for name in ("ray", "ray.serve"):
            logging.getLogger(name).setLevel(logging.ERROR)
        _require_control(head)
        try:
            ray.init(address=head, log_to_driver=False, logging_level=logging.ERROR)
        except Exception as error:
            raise StartError(f"no cluster answers at {head} with this token: {last_line(error)}") from error
        with contextlib.suppress(ValueError):  # in another thread than the main one
            signal.signal(signal.SIGTERM, signal.default_int_handler)  # Ray's own writes its stack
        try:
            yield
        finally:
            ray.shutdown()


def _require_control(head: str) -> None:
    """Raise StartError unless a head's control answers there, and knows the token."""
    from ray._private.services import canonicalize_bootstrap_address
    from ray._raylet import GcsClient  # type: ignore[attr-defined]
    from ray.exceptions import AuthenticationError, RpcError

    where = canonicalize_bootstrap_address(head)  # for loopback, another address of this machine
    try:
        GcsClient(address=where)
    except AuthenticationError:
        remedy = "copy the head's token file to this machine, and name it with --token-file"
        raise StartError(f"the cluster of {head} has another token; {remedy}") from None
    except RpcError as error:
        remedy = "name where `attendant node --head` listens, by the address that it was given"
        raise StartError(f"no cluster answers at {where}: {last_line(error).rstrip('.')}; {remedy}") from None
