"""What `attendant models show` tells of a bundle: a page to read instead of its manifest."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import entry_points
from typing import Final

from model_store.contract.bundle import Bundle
from model_store.contract.manifest import Manifest
from model_store.contract.parts import Alignment, Links, Training

LINES: Final = "attendant.card"
"""The entry point group in which rooms name functions `(Bundle) -> tuple[str, str]`: a line's name and its text."""


def card(bundle: Bundle) -> str:
    """Facts, one on a line, then a table of the maps' quality."""
    facts = [*_facts(bundle.manifest), *_lines_of_rooms(bundle)]
    width = max(len(name) for name, _ in facts)
    lines = [f"{name.ljust(width)}  {text}" for name, text in facts]
    return "\n".join([*lines, *_maps(bundle.manifest)])


def _facts(manifest: Manifest) -> Iterator[tuple[str, str]]:
    yield "model", f"{manifest.reference}, {manifest.source} to {manifest.target}"
    yield "architecture", f"{manifest.architecture}: {manifest.paper}"
    yield "weights", f"{manifest.num_parameters / 1e6:.1f} M, {manifest.precision}, {manifest.size_bytes / 1e6:.1f} MB"
    limits = manifest.limits
    parts = f"; sentences of more than {limits.most_words} words in parts" if limits.most_words else ""
    yield "limits", f"{limits.max_source_tokens} source and {limits.max_target_tokens} target tokens{parts}"
    yield "graphs", ", ".join(_graphs(manifest))
    for quality in manifest.quality:
        where = f"{quality.test_set}, {quality.precision}, beam {quality.beam_size}, {quality.num_sentences} sentences"
        yield quality.metric, f"{quality.score:.1f} ({where})"
    if manifest.alignment is None:
        yield "attention", "none: asking for a map or alignment is refused"
    else:
        yield "default map", _choice(manifest.alignment)
    if manifest.links is not None:
        yield "alignment", _choice(manifest.links)
    if manifest.confidence is not None:
        area = manifest.confidence.area_under_curve
        yield "confidence", "not measured" if area is None else f"tells bad answers with an area of {area:.2f}"
    yield "training", _training(manifest.training)
    yield "licence", manifest.licence


def _graphs(manifest: Manifest) -> Iterator[str]:
    yield from (manifest.encoder.file, manifest.decoder_step.file)
    yield manifest.teacher_forced.file if manifest.teacher_forced else "no third graph, so no scores"


def _training(training: Training) -> str:
    """How much was trained on, and what the run began with."""
    began = f", from the weights of {training.started_from}" if training.started_from else ""
    place = f" on {training.device}" if training.device else ""
    text = "; ".join(one.description for one in training.data)
    return f"{training.num_tokens / 1e6:.1f} M tokens{place}{began}: {text}"


def _choice(found: Alignment | Links) -> str:
    """A layer and head with what was measured there."""
    rate = found.alignment_error_rate
    measured = f", alignment error rate {rate:.2f} ({found.test_set})" if rate is not None else ""
    step = " once it has read the word" if found.shift else ""
    return f"layer {found.layer} head {found.head}{step}{measured}"


def _lines_of_rooms(bundle: Bundle) -> Iterator[tuple[str, str]]:
    """What other rooms add; a room that is not installed whole adds nothing."""
    for entry in entry_points(group=LINES):
        try:
            line = entry.load()
        except ImportError:
            continue
        yield line(bundle)


def _maps(manifest: Manifest) -> list[str]:
    """Each layer and head: alignment error rate, entropy, and share of confident links; shift 1 reads a step late."""
    if not manifest.slice_quality:
        return []
    rows = [("layer", "head", "shift", "alignment error rate", "entropy", "confident links")]
    for slice_ in manifest.slice_quality:
        error = f"{slice_.alignment_error_rate:.2f}"
        shares = (f"{slice_.entropy:.2f}", f"{slice_.confident_share:.0%}")
        rows.append((str(slice_.layer), str(slice_.head), str(slice_.shift), error, *shares))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["", *("  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)) for row in rows)]
