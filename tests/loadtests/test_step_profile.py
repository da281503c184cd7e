from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest

from loadtests.measure.step_profile import Operator, Round, drive, int8_product, peak_speed, profiled, timed_run
from model_store.contract.store import EMBEDDED_STORE, Store
from service.kernels.target import TARGET
from service.runtime.native import NativeRuntime, NativeStepper, open_decoder
from service.runtime.onnx import OnnxRuntime, OnnxStepper

SOURCES = [(10, 11, 12), (13, 14), (15, 16, 17, 18), (19,)]


def test_multiply_adds_of_a_product_are_m_k_n_in_every_run() -> None:
    runs: list[list[Operator]] = []
    with profiled(int8_product(16, 32), runs) as session:
        for m in (8, 24):
            session.run(None, {"a": np.ones((m, 16), dtype=np.uint8)})
    assert [[(each.kind, each.num_multiply_adds) for each in run] for run in runs] == [
        [("MatMulInteger", 8 * 16 * 32)],
        [("MatMulInteger", 24 * 16 * 32)],
    ]


def test_no_profile_is_left_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with profiled(int8_product(16, 32), []) as session:
        session.run(None, {"a": np.ones((8, 16), dtype=np.uint8)})
        assert list(tmp_path.iterdir())
    assert not list(tmp_path.iterdir())


def test_times_are_told_by_kind_and_fused_attention_is_no_plain_product() -> None:
    step = [Operator("MatMulIntegerToFloat", 4, 8000), Operator("MatMul", 2, 0), Operator("GroupQueryAttention", 3, 0)]
    spent = Round.of([step, step])
    assert (spent.num_steps, spent.int8_us, spent.products_us, spent.total_us) == (2, 8, 12, 18)
    assert spent.int8_speed == pytest.approx(2e9)


def test_without_int8_products_their_speed_is_nothing() -> None:
    assert Round.of([[Operator("MatMul", 2, 0)]]).int8_speed == 0


def test_a_published_model_multiplies_in_proportion_to_its_rows() -> None:
    bundle = Store(EMBEDDED_STORE).open("en-fr-transformer")
    runtime = OnnxRuntime(bundle)
    counts = []
    for num_segments in (1, 2):
        steps: list[list[Operator]] = []
        with profiled(bundle.decoder_step, steps) as decoder:
            times_s = drive(runtime, OnnxStepper(bundle.manifest, decoder, 4), SOURCES[:num_segments], 4, 1)
        assert len(steps) == len(times_s)
        counts.append(Round.of(steps).num_multiply_adds)
    assert counts[1] == 2 * counts[0] > 0


def test_the_peak_is_a_speed() -> None:
    assert peak_speed((64, 64, 64), 2) > 0


@pytest.mark.skipif(not TARGET.is_here(), reason="this processor has no dot products of int8")
def test_kernels_and_onnx_runtime_multiply_as_much() -> None:
    bundle = Store(EMBEDDED_STORE).open("en-fr-transformer")
    kernels, operators = list[list[Operator]](), list[list[Operator]]()
    drive(NativeRuntime(bundle), NativeStepper(open_decoder(bundle), 1, timed_run(kernels)), SOURCES, 1, 1)
    with profiled(bundle.decoder_step, operators) as decoder:
        drive(OnnxRuntime(bundle), OnnxStepper(bundle.manifest, decoder, 1), SOURCES, 1, 1)
    ours, theirs = ([[each.num_multiply_adds for each in step] for step in steps] for steps in (kernels, operators))
    assert [sum(step) for step in ours] == [sum(step) for step in theirs]
    assert 0 < Round.of(kernels).num_multiply_adds < Round.of(operators).num_multiply_adds, "some passed over zeros"
