"""A translated graph made ready: constants laid out as kernels read them, memory planned, instructions written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from service.kernels import machine
from service.kernels.products import found_bytes
from service.kernels.steps import (
    AttendPairs,
    AttendPast,
    AttendSegment,
    AttendSource,
    Bend,
    Buffer,
    Carry,
    Combine,
    Embed,
    FloatProduct,
    Given,
    Heads,
    Join,
    Load,
    Normalise,
    Part,
    Product,
    Quantise,
    Step,
    Translated,
    Weights,
    operands_of,
    sources_of,
    target_of,
    whole,
)  # fmt: skip
from service.kernels.tile import DEPTH, NARROW, TILE_COLUMNS, woven
from service.kernels.vectors import LANES
from service.memory import CACHE_LINE_BYTES, whole_lines, zeros


@dataclass(frozen=True, slots=True)
class Places:
    """Where a program finds and leaves what is not its own: addresses of memory."""

    states: Mapping[str, int] = field(default_factory=dict)
    """State arrays by the names of the graph's inputs."""
    beginnings: Mapping[str, int] = field(default_factory=dict)
    """Addresses [B] of what carried ones begin with, by the same names."""
    outputs: Mapping[Buffer, int] = field(default_factory=dict)
    """Results that others read; 0 for those that `Instructions.write_to` places."""
    shown: Mapping[Weights, int] = field(default_factory=dict)
    """Attention weights of the first row."""


@dataclass(frozen=True, slots=True)
class Instructions:
    """What `machine.run` takes, for up to `num_rows` rows."""

    array: np.ndarray
    """`machine.INSTRUCTION` records."""
    num_rows: int
    uses: Mapping[Buffer, Sequence[tuple[int, str, int]]]
    """The numbers of the instructions that write or read an output, the operand that it is, or that begins so many
    bytes behind it."""
    memory: np.ndarray
    """What they hand to each other lies here."""
    constants: Sequence[np.ndarray]
    """And here what never changes."""

    def write_to(self, output: Buffer, address: int) -> None:
        """Let an output begin at `address`."""
        for number, operand, shift in self.uses[output]:
            self.array[number][operand] = address + shift


