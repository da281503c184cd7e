"""Graphs run by our own kernels, on processors with int8 dot products: those that the kernels have instructions for."""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest, StateTensors
from model_store.contract.state import Lifetime
from service.kernels.entries import GROUP
from service.kernels.graph import UnsupportedGraphError, read_graph
from service.kernels.heads import MOST_VECTORS
from service.kernels.machine import CARRIED_ENTRIES, run
from service.kernels.program import Places, Program
from service.kernels.steps import (
    Appended,
    AttendPairs,
    AttendSource,
    Buffer,
    Carry,
    Embed,
    Given,
    Heads,
    Shown,
    Translated,
    Weights,
)
from service.kernels.translation import translate
from service.kernels.vectors import LANES, processor_has_dot_products
from service.memory import Parts
from service.runtime.buffers import Buffers
from service.runtime.bundled import BundleRuntime
from service.runtime.decode import decode
from service.runtime.encoded import PlacedSegments
from service.runtime.memories import LinkedMemories, Memories
from service.runtime.onnx import OnnxEncoder, open_session
from service.runtime.past import LinkedPast, Past, find_rows
from service.runtime.room import Room
from service.runtime.seam import Decoded, StepOutput, Turns
from service.search.records import Searches

_log = logging.getLogger("attendant.runtime")

Run = Callable[..., None]
"""See `machine.run`."""
NO_PAST = np.zeros((0, 0), np.int32)
MOST_STEPS = 16
"""Steps that are done without asking anybody, so that attention of no more needs memory."""
TOKENS_AT_ONCE = 128
"""Source tokens that are encoded together, so that what passes between instructions stays in the cache."""


class NativeRuntime(BundleRuntime):
    """One bundle, both graphs run by kernels."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises UnsupportedGraphError when this processor or these graphs are none for the kernels."""
        if not processor_has_dot_products():
            raise UnsupportedGraphError("this processor has no dot products of int8 (AVX-512 VNNI)")
        decoder = open_decoder(bundle)
        super().__init__(bundle.manifest, open_encoder(bundle), lambda width: NativeStepper(decoder, width))


def open_decoder(bundle: Bundle) -> Decoder:
    """The decoder of a bundle as a program. Raises UnsupportedGraphError when it is none for the kernels."""
    inputs = decoder_inputs(bundle.manifest)
    return Decoder(bundle.manifest, translate(read_graph(bundle.decoder_step), inputs))


def open_encoder(bundle: Bundle) -> NativeEncoder | PlacingEncoder:
    """The encoder of a bundle for a decoder in kernels. Raises UnsupportedGraphError when there is none.

    ONNX Runtime may run it, where it writes what the decoder reads token by token.
    """
    inputs = [Given(tensor.name) for tensor in bundle.manifest.encoder.inputs]
    try:
        return NativeEncoder(bundle.manifest, translate(read_graph(bundle.encoder), inputs))
    except UnsupportedGraphError as reason:
        if not all(spec.axis("S") in (None, 1) for spec in _memories_of(bundle.manifest)):
            raise
        _log.info("the encoder of %s runs in ONNX Runtime: %s", bundle.manifest.reference, reason)
        return PlacingEncoder(bundle)


def decoder_inputs(manifest: Manifest) -> list[Given]:
    """The inputs of the decoder's graph."""
    states = {
        spec.step_input: Given(spec.step_input, _columns(spec), spec.lifetime is Lifetime.CARRIED)
        for spec in manifest.state
    }
    return [states.get(tensor.name, Given(tensor.name)) for tensor in manifest.decoder_step.inputs]


def _columns(spec: StateTensors) -> int:
    """Numbers of each row of a state array, or of each entry or source token of it."""
    return math.prod(axis for axis in spec.axes if isinstance(axis, int))


