"""Weights back out of a bundle: published models can be examined, compared and converted without their training run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, numpy_helper
from pydantic import ValidationError

from model_store.architectures import architecture
from model_store.architectures.base import Architecture
from model_store.architectures.configuration import ArchitectureConfigError
from model_store.contract.bundle import Bundle, read_verified, tokenizer_model, write_bundle
from model_store.contract.errors import ContractError, faults_of
from model_store.contract.manifest import CONTRACT_VERSION
from model_store.export.graphs import export_graphs
from model_store.export.products import initialisers
from model_store.export.quantise import TRANSPOSED, stored_ranges
from model_store.export.sharing import store_once
from model_store.export.stepper import open_session
from model_store.export.teacher_forced import TeacherForcedExport, export_teacher_forced
from model_store.training.finished import FinishedRun
from model_store.training.recipe import stored_recipe

_CHECKED_TOKENS = 6
_MOST_DIFFERENCE = 0.5
"""Mean difference over mean size. That of int8 is below 0.1."""
_INT8, _SCALE = "_int8", "_scale"
_PART = re.compile(r"\.part(\d+)of\d+$")
"""How `split_products` ends the names of constants that it stores in parts."""


def graph_weights(graph: bytes) -> dict[str, np.ndarray]:
    """Every parameter that a graph holds, in float32 and in torch's layout, by the architecture's own name.

    int8 matrices are multiplied by their scales, so the values are those that the bundle computes with.
    """
    constants = {t.name: numpy_helper.to_array(t) for t in onnx.load_from_string(graph).graph.initializer}
    weights: dict[str, dict[int, np.ndarray]] = {}
    for name, value in constants.items():
        parameter = name.removesuffix(_INT8)
        part = _PART.search(parameter)
        stored = _PART.sub("", parameter)
        plain = stored.removesuffix(TRANSPOSED)
        if parameter != name:
            scale = _scale(constants, parameter)
            value = value.astype(np.float32) * (scale if plain != stored else scale[..., None])
        weights.setdefault(plain, {})[int(part[1]) if part else 1] = value.T if plain != stored else value
    return {name: _joined([parts[i] for i in sorted(parts)]) for name, parts in weights.items()}


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if len(parts) > 1 else np.ascontiguousarray(parts[0])


def _scale(constants: dict[str, np.ndarray], parameter: str) -> np.ndarray:
    """The scales of an int8 matrix; an embedding that is nothing else, or learnt vectors, has them as a column."""
    flat = constants.get(f"{parameter}{_SCALE}")
    return constants[f"{parameter}{_SCALE}_column"][..., 0] if flat is None else flat


def reopen(bundle: Bundle) -> Architecture:
    """The bundle's network in torch, with the bundle's weights.

    Raises ContractError when the architecture, or its configuration, is unknown to this release, and when it computes
    something else today.
    """
    manifest = bundle.manifest
    try:
        model = architecture(manifest.architecture).from_config(manifest.configuration)
    except (KeyError, ArchitectureConfigError) as error:
        raise ContractError([f"unknown to this release: {error.args[0]}"], manifest.reference) from error
    found = {**graph_weights(bundle.encoder), **graph_weights(bundle.decoder_step)}
    missing = sorted(model.state_dict().keys() - found.keys())
    if missing:
        raise ContractError([f"the graphs lack the weights {', '.join(missing)}"], manifest.reference)
    model.load_state_dict({name: torch.from_numpy(found[name].copy()) for name in model.state_dict()})
    _check_encoder(bundle, model.eval())
    return model


def _check_encoder(bundle: Bundle, model: Architecture) -> None:
    """Raise ContractError when the bundle's encoder gives other numbers than `model`, rounding aside."""
    ids = np.arange(1, 1 + _CHECKED_TOKENS)[None] * (bundle.manifest.tokenizer.vocabulary_size // (2 + _CHECKED_TOKENS))
    mask = np.ones_like(ids, dtype=np.bool_)
    specs = [spec for spec in bundle.manifest.state if spec.encoder_output]
    session = open_session(bundle.encoder)
    written = session.run([str(s.encoder_output) for s in specs], {"source_ids": ids, "source_mask": mask})
    with torch.no_grad():
        computed = model.encode(torch.from_numpy(ids), torch.from_numpy(mask))
    for spec, found in zip(specs, written, strict=True):
        expected = computed[spec.name].numpy()
        difference = float(np.abs(expected - found).mean() / (np.abs(found).mean() + 1e-6))
        if difference > _MOST_DIFFERENCE:
            fault = (
                f"the encoder's {spec.name} differs by {difference:.0%} from that of the architecture "
                f"{bundle.manifest.architecture} in this release, which has changed since the export"
            )
            raise ContractError([fault], bundle.manifest.reference)


def finished_of(bundle: Bundle) -> FinishedRun:
    """The bundle as the run that it came from, with the weights that it computes with: int8 ones are multiplied out.

    Raises ContractError when architecture or recipe are of another release.
    """
    training = bundle.manifest.training
    try:
        recipe = stored_recipe(training.recipe)
    except ValidationError as error:
        fault = f"its recipe is of another release: {faults_of(error)}"
        raise ContractError([fault], bundle.manifest.reference) from error
    return FinishedRun(
        recipe=recipe,
        model=reopen(bundle),
        tokenizer=bundle.tokenizer,
        tokenizer_model=tokenizer_model(*read_verified(bundle.path)),
        progress={
            "tokens": training.num_tokens,
            "seconds": training.seconds,
            "started_from": training.started_from,
            "device": training.device,
        },
        reference=bundle.manifest.reference,
    )


def as_float32(bundle: Bundle, folder: Path) -> Bundle:
    """Write the bundle's own weights, multiplied out, as a float32 bundle in the new `folder`."""
    model = reopen(bundle)
    graphs = export_graphs(model)
    third = export_teacher_forced(model, graphs)
    written = graphs.encoder, graphs.decoder_step, third.float32()
    return _rewritten(bundle, folder, written, third, {"precision": "float32", "quality": []})


def with_teacher_forced(bundle: Bundle, folder: Path) -> Bundle:
    """Write the bundle with a third graph of its own weights into the new `folder`; the other two stay bit for bit."""
    model = reopen(bundle)
    third = export_teacher_forced(model, export_graphs(model))
    encoder, decoder = (onnx.load_from_string(graph) for graph in (bundle.encoder, bundle.decoder_step))
    is_int8 = bundle.manifest.precision == "int8"
    forced = third.int8({**stored_ranges(encoder), **stored_ranges(decoder)}) if is_int8 else third.float32()
    _take_over(forced, decoder)
    return _rewritten(bundle, folder, (encoder, decoder, forced), third, {})


def _take_over(graph: onnx.ModelProto, stored: onnx.ModelProto) -> None:
    """Let `graph` have the constants of `stored` that it computed anew, with other last digits: tables of positions."""
    known = initialisers(stored)
    for constant in graph.graph.initializer:
        other = known.get(constant.name)
        if other is None or other.dims != constant.dims or other.data_type != TensorProto.FLOAT:
            continue
        if np.allclose(numpy_helper.to_array(other), numpy_helper.to_array(constant), atol=1e-4):
            constant.CopyFrom(other)


def _rewritten(
    bundle: Bundle,
    folder: Path,
    graphs: tuple[onnx.ModelProto, onnx.ModelProto, onnx.ModelProto],
    third: TeacherForcedExport,
    changed: dict[str, Any],
) -> Bundle:
    values = bundle.manifest.model_dump(mode="json", exclude={"files"})
    values |= {"contract_version": CONTRACT_VERSION, "teacher_forced": third.specification.model_dump(), **changed}
    shared, files = store_once(values, *graphs)
    for kept in (bundle.manifest.tokenizer.file, bundle.manifest.known_words_file):
        if kept is not None:
            files[kept] = (bundle.path / kept).read_bytes()
    return write_bundle(folder, {**values, **shared}, files)
