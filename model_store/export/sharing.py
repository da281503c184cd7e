"""Weights that encoder and decoder have alike, the embedding table above all, are stored once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import onnx

from model_store.contract.manifest import DECODER_FILE, ENCODER_FILE, SHARED_FILE
from model_store.contract.sharing import split_shared

MIN_BYTES = 16_384
"""Smaller weights are not worth an entry in the manifest."""


def store_once(
    values: Mapping[str, Any], encoder: onnx.ModelProto, decoder: onnx.ModelProto
) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The manifest's fields that change, and the files of both graphs and of what they share."""
    whole = [encoder.SerializeToString(), decoder.SerializeToString()]
    left, stretches, shared = split_shared(whole, [_weights(encoder), _weights(decoder)])
    fields = {
        name: {**values[name], "file": file, "shared": [stretch.model_dump() for stretch in found]}
        for name, file, found in zip(("encoder", "decoder_step"), (ENCODER_FILE, DECODER_FILE), stretches, strict=True)
    }
    files = {ENCODER_FILE: left[0], DECODER_FILE: left[1], **({SHARED_FILE: shared} if shared else {})}
    return {**fields, "shared_file": SHARED_FILE if shared else None}, files


def _weights(graph: onnx.ModelProto) -> list[bytes]:
    return [t.raw_data for t in graph.graph.initializer if len(t.raw_data) >= MIN_BYTES]
