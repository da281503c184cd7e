"""From a finished training run to a bundle folder: export, parity, int8, measurements, manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import onnx

from model_store.contract.bundle import Bundle, write_bundle
from model_store.contract.known_words import KnownWords
from model_store.contract.manifest import KNOWN_WORDS_FILE, SpecialTokens
from model_store.contract.parts import TOKENIZER_FILE, Confidence, Quality, TokenizerSettings
from model_store.contract.tokenizer import BEGIN_ID, END_ID, PAD_ID, UNKNOWN_ID
from model_store.data.corpus import Columns, ParallelText, read_parallel
from model_store.export.alignment import ChosenAlignment, choose_alignment
from model_store.export.calibrate import calibrate
from model_store.export.charsmap import stored_tokenizer
from model_store.export.confidence import calibrate_confidence
from model_store.export.graphs import ExportedGraphs, export_graphs
from model_store.export.known_words import training_words
from model_store.export.parity import Parity, measure_forced_parity, measure_parity, require_parity
from model_store.export.quality import measure_quality
from model_store.export.quantise import by_weight, quantise
from model_store.export.sharing import store_once
from model_store.export.stepper import OrtStepper
from model_store.export.teacher_forced import export_teacher_forced
from model_store.training.finished import FinishedRun, open_run
from model_store.training.recipe import Recipe, load_recipe

Precision = Literal["int8", "float32"]

NUM_CALIBRATION_SENTENCES = 400
MAX_TARGET_TOKENS = 512


@dataclass(frozen=True)
class ExportOptions:
    """What an export does."""

    precision: Precision = "int8"
    """Precision of the published weights."""
    measure: bool = True
    """Whether to translate the recipe's test sets and align its gold files; minutes of work."""
    max_sentences: int | None = None
    """Sentences of each test set, from the top; None is all of them."""


def ort_stepper(graphs: ExportedGraphs, encoder: onnx.ModelProto, decoder: onnx.ModelProto) -> OrtStepper:
    """Run two graphs, in whatever precision, by the manifest entries of `graphs`."""
    return OrtStepper(
        encoder.SerializeToString(),
        decoder.SerializeToString(),
        graphs.encoder_graph,
        graphs.decoder_graph,
        graphs.state,
    )


def export_run(run: Path, out: Path, data: Path, options: ExportOptions, recipe: Recipe | None = None) -> Bundle:
    """Export the finished run in folder `run` to the new bundle folder `out`.

    `data` is the data folder of the recipe. Raises ParityError, before anything is written, when ONNX Runtime does not
    compute what torch computes.
    """
    finished = open_run(run, recipe)
    graphs = export_graphs(finished.model)
    full = ort_stepper(graphs, graphs.encoder, graphs.decoder_step)
    third = export_teacher_forced(finished.model, graphs)
    encoder, decoder, forced = graphs.encoder, graphs.decoder_step, third.float32()
    gap = measure_forced_parity(finished.model, forced.SerializeToString())
    parity = replace(measure_parity(finished.model, full), teacher_forced=gap)
    require_parity(parity)
    _report(parity)
    if options.precision == "int8":
        encoder_ranges, decoder_ranges = calibrate(graphs, _calibration_sources(finished, data))
        forced = third.int8({**by_weight(encoder, encoder_ranges), **by_weight(decoder, decoder_ranges)})
        encoder, decoder = quantise(encoder, encoder_ranges), quantise(decoder, decoder_ranges)
    measured: dict[str, OrtStepper] = {"float32": full, options.precision: ort_stepper(graphs, encoder, decoder)}
    quality = tuple(_quality(finished, measured, data, options)) if options.measure else ()
    known = training_words(finished.recipe, data) if finished.recipe.data.train else None
    confidence = _confidence(finished, measured[options.precision], data, known) if options.measure else None
    values = _manifest(finished, graphs, quality, data, options)
    values |= {"confidence": confidence and confidence.model_dump()}
    values |= {"known_words_file": KNOWN_WORDS_FILE if known else None}
    values |= {"teacher_forced": third.specification.model_dump()}
    shared, files = store_once(values, encoder, decoder, forced)
    stored, left_out = stored_tokenizer(finished.tokenizer_model)
    values |= {"tokenizer": {**values["tokenizer"], **left_out}}
    words = {KNOWN_WORDS_FILE: known.data} if known else {}
    return write_bundle(out, values | shared, {**files, TOKENIZER_FILE: stored, **words})


def _report(parity: Parity) -> None:
    gaps = ", ".join(f"{name} {gap:.1e}" for name, gap in vars(parity).items())
    print(f"ONNX Runtime float32 against torch, largest absolute differences: {gaps}")