class NativeEncoder:
    """Encodes segments token by token behind one another, without padding."""

    def __init__(self, manifest: Manifest, translated: Translated) -> None:
        """`translated` is the encoder graph; each of its outputs must be heads of tokens [B, N, S, D]."""
        self._end_id = manifest.special_tokens.end
        specs = _memories_of(manifest)
        if len(specs) < len(manifest.encoder.outputs):
            raise UnsupportedGraphError("an encoder output that changes from step to step")
        self._outputs = [_heads_of(translated, str(spec.encoder_output)).source for spec in specs]
        if len(set(self._outputs)) < len(self._outputs):
            raise UnsupportedGraphError("an output that is there twice")
        _check_tables(translated, manifest.limits.max_source_tokens, manifest.tokenizer.vocabulary_size)
        self._token_bytes = np.array([output.row_bytes for output in self._outputs], np.int64)
        self._program = Program(translated)
        self._make_room(TOKENS_AT_ONCE)

    def _make_room(self, num_tokens: int) -> None:
        """Be able to encode so many tokens together."""
        self._instructions = self._program.instructions(num_tokens, Places())
        self._rows = np.arange(num_tokens)
        self._weights, self._offsets = _scratch(num_tokens)
        self._parts = Parts(int(self._token_bytes.sum()), num_tokens)
        self._begins = num_tokens * (np.cumsum(self._token_bytes) - self._token_bytes)

    def encode(self, sources: Sequence[Sequence[int]]) -> PlacedSegments:
        """See `Runtime.encode`. Each run of the encoder has a part of a block of memory for what it writes."""
        lengths = [len(ids) + 1 for ids in sources]
        ends = list(itertools.accumulate(lengths))
        if max(lengths) > len(self._rows):
            self._make_room(max(lengths))
        token_ids = np.fromiter(itertools.chain.from_iterable((*ids, self._end_id) for ids in sources), np.int64)
        columns = np.concatenate([self._rows[:length] for length in lengths])
        addresses, blocks = np.empty((len(self._outputs), len(sources)), np.int64), []
        for first, last in _mini_batches(lengths):
            begin, end = ends[first] - lengths[first], ends[last - 1]
            block, used = self._parts.take(end - begin)
            places = self._begins + block.address + used * self._token_bytes
            for output, place in zip(self._outputs, places.tolist(), strict=True):
                self._instructions.write_to(output, place)
            counted = np.array(lengths[first:last], np.int64)
            self._encode(token_ids[begin:end], columns[begin:end], counted)
            before = np.array(ends[first:last], np.int64) - counted - begin
            addresses[:, first:last] = places[:, None] + before * self._token_bytes[:, None]
            blocks += [block] * (last - first)
        return PlacedSegments(lengths, ends[-1], addresses, blocks)

    def _encode(self, token_ids: np.ndarray, columns: np.ndarray, lengths: np.ndarray) -> None:
        rows, scratch = self._rows[: len(token_ids)], (self._weights, self._offsets)
        run(self._instructions.array, rows, 1, token_ids, columns, lengths, NO_PAST, 0, 0, 0, 0, *scratch)


class PlacingEncoder:
    """Encodes in ONNX Runtime, and says where in memory each segment's arrays lie, which must be token by token."""

    def __init__(self, bundle: Bundle) -> None:
        self._encoder = OnnxEncoder(bundle.manifest, open_session(bundle.encoder, num_threads=1))

    def encode(self, sources: Sequence[Sequence[int]]) -> PlacedSegments:
        """See `Runtime.encode`."""
        padded = self._encoder.encode(sources)
        arrays = [np.ascontiguousarray(array) for array in padded.arrays.values()]
        of_segments = np.arange(len(sources))
        addresses = np.array([array.ctypes.data + array.strides[0] * of_segments for array in arrays], np.int64)
        return PlacedSegments(padded.lengths, padded.num_padded_tokens, addresses, [arrays] * len(sources))


def _in_buffers(spec: StateTensors) -> StateTensors:
    """A state array as kernels read it: [T, columns] of what grows, [CARRIED_ENTRIES, columns] of what is carried."""
    entries = "T" if spec.lifetime is Lifetime.GROWING else CARRIED_ENTRIES
    return spec.model_copy(update={"axes": (entries, _columns(spec))})


def _memories_of(manifest: Manifest) -> list[StateTensors]:
    """The state arrays that the encoder writes: those that no step changes, and what carried ones begin with."""
    return [spec for spec in manifest.state if spec.encoder_output and spec.lifetime is not Lifetime.GROWING]


