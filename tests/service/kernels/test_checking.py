"""Kernels against their references on published networks, and what is found when one of them is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest
from click.testing import CliRunner

from model_store.contract.bundle import Bundle
from service.commands.debug_plan import debug_plan
from service.kernels.checking import Check
from service.kernels.interpreter import View, interpret
from service.lowering.plan import Step
from service.operators.additive_attention import AdditiveAttention
from service.operators.carry import StoreState
from service.operators.cross_attention import CrossAttention
from service.operators.product import Product
from service.operators.quantise import Quantise
from service.operators.self_attention import CachedSelfAttention
from service.runtime.native import NativeRuntime
from service.runtime.onnx import OnnxRuntime
from tests.bundles import published
from tests.service.kernels.programs import needs_instruction

SENTENCES = ["The black cat ate the mouse.", "Yes.", "How are you today?"]


def forced(runtime: NativeRuntime | OnnxRuntime, bundle: Bundle, num_steps: int) -> list[np.ndarray]:
    """Logits of some steps that are fed the same tokens, two rows a segment."""
    sources = bundle.tokenizer.encode_batch(SENTENCES)
    rows, slots = runtime.new_rows(2), list(range(len(sources)))
    rows.put(slots, [runtime.encode(sources)] * len(slots), slots)
    found, random = [], np.random.default_rng(2)
    fed = np.full(2 * len(sources), runtime.begin_id)
    for number in range(num_steps):
        found.append(np.array(rows.step(fed).logits_of_rows))
        fed = random.integers(300, 400, len(fed))
        if number == 2:
            rows.reorder(np.array([[1, 1], [0, 0], [0, 1]]))
    return found


@needs_instruction
def test_every_instruction_of_published_networks_gives_what_its_reference_gives(bundle: Bundle) -> None:
    check = Check()
    forced(NativeRuntime(bundle, check), bundle, 6)
    assert not check.differences, str(check.differences[0])
    assert check.num_instructions > 50


def test_the_interpreter_gives_what_onnx_runtime_gives(bundle: Bundle) -> None:
    ours, theirs = (forced(runtime, bundle, 4) for runtime in (NativeRuntime(bundle, interpret), OnnxRuntime(bundle)))
    for mine, other in zip(ours, theirs, strict=True):
        assert (mine.argmax(axis=1) == other.argmax(axis=1)).mean() >= 0.8
        assert np.median(np.abs(mine - other)) <= 0.05


@needs_instruction
@pytest.mark.parametrize(
    ("step", "change"),
    [(Product, lambda rows: rows * 1.01), (CrossAttention, lambda rows: -rows), (Quantise, lambda rows: rows ^ 4)],
)
def test_the_first_instruction_that_differs_is_named(
    step: type, change: Callable[[np.ndarray], np.ndarray], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = step.reference
    monkeypatch.setattr(step, "reference", lambda self, view: change(right(self, view)))
    check = Check()
    bundle = published("en-fr-transformer")
    forced(NativeRuntime(bundle, check), bundle, 1)
    assert isinstance(check.differences[0].step, step)
    assert re.search(r"instruction \d+, \w+: row \d+, column \d+: kernel \S+, reference \S+", str(check.differences[0]))


@needs_instruction
@pytest.mark.parametrize(
    ("step", "model", "told"),
    [
        (CachedSelfAttention, "en-fr-transformer", r"keys of row \d+, row 0, column 0"),
        (CrossAttention, "en-fr-transformer", r"map of row \d+, row 0, column 0"),
        (AdditiveAttention, "en-fr-bahdanau", r"map of row \d+, row 0, column 0"),
        (StoreState, "en-fr-bahdanau", r"state of row \d+, row 0, column 0"),
    ],
)
def test_what_is_written_besides_the_target_is_compared(
    step: type[Step], model: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = step.reference

    def wrong(self: Step, view: View) -> np.ndarray | None:
        result = right(self, view)
        next(iter(self.written(view).values()))[0, 0] += 1.0
        return result

    monkeypatch.setattr(step, "reference", wrong)
    check, bundle = Check(), published(model)
    forced(NativeRuntime(bundle, check), bundle, 1)
    assert isinstance(check.differences[0].step, step)
    assert re.search(told, str(check.differences[0]))


@needs_instruction
def test_the_command_says_that_all_is_well_and_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    well = CliRunner().invoke(debug_plan, ["en-fr-transformer", "--steps", "2"])
    assert well.exit_code == 0, well.output
    assert "instructions give what their references give" in well.output
    right = Product.reference
    monkeypatch.setattr(Product, "reference", lambda self, view: right(self, view) + 1.0)
    wrong = CliRunner().invoke(debug_plan, ["en-fr-transformer", "--steps", "2"])
    assert wrong.exit_code == 1
    assert re.search(r"Error: instruction 2, Product: row", wrong.output)


def test_the_command_shows_steps_shapes_places_and_bytes() -> None:
    shown = CliRunner().invoke(debug_plan, ["en-fr-transformer", "--show"])
    assert shown.exit_code == 0, shown.output
    assert re.search(
        r"^2 +Product +r2\[768\] float32 +source=r1\[256\] weights=256x768.* 1280 +3072$", shown.output, re.M
    )
    assert "encoder:" in shown.output


def test_the_command_names_a_model_that_is_not_there() -> None:
    refused = CliRunner().invoke(debug_plan, ["nope"])
    assert refused.exit_code == 1
    assert "nope" in refused.output
