"""Run exported graphs through the same seam as torch: plain ONNX Runtime with copies; serving has its own runtime."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np
import onnxruntime

from model_store.contract.exact_sums import saturates, with_unsigned_weights
from model_store.contract.manifest import DecoderGraph, Graph, StateTensors
from model_store.contract.state import Lifetime
from model_store.decoding.stepper import State, StepResult


def open_session(model: bytes, num_threads: int = 1) -> onnxruntime.InferenceSession:
    """An ONNX Runtime session on the CPU, whose products are exact."""
    return _session(with_unsigned_weights(model) if _saturates() else model, num_threads)


@functools.cache
def _saturates() -> bool:
    return saturates(lambda model, feeds: np.asarray(_session(model, 1).run(None, dict(feeds))[0]))


def _session(model: bytes, num_threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = num_threads
    options.log_severity_level = 3  # TensorScatter warns whenever it must copy
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Log-probabilities over the last axis."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    normalised: np.ndarray = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return normalised


class OrtStepper:
    """A `StepModel` over the bytes of two graphs."""

    def __init__(
        self,
        encoder: bytes,
        decoder_step: bytes,
        encoder_graph: Graph,
        decoder_graph: DecoderGraph,
        state: Sequence[StateTensors],
        num_threads: int = 1,
    ) -> None:
        self._encoder = open_session(encoder, num_threads)
        self._decoder = open_session(decoder_step, num_threads)
        self._encoder_graph, self._decoder_graph, self._state = encoder_graph, decoder_graph, state

    def encode(self, source_ids: np.ndarray, source_mask: np.ndarray, capacity: int) -> State:
        """See `StepModel.encode`."""
        names = [t.name for t in self._encoder_graph.outputs]
        outputs = dict(
            zip(names, self._encoder.run(names, {"source_ids": source_ids, "source_mask": source_mask}), strict=True)
        )
        state: State = {}
        for spec in self._state:
            if spec.lifetime is Lifetime.GROWING:
                shape = [capacity if axis == "T" else int(axis) for axis in spec.axes]
                state[spec.name] = np.zeros((len(source_ids), *shape), dtype=spec.dtype)
            elif spec.encoder_output is not None:
                state[spec.name] = outputs[spec.encoder_output]
        return state

    def step(self, token_ids: np.ndarray, position: np.ndarray, source_mask: np.ndarray, state: State) -> StepResult:
        """See `StepModel.step`."""
        names = [t.name for t in self._decoder_graph.outputs]
        feeds = {"token_ids": token_ids, "position": position, "source_mask": source_mask}
        feeds.update({s.step_input: state[s.name] for s in self._state})
        known = {t.name for t in self._decoder_graph.inputs}
        out = dict(zip(names, self._decoder.run(names, {n: a for n, a in feeds.items() if n in known}), strict=True))
        log_probs = log_softmax(out[self._decoder_graph.logits])
        following = {s.name: out[s.step_output] for s in self._state if s.step_output}
        name = self._decoder_graph.attention
        attention = np.zeros((len(token_ids), 0, source_mask.shape[1]), np.float32) if name is None else out[name]
        return StepResult(log_probs, attention, {**state, **following})