class Program:
    """The steps of a graph, ready to be written down as instructions."""

    def __init__(self, translated: Translated) -> None:
        outputs = [v.source if isinstance(v, Heads) else v for v in translated.outputs.values()]
        self._outputs = {value for value in outputs if isinstance(value, Buffer)}
        self._steps = translated.steps
        self._offsets, self._row_bytes = _plan(translated.steps, self._outputs)
        self._sparse = _sparse(translated.steps)
        pasts = [step for step in translated.steps if isinstance(step, AttendPast) and step.are_halved]
        self.halved = frozenset(state.name for step in pasts for state in (step.keys, step.values))
        """The growing state arrays, by the names of the graph's inputs, that have numbers of 16 bits."""
        self._found_bytes = max((found_bytes(source.columns) for source in self._sparse.values()), default=0)
        self._kept: list[np.ndarray] = []
        self._free = np.zeros(0, np.uint8)
        self._memory = np.zeros(0, np.uint8)
        self._fixed = np.zeros(len(self._steps), machine.INSTRUCTION)
        for i, step in enumerate(self._steps):
            for name, value in self._constants(step).items():
                self._fixed[i][name] = value
        used = [
            (i, operand, whole(b), _shift(b))
            for i, step in enumerate(self._steps)
            for operand, b in operands_of(step).items()
        ]
        self._uses = {
            output: [(i, operand, shift) for i, operand, b, shift in used if b is output] for output in self._outputs
        }
        """See `Instructions.uses`."""
        own = [(operand, i, self._offsets[b], shift) for i, operand, b, shift in used if b in self._offsets]
        self._own = {
            operand: np.array([place for of, *place in own if of == operand]).T
            for operand in sorted({o for o, *_ in own})
        }
        """The numbers of the instructions with an operand in the program's memory; where that is, for one row, and how
        many bytes behind it the operand begins."""

    def instructions(self, num_rows: int, places: Places) -> Instructions:
        """Instructions for at most `num_rows` rows.

        All instructions of a program hand things to each other in the same memory, so only one may run at a time.
        """
        num_bytes = (self._row_bytes + self._found_bytes) * num_rows
        if len(self._memory) < num_bytes:
            self._memory = _aligned(num_bytes)
        begin, array = self._memory.ctypes.data, self._fixed.copy()
        array["seventh"] = begin + self._row_bytes * num_rows
        for operand, (numbers, offsets, shifts) in self._own.items():
            array[operand][numbers] = begin + offsets * num_rows + shifts
        for i, step in enumerate(self._steps):
            for name, address in _elsewhere(step, places).items():
                array[i][name] = address
        instructions = Instructions(array, num_rows, self._uses, self._memory, self._kept)
        for output, address in places.outputs.items():
            instructions.write_to(output, address)
        return instructions

    def _constants(self, step: Step) -> dict[str, Any]:
        """The part of an instruction that never changes."""
        match step:
            case Embed(target, embedding, places):
                is_int8 = embedding.table.dtype == np.int8
                places = np.zeros((1, target.columns), np.float32) if places is None else places
                return {
                    "kind": machine.EMBED if is_int8 else machine.EMBED_FLOATS,
                    "scale": embedding.scales[0],
                    "source": self._keep(embedding.table),
                    "second": self._keep(embedding.scales),
                    "third": self._keep(places),
                    "columns": target.columns,
                    "size": len(embedding.table),
                    "fourth": len(places),
                }
            case Normalise(target, normalised):
                return {
                    "kind": machine.NORMALISE if target.dtype is np.uint8 else machine.NORMALISE_FLOATS,
                    "second": self._keep(normalised.gains),
                    "third": self._keep(normalised.biases),
                    "fourth": self._keep(np.array([normalised.epsilon], np.float32)),
                    **_quantising(target),
                }
            case Quantise(target):
                return {"kind": machine.QUANTISE, **_quantising(target)}
            case Product(target, source, weights, scales, biases, addend):
                is_sparse = target in self._sparse
                return {
                    "kind": machine.SPARSE_PRODUCT if is_sparse else machine.PRODUCT,
                    "eighth": self._keep(woven(weights)) if is_sparse else 0,
                    "second": self._keep(packed(weights, DEPTH)),
                    "third": self._keep(-source.zero * weights.sum(axis=0, dtype=np.int32)),
                    "fourth": self._keep(np.float32(source.scale) * scales),
                    **self._sizes_and_sums(target, source, biases, addend),
                }
            case FloatProduct(target, source, weights, biases, is_positive, addend):
                return {
                    "kind": machine.SPARSE_FLOAT_PRODUCT if target in self._sparse else machine.FLOAT_PRODUCT,
                    "second": self._keep(packed(weights, 1)),
                    **self._sizes_and_sums(target, source, biases, addend),
                    "zero": 0.0 if is_positive else -np.inf,
                }
            case Load(target):
                return {"kind": machine.LOAD, "columns": target.columns}
            case Carry(source):
                return {"kind": machine.CARRY, "columns": source.columns}
            case Combine(target, operation, source, second):
                kind, strides = _COMBINING[operation], {"third": _stride(source), "fourth": _stride(second)}
                return {"kind": kind, "columns": target.columns, **strides}
            case Bend(target, function, source):
                return {"kind": _BENDING[function], "columns": target.columns, "third": _stride(source)}
            case Join(target, sources):
                kind = machine.JOIN_QUANTISED if target.dtype is np.uint8 else machine.JOIN
                sizes = {name: b.columns for name, b in zip(("fourth", "fifth", "sixth"), sources, strict=False)}
                return {"kind": kind, **sizes, **_quantising(target)}
            case AttendPast(target, num_heads=heads, are_halved=are_halved):
                kind = machine.ATTEND_HALVED_PAST if are_halved else machine.ATTEND_PAST
                return {"kind": kind, **_heads(target, heads), "scale": (target.columns / heads) ** -0.5}
            case AttendSource(target, num_heads=heads):
                return {"kind": machine.ATTEND_SOURCE, **_heads(target, heads), "scale": 1.0}
            case AttendPairs(target, source, energies):
                pairs, weights = energies.pairs, energies.weights.astype(np.float32)
                numbers = [1 / np.float32(pairs.scale), pairs.zero, energies.factor] if pairs.scale else []
                return {
                    "kind": machine.ATTEND_QUANTISED_PAIRS if pairs.scale else machine.ATTEND_PAIRS,
                    "columns": target.columns,
                    "size": source.columns,
                    "fifth": self._keep(weights),
                    "sixth": self._keep(np.array([*numbers, 0, 0, 0][:3], np.float32)),
                }
            case AttendSegment(target, num_heads=heads):
                scale = (target.columns / heads) ** -0.5
                return {"kind": machine.ATTEND_SEGMENT, **_heads(target, heads), "scale": scale}

    def _sizes_and_sums(
        self, target: Buffer, source: Buffer, biases: np.ndarray, addend: Buffer | None
    ) -> dict[str, Any]:
        """What products of both kinds have; without an addend zeros for one tile are added to all."""
        return {
            "fifth": self._keep(biases),
            "sixth": self._keep(np.zeros(TILE_COLUMNS, np.float32)),
            "stride": 4 * target.columns if addend else 0,
            "columns": target.columns,
            "size": source.columns,
        }

    def _keep(self, array: np.ndarray) -> int:
        """The address of a copy that stays."""
        size = whole_lines(array.nbytes)
        if len(self._free) < size:
            self._free = zeros(max(size, 1 << 23))
            self._kept.append(self._free)
        memory, self._free = self._free[: array.nbytes], self._free[size:]
        memory.view(array.dtype)[:] = array.reshape(-1)
        return memory.ctypes.data


