"""Encoders for a decoder in kernels: they say where each segment's arrays lie, token by token."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from service.kernels.interpreter import interpret
from service.kernels.machine import run_compiled
from service.kernels.program import Places, Program
from service.kernels.row_batch import RowBatch, attention_scratch
from service.lowering.graph import UnsupportedGraphError
from service.lowering.plan import Plan
from service.lowering.values import Heads
from service.memory import Parts
from service.runtime.encoded import PlacedSegments
from service.runtime.onnx import OnnxEncoder, open_session
from service.runtime.plans import Run, check_tables, encoder_states_of

TOKENS_AT_ONCE = 128
"""Source tokens that are encoded together, so that what passes between instructions stays in the cache."""


class NativeEncoder:
    """Encodes segments token by token behind one another, without padding."""

    def __init__(self, manifest: Manifest, plan: Plan, run: Run = run_compiled) -> None:
        """`plan` is that of the encoder graph; each of its outputs must be heads of tokens [B, N, S, D]."""
        self._run = run
        self._end_id = manifest.special_tokens.end
        specs = encoder_states_of(manifest)
        if len(specs) < len(manifest.encoder.outputs):
            raise UnsupportedGraphError("an encoder output that changes from step to step")
        self._outputs = [_heads_of(plan, str(spec.encoder_output)).rows for spec in specs]
        if len(set(self._outputs)) < len(self._outputs):
            raise UnsupportedGraphError("an output that is there twice")
        check_tables(plan, manifest.limits.max_source_tokens, manifest.tokenizer.vocabulary_size)
        self._token_bytes = np.array([output.row_bytes for output in self._outputs], np.int64)
        self._program = Program(plan, is_compiled=run is not interpret)
        self._make_room(TOKENS_AT_ONCE)

    def _make_room(self, num_tokens: int) -> None:
        """Be able to encode so many tokens together."""
        self._instructions = self._program.instructions(num_tokens, Places())
        self._rows = np.arange(num_tokens)
        self._batch = RowBatch(
            self._rows, 1, self._rows, self._rows, np.array([num_tokens]), scratch=attention_scratch(num_tokens)
        )
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
        self._batch.set(self._rows[: len(token_ids)], token_ids, columns, lengths)
        self._run(self._instructions, self._batch)


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


def _mini_batches(lengths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first segment, and the one behind the last, of each run of the encoder: TOKENS_AT_ONCE, or one segment."""
    first = num_tokens = 0
    for i, length in enumerate(lengths):
        if num_tokens and num_tokens + length > TOKENS_AT_ONCE:
            yield first, i
            first, num_tokens = i, 0
        num_tokens += length
    yield first, len(lengths)


def _heads_of(plan: Plan, output: str) -> Heads:
    """What an output [B, N, S, D] is made of."""
    value = plan.outputs[output]
    if not (isinstance(value, Heads) and value.heads_first):
        raise UnsupportedGraphError(f"output {output} is no heads of tokens")
    return value
