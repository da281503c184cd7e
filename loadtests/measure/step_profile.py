"""Where the time of a decoder step goes: matrix products, other operators, and what faster products could still give.

A model that kernels run is profiled instruction by instruction; for one that ONNX Runtime runs, its own profile tells
the time of each operator. The engine's rows drive the steps: they translate sentences of a test set, cut to one length,
because how much of a product can be passed over depends on the text. The int8 products' speed, multiply-adds over time,
is set against this CPU's int8 peak as one core shows it: the fastest of some large products.
Of every time the quietest round is told, so that a busy neighbour counts as little as it can.

A profile slows what it times: its operators together may be dearer than the whole step without it. So shares are of the
profile's own total, and the products' speed is, if anything, told too low.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import click
import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

from loadtests.measure.setting import Setting, parser, search_name, show
from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.kernels.machine import run
from service.kernels.program import Instructions
from service.kernels.row_batch import RowBatch
from service.operators.product import Product
from service.runtime.bundled import BundleRuntime
from service.runtime.native import NativeRuntime, NativeStepper, open_decoder
from service.runtime.onnx import OnnxStepper, open_session
from service.runtime.opening import open_runtime
from service.runtime.plans import Run
from service.runtime.rows import StateRows, Stepper

EXAMPLES = """examples:
  python -m loadtests.measure.step_profile
  python -m loadtests.measure.step_profile --rows 16 --rounds 20
  python -m loadtests.measure.step_profile --store STORE   (a folder of NAME/VERSION bundles)
"""
BEAM_SIZES = (1, 4)
NUM_ROWS = 64
NUM_SENTENCES = 2000
NUM_SOURCE_TOKENS = 12
"""Of each segment, end token included."""
NUM_STEPS = 24
NUM_ROUNDS = 8
NUM_DEAREST = 10
NUM_EMPTY = 4
"""Runs of no instruction, whose time is taken off that of each one."""
INT8_PRODUCTS = frozenset({"Product", "MatMulIntegerToFloat", "MatMulInteger", "DynamicQuantizeMatMul"})
FLOAT_PRODUCTS = frozenset({"FloatProduct", "MatMul", "FusedMatMul", "Gemm", "FusedGemm"})
SPARSE_PRODUCTS = frozenset({"SparseProduct", "SparseFloatProduct"})
"""What they multiply depends on what they read, so they have no part in the products' speed."""
FUSED_ATTENTION = ("CachedSelfAttention", "CrossAttention", "GroupQueryAttention")
"""Products, softmax and the KV cache's new entry in one: told apart, because no profile can divide it."""
PEAK_PRODUCTS = ((512, 512, 512), (1024, 1024, 1024), (2048, 2048, 2048), (1024, 4096, 4096))
"""M, K and N."""


class Operator(NamedTuple):
    """One run of one operator."""

    kind: str
    time_us: float
    num_multiply_adds: int
    """Of an int8 product M K N, with those that are passed over; of all else 0."""


@dataclass(frozen=True, slots=True)
class Round:
    """Decoder steps from a segment's first token to its last, by kind of operator and over all steps."""

    num_steps: int
    time_us: dict[str, float]
    calls: Counter[str]
    num_multiply_adds: int
    """Of int8 products that pass over nothing."""

    @classmethod
    def of(cls, steps: Sequence[Sequence[Operator]]) -> Round:
        """Add up what the profile tells of `steps`."""
        time_us, calls = defaultdict[str, float](float), Counter[str]()
        operators = [operator for step in steps for operator in step]
        for operator in operators:
            time_us[operator.kind] += operator.time_us
            calls[operator.kind] += 1
        counted = sum(operator.num_multiply_adds for operator in operators if operator.kind in INT8_PRODUCTS)
        return cls(len(steps), time_us, calls, counted)

    @property
    def total_us(self) -> float:
        """Of all operators."""
        return sum(self.time_us.values())

    @property
    def int8_us(self) -> float:
        """Inside int8 products."""
        return self._inside(INT8_PRODUCTS)

    @property
    def products_us(self) -> float:
        """Inside matrix products; those of fused attention are not counted."""
        return self._inside(INT8_PRODUCTS | FLOAT_PRODUCTS | SPARSE_PRODUCTS)

    @property
    def int8_speed(self) -> float:
        """Multiply-adds per second of the int8 products; 0 when there are none."""
        return self.num_multiply_adds / self.int8_us * 1e6 if self.int8_us else 0.0

    def _inside(self, kinds: frozenset[str]) -> float:
        return sum(self.time_us.get(kind, 0.0) for kind in kinds)


