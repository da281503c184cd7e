"""Which runtime a bundle gets, and that the log says why."""

from __future__ import annotations

import logging
from dataclasses import replace

import onnx
import pytest

from model_store.contract.bundle import Bundle
from service.runtime.native import NativeRuntime
from service.runtime.onnx import OnnxRuntime
from service.runtime.opening import open_runtime
from tests.service.kernels.programs import needs_instruction


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    caplog.set_level(logging.INFO, "attendant.runtime")
    return caplog


@needs_instruction
def test_a_graph_that_kernels_know_runs_in_them(transformer: Bundle, log: pytest.LogCaptureFixture) -> None:
    assert isinstance(open_runtime(transformer), NativeRuntime)
    (record,) = log.records
    assert transformer.manifest.reference in record.getMessage()
    assert "kernels" in record.getMessage()


@needs_instruction
def test_an_encoder_that_they_do_not_know_runs_in_onnx_runtime_beside_a_decoder_that_they_do(
    recurrent: Bundle, log: pytest.LogCaptureFixture
) -> None:
    assert isinstance(open_runtime(recurrent), NativeRuntime)
    encoder, both = (record.getMessage() for record in log.records)
    assert f"the encoder of {recurrent.manifest.reference} runs in ONNX Runtime" in encoder
    assert "operator" in encoder
    assert "kernels" in both


@needs_instruction
def test_a_decoder_that_they_do_not_know_runs_in_onnx_runtime(recurrent: Bundle, log: pytest.LogCaptureFixture) -> None:
    model = onnx.load_from_string(recurrent.decoder_step)
    for node in model.graph.node:
        node.op_type = "Softsign" if node.op_type == "Tanh" else node.op_type
    assert isinstance(open_runtime(replace(recurrent, decoder_step=model.SerializeToString())), OnnxRuntime)
    (record,) = log.records
    assert recurrent.manifest.reference in record.getMessage()
    assert "operator Softsign" in record.getMessage()


def test_onnx_runtime_can_be_chosen(transformer: Bundle) -> None:
    assert isinstance(open_runtime(transformer, choice="onnx"), OnnxRuntime)


def test_more_threads_than_one_are_for_onnx_runtime_and_the_log_says_so(
    transformer: Bundle, log: pytest.LogCaptureFixture
) -> None:
    assert isinstance(open_runtime(transformer, num_threads=2), OnnxRuntime)
    (record,) = log.records
    assert record.levelno == logging.WARNING
    assert record.getMessage() == (
        f"{transformer.manifest.reference} runs in ONNX Runtime, slower than kernels: kernels run in one thread, and a "
        "replica has 2; give it one core and start more replicas"
    )


def test_a_processor_without_the_instruction_gets_onnx_runtime(
    transformer: Bundle, log: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.kernels.target.Target.is_here", lambda self: False)
    assert isinstance(open_runtime(transformer), OnnxRuntime)
    (record,) = log.records
    assert "ONNX Runtime" in record.getMessage()
    assert "AVX-512 with VNNI" in record.getMessage()
