"""ONNX Runtime behind the runtime seam: state stays in preallocated buffers, and the past is written in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnxruntime

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from model_store.contract.state import Lifetime
from service.runtime.buffers import DEPTH_STEP, WIDTH_STEP, Buffers, Extent, rounded_up
from service.runtime.seam import StepOutput


def open_session(model: bytes, num_threads: int) -> onnxruntime.InferenceSession:
    """A session on the CPU. ONNX Runtime ignores OMP_NUM_THREADS, so the number of threads is said here."""
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = num_threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


@dataclass(frozen=True, slots=True)
class EncodedSegments:
    """Encoder outputs [B, ...] by state name, and the source mask [B, S]."""

    arrays: dict[str, np.ndarray]
    mask: np.ndarray

    @property
    def num_tokens(self) -> int:
        """See `Encoded.num_tokens`."""
        return int(self.mask.sum())

    @property
    def num_padded_tokens(self) -> int:
        """See `Encoded.num_padded_tokens`."""
        return int(self.mask.size)


class OnnxRuntime:
    """One bundle, loaded. Not safe for calls from two threads at once: an engine owns it."""

    def __init__(self, bundle: Bundle, num_threads: int = 1) -> None:
        """Load both graphs; `num_threads` is the number of threads of each product, 1 being fastest on small cores."""
        self.manifest: Manifest = bundle.manifest
        self._encoder = open_session(bundle.encoder, num_threads)
        self._decoder = open_session(bundle.decoder_step, num_threads)
        self._encoded = [s for s in self.manifest.state if s.encoder_output]

    @property
    def begin_id(self) -> int:
        """See `Runtime.begin_id`."""
        return self.manifest.special_tokens.begin

    @property
    def end_id(self) -> int:
        """See `Runtime.end_id`."""
        return self.manifest.special_tokens.end

    @property
    def max_source_tokens(self) -> int:
        """See `Runtime.max_source_tokens`."""
        return self.manifest.limits.max_source_tokens

    @property
    def max_target_tokens(self) -> int:
        """See `Runtime.max_target_tokens`."""
        return self.manifest.limits.max_target_tokens

    def encode(self, sources: Sequence[Sequence[int]]) -> EncodedSegments:
        """See `Runtime.encode`."""
        tokens = self.manifest.special_tokens
        longest = max(map(len, sources)) + 1
        source_ids = np.full((len(sources), longest), tokens.pad, dtype=np.int64)
        mask = np.zeros((len(sources), longest), dtype=np.bool_)
        for i, ids in enumerate(sources):
            source_ids[i, : len(ids)] = ids
            source_ids[i, len(ids)] = tokens.end
            mask[i, : len(ids) + 1] = True
        names = [str(s.encoder_output) for s in self._encoded]
        outputs = self._encoder.run(names, {"source_ids": source_ids, "source_mask": mask})
        return EncodedSegments({s.name: a for s, a in zip(self._encoded, outputs, strict=True)}, mask)

    def new_rows(self) -> OnnxRows:
        """See `Runtime.new_rows`."""
        return OnnxRows(self.manifest, self._decoder)


class OnnxRows:
    """The live rows of one engine. Buffers follow what the rows need; a step allocates nothing while they fit."""

    def __init__(self, manifest: Manifest, decoder: onnxruntime.InferenceSession) -> None:
        self._manifest, self._decoder = manifest, decoder
        self._buffers = Buffers(manifest.state)
        self._num_rows = 0
        self._position = np.zeros(0, dtype=np.int64)
        self._lengths = np.zeros(0, dtype=np.int64)
        self._segment = np.zeros(0, dtype=np.int64)
        self._next_segment = 0
        self._binding = _Binding(manifest, decoder)

    @property
    def num_rows(self) -> int:
        """See `Rows.num_rows`."""
        return self._num_rows

    @property
    def width(self) -> int:
        """See `Rows.width`."""
        return self._buffers.extent.width

    def append(self, encoded: EncodedSegments) -> None:
        """See `Rows.append`."""
        count, first = len(encoded.mask), self._num_rows
        lengths = encoded.mask.sum(axis=1)
        self._fit(first + count, int(lengths.max()), 1)
        self._buffers.write(first, encoded.arrays, encoded.mask)
        self._num_rows = first + count
        self._position = np.concatenate([self._position, np.zeros(count, dtype=np.int64)])
        self._lengths = np.concatenate([self._lengths, lengths])
        self._segment = np.concatenate([self._segment, self._next_segment + np.arange(count)])
        self._next_segment += count

    def take(self, rows: np.ndarray) -> None:
        """See `Rows.take`."""
        rows = np.asarray(rows, dtype=np.int64)
        self._fit(max(len(rows), self._num_rows), 1, 1)
        moved = np.flatnonzero(rows != np.arange(len(rows)))
        if len(moved):
            source = rows[moved]
            same = np.zeros(len(moved), dtype=np.bool_)
            known = moved < self._num_rows
            same[known] = self._segment[moved[known]] == self._segment[source[known]]
            self._buffers.move(moved, source, ~same, int(self._position[source].max()))
        self._num_rows = len(rows)
        self._position, self._lengths, self._segment = self._position[rows], self._lengths[rows], self._segment[rows]

    def step(self, token_ids: np.ndarray, want_attention: bool) -> StepOutput:
        """See `Rows.step`."""
        self._fit(self._num_rows, int(self._lengths.max()), int(self._position.max()) + 1)
        output = self._binding.run(self._buffers, token_ids, self._position)
        self._position += 1
        return output

    def _fit(self, num_rows: int, width: int, depth: int) -> None:
        """Make the buffers large enough, and no more than twice too large along S and T."""
        extent = self._buffers.extent
        width = max(width, int(self._lengths.max(initial=1)))
        used_depth = int(self._position.max(initial=0))
        depth = max(depth, used_depth)
        rows = extent.rows if num_rows <= extent.rows else rounded_up(max(num_rows, 2 * extent.rows), 8)
        best = Extent(rows, rounded_up(width, WIDTH_STEP), rounded_up(depth, DEPTH_STEP))
        if best.width <= extent.width <= 2 * best.width:
            best = Extent(best.rows, extent.width, best.depth)
        if best.depth <= extent.depth <= 2 * best.depth:
            best = Extent(best.rows, best.width, extent.depth)
        self._buffers.resize(best, self._num_rows, extent.width, used_depth)


class _Binding:
    """Inputs and outputs of the decoder bound to memory, kept for as long as no size changes.

    Growing arrays are bound as input and output to the same memory: ONNX Runtime then writes one entry in place.
    """

    def __init__(self, manifest: Manifest, decoder: onnxruntime.InferenceSession) -> None:
        self._manifest, self._decoder = manifest, decoder
        self._graph = manifest.decoder_step
        self._used = {value.name for value in decoder.get_inputs()}
        self._vocabulary_size = manifest.tokenizer.vocabulary_size
        self._num_slices = len(manifest.attention_slices)
        self._key: tuple[int, int, int] | None = None
        self._carried = [s for s in manifest.state if s.lifetime is Lifetime.CARRIED]

    def run(self, buffers: Buffers, token_ids: np.ndarray, position: np.ndarray) -> StepOutput:
        """One step of the first len(token_ids) rows."""
        num_rows = len(token_ids)
        key = (num_rows, buffers.version, buffers.extent.width)
        if key != self._key:
            self._bind(buffers, num_rows)
            self._key = key
        self._token_ids[:] = token_ids
        self._position[:] = position
        self._decoder.run_with_iobinding(self._io)
        for spec in self._carried:
            buffers.arrays[spec.name][:num_rows] = self._next[spec.name]
        return StepOutput(self._normalised(), self._attention)

    def _normalised(self) -> np.ndarray:
        """Log-probabilities [R, V], whichever of the two the graph gives."""
        if self._graph.scores_kind == "log_probs":
            return self._log_probs
        shifted = self._log_probs - self._log_probs.max(axis=1, keepdims=True)
        normalised: np.ndarray = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
        return normalised

    def _bind(self, buffers: Buffers, num_rows: int) -> None:
        width = buffers.extent.width
        self._io = self._decoder.io_binding()
        self._token_ids = np.empty(num_rows, dtype=np.int64)
        self._position = np.empty(num_rows, dtype=np.int64)
        self._log_probs = np.empty((num_rows, self._vocabulary_size), dtype=np.float32)
        self._attention = np.empty((num_rows, self._num_slices, width), dtype=np.float32)
        self._input("token_ids", self._token_ids)
        self._input("position", self._position)
        self._input("source_mask", buffers.mask[:num_rows])
        self._next: dict[str, np.ndarray] = {}
        for spec in self._manifest.state:
            rows = buffers.arrays[spec.name][:num_rows]
            self._input(spec.step_input, rows)
            if spec.step_output and spec.lifetime is Lifetime.GROWING:
                self._output(spec.step_output, rows)
            elif spec.step_output:
                self._next[spec.name] = np.empty_like(rows)
                self._output(spec.step_output, self._next[spec.name])
        self._output(self._graph.scores, self._log_probs)
        self._output(self._graph.attention, self._attention)

    def _input(self, name: str, array: np.ndarray) -> None:
        if name in self._used:  # the exporter drops inputs that a graph does not need
            self._io.bind_input(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)

    def _output(self, name: str, array: np.ndarray) -> None:
        self._io.bind_output(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)
