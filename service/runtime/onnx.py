"""ONNX Runtime behind the runtime seam: state stays in preallocated buffers, and the past is written in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import onnxruntime

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from model_store.contract.state import Lifetime
from service.runtime.ancestry import Ancestry
from service.runtime.buffers import DEPTH_STEP, WIDTH_STEP, Buffers, Extent, rounded_up
from service.runtime.room import Room
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
    """Encoder outputs [B, ...] by state name, the source mask [B, S] and source tokens [B]."""

    arrays: dict[str, np.ndarray]
    mask: np.ndarray
    lengths: np.ndarray

    @property
    def num_tokens(self) -> int:
        """See `Encoded.num_tokens`."""
        return int(self.lengths.sum())

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
        lengths = np.array([len(ids) + 1 for ids in sources], dtype=np.int64)
        return EncodedSegments({s.name: a for s, a in zip(self._encoded, outputs, strict=True)}, mask, lengths)

    def new_rows(self, rows_per_segment: int) -> OnnxRows:
        """See `Runtime.new_rows`."""
        return OnnxRows(self.manifest, self._decoder, rows_per_segment)


class OnnxRows:
    """The live rows of one lane. Buffers follow what the rows need; a step allocates nothing while they fit."""

    def __init__(self, manifest: Manifest, decoder: onnxruntime.InferenceSession, rows_per_segment: int) -> None:
        self._rows_per_segment = rows_per_segment
        self._buffers = Buffers(manifest.state, rows_per_segment)
        self._ancestry = Ancestry(rows_per_segment)
        self._binding = _Binding(manifest, decoder)
        self._num_segments = self._depth = 0
        self._positions = np.zeros(0, dtype=np.int64)
        """Tokens that each row has been fed."""
        self._lengths = np.zeros(0, dtype=np.int64)
        """Source tokens of each segment."""

    @property
    def num_segments(self) -> int:
        """See `Rows.num_segments`."""
        return self._num_segments

    @property
    def width(self) -> int:
        """See `Rows.width`."""
        return self._buffers.extent.width

    def put(self, slots: Sequence[int], encoded: EncodedSegments, picks: Sequence[int]) -> None:
        """See `Rows.put`."""
        where, which = np.array(slots, dtype=np.int64), np.array(picks, dtype=np.int64)
        mask, lengths = encoded.mask[which], encoded.lengths[which]
        longest, present = int(lengths.max()), self._num_segments
        self._of_segments(self._positions)[where[where < present]] = 0
        self._look()
        self._fit(max(present, max(slots) + 1), longest)
        self._num_segments = max(present, max(slots) + 1)
        self._of_segments(self._positions)[where], self._lengths[where] = 0, lengths
        self._ancestry.begin(where)
        values = {
            name: _picked(array, which, longest, axis)
            for name, axis, array in (
                (spec.name, spec.axis("S"), encoded.arrays.get(spec.name)) for spec in self._buffers.specs
            )
            if array is not None
        }
        self._buffers.write(where, values, mask[:, :longest])

    def move(self, to: Sequence[int], source: Sequence[int], num_segments: int) -> None:
        """See `Rows.move`."""
        if to:
            there, here = np.array(to, dtype=np.int64), np.array(source, dtype=np.int64)
            self._buffers.move(there, here, self._depth)
            self._ancestry.move(there, here)
            for array in (self._of_segments(self._positions), self._lengths):
                array[there] = array[here]
        self._num_segments = num_segments
        self._look()
        self._fit(num_segments, 1)

    def reorder(self, owners: np.ndarray) -> None:
        """See `Rows.reorder`."""
        self._buffers.copy_rows(self._ancestry.reorder(owners, self._positions))

    def step(self, token_ids: np.ndarray) -> StepOutput:
        """See `Rows.step`."""
        if self._depth == self._buffers.extent.depth:
            self._fit(self._num_segments, 1)
        output = self._binding.run(self._buffers, token_ids, self._positions)
        self._live(self._positions)[:] += 1
        self._depth += 1
        return output

    def _look(self) -> None:
        """Find the oldest row."""
        self._depth = int(self._live(self._positions).max(initial=0))

    def _live(self, array: np.ndarray) -> np.ndarray:
        """The part of an array by rows that is in use."""
        return array[: self._num_segments * self._rows_per_segment]

    def _of_segments(self, array: np.ndarray) -> np.ndarray:
        """An array by rows as [B, K]."""
        return array.reshape(-1, self._rows_per_segment)

    def _fit(self, num_segments: int, width: int) -> None:
        """Make the buffers large enough for one more entry, and no more than twice too large along S and T."""
        extent = self._buffers.extent
        width = max(width, int(self._lengths[: self._num_segments].max(initial=1)))
        room = extent.segments
        if num_segments > room:
            room = rounded_up(num_segments, 8) if num_segments > 2 * room else 2 * room
        best = Extent(room, rounded_up(width, WIDTH_STEP), rounded_up(self._depth + 1, DEPTH_STEP))
        if best.width <= extent.width <= 2 * best.width:
            best = Extent(best.segments, extent.width, best.depth)
        if best.depth <= extent.depth <= 2 * best.depth:
            best = Extent(best.segments, best.width, extent.depth)
        if best == extent:
            return
        self._buffers.resize(best, self._num_segments, self._depth)
        if room != extent.segments:
            self._ancestry.resize(room)
            self._positions = _lengthened(self._positions, room * self._rows_per_segment)
            self._lengths = _lengthened(self._lengths, room)


def _lengthened(array: np.ndarray, length: int) -> np.ndarray:
    longer = np.zeros(length, dtype=array.dtype)
    longer[: len(array)] = array
    return longer


def _picked(array: np.ndarray, which: np.ndarray, longest: int, axis: int | None) -> np.ndarray:
    """Segments `which` of an encoder output; of the S axis, if there is one, the first `longest` columns."""
    picked: np.ndarray = array[which]
    return picked if axis is None else picked.swapaxes(1, axis)[:, :longest].swapaxes(1, axis)


class _Binding:
    """Inputs and outputs of the decoder bound to memory, kept for as long as the buffers stay where they are.

    Growing arrays are bound as input and output to the same memory: ONNX Runtime then writes one entry in place.
    """

    def __init__(self, manifest: Manifest, decoder: onnxruntime.InferenceSession) -> None:
        self._manifest, self._decoder = manifest, decoder
        self._used = {value.name for value in decoder.get_inputs()}
        self._carried = [s for s in manifest.state if s.lifetime is Lifetime.CARRIED]
        self._rooms: dict[str, Room] = {}
        self._version = -1
        self._bound: dict[int, onnxruntime.IOBinding] = {}
        """By the number of rows."""

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray) -> StepOutput:
        """One step of the first R rows, which are fed `token_ids` [R]; `positions` has room for all that may be."""
        num_rows = len(token_ids)
        if buffers.version != self._version:
            self._allocate(buffers, positions)
        self._token_ids[:num_rows] = token_ids
        self._decoder.run_with_iobinding(self._bound.get(num_rows) or self._bind(buffers, num_rows))
        for spec in self._carried:
            buffers.arrays[spec.name][:num_rows] = self._next[spec.name][:num_rows]
        return StepOutput(self._logits[:num_rows], self._attention[:num_rows])

    def _allocate(self, buffers: Buffers, positions: np.ndarray) -> None:
        """Outputs for as many rows as the buffers have room for."""
        num_rows = buffers.extent.segments * buffers.rows_per_segment
        self._token_ids = self._room("token_ids", np.int64, num_rows)
        self._positions = positions
        self._logits = self._room("logits", np.float32, num_rows, self._manifest.tokenizer.vocabulary_size)
        num_slices = len(self._manifest.attention_slices)
        self._attention = self._room("attention", np.float32, num_rows, num_slices, buffers.extent.width)
        self._next = {
            spec.name: self._room(f"next {spec.name}", spec.dtype, *buffers.arrays[spec.name].shape)
            for spec in self._carried
        }
        self._bound, self._version = {}, buffers.version

    def _room(self, name: str, dtype: np.typing.DTypeLike, *shape: int) -> np.ndarray:
        return self._rooms.setdefault(name, Room(dtype)).array(shape)

    def _bind(self, buffers: Buffers, num_rows: int) -> onnxruntime.IOBinding:
        """Bind the first `num_rows` rows."""
        bound, graph = self._decoder.io_binding(), self._manifest.decoder_step
        rows, num_segments = slice(0, num_rows), num_rows // buffers.rows_per_segment
        self._input(bound, "token_ids", self._token_ids[rows])
        self._input(bound, "position", self._positions[rows])
        self._input(bound, "source_mask", buffers.mask[:num_segments])
        for spec in self._manifest.state:
            live = buffers.arrays[spec.name][: num_segments * buffers.rows_of(spec)]
            self._input(bound, spec.step_input, live)
            if spec.step_output:
                _output(bound, spec.step_output, self._next[spec.name][rows] if spec.name in self._next else live)
        _output(bound, graph.logits, self._logits[rows])
        _output(bound, graph.attention, self._attention[rows])
        self._bound[num_rows] = bound
        return bound

    def _input(self, bound: onnxruntime.IOBinding, name: str, array: np.ndarray) -> None:
        if name in self._used:  # the exporter drops inputs that a graph does not need
            bound.bind_input(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)


def _output(bound: onnxruntime.IOBinding, name: str, array: np.ndarray) -> None:
    bound.bind_output(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)
