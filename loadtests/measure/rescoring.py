"""Beam-4 winners of the engine against torch, made to write the same words: token scores and attention maps."""

from __future__ import annotations

import numpy as np
import torch
from tqdm import tqdm

from loadtests.measure.company import run
from loadtests.measure.setting import in_float32, setting, show
from model_store.architectures.base import Architecture
from model_store.contract.tokenizer import BEGIN_ID, END_ID
from model_store.data.batching import pad, source_arrays
from model_store.export.weights import reopen
from service.engine.limits import EngineLimits
from service.messages import Hypothesis, SearchOptions, Segment
from service.runtime.opening import open_runtime

NUM_SENTENCES = 500
TOLERANCE = 1e-3


@torch.inference_mode()
def gaps(model: Architecture, segment: Segment, hypothesis: Hypothesis) -> tuple[float, float]:
    """Largest differences of a token's score and of an attention weight."""
    written = [*hypothesis.token_ids, END_ID][: len(hypothesis.token_log_probs)]
    source = [torch.from_numpy(array) for array in source_arrays([segment.source_ids])]
    out = model.teacher_forced(source[0], source[1], torch.from_numpy(pad([[BEGIN_ID, *written[:-1]]])))
    log_probs = torch.log_softmax(model.logits(out.hidden), dim=-1)[0].numpy()[np.arange(len(written)), written]
    assert hypothesis.attention is not None
    attention = out.attention[0].numpy().swapaxes(0, 1)
    return (
        float(np.abs(log_probs - hypothesis.token_log_probs).max()),
        float(np.abs(attention - hypothesis.attention).max()),
    )


def main() -> None:
    """Print the table; exit code 1 when any winner differs."""
    measured = setting(__doc__ or "")
    sentences = measured.sentences(NUM_SENTENCES)
    rows = []
    for bundle in measured.bundles():
        options = SearchOptions(beam_size=4)
        segments = [Segment(tuple(bundle.tokenizer.encode(text)), options, want_attention=True) for text in sentences]
        with in_float32(bundle) as full:
            winners = run(open_runtime(full), segments, EngineLimits(), [i // 8 for i in range(len(segments))])
        model = reopen(bundle)
        pairs = list(zip(segments, winners, strict=True))
        found = [gaps(model, segment, winner) for segment, winner in tqdm(pairs, desc=bundle.manifest.name)]
        scores, maps = zip(*found, strict=True)
        unlike = sum(score > TOLERANCE or weight > TOLERANCE for score, weight in found)
        rows.append((bundle.manifest.name, len(segments), unlike, f"{max(scores):.1e}", f"{max(maps):.1e}"))
    show("Rescoring, float32, beam 4", ["model", "sentences", "different", "score gap", "attention gap"], rows)
    raise SystemExit(any(row[2] for row in rows))


if __name__ == "__main__":
    main()
