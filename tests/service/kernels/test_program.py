"""Programs: what is handed from instruction to instruction is there until it has been read."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.kernels.program import Program
from service.lowering.fusion import fused
from service.lowering.graph import read_graph
from service.lowering.lower import lower
from service.lowering.plan import Plan, Step
from service.lowering.values import ColumnSlice, GraphInput, Heads, Tensor
from service.operators.binary import Binary, BinaryConstant
from service.operators.carry import StoreState
from service.operators.float_product import FloatProduct
from service.operators.join import Join
from service.operators.product import Product
from service.operators.quantise import Quantise
from service.operators.unary import Unary
from service.runtime.plans import decoder_inputs
from tests.bundles import published
from tests.service.kernels.programs import computed, fed, needs_instruction, places_for, quantised

CACHE_LINE = 64


def read_by(step: Step) -> Iterator[Tensor]:
    """Buffers that a step reads, whatever kind of step it is."""
    for field in dataclasses.fields(step):
        value = getattr(step, field.name)
        if field.name == "target":
            continue
        for each in value if isinstance(value, tuple) else [value]:
            buffer = each.of if isinstance(each, ColumnSlice) else each
            if isinstance(buffer, Tensor):
                yield buffer


def may_be_written_over(step: Step) -> list[Tensor]:
    """What a step that sums or bends reads number by number, each just before it writes that number."""
    if not isinstance(step, Binary | Unary | Product | FloatProduct | BinaryConstant):
        return []
    in_parts = {
        value.of for field in dataclasses.fields(step) if isinstance(value := getattr(step, field.name), ColumnSlice)
    }
    return [b for b in read_by(step) if b.dtype is np.float32 and b not in in_parts]


def assert_nothing_is_written_over_what_is_still_read(translated: Plan, num_rows: int) -> None:
    """Where instructions write, against who still reads what lies there."""
    outputs = {v.rows if isinstance(v, Heads) else v for v in translated.outputs.values()}
    instructions = Program(translated).instructions(num_rows, places_for(translated))
    begin, end = instructions.memory.ctypes.data, instructions.memory.ctypes.data + instructions.memory.nbytes
    last_use = {buffer: i for i, step in enumerate(translated.steps) for buffer in read_by(step)}
    alive: dict[Tensor, range] = {}
    for i, step in enumerate(translated.steps):
        if not isinstance(step, StoreState) and step.target not in outputs:
            first = int(instructions.array[i, step.kernel.slot("target")])
            here = range(first, first + num_rows * step.target.row_bytes)
            assert first % CACHE_LINE == 0
            assert begin <= here.start
            assert here.stop <= end
            for buffer, there in alive.items():
                is_in_place = buffer in may_be_written_over(step) and last_use[buffer] == i
                apart = here.stop <= there.start or there.stop <= here.start
                assert apart or (is_in_place and here == there), (
                    f"step {i} writes over what step {last_use[buffer]} reads"
                )
            alive[step.target] = here
        alive = {buffer: there for buffer, there in alive.items() if last_use.get(buffer, -1) > i}


@pytest.mark.parametrize("num_rows", [1, 7, 128])
@pytest.mark.parametrize("name", ["en-fr-transformer", "en-fr-bahdanau"])
def test_no_memory_is_used_again_while_it_is_read_in_a_published_network(name: str, num_rows: int) -> None:
    bundle = published(name)
    graphs = [lower(read_graph(bundle.decoder_step), decoder_inputs(bundle.manifest))]
    if name == "en-fr-transformer":
        inputs = [GraphInput(tensor.name) for tensor in bundle.manifest.encoder.inputs]
        graphs.append(lower(read_graph(bundle.encoder), inputs))
    for translated in graphs:
        assert_nothing_is_written_over_what_is_still_read(translated, num_rows)
        all_bytes = (
            sum(step.target.row_bytes for step in translated.steps if not isinstance(step, StoreState)) * num_rows
        )
        assert Program(translated).instructions(num_rows, places_for(translated)).memory.nbytes < all_bytes / 3


def drawn_steps(random: np.random.Generator, num_steps: int) -> tuple[list[Step], list[np.ndarray]]:
    """Steps that read any earlier results, and what each of them gives for 5 rows."""
    feed = fed(random.integers(-9, 10, (5, 32)))
    steps: list[Step] = [feed]
    results = [feed.positions]
    for _ in range(num_steps):
        i, j = (int(k) for k in random.integers(len(steps), size=2))
        source, second = steps[i].target, steps[j].target
        if source.dtype is np.uint8:
            weights = random.integers(-2, 3, (source.columns, int(random.choice([16, 32, 48])))).astype(np.int8)
            ones, biases = np.ones(weights.shape[1], np.float32), np.zeros(weights.shape[1], np.float32)
            steps.append(Product(Tensor(weights.shape[1]), source, weights, ones, biases))
            sums = (results[i].astype(int) - source.zero) @ weights.astype(int)
            results.append(sums.astype(np.float32) * np.float32(source.scale))
        elif second.dtype is np.float32 and source.columns + second.columns <= 128 and random.random() < 0.3:
            steps.append(Join(Tensor(source.columns + second.columns), (source, second)))
            results.append(np.hstack([results[i], results[j]]))
        elif second.dtype is np.float32 and random.random() < 0.3:
            columns = 16 * int(random.integers(1, min(source.columns, second.columns) // 16 + 1))
            parts = [drawn_part(random, each, columns) for each in (source, second)]
            steps.append(Binary(Tensor(columns), "Max", *parts))
            results.append(
                np.maximum(*(results[k][:, p.first :][:, :columns] for k, p in zip((i, j), parts, strict=True)))
            )
        elif source.columns == second.columns and second.dtype is np.float32:
            steps.append(Binary(Tensor(source.columns), "Add", source, second))
            results.append(results[i] + results[j])
        else:
            target = Tensor(source.columns, np.uint8, 8.0, 100)
            steps.append(Quantise(target, source))
            results.append(quantised(results[i], 8.0, 100)[0])
    return steps, results


def drawn_part(random: np.random.Generator, whole: Tensor, columns: int) -> ColumnSlice:
    return ColumnSlice(whole, int(random.integers(whole.columns - columns + 1)), columns)


@given(st.integers(0, 2**32), st.integers(1, 25))
def test_no_memory_is_used_again_while_it_is_read_in_any_program(seed: int, num_steps: int) -> None:
    steps, _ = drawn_steps(np.random.default_rng(seed), num_steps)
    assert_nothing_is_written_over_what_is_still_read(Plan(tuple(steps), {"last": steps[-1].target}), 3)


@needs_instruction
@given(st.integers(0, 2**32), st.integers(1, 25))
def test_sums_that_products_do_give_what_they_gave_by_themselves(seed: int, num_steps: int) -> None:
    steps, results = drawn_steps(np.random.default_rng(seed), num_steps)
    last = unread(steps)
    targets = [steps[i].target for i in last]
    plan = fused(Plan(tuple(steps), {str(i): b for i, b in enumerate(targets)}))
    together = plan.steps
    assert_nothing_is_written_over_what_is_still_read(plan, 5)
    for i, array in zip(last, computed(together, targets, range(5)), strict=True):
        np.testing.assert_array_equal(array, results[i])


@pytest.mark.parametrize("reader", ["a later step", "an output", "heads of an output"])
def test_a_product_that_others_read_is_not_done_with_the_sum_behind_it(reader: str) -> None:
    feed = fed(np.zeros((1, 32)))
    middle, result = Tensor(32, np.uint8), Tensor(32)
    ones, nothing = np.ones(32, np.float32), np.zeros(32, np.float32)
    product = Product(result, middle, np.zeros((32, 32), np.int8), ones, nothing)
    total = Binary(Tensor(32), "Add", feed.target, result)
    later = Binary(Tensor(32), "Add", total.target, result if reader == "a later step" else feed.target)
    outputs = {"an output": [result], "heads of an output": [Heads(result, 2, True)]}.get(reader, [])
    plan = Plan(
        (feed, Quantise(middle, feed.target), product, total, later),
        {str(i): output for i, output in enumerate([later.target, *outputs])},
    )
    steps = fused(plan).steps
    assert any(step.target is result for step in steps)


def unread(steps: Sequence[Step]) -> list[int]:
    """Steps whose results no other reads."""
    read = {buffer for step in steps for buffer in read_by(step)}
    return [i for i, step in enumerate(steps) if step.target not in read]


@needs_instruction
@given(st.integers(0, 2**32), st.integers(1, 25))
def test_any_program_gives_what_its_steps_give_one_by_one(seed: int, num_steps: int) -> None:
    steps, results = drawn_steps(np.random.default_rng(seed), num_steps)
    last = unread(steps)
    found = computed(steps, [steps[i].target for i in last], range(5))
    for i, array in zip(last, found, strict=True):
        np.testing.assert_array_equal(array, results[i])


@needs_instruction
def test_an_output_can_be_read_by_later_steps() -> None:
    feed = fed(np.arange(32.0)[None])
    once = Binary(Tensor(32), "Add", feed.target, feed.target)
    twice = Binary(Tensor(32), "Add", once.target, once.target)
    left, right = computed([feed, once, twice], [once.target, twice.target], [0])
    np.testing.assert_array_equal(left, 2.0 * feed.positions)
    np.testing.assert_array_equal(right, 4.0 * feed.positions)
