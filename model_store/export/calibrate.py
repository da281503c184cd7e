"""Find the ranges that activations take while a model translates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx

from model_store.decoding.search import decode_all, greedy
from model_store.export.graphs import ExportedGraphs
from model_store.export.products import find_products
from model_store.export.quantise import Range, with_observed
from model_store.export.stepper import OrtStepper


class _Observing:
    """An ONNX Runtime session that also fetches some activations and widens their ranges."""

    def __init__(self, session: Any, names: Sequence[str], ranges: dict[str, Range]) -> None:
        self._session, self._names, self._ranges = session, list(dict.fromkeys(names)), ranges

    def run(self, outputs: Sequence[str], feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        computed = [name for name in self._names if name not in feeds]
        values: list[np.ndarray] = self._session.run([*outputs, *computed], feeds)
        observed = dict(zip(computed, values[len(outputs) :], strict=True))
        for name in self._names:
            value = observed[name] if name in observed else feeds[name]
            seen = Range(float(value.min()), float(value.max()))
            self._ranges[name] = self._ranges[name].merged(seen) if name in self._ranges else seen
        return values[: len(outputs)]


class _ObservingStepper(OrtStepper):
    def observe(self, encoder: Sequence[str], decoder: Sequence[str]) -> tuple[dict[str, Range], dict[str, Range]]:
        """Start recording; returns the two dictionaries that fill up."""
        encoder_ranges: dict[str, Range] = {}
        decoder_ranges: dict[str, Range] = {}
        self._encoder = _Observing(self._encoder, encoder, encoder_ranges)
        self._decoder = _Observing(self._decoder, decoder, decoder_ranges)
        return encoder_ranges, decoder_ranges


def calibrate(graphs: ExportedGraphs, sources: Sequence[Sequence[int]]) -> tuple[dict[str, Range], dict[str, Range]]:
    """Translate `sources` greedily in float32: ranges of every product's activation, for encoder and decoder."""

    def names(model: onnx.ModelProto) -> list[str]:
        return [product.activation for product in find_products(model)]

    encoder_names, decoder_names = names(graphs.encoder), names(graphs.decoder_step)
    stepper = _ObservingStepper(
        with_observed(graphs.encoder, encoder_names).SerializeToString(),
        with_observed(graphs.decoder_step, decoder_names).SerializeToString(),
        graphs.encoder_graph,
        graphs.decoder_graph,
        graphs.state,
    )
    ranges = stepper.observe(encoder_names, decoder_names)
    decode_all(sources, lambda some: greedy(stepper, some), batch_size=32)
    return ranges
