"""Scores of translations that exist already: ours and CTranslate2's `score_batch`, the same weights, one thread."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from loadtests.peers import instructions
from loadtests.peers.alternate import Row, alternate
from loadtests.peers.options import Options
from loadtests.peers.sentences import first
from service.engine.rescoring import mini_batches
from service.messages import Pair
from service.runtime.teacher_forced import TeacherForcedSession

PAIRS_PER_REQUEST = 64
PEER_BATCHES = (8, 16, 32, 64)
"""Sizes of batches that the peer is tried with, in sentences."""


def score_row(options: Options) -> Row:
    """Requests of 64 pairs, each scored when it comes: pairs per second."""
    import ctranslate2

    from loadtests.peers.ctranslate2_model import ctranslate2_model, pieces

    os.environ.update(instructions.environment())
    bundle = options.bundle()
    pairs = first(options.data, options.num_sentences)
    encode = bundle.tokenizer.encode_batch
    sources, targets = encode([pair.source for pair in pairs]), encode([pair.target for pair in pairs])
    requests = [range(i, min(i + PAIRS_PER_REQUEST, len(pairs))) for i in range(0, len(pairs), PAIRS_PER_REQUEST)]
    graph = TeacherForcedSession(bundle)
    folder = ctranslate2_model(bundle, "int8", options.cache)
    peer = ctranslate2.Translator(str(folder), device="cpu", compute_type="int8", inter_threads=1, intra_threads=1)
    names = pieces(bundle)
    written = [[names[i] for i in ids] for ids in sources], [[names[i] for i in ids] for ids in targets]
    found: dict[str, list[float]] = {}

    def ours() -> float:
        started, scores = time.perf_counter(), [0.0] * len(pairs)
        for request in requests:
            wanted = [Pair(sources[i], targets[i]) for i in request]
            for batch in mini_batches(wanted):
                for i, forced in zip(batch, graph.run([wanted[i] for i in batch], ()), strict=True):
                    scores[request[i]] = float(forced.log_probs.mean())
        found["ours"] = scores
        return len(pairs) / (time.perf_counter() - started)

    def theirs(size: int) -> float:
        started, scores = time.perf_counter(), []
        for request in requests:
            results = peer.score_batch(*([side[i] for i in request] for side in written), max_batch_size=size)
            scores += [float(np.mean(result.log_probs)) for result in results]
        found["peer"] = scores
        return len(pairs) / (time.perf_counter() - started)

    best = max(PEER_BATCHES, key=lambda size: max(theirs(size) for _ in range(2)))
    row = alternate(
        "scores of 64 pairs a request, int8", "pairs/s", ours, lambda: theirs(best), options.rounds, bar=">= 1.0x"
    )
    details = {
        "batch of the peer": f"{best} sentences",
        "scores": _agreement(found["ours"], found["peer"]),
        "instruction set of the peer": instructions.described(),
    }
    return replace(row, details=details, same_answers=None)


def _agreement(ours: Sequence[float], peer: Sequence[float]) -> str:
    gaps = np.abs(np.array(ours) - np.array(peer))
    correlation = float(np.corrcoef(ours, peer)[0, 1])
    return f"differ by {np.median(gaps):.3f} (median) and {gaps.max():.3f} (most), correlation {correlation:.4f}"


ROWS = {"score": score_row}
"""Against CTranslate2."""
