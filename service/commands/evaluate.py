"""attendant evaluate: sacreBLEU and speed of a published model, translated by the server's own engine."""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import click

from model_store.contract.bundle import Bundle
from model_store.contract.store import Store
from service.commands.options import store_option
from service.commands.request_options import search_options
from service.messages import Hypothesis, SearchOptions, Segment, SegmentResult


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one run of a test set gave."""

    outputs: list[str]
    num_target_tokens: int
    seconds: float


@click.command()
@click.argument("model")
@click.option(
    "--test",
    "test_set",
    required=True,
    type=click.Path(dir_okay=False, exists=True, path_type=Path),
    help="Tab-separated test set, plain or gzip.",
)
@click.option("--source-column", type=click.IntRange(0), default=0, show_default=True, help="Counted from 0.")
@click.option("--target-column", type=click.IntRange(0), default=1, show_default=True, help="The only reference.")
@search_options
@click.option("--limit", type=click.IntRange(1), help="Only the first sentences.")
@store_option("Folder of published bundles.")
@click.option(
    "--output", type=click.Path(dir_okay=False, writable=True, path_type=Path), help="Write translations here."
)
def evaluate(
    model: str,
    test_set: Path,
    source_column: int,
    target_column: int,
    beam_size: int,
    length_penalty: float,
    coverage_penalty: float,
    limit: int | None,
    store: Path,
    output: Path | None,
) -> None:
    """Translate a test set with MODEL (`name` or `name@version`) and measure BLEU.

    Each line is one segment. An empty source translates to an empty text. Needs sacrebleu, which comes with
    the extra `train`: `pip install -e '.[train]'` in the checkout.

    \b
    Example:
      attendant evaluate en-fr-transformer --test tatoeba-en-fr/test.tsv.gz
    """
    try:
        import sacrebleu
    except ImportError as error:
        raise click.ClickException(
            "evaluate needs sacrebleu; in Attendant's checkout run `make .venv-dev/.installed` and use "
            ".venv-dev/bin/attendant, or install it with: pip install -e '.[train]'"
        ) from error
    bundle = Store(store).open(model)
    rows = read_rows(test_set, limit)
    if not rows:
        raise click.ClickException(f"{test_set} holds no line")
    pairs = [(column(row, source_column, test_set), column(row, target_column, test_set)) for row in rows]
    options = SearchOptions(beam_size, length_penalty, coverage_penalty=coverage_penalty)
    result = translate_all(bundle, [source for source, _ in pairs], options)
    if output is not None:
        output.write_text("".join(f"{line}\n" for line in result.outputs), encoding="utf-8")
    metric = sacrebleu.BLEU()
    score = metric.corpus_score(result.outputs, [[target for _, target in pairs]])
    click.echo(
        f"{bundle.manifest.reference} {bundle.manifest.precision}, {len(pairs)} sentences, beam {beam_size}: "
        f"BLEU {score.score:.2f} ({metric.get_signature()}), "
        f"{result.num_target_tokens / result.seconds:.0f} target tokens/s"
    )


def read_rows(path: Path, limit: int | None) -> list[list[str]]:
    """The first `limit` lines of a tab-separated file, split. Raises ClickException when it is not UTF-8."""
    opener = gzip.open if path.suffix == ".gz" else open
    try:
        with opener(path, "rt", encoding="utf-8") as lines:
            return [line.rstrip("\r\n").split("\t") for line in islice(lines, limit)]
    except (UnicodeDecodeError, gzip.BadGzipFile, EOFError) as error:
        raise click.ClickException(f"{path} is no tab-separated text in UTF-8: {error}") from error


def column(row: Sequence[str], number: int, path: Path) -> str:
    """One field of a line. Raises ClickException when the line is too short."""
    if number < len(row):
        return row[number]
    raise click.ClickException(
        f"{path} has a line of {len(row)} columns; column {number}, counted from 0, is asked for"
    )


def translate_all(bundle: Bundle, sources: Sequence[str], options: SearchOptions) -> Evaluation:
    """Translate every source as one segment, all of them queued at once; a bar on standard error shows progress.

    A blank source is an empty text and never reaches the engine.
    """
    from service.engine.engine import Engine
    from service.engine.job import Outcome
    from service.engine.limits import EngineLimits
    from service.runtime.opening import open_runtime
    from service.text.spans.normalise import normalise

    engine = Engine(open_runtime(bundle), EngineLimits())
    longest = bundle.manifest.limits.max_source_tokens - 1
    encoded = [bundle.tokenizer.encode(normalise(text).text)[:longest] for text in sources]
    filled = [i for i in range(len(encoded)) if encoded[i]]
    order = sorted(filled, key=lambda i: -len(encoded[i]))  # like lengths share a batch
    results: dict[int, Hypothesis] = {}
    with click.progressbar(length=len(order), label=bundle.manifest.reference, file=sys.stderr) as bar:

        def deliver(rank: int, outcome: Outcome) -> None:
            assert isinstance(outcome, SegmentResult), outcome
            results[order[rank]] = outcome.hypotheses[0]
            bar.update(1)

        started = time.perf_counter()
        engine.submit([Segment(tuple(encoded[i]), options) for i in order], deliver)
        while engine.tick():
            pass
        seconds = time.perf_counter() - started
    outputs = [bundle.tokenizer.decode(results[i].token_ids) if i in results else "" for i in range(len(sources))]
    return Evaluation(outputs, sum(len(h.token_log_probs) for h in results.values()), seconds)
