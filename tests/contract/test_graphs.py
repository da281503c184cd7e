"""What the exported graphs promise, for every registered architecture."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from model_store.contract.manifest import Graph
from model_store.contract.state import Lifetime
from model_store.contract.tokenizer import BEGIN_ID
from model_store.data.batching import pad, source_arrays
from model_store.decoding.search import greedy
from model_store.decoding.stepper import State, StepModel, take_rows
from model_store.export.parity import TOLERANCE, measure_parity
from model_store.export.stepper import open_session
from model_store.training.stepper import TorchStepper
from tests.contract.conftest import LENGTH, Exported, random_sources, reach

TYPES = {"tensor(float)": "float32", "tensor(int64)": "int64", "tensor(bool)": "bool"}


def described(values: list[onnxruntime.NodeArg]) -> dict[str, tuple[str, list[str | int]]]:
    return {value.name: (TYPES[value.type], list(value.shape)) for value in values}


def assert_graph(model: bytes, graph: Graph) -> None:
    session = open_session(model)
    promised_in = {t.name: (t.dtype, list(t.axes)) for t in graph.inputs}
    promised_out = {t.name: (t.dtype, list(t.axes)) for t in graph.outputs}
    assert described(session.get_outputs()) == promised_out
    actual = described(session.get_inputs())
    assert {name: promised_in[name] for name in actual} == actual
    assert set(promised_in) - set(actual) <= {"position"}, "only `position` may be of no use to an architecture"


def test_names_dtypes_and_axes_are_those_of_the_manifest(exported: Exported) -> None:
    manifest = exported.bundle.manifest
    assert_graph(exported.bundle.encoder, manifest.encoder)
    assert_graph(exported.bundle.decoder_step, manifest.decoder_step)


def test_onnx_runtime_equals_torch(exported: Exported) -> None:
    parity = measure_parity(exported.model, exported.stepper)
    assert parity.log_probs <= TOLERANCE
    assert parity.attention <= TOLERANCE
    assert parity.state <= TOLERANCE


def forced(stepper: StepModel, sources: list[list[int]], targets: list[list[int]]) -> tuple[np.ndarray, np.ndarray]:
    """Log-probabilities [B, T, V] and attention [B, T, A, S] when every row is fed its target."""
    source_ids, source_mask = source_arrays(sources)
    target_ids = pad([[BEGIN_ID, *ids] for ids in targets])
    state = stepper.encode(source_ids, source_mask, target_ids.shape[1])
    log_probs, attention = [], []
    for t in range(target_ids.shape[1]):
        result = stepper.step(target_ids[:, t], np.full(len(sources), t), source_mask, state)
        log_probs.append(result.log_probs)
        attention.append(result.attention)
        state = result.state
    return np.stack(log_probs, axis=1), np.stack(attention, axis=1)


def test_stepping_equals_the_teacher_forced_pass(exported: Exported) -> None:
    sources = random_sources(6, seed=1, shortest=3)
    targets = [s[::-1] for s in sources]
    log_probs, attention = forced(exported.stepper, sources, targets)
    source_ids, source_mask = (torch.from_numpy(a) for a in source_arrays(sources))
    with torch.inference_mode():
        out = exported.model.eval().teacher_forced(
            source_ids, source_mask, torch.from_numpy(pad([[BEGIN_ID, *t] for t in targets]))
        )
        whole = torch.log_softmax(exported.model.logits(out.hidden), dim=-1).numpy()
    for i, target in enumerate(targets):
        real = slice(0, len(target) + 1)
        np.testing.assert_allclose(log_probs[i, real], whole[i, real], atol=TOLERANCE)
        np.testing.assert_allclose(attention[i, real], out.attention[i].numpy().swapaxes(0, 1)[real], atol=TOLERANCE)


def some_steps(
    stepper: StepModel, source_ids: np.ndarray, source_mask: np.ndarray, tokens: np.ndarray
) -> list[np.ndarray]:
    """Log-probabilities and attention of three steps with tokens [3, B]."""
    state: State = stepper.encode(source_ids, source_mask, 8)
    seen = []
    for t, fed in enumerate(tokens):
        result = stepper.step(fed, np.full(len(fed), t), source_mask, state)
        seen += [result.log_probs, result.attention]
        state = result.state
    return seen


@pytest.fixture
def case() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    source_ids, source_mask = source_arrays(random_sources(5, seed=2, shortest=2))
    return source_ids, source_mask, np.random.default_rng(3).integers(300, 312, (3, 5))


def test_more_source_padding_changes_nothing(
    exported: Exported, case: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    source_ids, source_mask, tokens = case
    source_length = source_ids.shape[1]
    wider_ids = np.pad(source_ids, ((0, 0), (0, 7)))
    wider_mask = np.pad(source_mask, ((0, 0), (0, 7)))
    narrow = some_steps(exported.stepper, source_ids, source_mask, tokens)
    wide = some_steps(exported.stepper, wider_ids, wider_mask, tokens)
    for i, (left, right) in enumerate(zip(narrow, wide, strict=True)):
        np.testing.assert_allclose(left, right[..., :source_length] if i % 2 else right, atol=TOLERANCE)


def test_company_in_the_batch_changes_nothing(
    exported: Exported, case: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> None:
    source_ids, source_mask, tokens = case
    together = some_steps(exported.stepper, source_ids, source_mask, tokens)
    for row in range(len(source_ids)):
        chosen = slice(row, row + 1)
        by_itself = some_steps(exported.stepper, source_ids[chosen], source_mask[chosen], tokens[:, chosen])
        for left, right in zip(by_itself, together, strict=True):
            np.testing.assert_allclose(left, right[chosen], atol=TOLERANCE)


def test_permuting_rows_permutes_outputs(exported: Exported, case: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    source_ids, source_mask, tokens = case
    order = np.array([3, 0, 4, 1, 2])
    straight = some_steps(exported.stepper, source_ids, source_mask, tokens)
    permuted = some_steps(exported.stepper, source_ids[order], source_mask[order], tokens[:, order])
    for left, right in zip(straight, permuted, strict=True):
        np.testing.assert_allclose(left[order], right, atol=TOLERANCE)


def test_rows_of_different_age_share_a_batch(exported: Exported) -> None:
    stepper = exported.stepper
    source_ids, source_mask = source_arrays(random_sources(2, seed=5, shortest=LENGTH))
    tokens = np.array([[301, 302, 303], [304, 305, 306]])
    together = some_steps(stepper, source_ids, source_mask, tokens.T)
    first = stepper.encode(source_ids[:1], source_mask[:1], 8)
    for t in range(2):
        first = stepper.step(tokens[:1, t], np.array([t]), source_mask[:1], first).state
    second = stepper.encode(source_ids[1:], source_mask[1:], 8)
    mixed = {name: np.concatenate([first[name], second[name]]) for name in first}
    result = stepper.step(np.array([tokens[0, 2], tokens[1, 0]]), np.array([2, 0]), source_mask, mixed)
    np.testing.assert_allclose(result.log_probs[0], together[4][0], atol=TOLERANCE)
    np.testing.assert_allclose(result.log_probs[1], together[0][1], atol=TOLERANCE)


def test_taking_rows_repeats_and_reorders_hypotheses(exported: Exported) -> None:
    stepper = exported.stepper
    source_ids, source_mask = source_arrays(random_sources(3, seed=6, shortest=LENGTH))
    state = stepper.encode(source_ids, source_mask, 8)
    state = stepper.step(np.array([301, 302, 303]), np.zeros(3, dtype=np.int64), source_mask, state).state
    rows = np.array([2, 2, 0])
    one = np.ones(3, dtype=np.int64)
    straight = stepper.step(np.array([304, 305, 306]), one, source_mask, state)
    taken = stepper.step(np.array([306, 306, 304]), one, source_mask[rows], take_rows(state, rows))
    np.testing.assert_allclose(taken.log_probs, straight.log_probs[rows], atol=TOLERANCE)


@pytest.mark.parametrize("rows_of_segment", [1, 2, 4])
@pytest.mark.parametrize("runs_in", ["torch", "ONNX Runtime"])
def test_shared_memory_equals_repeated_memory(exported: Exported, runs_in: str, rows_of_segment: int) -> None:
    stepper: StepModel = TorchStepper(exported.model) if runs_in == "torch" else exported.stepper
    source_ids, source_mask = source_arrays(random_sources(3, seed=8, shortest=2))
    memory = stepper.encode(source_ids, source_mask, 8)
    segments = np.arange(3).repeat(rows_of_segment)
    repeated = take_rows(memory, segments)
    static = {s.name for s in exported.graphs.state if s.lifetime is Lifetime.STATIC}
    shared = {name: memory[name] if name in static else array for name, array in repeated.items()}
    random = np.random.default_rng(9)
    for t in range(3):
        tokens = random.integers(300, 312, len(segments))
        position = np.full(len(segments), t)
        alone = stepper.step(tokens, position, source_mask[segments], repeated)
        together = stepper.step(tokens, position, source_mask, shared)
        np.testing.assert_allclose(together.log_probs, alone.log_probs, atol=TOLERANCE)
        np.testing.assert_allclose(together.attention, alone.attention, atol=TOLERANCE)
        for name in memory.keys() - static:
            np.testing.assert_allclose(together.state[name], alone.state[name], atol=TOLERANCE)
        repeated = alone.state
        shared = {**together.state, **{name: memory[name] for name in static}}


@pytest.mark.parametrize("runs_in", ["torch", "ONNX Runtime"])
def test_what_lies_beyond_the_position_counts_for_nothing(
    exported: Exported, case: tuple[np.ndarray, np.ndarray, np.ndarray], runs_in: str
) -> None:
    stepper: StepModel = TorchStepper(exported.model) if runs_in == "torch" else exported.stepper
    source_ids, source_mask, tokens = case
    position = np.zeros(len(source_ids), dtype=np.int64)
    clean = stepper.encode(source_ids, source_mask, 5)
    dirty = stepper.encode(source_ids, source_mask, 9)
    for spec in exported.graphs.state:
        if spec.lifetime is Lifetime.GROWING:
            dirty[spec.name] = np.full_like(dirty[spec.name], np.nan)
    for t, fed in enumerate(tokens):
        left = stepper.step(fed, position + t, source_mask, clean)
        right = stepper.step(fed, position + t, source_mask, dirty)
        np.testing.assert_allclose(left.log_probs, right.log_probs, atol=TOLERANCE)
        np.testing.assert_allclose(left.attention, right.attention, atol=TOLERANCE)
        clean, dirty = left.state, right.state


def test_attention_sums_to_one_and_is_zero_on_padding(exported: Exported) -> None:
    sources = random_sources(6, seed=7)
    _, attention = forced(exported.stepper, sources, [s[::-1] for s in sources])
    np.testing.assert_allclose(attention.sum(axis=-1), 1.0, atol=1e-5)
    assert attention.min(initial=0.0) >= 0.0
    for i, source in enumerate(sources):
        assert attention[i, :, :, len(source) + 1 :].max(initial=0.0) == 0.0


def test_it_learns_to_reverse_tokens(exported: Exported) -> None:
    length = reach(exported.model)
    sources = random_sources(40, seed=99_999, shortest=length, longest=length)
    for stepper in (TorchStepper(exported.model), exported.stepper):
        decoded = [d.ids for d in greedy(stepper, sources)]
        right = sum(ids == source[::-1] for ids, source in zip(decoded, sources, strict=True))
        assert right >= 36, f"{right} of 40 reversed, loss {exported.loss:.3f}"


def test_nothing_of_the_machine_is_written_into_the_graphs(exported: Exported) -> None:
    for graph in (exported.bundle.encoder, exported.bundle.decoder_step):
        model = onnx.load_from_string(graph)
        for constant in model.graph.initializer:
            constant.ClearField("raw_data")  # any three bytes may be among weights
        written = model.SerializeToString()
        assert b"site-packages" not in written
        assert b".py" not in written
