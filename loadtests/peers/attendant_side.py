"""Ours as a library: the server's own engine and runtime, driven by hand."""

from __future__ import annotations

import time
from collections.abc import Sequence

from loadtests.peers.side import LENGTH_PENALTY, Batch, Run
from model_store.contract.bundle import Bundle
from service.engine.engine import Engine
from service.engine.job import Outcome
from service.engine.limits import EngineLimits
from service.messages import SearchOptions, Segment, SegmentResult
from service.runtime.opening import open_runtime


class AttendantSide:
    """One engine's worth of ours, one thread."""

    batches = tuple(Batch(size, "rows") for size in (16, 24, 32, 48, 64, 128))

    def __init__(self, bundle: Bundle, sources: Sequence[Sequence[int]]) -> None:
        """`sources` are subword ids without the end token."""
        self._runtime = open_runtime(bundle)
        self._sources = [tuple(ids) for ids in sources]
        self._one = Engine(self._runtime)

    def offline(self, beam_size: int, batch: Batch) -> Run:
        """See `Side.offline`."""
        engine = Engine(self._runtime, EngineLimits(max_batch_rows=batch.size, max_batch_tokens=1 << 24))
        started = time.perf_counter()
        outputs = _translate(engine, self._sources, beam_size)
        return Run(outputs, time.perf_counter() - started)

    def one_by_one(self, beam_size: int) -> Run:
        """See `Side.one_by_one`."""
        started = time.perf_counter()
        outputs = [_translate(self._one, [source], beam_size)[0] for source in self._sources]
        return Run(outputs, time.perf_counter() - started)


def _translate(engine: Engine, sources: Sequence[tuple[int, ...]], beam_size: int) -> list[list[int]]:
    options = SearchOptions(beam_size=beam_size, length_penalty=LENGTH_PENALTY)
    outputs: list[list[int]] = [[]] * len(sources)

    def deliver(i: int, outcome: Outcome) -> None:
        assert isinstance(outcome, SegmentResult), outcome
        outputs[i] = list(outcome.hypotheses[0].token_ids)

    engine.submit([Segment(source, options) for source in sources], deliver)
    while engine.tick():
        pass
    return outputs
