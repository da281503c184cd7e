"""CTranslate2 as a library, one thread, with every advantage that it offers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import ctranslate2

from loadtests.peers.ctranslate2_model import Precision
from loadtests.peers.side import PEER_LENGTH_PENALTY, Batch, Run, output_limit


class CTranslate2Side:
    """One translator, `inter_threads=1`, `intra_threads=1`."""

    batches = (
        *(Batch(size, "sentences") for size in (16, 32, 64, 128, 256)),
        *(Batch(size, "source tokens") for size in (512, 1024, 2048)),
    )

    def __init__(
        self, folder: Path, precision: Precision, pieces: Sequence[str], sources: Sequence[Sequence[int]]
    ) -> None:
        """`pieces` has the subword of each id, `sources` are ids without the end token, which the model adds."""
        self._translator = ctranslate2.Translator(
            str(folder), device="cpu", compute_type=precision, inter_threads=1, intra_threads=1
        )
        self._ids = {piece: i for i, piece in enumerate(pieces)}
        self._sources = [[pieces[i] for i in ids] for ids in sources]

    def offline(self, beam_size: int, batch: Batch) -> Run:
        """See `Side.offline`. It sorts by length itself, and has one limit for all: that of the longest sentence."""
        limit = output_limit(max(map(len, self._sources)))
        unit = "tokens" if batch.unit == "source tokens" else "examples"
        started = time.perf_counter()
        outputs = self._translate(self._sources, beam_size, limit, batch.size, unit)
        return self._run(outputs, time.perf_counter() - started)

    def one_by_one(self, beam_size: int) -> Run:
        """See `Side.one_by_one`."""
        started = time.perf_counter()
        outputs = [
            self._translate([source], beam_size, output_limit(len(source)), 0, "examples")[0]
            for source in self._sources
        ]
        return self._run(outputs, time.perf_counter() - started)

    def _translate(
        self, sources: Sequence[Sequence[str]], beam_size: int, limit: int, batch_size: int, unit: str
    ) -> list[list[str]]:
        results = self._translator.translate_batch(
            sources,
            max_batch_size=batch_size,
            batch_type=unit,
            beam_size=beam_size,
            length_penalty=PEER_LENGTH_PENALTY,
            max_decoding_length=limit,
            min_decoding_length=0,
            max_input_length=0,
        )
        return [result.hypotheses[0] for result in results]

    def _run(self, outputs: Sequence[Sequence[str]], seconds: float) -> Run:
        return Run([[self._ids[piece] for piece in output] for output in outputs], seconds)