@dataclass(frozen=True, slots=True)
class StepProfile:
    """One model and search."""

    model: str
    beam_size: int
    step_us: float
    """A whole step without a profile, from token ids to normalised outputs: what the engine waits for."""
    quietest: Round

    @property
    def name(self) -> str:
        """For people."""
        return f"{self.model}, {search_name(self.beam_size)}"


@contextmanager
def profiled(model: bytes, steps: list[list[Operator]]) -> Iterator[onnxruntime.InferenceSession]:
    """A session on one thread, as the server's own but with a profile; at its end `steps` has each run's operators.

    The profile's file lies in a temporary folder and is gone afterwards.
    """
    with tempfile.TemporaryDirectory(prefix="attendant-profile-") as folder:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
        options.log_severity_level = 3
        options.enable_profiling = True
        options.profile_file_prefix = str(Path(folder) / "step")
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        yield session
        steps += operators_by_run(json.loads(Path(session.end_profiling()).read_text(encoding="utf-8")))


def operators_by_run(events: Sequence[dict[str, Any]]) -> list[list[Operator]]:
    """The operators of each run of a session, from the events of its profile, which come as they ended."""
    runs: list[list[Operator]] = [[]]
    for event in events:
        if event.get("cat") == "Session" and event["name"] == "model_run":
            runs.append([])
        elif event.get("cat") == "Node" and event["name"].endswith("_kernel_time"):
            told = event["args"]
            runs[-1].append(Operator(told["op_name"], event["dur"], _multiply_adds(told)))
    assert not runs[-1], "operators after the last run: the profile was cut, or its order is another"
    return runs[:-1]


def _multiply_adds(told: dict[str, Any]) -> int:
    """M K N. Packed weights are in no profile, but K is the first input's last axis, and the output is [M..., N]."""
    if told["op_name"] not in INT8_PRODUCTS:
        return 0
    (first,), (output,) = told["input_type_shape"][0].values(), told["output_type_shape"][0].values()
    return math.prod(output) * int(first[-1])


def timed_run(steps: list[list[Operator]]) -> Run:
    """`machine.run` that does instruction after instruction; `steps` gets those of each run with their times."""

    def timed(instructions: Instructions, batch: RowBatch) -> None:
        operators, program, record = [], instructions.array, batch.record
        start = time.perf_counter()
        for _ in range(NUM_EMPTY):
            run(program[:0], record)
        empty_s = (time.perf_counter() - start) / NUM_EMPTY
        for i, step in enumerate(instructions.steps):
            start = time.perf_counter()
            run(program[i : i + 1], record)
            seconds = max(0.0, time.perf_counter() - start - empty_s)
            size = len(batch.rows) * step.weights.size if isinstance(step, Product) else 0
            operators.append(Operator(step.kernel.name, seconds * 1e6, size))
        steps.append(operators)

    return timed


def drive(
    runtime: BundleRuntime, stepper: Stepper, sources: Sequence[Sequence[int]], beam_size: int, rounds: int
) -> list[float]:
    """Seconds of each step of `rounds` rounds: the engine's rows, full from the first step to the last.

    The rows of a segment go on with the best tokens of the first step, one each, and then with each one's best.
    """
    slots, end_id = range(len(sources)), runtime.end_id
    encoded = runtime.encode(sources)
    rows = StateRows(runtime.manifest, stepper, beam_size)
    ranks = np.tile(np.arange(beam_size), len(sources))
    times_s = []
    for _ in range(rounds):
        rows.put(slots, [encoded] * len(slots), slots)
        fed = np.full(len(ranks), runtime.begin_id)
        for number in range(NUM_STEPS):
            start = time.perf_counter()
            output = rows.step(fed)
            times_s.append(time.perf_counter() - start)
            logits = output.logits_of_rows.copy()
            logits[:, end_id] = -np.inf  # nobody is over before the others
            if number == 0:
                fed = np.argsort(-logits, axis=1)[np.arange(len(ranks)), ranks]
                rows.reorder(np.zeros((len(sources), beam_size), np.int64))
            else:
                fed = logits.argmax(axis=1)
    return times_s