def _scratch(num_entries: int) -> tuple[np.ndarray, np.ndarray]:
    """What attention to so many entries uses: weights of each head, whole vectors of them, and offsets."""
    return np.zeros((MOST_VECTORS, num_entries + LANES), np.float32), np.zeros((GROUP, num_entries), np.int64)


def _mini_batches(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first segment, and the one behind the last, of each run of the encoder: TOKENS_AT_ONCE, or one segment."""
    first = num_tokens = 0
    for i, length in enumerate(lengths):
        if num_tokens and num_tokens + length > TOKENS_AT_ONCE:
            yield first, i
            first, num_tokens = i, 0
        num_tokens += length
    yield first, len(lengths)


def _heads_of(translated: Translated, output: str) -> Heads:
    """What an output [B, N, S, D] is made of."""
    value = translated.outputs[output]
    if not (isinstance(value, Heads) and value.heads_first):
        raise UnsupportedGraphError(f"output {output} is no heads of tokens")
    return value


class Decoder:
    """A decoder graph as a program, and the roles of its outputs."""

    def __init__(self, manifest: Manifest, translated: Translated) -> None:
        roles = manifest.decoder_step
        logits, shown = translated.outputs[roles.logits], translated.outputs[roles.attention]
        if not isinstance(logits, Buffer) or not isinstance(shown, Shown | Weights):
            raise UnsupportedGraphError("logits or attention of another kind")
        self.logits = logits
        self.first_slices = _first_slices(shown.layers if isinstance(shown, Shown) else (shown,))
        self.num_slices = len(manifest.attention_slices)
        self.memories = [spec.step_input for spec in _memories_of(manifest)]
        """The inputs whose arrays the encoder wrote, in its order."""
        self.state_of = {s.step_input: s.name for s in manifest.state if s.lifetime is not Lifetime.STATIC}
        """The inputs whose arrays are in buffers, with the names that these have there."""
        translated = _with_carries(translated, manifest.state)
        _check_tables(translated, manifest.limits.max_target_tokens, manifest.tokenizer.vocabulary_size)
        attended = {step.weights for step in translated.steps if isinstance(step, AttendSource | AttendPairs)}
        if not attended <= set(self.first_slices):
            raise UnsupportedGraphError("attention that is not shown")
        self.program = Program(translated)


def _with_carries(translated: Translated, specs: Sequence[StateTensors]) -> Translated:
    """The same, with carried state handed on by the last steps instead of given. Raises UnsupportedGraphError."""
    steps, outputs = list(translated.steps), dict(translated.outputs)
    for spec in specs:
        written = outputs.get(spec.step_output or "")
        if spec.lifetime is Lifetime.GROWING:
            if not (isinstance(written, Appended) and written.state.name == spec.step_input):
                raise UnsupportedGraphError(f"state {spec.name} is not appended to in place")
        elif spec.lifetime is Lifetime.CARRIED:
            if not (isinstance(written, Buffer) and spec.encoder_output and spec.dtype == "float32"):
                raise UnsupportedGraphError(f"state {spec.name} is not carried as rows that the encoder begins")
            steps.append(Carry(written, Given(spec.step_input)))
            del outputs[str(spec.step_output)]
    return Translated(tuple(steps), outputs)


def _check_tables(translated: Translated, num_positions: int, vocabulary_size: int) -> None:
    """Nothing is looked up beyond the tables of embeddings."""
    for step in translated.steps:
        if isinstance(step, Embed) and step.places is not None and len(step.places) < num_positions:
            raise UnsupportedGraphError(f"{len(step.places)} positions, fewer than the {num_positions} of the limit")
        if isinstance(step, Embed) and len(step.embedding.table) < vocabulary_size:
            raise UnsupportedGraphError(f"{len(step.embedding.table)} embeddings for a vocabulary of {vocabulary_size}")


def _first_slices(layers: Sequence[Weights]) -> dict[Weights, int]:
    """The first attention slice of each layer."""
    counts = [layer.num_heads for layer in layers]
    return dict(zip(layers, itertools.accumulate(counts, initial=0), strict=False))


class NativeStepper:
    """Steps the rows of one lane."""

    most_slack = math.inf
    """What is not used costs memory only, which smaller buffers would not give back; others cost new instructions."""

    def __init__(self, decoder: Decoder, rows_per_segment: int, run: Run = run) -> None:
        """`run` does the instructions: `machine.run`, or something that measures it."""
        self._decoder, self._run = decoder, run
        self._linked, self._memories = LinkedPast(rows_per_segment), LinkedMemories(len(decoder.memories))
        self._logits_room, self._attention_room = Room(np.float32), Room(np.float32)
        self._version = -1

    @property
    def past(self) -> Past:
        """See `Stepper.past`."""
        return self._linked

    @property
    def memories(self) -> Memories:
        """See `Stepper.memories`."""
        return self._memories

    def in_buffers(self, specs: Sequence[StateTensors]) -> Sequence[StateTensors]:
        """See `Stepper.in_buffers`: what grows, entry after entry with all heads of one together, and what is carried;
        not the memories."""
        return [_in_buffers(spec) for spec in specs if spec.lifetime is not Lifetime.STATIC]

    @property
    def halved(self) -> frozenset[str]:
        """See `Stepper.halved`: what the graph rounds to so many bits."""
        return self._decoder.program.halved

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray, lengths: np.ndarray) -> StepOutput:
        """See `Stepper.run`."""
        if buffers.version != self._version:
            self._bind(buffers)
        num_rows, extent = len(token_ids), buffers.extent
        self._token_ids[:num_rows] = token_ids
        count = find_rows(positions, num_rows, buffers.rows_per_segment, self._rows, self._places)
        self._run(
            self._instructions.array,
            self._rows[:count],
            buffers.rows_per_segment,
            self._token_ids,
            positions,
            lengths,
            self._linked.origins,
            extent.depth,
            extent.width,
            self._decoder.num_slices,
            0,
            self._weights,
            self._offsets,
        )
        return StepOutput(self._logits[:count], self._attention[0, :num_rows], self._places[:num_rows])

    def decode(
        self,
        buffers: Buffers,
        positions: np.ndarray,
        lengths: np.ndarray,
        searches: Searches,
        wants_attention: bool,
        turns: Turns,
    ) -> Decoded:
        """See `Stepper.decode`."""
        most = min(turns.most, MOST_STEPS)
        if buffers.version != self._version or (wants_attention and most > len(self._attention)):
            self._bind(buffers, MOST_STEPS if wants_attention else 1)
        extent, attention = buffers.extent, self._attention
        num_steps, num_over = decode(
            self._instructions.array,
            self._rows,
            self._places,
            self._token_ids,
            positions,
            lengths,
            self._linked.origins,
            extent.depth,
            extent.width,
            self._decoder.num_slices,
            attention[0].nbytes if wants_attention else 0,
            self._weights,
            self._offsets,
            self._logits,
            *searches,
            most,
            turns.halt,
        )
        return Decoded(num_steps, num_over, attention[: num_steps if wants_attention else 0])

    def _bind(self, buffers: Buffers, num_steps: int = 1) -> None:
        """Write instructions for where the buffers lie now, with room for the attention of so many steps."""
        decoder, extent = self._decoder, buffers.extent
        num_rows = extent.segments * buffers.rows_per_segment
        logits = self._logits = self._logits_room.array((num_rows, decoder.logits.columns))
        attention = self._attention_room.array((num_steps, num_rows, decoder.num_slices, extent.width))
        self._attention = attention
        self._token_ids, self._rows, self._places = (np.zeros(num_rows, np.int64) for _ in range(3))
        self._weights, self._offsets = _scratch(max(extent.width, extent.depth))
        states = {name: buffers.arrays[state].ctypes.data for name, state in decoder.state_of.items()}
        linked = {name: self._memories.addresses[i].ctypes.data for i, name in enumerate(decoder.memories)}
        states = {**linked, **states}
        slice_bytes = attention.itemsize * extent.width
        shown = {layer: attention.ctypes.data + first * slice_bytes for layer, first in decoder.first_slices.items()}
        places = Places(states, linked, {decoder.logits: logits.ctypes.data}, shown)
        self._instructions = decoder.program.instructions(num_rows, places)
        self._version = buffers.version