def _calibration_sources(run: FinishedRun, data: Path) -> list[list[int]]:
    return run.tokenizer.encode_batch(_validation_text(run, data).sources[:NUM_CALIBRATION_SENTENCES])


def _validation_text(run: FinishedRun, data: Path) -> ParallelText:
    columns = Columns(run.recipe.data.source_column, run.recipe.data.target_column)
    return read_parallel(data / run.recipe.data.valid, columns)


def _quality(
    run: FinishedRun, measured: dict[str, OrtStepper], data: Path, options: ExportOptions
) -> Iterator[Quality]:
    for part in run.recipe.evaluation:
        for precision, stepper in measured.items():
            checked: Precision = "int8" if precision == "int8" else "float32"
            result = measure_quality(stepper, run.tokenizer, part, data, checked, options.max_sentences)
            print(f"{result.test_set} {result.precision}: {result.metric} {result.score}, beam {result.beam_size}")
            yield result


def _confidence(run: FinishedRun, stepper: OrtStepper, data: Path, known: KnownWords | None) -> Confidence:
    text, name = _validation_text(run, data), f"{run.recipe.data.valid}, noisy"
    found = calibrate_confidence(stepper, run.tokenizer, text, name, known, run.recipe.source)
    print(f"confidence: area under the curve {found.area_under_curve}")
    return found


def _manifest(
    run: FinishedRun, graphs: ExportedGraphs, quality: tuple[Quality, ...], data: Path, options: ExportOptions
) -> dict[str, Any]:
    recipe = run.recipe
    chosen = choose_alignment(run.model, run.tokenizer, recipe, data, options.measure)
    _report_alignment(chosen)
    origin = recipe.data
    return {
        "name": recipe.name,
        "version": "1",
        "source": recipe.source,
        "target": recipe.target,
        "architecture": recipe.architecture,
        "paper": run.model.paper,
        "configuration": run.model.config_values(),
        "num_parameters": sum(p.numel() for p in run.model.parameters()),
        "precision": options.precision,
        "licence": origin.licence,
        "special_tokens": SpecialTokens(pad=PAD_ID, begin=BEGIN_ID, end=END_ID, unknown=UNKNOWN_ID).model_dump(),
        "limits": _limits(run),
        "tokenizer": _tokenizer_settings(run).model_dump(),
        "encoder": graphs.encoder_graph.model_dump(),
        "decoder_step": graphs.decoder_graph.model_dump(),
        "state": [s.model_dump() for s in graphs.state],
        "attention_slices": [s.model_dump() for s in run.model.attention_slices()],
        "alignment": chosen.alignment and chosen.alignment.model_dump(),
        "links": chosen.links and chosen.links.model_dump(),
        "slice_quality": [s.model_dump() for s in chosen.slices],
        "training": {
            "recipe": recipe.model_dump(mode="json"),
            "data": [{"description": origin.description, "licence": origin.licence, "attribution": origin.attribution}],
            "num_tokens": run.progress["tokens"],
            "started_from": run.progress.get("started_from", ""),
            "seconds": round(run.progress["seconds"], 1),
            "device": run.progress.get("device", ""),
        },
        "quality": [q.model_dump() for q in quality],
    }


def _tokenizer_settings(run: FinishedRun) -> TokenizerSettings:
    tokenizer = run.tokenizer
    return TokenizerSettings(
        vocabulary_size=tokenizer.vocabulary_size,
        spaced_signs=tokenizer.spaced_signs,
        formality=tokenizer.has_formality,
    )


def _limits(run: FinishedRun) -> dict[str, int]:
    """The longest source is what training saw, the longest target what there are positions for."""
    positions = run.model.max_length or MAX_TARGET_TOKENS
    source = run.recipe.training.max_sentence_tokens
    return {
        "max_source_tokens": source,
        "max_target_tokens": min(MAX_TARGET_TOKENS, positions),
        "most_words": run.recipe.training.most_words,
    }


def _report_alignment(chosen: ChosenAlignment) -> None:
    shown, links = chosen.alignment, chosen.links
    if shown is None:
        print("no attention: the bundle has no map")
        return
    print(
        f"default map: layer {shown.layer} head {shown.head} shift {shown.shift}, "
        f"alignment error rate {shown.alignment_error_rate}"
    )
    if links is not None:
        print(
            f"links: layer {links.layer} head {links.head} shift {links.shift} from weight {links.least_weight}, "
            f"left-over words {links.leftover}, "
            f"alignment error rate {links.alignment_error_rate}"
        )


def recipe_for(run: Path, name_or_path: str | None) -> Recipe | None:
    """The recipe that an export measures by: the one named, else the published one of the run's name, else None."""
    if name_or_path is not None:
        return load_recipe(name_or_path)
    try:
        return load_recipe(run.name)
    except ValueError:
        return None
