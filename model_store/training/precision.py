"""The precision of training's products: float32, or bfloat16 where that is faster."""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import nn

from model_store.data.batching import Batch
from model_store.training.validation import BatchLoss

PRECISIONS = ("float32", "bfloat16")
MOST_COMPILED_PRODUCTS = 8192
"""oneDNN compiles a product of bfloat16 for each shape, of which batches have thousands; it keeps 1,024 unless told."""
PRODUCT_BYTES = 1 << 20
"""What one takes, about: after half an hour with a teacher beside it, a run that kept 8,192 had 11 GB."""
MEMORY_SHARE = 0.25
"""Of the machine's memory, which they may take."""


def keep_compiled_products() -> None:
    """Let oneDNN keep as many as memory has room for, unless the environment names a number; to be called before the
    first."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    number = min(MOST_COMPILED_PRODUCTS, int(MEMORY_SHARE * memory / PRODUCT_BYTES))
    os.environ.setdefault("ONEDNN_PRIMITIVE_CACHE_CAPACITY", str(number))


def autocast(precision: str, device: torch.device) -> contextlib.AbstractContextManager[Any]:
    """The context that a step of `precision` runs in."""
    if precision == "bfloat16":
        return torch.autocast(device.type, dtype=torch.bfloat16)
    return contextlib.nullcontext()


def faster_precision(loss: Callable[[Batch], BatchLoss], model: nn.Module, batches: Sequence[Batch]) -> str:
    """The faster precision, forward and backward of both over `batches` in turn; weights and random numbers stay.

    What a processor says that it can do is no measure: bfloat16 products in hardware are slower than float32 on some.
    """
    if not batches:
        return PRECISIONS[0]
    device = next(model.parameters()).device
    random, on_device = torch.get_rng_state(), _device_states(device)
    seconds: dict[str, list[float]] = {precision: [] for precision in PRECISIONS}
    model.train()
    for number, batch in enumerate((batches[0], *batches)):
        for precision, found in seconds.items():
            _finish(device)
            started = time.perf_counter()
            with autocast(precision, device):
                value = loss(batch).loss
            value.backward()
            model.zero_grad(set_to_none=False)
            _finish(device)
            if number:  # the first compiles and allocates
                found.append(time.perf_counter() - started)
    torch.set_rng_state(random)
    if on_device:
        torch.cuda.set_rng_state_all(on_device)
    return min(PRECISIONS, key=lambda precision: statistics.median(seconds[precision]))


def _device_states(device: torch.device) -> list[torch.Tensor]:
    """The random numbers of GPUs, which are not those of the processor; none on a processor."""
    return torch.cuda.get_rng_state_all() if device.type == "cuda" else []


def _finish(device: torch.device) -> None:
    """Wait for what was started on a GPU: its products run behind the program's back."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
