"""The service over a runtime that only waits: what is left is the service itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from model_store.contract.bundle import Bundle
from service.runtime.scripted import ScriptedRuntime, ScriptedSegments
from service.settings import Settings

FIRST_PIECE = 4
"""Ids below it are special tokens."""


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


def waiting_runtime(bundle: Bundle, _: Settings, step_s: float) -> WaitingRuntime:
    """Takes a bundle's place: its special tokens and limits, and none of its weights."""
    manifest = bundle.manifest
    return WaitingRuntime(
        step_s=step_s,
        num_slices=len(manifest.attention_slices),
        max_source_tokens=manifest.limits.max_source_tokens,
        max_target_tokens=manifest.limits.max_target_tokens,
        begin_id=manifest.special_tokens.begin,
        end_id=manifest.special_tokens.end,
    )


def application(settings: Settings, step_s: float) -> Any:
    """The product's own Serve application, over runtimes whose step waits `step_s` seconds."""
    from service.deployments.ingress import application as product

    return product(settings, new_runtime=partial(waiting_runtime, step_s=step_s))
