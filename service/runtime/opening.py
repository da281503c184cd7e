"""The choice of the runtime for a bundle."""

from __future__ import annotations

import logging
from typing import Literal

from model_store.contract.bundle import Bundle
from service.lowering.graph import UnsupportedGraphError
from service.runtime.bundled import BundleRuntime
from service.runtime.native import NativeRuntime
from service.runtime.onnx import OnnxRuntime

RuntimeChoice = Literal["auto", "onnx"]
"""`auto`: our own kernels where processor and graphs are fit for them, else ONNX Runtime; `onnx`: ONNX Runtime."""

_log = logging.getLogger("attendant.runtime")


def open_runtime(
    bundle: Bundle, num_threads: int = 1, choice: RuntimeChoice = "auto", told_as: int = logging.WARNING
) -> BundleRuntime:
    """Load a bundle. Kernels are single-threaded, so with `num_threads` above 1 it runs in ONNX Runtime.

    `told_as` is the level at which the log says why kernels do not run it.
    """
    reference = bundle.manifest.reference
    if choice == "auto" and num_threads > 1:
        reason = f"kernels run in one thread, and a replica has {num_threads}; give it one core and start more replicas"
        _log.log(told_as, "%s runs in ONNX Runtime, slower than kernels: %s", reference, reason)
    elif choice == "auto":
        try:
            runtime = NativeRuntime(bundle)
        except UnsupportedGraphError as fault:
            _log.log(told_as, "%s runs in ONNX Runtime, slower than kernels: %s", reference, fault)
        else:
            _log.info("%s runs in kernels of this processor", reference)
            return runtime
    return OnnxRuntime(bundle, num_threads)


def runtime_line(bundle: Bundle) -> tuple[str, str]:
    """The line of `attendant models show` that tells what runs a bundle on this machine."""
    try:
        NativeRuntime(bundle)
    except UnsupportedGraphError as reason:
        return "runtime", f"ONNX Runtime, slower than kernels: {reason}"
    return "runtime", "kernels of this processor"
