"""Graphs run by our own kernels, on processors with int8 dot products: those that the kernels have instructions for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest, TensorSpec
from model_store.contract.state import Lifetime
from service.kernels.graph import UnsupportedGraphError, read_graph
from service.kernels.machine import run
from service.kernels.program import Places, Program
from service.kernels.steps import (
    Appended,
    AttendSource,
    Buffer,
    Embed,
    Heads,
    Shown,
    Translated,
    Weights,
)
from service.kernels.translation import translate
from service.kernels.vectors import LANES, processor_has_dot_products
from service.runtime.buffers import Buffers
from service.runtime.bundled import BundleRuntime
from service.runtime.encoded import EncodedSegments
from service.runtime.past import LinkedPast, Past, find_rows
from service.runtime.room import Room
from service.runtime.seam import StepOutput

Run = Callable[..., None]
"""See `machine.run`."""
NO_PAST = np.zeros((0, 0), np.int32)
TOKENS_AT_ONCE = 128
"""Source tokens that are encoded together, so that what passes between instructions stays in the cache."""


class NativeRuntime(BundleRuntime):
    """One bundle, both graphs run by kernels."""

    def __init__(self, bundle: Bundle) -> None:
        """Raises UnsupportedGraphError when this processor or these graphs are none for the kernels."""
        if not processor_has_dot_products():
            raise UnsupportedGraphError("this processor has no dot products of int8 (AVX-512 VNNI)")
        manifest = bundle.manifest
        encoder = NativeEncoder(manifest, translate(read_graph(bundle.encoder), _names(manifest.encoder.inputs)))
        decoder = open_decoder(bundle)
        super().__init__(manifest, encoder, lambda width: NativeStepper(decoder, width))


def open_decoder(bundle: Bundle) -> Decoder:
    """The decoder of a bundle as a program. Raises UnsupportedGraphError when it is none for the kernels."""
    inputs = _names(bundle.manifest.decoder_step.inputs)
    return Decoder(bundle.manifest, translate(read_graph(bundle.decoder_step), inputs))


def _names(tensors: Sequence[TensorSpec]) -> list[str]:
    return [tensor.name for tensor in tensors]


class NativeEncoder:
    """Encodes segments token by token behind one another, without padding."""

    def __init__(self, manifest: Manifest, translated: Translated) -> None:
        """`translated` is the encoder graph; each of its outputs must be heads of tokens [B, N, S, D]."""
        self._end_id = manifest.special_tokens.end
        self._outputs = {
            spec.name: _heads_of(translated, spec.encoder_output) for spec in manifest.state if spec.encoder_output
        }
        if len({heads.source for heads in self._outputs.values()}) < len(self._outputs):
            raise UnsupportedGraphError("an output that is there twice")
        _check_tables(translated, manifest.limits.max_source_tokens, manifest.tokenizer.vocabulary_size)
        self._program = Program(translated)
        self._instructions = self._program.instructions(0, Places())
        self._weights, self._offsets = _scratch(0)
        self._rows = np.zeros(0, np.int64)

    def encode(self, sources: Sequence[Sequence[int]]) -> EncodedSegments:
        """See `Runtime.encode`."""
        lengths = [len(ids) + 1 for ids in sources]
        ends = list(itertools.accumulate(lengths))
        token_ids = np.fromiter(itertools.chain.from_iterable((*ids, self._end_id) for ids in sources), np.int64)
        columns = np.concatenate([np.arange(length) for length in lengths])
        arrays = {name: np.empty((ends[-1], heads.source.columns), np.float32) for name, heads in self._outputs.items()}
        if max(lengths) > len(self._offsets):
            self._weights, self._offsets = _scratch(max(lengths))
        for first, last in _mini_batches(lengths):
            begin, end = ends[first] - lengths[first], ends[last - 1]
            self._encode(token_ids[begin:end], columns[begin:end], lengths[first:last], arrays, begin)

        def of_segment(pick: int) -> dict[str, np.ndarray]:
            begin, end = ends[pick] - lengths[pick], ends[pick]
            return {
                name: arrays[name][begin:end].reshape(end - begin, heads.num_heads, -1).swapaxes(0, 1)
                for name, heads in self._outputs.items()
            }

        return EncodedSegments(lengths, ends[-1], of_segment)

    def _encode(
        self,
        token_ids: np.ndarray,
        columns: np.ndarray,
        lengths: Sequence[int],
        arrays: Mapping[str, np.ndarray],
        begin: int,
    ) -> None:
        """Encode whole segments into their rows of `arrays`, of which `begin` is the first."""
        if len(token_ids) > self._instructions.num_rows:
            self._instructions = self._program.instructions(max(len(token_ids), TOKENS_AT_ONCE), Places())
            self._rows = np.arange(self._instructions.num_rows)
        for name, heads in self._outputs.items():
            self._instructions.write_to(heads.source, arrays[name][begin:].ctypes.data)
        counted = np.array(lengths, np.int64)
        rows, scratch = self._rows[: len(token_ids)], (self._weights, self._offsets)
        run(self._instructions.array, rows, 1, token_ids, columns, counted, NO_PAST, 0, 0, 0, *scratch)


def _scratch(num_entries: int) -> tuple[np.ndarray, np.ndarray]:
    """What attention to so many entries uses: weights, whole vectors of them, and offsets."""
    return np.zeros(num_entries + LANES, np.float32), np.zeros(num_entries, np.int64)


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
        self.state_of = {spec.step_input: spec.name for spec in manifest.state}
        for spec in manifest.state:
            written = translated.outputs.get(spec.step_output or "")
            in_place = isinstance(written, Appended) and written.state.name == spec.step_input
            if spec.lifetime is not Lifetime.STATIC and not in_place:
                raise UnsupportedGraphError(f"state {spec.name} is not appended to in place")
        _check_tables(translated, manifest.limits.max_target_tokens, manifest.tokenizer.vocabulary_size)
        attended = {step.weights for step in translated.steps if isinstance(step, AttendSource)}
        if not attended <= set(self.first_slices):
            raise UnsupportedGraphError("attention that is not shown")
        self.program = Program(translated)


def _check_tables(translated: Translated, num_positions: int, vocabulary_size: int) -> None:
    """Nothing is looked up beyond the tables of embeddings."""
    for step in translated.steps:
        if isinstance(step, Embed) and len(step.places) < num_positions:
            raise UnsupportedGraphError(f"{len(step.places)} positions, fewer than the {num_positions} of the limit")
        if isinstance(step, Embed) and len(step.embedding.table) < vocabulary_size:
            raise UnsupportedGraphError(f"{len(step.embedding.table)} embeddings for a vocabulary of {vocabulary_size}")


def _first_slices(layers: Sequence[Weights]) -> dict[Weights, int]:
    """The first attention slice of each layer."""
    counts = [layer.products.queries.num_heads for layer in layers]
    return dict(zip(layers, itertools.accumulate(counts, initial=0), strict=False))


class NativeStepper:
    """Steps the rows of one lane."""

    def __init__(self, decoder: Decoder, rows_per_segment: int, run: Run = run) -> None:
        """`run` does the instructions: `machine.run`, or something that measures it."""
        self._decoder, self._run = decoder, run
        self._linked = LinkedPast(rows_per_segment)
        self._logits, self._attention = Room(np.float32), Room(np.float32)
        self._version = -1

    @property
    def past(self) -> Past:
        """See `Stepper.past`."""
        return self._linked

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
            self._weights,
            self._offsets,
        )
        return StepOutput(self._output.logits[:count], self._output.attention[:num_rows], self._places[:num_rows])

    def _bind(self, buffers: Buffers) -> None:
        """Write instructions for where the buffers lie now."""
        decoder, extent = self._decoder, buffers.extent
        num_rows = extent.segments * buffers.rows_per_segment
        logits = self._logits.array((num_rows, decoder.logits.columns))
        attention = self._attention.array((num_rows, decoder.num_slices, extent.width))
        self._token_ids, self._rows, self._places = (np.zeros(num_rows, np.int64) for _ in range(3))
        self._output = StepOutput(logits, attention, self._places)
        self._weights, self._offsets = _scratch(max(extent.width, extent.depth))
        states = {name: buffers.arrays[state].ctypes.data for name, state in decoder.state_of.items()}
        slice_bytes = attention.itemsize * extent.width
        shown = {layer: attention.ctypes.data + first * slice_bytes for layer, first in decoder.first_slices.items()}
        places = Places(states, {decoder.logits: logits.ctypes.data}, shown)
        self._instructions = decoder.program.instructions(num_rows, places)
        self._version = buffers.version
