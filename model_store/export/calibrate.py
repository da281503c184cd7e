"""Find the ranges that 8 bits are to cover of each activation, from a model's own translations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from model_store.decoding.search import decode_all, greedy
from model_store.export.clipping import Counts
from model_store.export.graphs import ExportedGraphs
from model_store.export.products import find_products
from model_store.export.quantise import Range, with_observed
from model_store.export.stepper import OrtStepper

Watch = Callable[[str, np.ndarray], None]
"""Is told the name of an activation and values that it took."""


class _Observing:
    """An ONNX Runtime session that also fetches some activations and shows them."""

    def __init__(self, session: Any, names: Sequence[str], watch: Watch) -> None:
        self._session, self._names, self._watch = session, list(dict.fromkeys(names)), watch

    def run(self, outputs: Sequence[str], feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
        computed = [name for name in self._names if name not in feeds]
        values: list[np.ndarray] = self._session.run([*outputs, *computed], feeds)
        observed = dict(zip(computed, values[len(outputs) :], strict=True))
        for name in self._names:
            self._watch(name, observed[name] if name in observed else feeds[name])
        return values[: len(outputs)]


class _ObservingStepper(OrtStepper):
    def __init__(self, graphs: ExportedGraphs) -> None:
        """In float32, with outputs for the activation of every product."""
        self._names = [
            [product.activation for product in find_products(model)] for model in (graphs.encoder, graphs.decoder_step)
        ]
        super().__init__(
            with_observed(graphs.encoder, self._names[0]).SerializeToString(),
            with_observed(graphs.decoder_step, self._names[1]).SerializeToString(),
            graphs.encoder_graph,
            graphs.decoder_graph,
            graphs.state,
        )
        self._sessions = self._encoder, self._decoder

    def translate(self, sources: Sequence[Sequence[int]], encoder: Watch, decoder: Watch) -> None:
        """Translate greedily and show each activation to the watch of its graph."""
        self._encoder, self._decoder = (
            _Observing(session, names, watch)
            for session, names, watch in zip(self._sessions, self._names, (encoder, decoder), strict=True)
        )
        decode_all(sources, lambda some: greedy(self, some), batch_size=32)


def calibrate(graphs: ExportedGraphs, sources: Sequence[Sequence[int]]) -> tuple[dict[str, Range], dict[str, Range]]:
    """The range of every product's activation, for encoder and decoder; see `clipping`.

    `sources` are translated twice, greedily in float32: to see how far values go, and to count them.
    """
    stepper = _ObservingStepper(graphs)
    encoder, decoder = dict[str, Range](), dict[str, Range]()
    stepper.translate(sources, _widening(encoder), _widening(decoder))
    counts = [{name: Counts(seen) for name, seen in ranges.items()} for ranges in (encoder, decoder)]
    stepper.translate(sources, *(_counting(part) for part in counts))
    best = [{name: counted.best_range() for name, counted in part.items()} for part in counts]
    return best[0], best[1]


def _widening(ranges: dict[str, Range]) -> Watch:
    """Widen the ranges to hold what is shown."""

    def watch(name: str, values: np.ndarray) -> None:
        seen = Range(float(values.min()), float(values.max()))
        ranges[name] = ranges[name].merged(seen) if name in ranges else seen

    return watch


def _counting(counts: dict[str, Counts]) -> Watch:
    return lambda name, values: counts[name].add(values)
