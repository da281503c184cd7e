"""ONNX Runtime behind the runtime seam: state stays in preallocated buffers, and the past is written in place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import onnxruntime

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from model_store.contract.state import Lifetime
from service.runtime.ancestry import Ancestry
from service.runtime.buffers import DEPTH_STEP, WIDTH_STEP, Buffers, Extent, rounded_up
from service.runtime.room import Room, lengthened
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
    """Encoder outputs [B, ...] by state name, and the source tokens of each segment [B]."""

    arrays: dict[str, np.ndarray]
    lengths: list[int]

    @property
    def num_tokens(self) -> int:
        """See `Encoded.num_tokens`."""
        return sum(self.lengths)

    @property
    def num_padded_tokens(self) -> int:
        """See `Encoded.num_padded_tokens`."""
        return len(self.lengths) * max(self.lengths)


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
        lengths = [len(ids) + 1 for ids in sources]
        return EncodedSegments({s.name: a for s, a in zip(self._encoded, outputs, strict=True)}, lengths)

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

    def put(self, slots: Sequence[int], encoded: Sequence[EncodedSegments], picks: Sequence[int]) -> None:
        """See `Rows.put`."""
        where, present = np.array(slots, dtype=np.int64), self._num_segments
        lengths = [batch.lengths[pick] for batch, pick in zip(encoded, picks, strict=True)]
        needed = max(present, max(slots) + 1)
        self._of_segments(self._positions)[where[where < present]] = 0
        self._look()
        self._fit(needed, max(lengths))
        self._num_segments = needed
        self._of_segments(self._positions)[where], self._lengths[where] = 0, lengths
        self._ancestry.begin(where)
        for slot, batch, pick, length in zip(slots, encoded, picks, lengths, strict=True):
            self._buffers.write(slot, batch.arrays, pick, length)

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
        live = self._live(self._positions)
        np.add(live, 1, out=live)
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
        depth = self._depth + 1 if self._depth < extent.depth else 2 * extent.depth
        best = Extent(room, rounded_up(width, WIDTH_STEP), rounded_up(depth, DEPTH_STEP))
        if best.width <= extent.width <= 2 * best.width:
            best = Extent(best.segments, extent.width, best.depth)
        if best.depth <= extent.depth <= 2 * best.depth:
            best = Extent(best.segments, best.width, extent.depth)
        if best == extent:
            return
        self._buffers.resize(best, self._num_segments, self._depth)
        if room != extent.segments:
            self._ancestry.resize(room)
            self._positions = lengthened(self._positions, room * self._rows_per_segment)
            self._lengths = lengthened(self._lengths, room)


class _Bound(NamedTuple):
    """A binding of R rows, and the memory that it reads and writes."""

    binding: onnxruntime.IOBinding
    token_ids: np.ndarray
    output: StepOutput
    carried: tuple[tuple[np.ndarray, np.ndarray], ...]
    """Where carried arrays are read, and where the next ones are written."""


class _Binding:
    """Inputs and outputs of the decoder bound to memory, kept for as long as the buffers stay where they are.

    Growing arrays are bound as input and output to the same memory: ONNX Runtime then writes one entry in place.
    """

    def __init__(self, manifest: Manifest, decoder: onnxruntime.InferenceSession) -> None:
        self._manifest, self._decoder = manifest, decoder
        self._used = {value.name for value in decoder.get_inputs()}
        self._rooms: dict[str, Room] = {}
        self._version = -1
        self._bound: dict[int, _Bound] = {}
        """By the number of rows."""

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray) -> StepOutput:
        """One step of the first R rows, which are fed `token_ids` [R]; `positions` has room for all that may be."""
        if buffers.version != self._version:
            self._bound, self._version = {}, buffers.version
        bound = self._bound.get(len(token_ids)) or self._bind(buffers, positions, len(token_ids))
        bound.token_ids[:] = token_ids
        self._decoder.run_with_iobinding(bound.binding)
        for read, written in bound.carried:
            read[:] = written
        return bound.output

    def _bind(self, buffers: Buffers, positions: np.ndarray, num_rows: int) -> _Bound:
        """Bind the first `num_rows` rows; outputs have memory for all rows that the buffers have room for."""
        room = buffers.extent.segments * buffers.rows_per_segment
        num_slices, width = len(self._manifest.attention_slices), buffers.extent.width
        token_ids = self._room("token_ids", np.int64, room)[:num_rows]
        logits = self._room("logits", np.float32, room, self._manifest.tokenizer.vocabulary_size)[:num_rows]
        attention = self._room("attention", np.float32, room, num_slices, width)[:num_rows]
        binding, num_segments = self._decoder.io_binding(), num_rows // buffers.rows_per_segment
        self._input(binding, "token_ids", token_ids)
        self._input(binding, "position", positions[:num_rows])
        self._input(binding, "source_mask", buffers.mask[:num_segments])
        carried = []
        for spec in self._manifest.state:
            array = buffers.arrays[spec.name]
            live = written = array[: num_segments * buffers.rows_of(spec)]
            self._input(binding, spec.step_input, live)
            if spec.lifetime is Lifetime.CARRIED:
                written = self._room(f"next {spec.name}", spec.dtype, *array.shape)[:num_rows]
                carried.append((live, written))
            if spec.step_output:
                _output(binding, spec.step_output, written)
        _output(binding, self._manifest.decoder_step.logits, logits)
        _output(binding, self._manifest.decoder_step.attention, attention)
        bound = self._bound[num_rows] = _Bound(binding, token_ids, StepOutput(logits, attention), tuple(carried))
        return bound

    def _room(self, name: str, dtype: np.typing.DTypeLike, *shape: int) -> np.ndarray:
        return self._rooms.setdefault(name, Room(dtype)).array(shape)

    def _input(self, binding: onnxruntime.IOBinding, name: str, array: np.ndarray) -> None:
        if name in self._used:  # the exporter drops inputs that a graph does not need
            binding.bind_input(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)


def _output(binding: onnxruntime.IOBinding, name: str, array: np.ndarray) -> None:
    binding.bind_output(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)