def sources_of(bundle: Bundle, sentences: Sequence[str], count: int) -> list[tuple[int, ...]]:
    """Token ids of `count` sentences that are long enough, cut to NUM_SOURCE_TOKENS with the end token."""
    found = [ids for sentence in sentences if len(ids := tuple(bundle.tokenizer.encode(sentence))) >= NUM_SOURCE_TOKENS]
    if len(found) < count:
        raise SystemExit(f"{len(found)} sentences of {NUM_SOURCE_TOKENS} tokens, fewer than {count}; give fewer --rows")
    return [ids[: NUM_SOURCE_TOKENS - 1] for ids in found[:count]]


def measure(bundle: Bundle, sources: Sequence[Sequence[int]], beam_size: int, rounds: int) -> StepProfile:
    """Time the steps without a profile, then with one; a first round of each is not counted."""
    runtime, steps = open_runtime(bundle), list[list[Operator]]()
    if isinstance(runtime, NativeRuntime):
        program = open_decoder(bundle)
        times_s = drive(runtime, NativeStepper(program, beam_size), sources, beam_size, rounds + 1)
        drive(runtime, NativeStepper(program, beam_size, timed_run(steps)), sources, beam_size, rounds + 1)
    else:
        plain = OnnxStepper(bundle.manifest, open_session(bundle.decoder_step, 1), beam_size)
        times_s = drive(runtime, plain, sources, beam_size, rounds + 1)
        with profiled(bundle.decoder_step, steps) as decoder:
            drive(runtime, OnnxStepper(bundle.manifest, decoder, beam_size), sources, beam_size, rounds + 1)
    counted = range(NUM_STEPS, len(times_s), NUM_STEPS)
    step_s = min(sum(times_s[i : i + NUM_STEPS]) for i in counted) / NUM_STEPS
    quietest = min((Round.of(steps[i : i + NUM_STEPS]) for i in counted), key=lambda each: each.total_us)
    return StepProfile(bundle.manifest.name, beam_size, step_s * 1e6, quietest)


def int8_product(k: int, n: int) -> bytes:
    """A model that multiplies `a` [M, K], uint8, by weights [K, N], int8, into `y` [M, N], int32."""
    weights = np.random.default_rng(1).integers(-127, 128, (k, n), dtype=np.int8)
    graph = helper.make_graph(
        [helper.make_node("MatMulInteger", ["a", "w"], ["y"])],
        "product",
        [helper.make_tensor_value_info("a", TensorProto.UINT8, ["M", k])],
        [helper.make_tensor_value_info("y", TensorProto.INT32, ["M", n])],
        [numpy_helper.from_array(weights, "w")],
    )
    data: bytes = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 21)], ir_version=10
    ).SerializeToString()
    return data


def bound_product(m: int, k: int, n: int) -> Callable[[], object]:
    """A call that computes one int8 product on one thread, into memory that is there already."""
    session = open_session(int8_product(k, n), 1)
    activations = np.random.default_rng(2).integers(0, 256, (m, k), dtype=np.uint8)
    product = np.zeros((m, n), dtype=np.int32)
    bound = session.io_binding()
    for bind, name, array in ((bound.bind_input, "a", activations), (bound.bind_output, "y", product)):
        bind(name, "cpu", 0, array.dtype.type, array.shape, array.ctypes.data)
    held = (activations, product)  # the binding knows addresses only

    def run() -> object:
        session.run_with_iobinding(bound)
        return held

    return run


def peak_speed(shape: tuple[int, int, int], rounds: int) -> float:
    """Multiply-adds per second of one product M, K, N: the best of `rounds`, after one that is not counted."""
    run = bound_product(*shape)
    run()
    times_s = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times_s.append(time.perf_counter() - start)
    return math.prod(shape) / min(times_s)


