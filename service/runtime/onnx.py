"""Graphs run by ONNX Runtime, which takes any graph of a bundle. The KV cache is written in place."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import onnxruntime

from model_store.contract.bundle import Bundle
from model_store.contract.exact_sums import saturates, with_unsigned_weights
from model_store.contract.manifest import Manifest, SpecialTokens, StateTensors
from model_store.contract.state import Lifetime
from service.runtime.array_pool import ArrayPool
from service.runtime.buffers import Buffers
from service.runtime.bundled import BundleRuntime
from service.runtime.encoded import PaddedSegments
from service.runtime.encoder_states import CopiedEncoderStates, EncoderStates
from service.runtime.kv_cache import CopiedKVCache, KVCache
from service.runtime.rows import FusedStepper
from service.runtime.seam import StepOutput


def open_session(model: bytes, num_threads: int) -> onnxruntime.InferenceSession:
    """A session on the CPU, whose products are exact. ONNX Runtime ignores OMP_NUM_THREADS, so it is told."""
    return _session(with_unsigned_weights(model) if _saturates() else model, num_threads)


@functools.cache
def _saturates() -> bool:
    return saturates(lambda model, feeds: np.asarray(_session(model, 1).run(None, dict(feeds))[0]))


def _session(model: bytes, num_threads: int) -> onnxruntime.InferenceSession:
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = num_threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def padded(rows: Sequence[Sequence[int]], tokens: SpecialTokens, least: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Ids with their end tokens, int64 [B, longest], at least `least` columns, and which of them are real, bool."""
    longest = max(least, max(map(len, rows)) + 1)
    ids = np.full((len(rows), longest), tokens.pad, dtype=np.int64)
    mask = np.zeros((len(rows), longest), dtype=np.bool_)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = row
        ids[i, len(row)] = tokens.end
        mask[i, : len(row) + 1] = True
    return ids, mask


class OnnxRuntime(BundleRuntime):
    """One bundle, both graphs run by ONNX Runtime."""

    kind = "onnxruntime"

    def __init__(self, bundle: Bundle, num_threads: int = 1) -> None:
        """Load both graphs. `num_threads` are the threads within one operator; 1 is fastest on small cores."""
        decoder = open_session(bundle.decoder_step, num_threads)
        encoder = OnnxEncoder(bundle.manifest, open_session(bundle.encoder, num_threads))
        super().__init__(bundle.manifest, encoder, lambda beam_size: OnnxStepper(bundle.manifest, decoder, beam_size))


class OnnxEncoder:
    """Encodes segments, padded to the longest of a call."""

    def __init__(self, manifest: Manifest, encoder: onnxruntime.InferenceSession) -> None:
        self._tokens, self._encoder = manifest.special_tokens, encoder
        self._outputs = {str(spec.encoder_output): spec for spec in manifest.state if spec.encoder_output}

    def encode(self, sources: Sequence[Sequence[int]]) -> PaddedSegments:
        """See `Runtime.encode`."""
        source_ids, mask = padded(sources, self._tokens)
        outputs = self._encoder.run(list(self._outputs), {"source_ids": source_ids, "source_mask": mask})
        lengths = [len(ids) + 1 for ids in sources]
        arrays = {spec.name: array for spec, array in zip(self._outputs.values(), outputs, strict=True)}
        return PaddedSegments(lengths, source_ids.size, arrays)


class _Bound(NamedTuple):
    """An IOBinding for R rows, and the arrays that it reads and writes."""

    binding: onnxruntime.IOBinding
    token_ids: np.ndarray
    output: StepOutput
    carried: tuple[tuple[np.ndarray, np.ndarray], ...]
    """Where carried arrays are read, and where the next ones are written."""


class OnnxStepper:
    """Runs decoder steps through IOBindings, which are kept until the buffers move in memory.

    Growing arrays are bound as input and output to the same memory: ONNX Runtime then writes one entry in place.
    """

    most_slack = 2
    """Every step computes over all columns, used or not."""
    half_precision: frozenset[str] = frozenset()
    """See `Stepper.half_precision`: ONNX Runtime takes arrays as the graph has them."""
    fused: FusedStepper | None = None
    """See `Stepper.fused`."""

    def __init__(self, manifest: Manifest, decoder: onnxruntime.InferenceSession, beam_size: int) -> None:
        self._manifest, self._decoder = manifest, decoder
        self.kv_cache: KVCache = CopiedKVCache(beam_size)
        self.encoder_states: EncoderStates = CopiedEncoderStates()
        self._used = {value.name for value in decoder.get_inputs()}
        self._pools: dict[str, ArrayPool] = {}
        self._version = -1
        self._bound: dict[int, _Bound] = {}
        """By the number of rows."""

    def in_buffers(self, specs: Sequence[StateTensors]) -> Sequence[StateTensors]:
        """See `Stepper.in_buffers`: all, as the graph has them."""
        return specs

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray, lengths: np.ndarray) -> StepOutput:
        """See `Stepper.run`."""
        if buffers.version != self._version:
            self._bound, self._version = {}, buffers.version
        bound = self._bound.get(len(token_ids)) or self._bind(buffers, positions, len(token_ids))
        bound.token_ids[:] = token_ids
        self._decoder.run_with_iobinding(bound.binding)
        for read, written in bound.carried:
            read[:] = written
        return bound.output

    def _bind(self, buffers: Buffers, positions: np.ndarray, num_rows: int) -> _Bound:
        """Bind the first `num_rows` rows. Outputs have memory for the whole row capacity of the buffers."""
        room = buffers.extent.segments * buffers.beam_size
        num_slices, source_length = len(self._manifest.attention_slices), buffers.extent.source_length
        token_ids = self._pooled("token_ids", np.int64, room)[:num_rows]
        logits = self._pooled("logits", np.float32, room, self._manifest.tokenizer.vocabulary_size)[:num_rows]
        attention = self._pooled("attention", np.float32, room, num_slices, source_length)[:num_rows]
        binding, num_segments = self._decoder.io_binding(), num_rows // buffers.beam_size
        self._input(binding, "token_ids", token_ids)
        self._input(binding, "position", positions[:num_rows])
        self._input(binding, "source_mask", buffers.mask[:num_segments])
        carried = []
        for spec in self._manifest.state:
            array = buffers.arrays[spec.name]
            live = written = array[: num_segments * buffers.rows_of(spec)]
            self._input(binding, spec.step_input, live)
            if spec.lifetime is Lifetime.CARRIED:
                written = self._pooled(f"next {spec.name}", spec.dtype, *array.shape)[:num_rows]
                carried.append((live, written))
            if spec.step_output:
                _output(binding, spec.step_output, written)
        _output(binding, self._manifest.decoder_step.logits, logits)
        if self._manifest.decoder_step.attention is not None:
            _output(binding, self._manifest.decoder_step.attention, attention)
        bound = self._bound[num_rows] = _Bound(binding, token_ids, StepOutput(logits, attention), tuple(carried))
        return bound

    def _pooled(self, name: str, dtype: np.typing.DTypeLike, *shape: int) -> np.ndarray:
        return self._pools.setdefault(name, ArrayPool(dtype)).array(shape)

    def _input(self, binding: onnxruntime.IOBinding, name: str, array: np.ndarray) -> None:
        if name in self._used:  # the exporter drops inputs that a graph does not need
            binding.bind_input(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)


def _output(binding: onnxruntime.IOBinding, name: str, array: np.ndarray) -> None:
    binding.bind_output(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)
