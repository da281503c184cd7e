"""Graphs run by our own kernels, on processors with int8 dot products: those that the kernels have instructions for."""

from __future__ import annotations

import itertools
import logging
import math
from collections.abc import Sequence

import numpy as np

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest, StateTensors
from model_store.contract.state import Lifetime
from service.kernels.interpreter import interpret
from service.kernels.machine import run_compiled
from service.kernels.program import Places, Program
from service.kernels.row_batch import RowBatch, attention_scratch
from service.kernels.target import TARGET, TARGETS
from service.lowering.graph import UnsupportedGraphError, read_graph
from service.lowering.lower import lower
from service.lowering.plan import Plan
from service.lowering.values import Appended, AttentionMaps, AttentionWeights, GraphInput, Tensor
from service.operators.additive_attention import AdditiveAttention
from service.operators.carry import CARRIED_ENTRIES, StoreState
from service.operators.cross_attention import CrossAttention
from service.runtime.array_pool import ArrayPool
from service.runtime.buffers import Buffers
from service.runtime.bundled import BundleRuntime
from service.runtime.encoder_states import EncoderStates, LinkedEncoderStates
from service.runtime.kv_cache import KVCache, LinkedKVCache, find_rows
from service.runtime.native_encoder import NativeEncoder, PlacingEncoder
from service.runtime.plans import Run, check_tables, columns, decoder_inputs, encoder_states_of
from service.runtime.rows import FusedStepper
from service.runtime.seam import FusedSteps, StepOutput

_log = logging.getLogger("attendant.runtime")

MOST_STEPS = 16
"""Steps that are done without asking anybody, so that attention of no more needs memory."""


class NativeRuntime(BundleRuntime):
    """One bundle, its decoder and, where there is a plan for it, its encoder run by kernels."""

    kind = "kernels"

    def __init__(self, bundle: Bundle, run: Run = run_compiled) -> None:
        """Raises UnsupportedGraphError when this processor or these graphs are none for the kernels.

        `run` does instructions; `interpreter.interpret` needs no processor of a kind, and much time.
        """
        if run is run_compiled and not TARGET.is_here():
            names = " nor ".join(target.name for target in TARGETS)
            raise UnsupportedGraphError(f"this processor has neither {names}")
        decoder = open_decoder(bundle, run)
        encoder = open_encoder(bundle, run)
        super().__init__(bundle.manifest, encoder, lambda beam_size: NativeStepper(decoder, beam_size, run))


def open_decoder(bundle: Bundle, run: Run = run_compiled) -> Decoder:
    """The decoder of a bundle as a program. Raises UnsupportedGraphError when it is none for the kernels."""
    inputs = decoder_inputs(bundle.manifest)
    return Decoder(bundle.manifest, lower(read_graph(bundle.decoder_step), inputs), run is not interpret)


def open_encoder(bundle: Bundle, run: Run = run_compiled) -> NativeEncoder | PlacingEncoder:
    """The encoder of a bundle for a decoder in kernels. Raises UnsupportedGraphError when there is none.

    ONNX Runtime may run it, where it writes what the decoder reads token by token.
    """
    inputs = [GraphInput(tensor.name) for tensor in bundle.manifest.encoder.inputs]
    try:
        return NativeEncoder(bundle.manifest, lower(read_graph(bundle.encoder), inputs), run)
    except UnsupportedGraphError as reason:
        if not all(spec.axis("S") in (None, 1) for spec in encoder_states_of(bundle.manifest)):
            raise
        _log.info("the encoder of %s runs in ONNX Runtime: %s", bundle.manifest.reference, reason)
        return PlacingEncoder(bundle)


def _in_buffers(spec: StateTensors) -> StateTensors:
    """A state array as kernels read it: [T, columns] of what grows, [CARRIED_ENTRIES, columns] of what is carried."""
    entries = "T" if spec.lifetime is Lifetime.GROWING else CARRIED_ENTRIES
    return spec.model_copy(update={"axes": (entries, columns(spec))})


class Decoder:
    """A decoder graph as a program, and the roles of its outputs."""

    def __init__(self, manifest: Manifest, plan: Plan, is_compiled: bool = True) -> None:
        roles = manifest.decoder_step
        logits = plan.outputs[roles.logits]
        shown = AttentionMaps(()) if roles.attention is None else plan.outputs[roles.attention]
        if not isinstance(logits, Tensor) or not isinstance(shown, AttentionMaps | AttentionWeights):
            raise UnsupportedGraphError("logits or attention of another kind")
        self.logits = logits
        self.first_slices = _first_slices(shown.layers if isinstance(shown, AttentionMaps) else (shown,))
        self.num_slices = len(manifest.attention_slices)
        self.encoder_states = [spec.step_input for spec in encoder_states_of(manifest)]
        """The inputs whose arrays the encoder wrote, in its order."""
        self.state_of = {s.step_input: s.name for s in manifest.state if s.lifetime is not Lifetime.STATIC}
        """The inputs whose arrays are in buffers, with the names that these have there."""
        plan = _with_carries(plan, manifest.state)
        check_tables(plan, manifest.limits.max_target_tokens, manifest.tokenizer.vocabulary_size)
        attended = {step.weights for step in plan.steps if isinstance(step, CrossAttention | AdditiveAttention)}
        if not attended <= set(self.first_slices):
            raise UnsupportedGraphError("attention that is not shown")
        self.program = Program(plan, is_compiled=is_compiled)


