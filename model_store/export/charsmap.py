"""Tokenizers without the character map that the contract keeps for all of them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from sentencepiece import sentencepiece_model_pb2

from model_store.contract.bundle import Bundle, read_verified, write_bundle
from model_store.contract.charsmap import NMT_NFKC, charsmap, with_charsmap
from model_store.contract.manifest import CONTRACT_VERSION

LEFT_OUT: Final = {"charsmap": NMT_NFKC}
"""What the manifest's `tokenizer` says of a file that `without_charsmap` wrote."""


def without_charsmap(model: bytes) -> bytes | None:
    """The serialised sentencepiece `model` without its character map; None where the contract could not put it back."""
    read = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    read.ParseFromString(model)
    if read.normalizer_spec.precompiled_charsmap != charsmap():
        return None
    read.normalizer_spec.ClearField("precompiled_charsmap")
    left = bytes(read.SerializeToString())
    try:
        return left if with_charsmap(left) == model else None
    except ValueError:
        return None


def stored_tokenizer(model: bytes) -> tuple[bytes, dict[str, str]]:
    """What a bundle's file keeps of `model`, and what the manifest's `tokenizer` says about it."""
    left = without_charsmap(model)
    return (model, {}) if left is None else (left, LEFT_OUT)


def with_charsmap_left_out(bundle: Bundle, folder: Path) -> Bundle | None:
    """Write the bundle into the new `folder` with a tokenizer that leaves its character map to the contract; None, and
    nothing is written, where it does so already or has another map. Every other file stays bit for bit."""
    manifest, files = read_verified(bundle.path)
    left, left_out = stored_tokenizer(files[manifest.tokenizer.file])
    if not left_out:  # a file without the map has none to leave out
        return None
    values = manifest.model_dump(mode="json", exclude={"files"})
    values |= {"contract_version": CONTRACT_VERSION, "tokenizer": {**values["tokenizer"], **left_out}}
    return write_bundle(folder, values, {**files, manifest.tokenizer.file: left})
