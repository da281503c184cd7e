"""The service over a runtime that only waits: what is left is the service itself."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from model_store.contract.bundle import Bundle
from service.runtime.scripted import ScriptedRuntime, ScriptedSegments
from service.settings import Settings

FIRST_PIECE = 4
"""Ids below it are special tokens."""
FOR_EVER_S = 3600.0


@dataclass(frozen=True)
class WaitingRuntime(ScriptedRuntime):
    """A scripted runtime for the ids of a real tokenizer, whose step takes the same time however many rows it has.

    Ids are folded into the small vocabulary, so that a step costs hardly any CPU. A translation is its source reversed:
    it takes as many steps as the source has tokens.
    """

    def encode(self, sources: Sequence[Sequence[int]]) -> ScriptedSegments:
        """See `Runtime.encode`."""
        count = self.vocabulary_size - FIRST_PIECE
        return super().encode([[FIRST_PIECE + int(token) % count for token in ids] for ids in sources])


def waiting_runtime(bundle: Bundle, _: Settings, step_s: float, hang: str = "") -> WaitingRuntime:
    """Takes a bundle's place: its special tokens and limits, and none of its weights. See `wait_or_hang` for `hang`."""
    manifest = bundle.manifest
    return WaitingRuntime(
        step_s=step_s,
        wait=partial(wait_or_hang, hang=hang) if hang else time.sleep,
        num_slices=len(manifest.attention_slices),
        max_source_tokens=manifest.limits.max_source_tokens,
        max_target_tokens=manifest.limits.max_target_tokens,
        begin_id=manifest.special_tokens.begin,
        end_id=manifest.special_tokens.end,
    )


def wait_or_hang(seconds: float, hang: str) -> None:
    """A step that takes so long; the one that finds the file `hang`, and takes it away, never ends."""
    try:
        Path(hang).unlink()
    except FileNotFoundError:
        time.sleep(seconds)
    else:
        time.sleep(FOR_EVER_S)


def application(settings: Settings, step_s: float, hang: str = "") -> Any:
    """The product's own Serve application, over runtimes whose step waits `step_s` seconds."""
    from service.deployments.ingress import application as product

    return product(settings, new_runtime=partial(waiting_runtime, step_s=step_s, hang=hang))
