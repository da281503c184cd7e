"""The teacher-forced graph: a whole target at once, with the log-probability of each token and the maps asked for."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence

import numpy as np
import onnxruntime

from model_store.contract.bundle import Bundle
from service.messages import Forced, Kind, Pair
from service.runtime.onnx import open_session, padded

LEAST_COLUMNS = 2
"""Of ids: the exported graphs take no fewer."""


class TeacherForcedSession:
    """The third graph of a bundle, loaded when it is first asked for. Its methods may be called from one thread at a
    time."""

    def __init__(self, bundle: Bundle, num_threads: int = 1) -> None:
        """Raises ValueError when the bundle has none."""
        if bundle.teacher_forced is None or bundle.manifest.teacher_forced is None:
            raise ValueError(f"{bundle.manifest.reference} has no teacher-forced graph")
        self._graph, self._bytes, self._num_threads = bundle.manifest.teacher_forced, bundle.teacher_forced, num_threads
        self._tokens = bundle.manifest.special_tokens
        self._session: onnxruntime.InferenceSession | None = None
        self._loading = threading.Lock()
        outputs = (self._graph.attention, self._graph.encoder_attention, self._graph.decoder_attention)
        kinds: tuple[Kind, ...] = ("cross", "encoder", "decoder")
        self._outputs = {kind: name for kind, name in zip(kinds, outputs, strict=True) if name is not None}

    def run(self, pairs: Sequence[Pair], kinds: Collection[Kind]) -> list[Forced]:
        """All `pairs` in one batch, padded to the longest, with the maps of those `kinds` that the graph has."""
        wanted = {kind: name for kind, name in self._outputs.items() if kind in kinds}
        source_ids, source_mask = padded([pair.source_ids for pair in pairs], self._tokens, LEAST_COLUMNS)
        target_ids, _ = padded([pair.target_ids for pair in pairs], self._tokens, LEAST_COLUMNS)
        feeds = {"source_ids": source_ids, "source_mask": source_mask, "target_ids": target_ids}
        log_probs, *maps = self._loaded().run([self._graph.log_probs, *wanted.values()], feeds)
        by_kind = dict(zip(wanted, maps, strict=True))
        return [
            Forced(
                log_probs[row, : len(pair.target_ids) + 1],
                {kind: _rows_first(kind, array[row], pair) for kind, array in by_kind.items()},
            )
            for row, pair in enumerate(pairs)
        ]

    def _loaded(self) -> onnxruntime.InferenceSession:
        with self._loading:
            if self._session is None:
                self._session = open_session(self._bytes, self._num_threads)
            return self._session


def _rows_first(kind: Kind, maps: np.ndarray, pair: Pair) -> np.ndarray:
    """Maps [heads, rows, columns] of one pair, without padding, as `Forced` has them."""
    num_sources, num_targets = len(pair.source_ids) + 1, len(pair.target_ids) + 1
    if kind == "encoder":
        return np.ascontiguousarray(maps[:, :num_sources, :num_sources].swapaxes(0, 1))
    if kind == "cross":
        return np.ascontiguousarray(maps[:, :num_targets, :num_sources].swapaxes(0, 1))
    steps = maps[:, :num_targets, :num_targets].swapaxes(0, 1)
    return np.concatenate([steps[:, :, 1:], steps[:, :, :1]], axis=2)