_COMBINING = {
    "Add": machine.ADD, "Subtract": machine.SUBTRACT, "Multiply": machine.MULTIPLY, "Larger": machine.LARGER,
}  # fmt: skip
_BENDING = {"Tanh": machine.TANH, "Sigmoid": machine.SIGMOID}


def _stride(operand: Buffer | Part) -> int:
    """Bytes from one row of an operand to the next."""
    return whole(operand).row_bytes


def _shift(operand: Buffer | Part) -> int:
    """How many bytes behind its buffer an operand begins."""
    return operand.first * np.dtype(operand.whole.dtype).itemsize if isinstance(operand, Part) else 0


def packed(weights: np.ndarray, together: int) -> np.ndarray:
    """Weights [K, columns] as tiles read them: for the columns of each tile [K / together, columns, together]."""
    depth, columns = weights.shape
    tiles, start = [], 0
    while start < columns:
        width = TILE_COLUMNS if columns - start >= TILE_COLUMNS else LANES * NARROW
        tile = weights[:, start : start + width].reshape(depth // together, together, width)
        tiles.append(tile.transpose(0, 2, 1).reshape(-1))
        start += width
    return np.concatenate(tiles)


def _sparse(steps: Sequence[Step]) -> dict[Buffer, Buffer]:
    """Products that may pass over much of what they read: what a rectifier wrote. Their sources by their targets.

    An integer of 0 stands for 0.0 only where its buffer's zero is 0.
    """
    positive = {step.target for step in steps if isinstance(step, FloatProduct) and step.is_positive}
    targets = (target for step in steps if (target := target_of(step)))
    positive |= {target for target in targets if target.dtype is np.uint8 and target.zero == 0}
    return {
        step.target: step.source
        for step in steps
        if isinstance(step, Product | FloatProduct) and step.source in positive
        if step.source.columns % LANES == 0 and step.target.columns % TILE_COLUMNS == 0
    }


def _quantising(target: Buffer) -> dict[str, Any]:
    return {"columns": target.columns, "scale": target.scale, "zero": target.zero}


def _heads(target: Buffer, num_heads: int) -> dict[str, Any]:
    return {"columns": target.columns, "size": num_heads}


def _elsewhere(step: Step, places: Places) -> dict[str, int]:
    """Addresses of operands that are no buffers of the program."""
    match step:
        case AttendPast(keys=keys, values=values):
            return {"second": places.states[keys.name], "third": places.states[values.name]}
        case Load(state=state):
            return {"source": places.states[state.name], "second": places.beginnings[state.name]}
        case Carry(state=state):
            return {"target": places.states[state.name]}
        case AttendPairs(energies=energies, values=values, weights=weights):
            return _source(energies.pairs.keys, values, weights, places)
        case AttendSource(keys=keys, values=values, weights=weights):
            return _source(keys, values, weights, places)
    return {}


def _source(keys: Given, values: Given, weights: Weights, places: Places) -> dict[str, int]:
    """What attention to the source looks at, and where it is shown."""
    return {
        "second": places.states[keys.name],
        "third": places.states[values.name],
        "fourth": places.shown[weights],
    }


def _plan(steps: tuple[Step, ...], outputs: Collection[Buffer]) -> tuple[dict[Buffer, int], int]:
    """Where each buffer lies and how much all take, in bytes for each row; memory is used again when it can be.

    Outputs get no place.
    """
    last_use = {source: i for i, step in enumerate(steps) for source in sources_of(step)}
    offsets: dict[Buffer, int] = {}
    free: list[tuple[int, int]] = []
    end = 0
    for i, step in enumerate(steps):
        spent = {source for source in sources_of(step) if last_use[source] == i and source not in outputs}
        written_over = next((source for source in _same_place(step) if source in spent), None)
        target = target_of(step)
        if target and target not in outputs and written_over:
            spent.remove(written_over)
            offsets[target] = offsets[written_over]
        elif target and target not in outputs:
            size = whole_lines(target.row_bytes)
            fitting = min((place for place in free if place[0] >= size), default=None)
            if fitting is None:
                offsets[target], end = end, end + size
            else:
                free.remove(fitting)
                offsets[target] = fitting[1]
                if fitting[0] > size:
                    free.append((fitting[0] - size, fitting[1] + size))
        free += [(whole_lines(buffer.row_bytes), offsets[buffer]) for buffer in spent]
    return offsets, end


def _same_place(step: Step) -> Sequence[Buffer]:
    """What a step may write its target over: it reads each number of it only when it writes that one."""
    match step:
        case Combine() | Bend():
            parts = {operand.whole for operand in operands_of(step).values() if isinstance(operand, Part)}
            return [source for source in sources_of(step) if source not in parts]
        case Product(addend=Buffer() as addend) | FloatProduct(addend=Buffer() as addend):
            return (addend,) if addend is not step.source else ()
    return ()


def _aligned(num_bytes: int) -> np.ndarray:
    """Memory that begins with a cache line."""
    memory = zeros(num_bytes + CACHE_LINE_BYTES)
    start = -memory.ctypes.data % CACHE_LINE_BYTES
    return memory[start : start + num_bytes]