def show_products(profiles: Sequence[StepProfile], num_rows: int) -> None:
    """What of a step is inside products."""
    kinds = [*sorted(INT8_PRODUCTS), *sorted(FLOAT_PRODUCTS), *sorted(SPARSE_PRODUCTS), *FUSED_ATTENTION]
    used = [kind for kind in kinds if any(profile.quietest.calls[kind] for profile in profiles)]
    cells = []
    for profile in profiles:
        spent = profile.quietest
        total = spent.total_us
        shares = [spent.products_us, *(spent.time_us.get(kind, 0.0) for kind in used)]
        operators_us = total / spent.num_steps
        cells.append(
            (profile.name, f"{profile.step_us:.0f}", f"{operators_us:.0f}", *(f"{part / total:.1%}" for part in shares))
        )
    header = ["model", "step, µs", "its operators under profile, µs", "matrix products, of operators", *used]
    show(f"A decoder step, {num_rows} rows, {NUM_SOURCE_TOKENS}-token sources, one thread", header, cells)


def show_dearest(profiles: Sequence[StepProfile]) -> None:
    """The dearest kinds of operator, side by side."""
    columns = []
    for profile in profiles:
        spent = profile.quietest
        columns.append(
            [
                f"{kind} {time_us / spent.num_steps:.0f} ({spent.calls[kind] / spent.num_steps:.0f})"
                for kind, time_us in sorted(spent.time_us.items(), key=lambda item: -item[1])[:NUM_DEAREST]
            ]
        )
    ranks = [
        (rank + 1, *(column[rank] if rank < len(column) else "" for column in columns)) for rank in range(NUM_DEAREST)
    ]
    show("Dearest operators, µs a step (calls a step)", ["", *(profile.name for profile in profiles)], ranks)


def show_left(profiles: Sequence[StepProfile], peak: float) -> None:
    """How near the int8 products are to the peak, and how much faster all operators were if they reached it."""
    cells = []
    for profile in profiles:
        spent = profile.quietest
        share = spent.int8_speed / peak
        total = spent.total_us
        cells.append(
            (
                profile.name,
                f"{spent.num_multiply_adds / spent.num_steps / 1e6:.1f}",
                f"{spent.int8_us / spent.num_steps:.0f}",
                f"{spent.int8_speed / 1e9:.1f}",
                f"{share:.0%}",
                f"{total / (total - spent.int8_us * (1 - share)):.2f}x",
            )
        )
    header = [
        "model",
        "million multiply-adds a step",
        "µs a step",
        "10⁹ a second",
        "of peak",
        "all operators, were they at peak",
    ]
    show("The int8 products, and what is left to gain in them", header, cells)


def _options() -> argparse.Namespace:
    arguments = parser(__doc__ or "")
    arguments.formatter_class, arguments.epilog = argparse.RawDescriptionHelpFormatter, EXAMPLES
    arguments.add_argument("--rows", type=int, default=NUM_ROWS, help=f"rows of a step (default {NUM_ROWS})")
    arguments.add_argument(
        "--rounds", type=int, default=NUM_ROUNDS, help=f"of which the quietest is told (default {NUM_ROUNDS})"
    )
    options = arguments.parse_args()
    if options.rows < 1 or options.rows % max(BEAM_SIZES):
        arguments.error(
            f"--rows {options.rows}: a beam has {max(BEAM_SIZES)} rows; give a multiple, such as {NUM_ROWS}"
        )
    if options.rounds < 1:
        arguments.error(f"--rounds {options.rounds}: give 1 or more")
    return options


def main() -> None:
    """Print the tables."""
    options = _options()
    setting = Setting(Store(options.store), options.data)
    bundles, sentences = setting.bundles(), setting.sentences(NUM_SENTENCES)
    works = [(bundle, beam_size) for bundle in bundles for beam_size in BEAM_SIZES]
    with click.progressbar(works, label="steps", file=sys.stderr) as bar:
        profiles = [
            measure(bundle, sources_of(bundle, sentences, options.rows // beam_size), beam_size, options.rounds)
            for bundle, beam_size in bar
        ]
    with click.progressbar(PEAK_PRODUCTS, label="int8 peak", file=sys.stderr) as shapes:
        speeds = {shape: peak_speed(shape, options.rounds) for shape in shapes}
    show_products(profiles, options.rows)
    show_dearest(profiles)
    rows = [(" x ".join(map(str, shape)), f"{speed / 1e9:.1f}") for shape, speed in speeds.items()]
    show("Large int8 products, one thread", ["M x K x N", "10⁹ multiply-adds a second"], rows)
    show_left(profiles, max(speeds.values()))


if __name__ == "__main__":
    main()
