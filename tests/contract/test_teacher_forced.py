"""The third graph of every registered architecture: what torch computes, and what decoding has shown."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model_store.contract.tokenizer import END_ID
from model_store.data.batching import pad, source_arrays
from model_store.export.parity import TOLERANCE
from model_store.export.teacher_forced import forced
from service.engine.engine import Engine
from service.messages import Kind, Pair, SearchOptions, Segment
from service.runtime.onnx import OnnxRuntime
from service.runtime.teacher_forced import TeacherForcedSession
from tests.contract.conftest import Exported, random_sources
from tests.service.engine.driving import alone

KINDS: tuple[Kind, ...] = ("cross", "encoder", "decoder")


@pytest.fixture(scope="module")
def graph(exported: Exported) -> TeacherForcedSession:
    return TeacherForcedSession(exported.bundle)


def some_pairs() -> list[Pair]:
    """Sources and targets of lengths that differ, one subword among them."""
    return [Pair(*each) for each in zip(random_sources(6, 21), random_sources(6, 22, longest=12), strict=True)]


def test_it_computes_what_torch_computes(exported: Exported, graph: TeacherForcedSession) -> None:
    pairs, model = some_pairs(), exported.model.eval()
    arrays = (*source_arrays([p.source_ids for p in pairs]), pad([[*p.target_ids, END_ID] for p in pairs]))
    with torch.inference_mode():
        log_probs, *maps = (tensor.numpy() for tensor in forced(model, *map(torch.from_numpy, arrays)))
    found = graph.run(pairs, KINDS)
    slices = (model.attention_slices(), model.encoder_slices(), model.decoder_slices())
    kinds = [kind for kind, some in zip(KINDS, slices, strict=True) if some]
    assert [list(one.maps) for one in found] == [kinds] * len(pairs)
    for row, (pair, one) in enumerate(zip(pairs, found, strict=True)):
        num_sources, num_targets = len(pair.source_ids) + 1, len(pair.target_ids) + 1
        np.testing.assert_allclose(one.log_probs, log_probs[row, :num_targets], atol=TOLERANCE)
        for kind, whole in zip(kinds, maps, strict=True):
            shown = one.maps[kind]
            if kind == "decoder":  # the begin token's column comes first in the graph, last here
                shown = np.roll(shown, 1, axis=2)
            rows = num_sources if kind == "encoder" else num_targets
            columns = num_targets if kind == "decoder" else num_sources
            np.testing.assert_allclose(shown, whole[row, :, :rows, :columns].swapaxes(0, 1), atol=TOLERANCE)


def test_a_translation_and_its_rescoring_have_the_same_scores_and_maps(
    exported: Exported, graph: TeacherForcedSession
) -> None:
    runtime = OnnxRuntime(exported.bundle)
    for source in random_sources(5, 23):
        segment = Segment(tuple(source), SearchOptions(beam_size=4), want_attention=True)
        best = alone(Engine(runtime), segment).hypotheses[0]
        (found,) = graph.run([Pair(source, best.token_ids)], ["cross"])
        written = len(best.token_log_probs)
        np.testing.assert_allclose(found.log_probs[:written], best.token_log_probs, atol=TOLERANCE)
        if exported.model.attention_slices():
            assert best.attention is not None
            np.testing.assert_allclose(found.maps["cross"][:written], best.attention, atol=TOLERANCE)


def test_company_changes_nothing(graph: TeacherForcedSession) -> None:
    pairs = some_pairs()
    for pair, together in zip(pairs, graph.run(pairs, KINDS), strict=True):
        (alone,) = graph.run([pair], KINDS)
        np.testing.assert_allclose(alone.log_probs, together.log_probs, atol=TOLERANCE)
        for kind, maps in alone.maps.items():
            np.testing.assert_allclose(maps, together.maps[kind], atol=TOLERANCE)


def test_no_row_looks_at_more_than_there_is(graph: TeacherForcedSession) -> None:
    """Rows of encoder and decoder maps sum to 1 at most, and no step of the decoder looks ahead."""
    for found in graph.run(some_pairs(), ("encoder", "decoder")):
        for kind, maps in found.maps.items():
            assert maps.min() >= 0.0
            assert maps.sum(axis=2).max() <= 1.0 + 1e-5
            if kind == "decoder":
                ahead = np.triu(np.ones(maps.shape[::2], dtype=bool))
                ahead[:, -1] = False
                assert np.abs(maps.swapaxes(0, 1)[:, ahead]).max(initial=0.0) == 0.0