def _with_carries(plan: Plan, specs: Sequence[StateTensors]) -> Plan:
    """The same, with carried state handed on by the last steps instead of given. Raises UnsupportedGraphError."""
    steps, outputs = list(plan.steps), dict(plan.outputs)
    for spec in specs:
        written = outputs.get(spec.step_output or "")
        if spec.lifetime is Lifetime.GROWING:
            if not (isinstance(written, Appended) and written.state.name == spec.step_input):
                raise UnsupportedGraphError(f"state {spec.name} is not appended to in place")
        elif spec.lifetime is Lifetime.CARRIED:
            if not (isinstance(written, Tensor) and spec.encoder_output and spec.dtype == "float32"):
                raise UnsupportedGraphError(f"state {spec.name} is not carried as rows that the encoder begins")
            steps.append(StoreState(written, GraphInput(spec.step_input)))
            del outputs[str(spec.step_output)]
    return Plan(tuple(steps), outputs)


def _first_slices(layers: Sequence[AttentionWeights]) -> dict[AttentionWeights, int]:
    """The first attention slice of each layer."""
    counts = [layer.num_heads for layer in layers]
    return dict(zip(layers, itertools.accumulate(counts, initial=0), strict=False))


class NativeStepper:
    """Steps the rows of one lane."""

    most_slack = math.inf
    """What is not used costs memory only, which smaller buffers would not give back; others cost new instructions."""

    def __init__(self, decoder: Decoder, beam_size: int, run: Run = run_compiled) -> None:
        """`run` does the instructions."""
        self._decoder, self._run = decoder, run
        self._linked, self._encoder_states = LinkedKVCache(beam_size), LinkedEncoderStates(len(decoder.encoder_states))
        self._logits_pool, self._attention_pool = ArrayPool(np.float32), ArrayPool(np.float32)
        self._version = -1

    @property
    def kv_cache(self) -> KVCache:
        """See `Stepper.kv_cache`."""
        return self._linked

    @property
    def encoder_states(self) -> EncoderStates:
        """See `Stepper.encoder_states`."""
        return self._encoder_states

    def in_buffers(self, specs: Sequence[StateTensors]) -> Sequence[StateTensors]:
        """See `Stepper.in_buffers`: what grows, entry after entry with all heads of one together, and what is carried;
        not the encoder states."""
        return [_in_buffers(spec) for spec in specs if spec.lifetime is not Lifetime.STATIC]

    @property
    def half_precision(self) -> frozenset[str]:
        """See `Stepper.half_precision`: what the graph rounds to so many bits."""
        return self._decoder.program.half_precision

    def run(self, buffers: Buffers, token_ids: np.ndarray, positions: np.ndarray, lengths: np.ndarray) -> StepOutput:
        """See `Stepper.run`."""
        if buffers.version != self._version:
            self._bind(buffers)
        num_rows, extent = len(token_ids), buffers.extent
        self._token_ids[:num_rows] = token_ids
        count = find_rows(positions, num_rows, buffers.beam_size, self._rows, self._places)
        self._batch.set(self._rows[:count], self._token_ids, positions, lengths)
        self._batch.set_extent(self._linked.cache_indirection, extent.source_length)
        self._run(self._instructions, self._batch)
        return StepOutput(self._logits[:count], self._attention[0, :num_rows], self._places[:num_rows])

    @property
    def fused(self) -> FusedStepper | None:
        """See `Stepper.fused`: only compiled instructions do without the interpreter."""
        return self if self._run is run_compiled else None

    def fused_steps(
        self, buffers: Buffers, positions: np.ndarray, lengths: np.ndarray, most: int, wants_attention: bool
    ) -> FusedSteps:
        """See `FusedStepper.fused_steps`."""
        most = min(most, MOST_STEPS)
        if buffers.version != self._version or (wants_attention and most > len(self._attention)):
            self._bind(buffers, MOST_STEPS if wants_attention else 1)
        attention = self._attention
        self._batch.set(self._rows, self._token_ids, positions, lengths)
        self._batch.set_extent(self._linked.cache_indirection, buffers.extent.source_length)
        return FusedSteps(
            self._instructions.array,
            self._batch.record,
            self._rows,
            self._places,
            self._token_ids,
            positions,
            self._linked.cache_indirection,
            attention[0].nbytes if wants_attention else 0,
            self._logits,
            attention[: most if wants_attention else 0],
            most,
        )

    def _bind(self, buffers: Buffers, num_steps: int = 1) -> None:
        """Write instructions for where the buffers lie now, with room for the attention of so many steps."""
        decoder, extent = self._decoder, buffers.extent
        num_rows = extent.segments * buffers.beam_size
        logits = self._logits = self._logits_pool.array((num_rows, decoder.logits.columns))
        attention = self._attention_pool.array((num_steps, num_rows, decoder.num_slices, extent.source_length))
        self._attention = attention
        self._token_ids, self._rows, self._places = (np.zeros(num_rows, np.int64) for _ in range(3))
        self._batch = RowBatch(
            self._rows,
            buffers.beam_size,
            self._token_ids,
            self._rows,
            np.zeros(extent.segments, np.int64),
            num_slices=decoder.num_slices,
            scratch=attention_scratch(max(extent.source_length, extent.capacity)),
        )
        states = {name: buffers.arrays[state].ctypes.data for name, state in decoder.state_of.items()}
        linked = {name: self._encoder_states.addresses[i].ctypes.data for i, name in enumerate(decoder.encoder_states)}
        states = {**linked, **states}
        slice_bytes = attention.itemsize * extent.source_length
        shown = {layer: attention.ctypes.data + first * slice_bytes for layer, first in decoder.first_slices.items()}
        places = Places(states, linked, {decoder.logits: logits.ctypes.data}, shown)
        self._instructions = decoder.program.instructions(num_rows, places)
        self._version = buffers.version
