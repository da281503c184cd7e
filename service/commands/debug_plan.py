"""`attendant debug-plan`: the plans of a model, and its kernels against their numpy references."""

from __future__ import annotations

from pathlib import Path

import click

from service.commands.options import store_option

EXAMPLES = """\b
Examples:
  attendant debug-plan en-fr-transformer
  attendant debug-plan en-fr-transformer --text "The black cat ate the mouse." --steps 20
  attendant debug-plan en-fr-bahdanau --show
"""
HEADER = ("", "instruction", "target", "reads", "place", "bytes a row")
BEAM_SIZE = 4


@click.command(name="debug-plan", epilog=EXAMPLES)
@click.argument("model")
@click.option("--text", default="The black cat ate the mouse.", show_default=True, help="The sentence to run.")
@click.option("--steps", type=click.IntRange(1, 500), default=8, show_default=True, help="Decoder steps to run.")
@click.option("--show", "only_show", is_flag=True, help="Print the plans' steps, shapes, places and bytes instead.")
@store_option("Folder of published bundles.")
def debug_plan(model: str, text: str, steps: int, only_show: bool, store: Path) -> None:
    """Run MODEL's plans in compiled kernels and in numpy, instruction by instruction, on one sentence.

    Names the first instruction whose kernel gives other numbers than its reference, and exits with 1 when there is one.
    Both start from the same numbers at every instruction, so that the one that is named is the one that is wrong.
    """
    import numpy as np

    from model_store.contract.errors import StoreError
    from model_store.contract.store import Store
    from service.kernels.checking import Check, show
    from service.kernels.interpreter import interpret
    from service.kernels.program import Program
    from service.lowering.graph import UnsupportedGraphError, read_graph
    from service.lowering.lower import lower
    from service.lowering.values import GraphInput
    from service.runtime.native import NativeRuntime, open_decoder

    try:
        bundle = Store(store).open(model)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    try:
        if only_show:
            inputs = [GraphInput(tensor.name) for tensor in bundle.manifest.encoder.inputs]
            try:
                _print("encoder", list(show(Program(lower(read_graph(bundle.encoder), inputs), is_compiled=False))))
            except UnsupportedGraphError as reason:
                click.echo(f"encoder: runs in ONNX Runtime: {reason}\n")
            _print("decoder step", list(show(open_decoder(bundle, interpret).program)))
            return
        check = Check()
        runtime = NativeRuntime(bundle, check)
    except UnsupportedGraphError as reason:
        raise click.ClickException(f"{bundle.manifest.reference} has no plan: {reason}") from reason
    ids = bundle.tokenizer.encode(text)
    if len(ids) + 1 > runtime.max_source_tokens:
        raise click.ClickException(f"--text: {len(ids)} tokens, more than {runtime.max_source_tokens - 1}; shorten it")
    rows = runtime.new_rows(BEAM_SIZE)
    rows.put([0], [runtime.encode([ids])], [0])
    fed = np.full(BEAM_SIZE, runtime.begin_id)
    for number in range(min(steps, runtime.max_target_tokens)):
        logits = rows.step(fed).logits_of_rows
        fed = np.argsort(-logits, axis=1)[np.arange(BEAM_SIZE), np.arange(BEAM_SIZE) if number == 0 else 0]
    if check.differences:
        raise click.ClickException("\n".join(map(str, check.differences[:1])))
    click.echo(f"{bundle.manifest.reference}: {check.num_instructions} instructions give what their references give.")


def _print(title: str, lines: list[tuple[str, ...]]) -> None:
    table = [HEADER, *lines]
    widths = [max(len(line[i]) for line in table) for i in range(len(HEADER))]
    click.echo(f"{title}:")
    for line in table:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip())
    click.echo()
