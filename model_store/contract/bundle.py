"""Opening and writing a bundle: every promise is checked, on the very bytes that are handed on, before any is used."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pydantic_core
from pydantic import ValidationError

from model_store.contract.charsmap import with_charsmap
from model_store.contract.errors import ContractError
from model_store.contract.folder import FolderReader, sync_folder, written_folder
from model_store.contract.known_words import KnownWords
from model_store.contract.manifest import CONTRACT_VERSION, MANIFEST_FILE, OPENED_VERSIONS, Graph, Manifest
from model_store.contract.onnx_scan import graph_tensors, has_external_data
from model_store.contract.parts import FileDigest
from model_store.contract.sharing import whole_graph
from model_store.contract.tokenizer import Tokenizer

MAX_MANIFEST_BYTES = 1 << 20
"""Largest manifest that is read."""
MAX_FILE_BYTES = (1 << 31) - 1
"""Largest other file that is read: what one ONNX protobuf can hold."""


@dataclass(frozen=True)
class Bundle:
    """A verified bundle. Its bytes are those that were hashed, whatever happens to the files afterwards."""

    manifest: Manifest
    path: Path
    tokenizer: Tokenizer
    encoder: bytes = field(repr=False)
    """The encoder graph, ONNX, whole."""
    decoder_step: bytes = field(repr=False)
    """The decoder step graph, ONNX, whole."""
    teacher_forced: bytes | None = field(default=None, repr=False)
    """The third graph, ONNX, whole; None where the bundle has none."""
    known_words: KnownWords | None = field(default=None, repr=False)
    """The source words of the training text; None where the bundle does not keep them."""


def digest(data: bytes) -> FileDigest:
    """What the manifest says about a file of these bytes."""
    return FileDigest(sha256=hashlib.sha256(data).hexdigest(), size_bytes=len(data))


def open_bundle(path: Path) -> Bundle:
    """Open and verify the bundle in folder `path`. Raises ContractError with every fault found."""
    manifest, _, contents = _read_verified(path)
    forced = manifest.teacher_forced
    assert contents.tokenizer is not None  # it has no faults
    return Bundle(
        manifest=manifest,
        path=path,
        tokenizer=contents.tokenizer,
        encoder=contents.graphs[manifest.encoder.file],
        decoder_step=contents.graphs[manifest.decoder_step.file],
        teacher_forced=None if forced is None else contents.graphs[forced.file],
        known_words=contents.known_words,
    )


def read_verified(path: Path) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest and the verified bytes of every file it lists. Raises ContractError with every fault found."""
    manifest, files, _ = _read_verified(path)
    return manifest, files


@dataclass
class _Contents:
    """What files hold, as far as they keep the promises of their manifest, and what they break."""

    graphs: dict[str, bytes] = field(default_factory=dict)
    """By the graphs' files, whole."""
    tokenizer: Tokenizer | None = None
    known_words: KnownWords | None = None
    faults: list[str] = field(default_factory=list)


def _read_verified(path: Path) -> tuple[Manifest, dict[str, bytes], _Contents]:
    faults: list[str] = []
    with FolderReader(path) as folder:
        raw, manifest = _read_manifest(folder, faults)
        listed = _listed_files(raw)
        files = {name: _read_file(folder, name, promised, faults) for name, promised in listed.items()}
        if raw is not None:
            unknown = set(folder.names()) - set(listed) - {MANIFEST_FILE}
            faults += [f"{name!r} is not listed in the manifest; remove it" for name in sorted(unknown)]
    good = {name: data for name, data in files.items() if data is not None}
    if manifest is None:
        raise ContractError(faults, str(path))
    contents = _contents(manifest, good)
    if faults or contents.faults:
        raise ContractError([*faults, *contents.faults], str(path))
    return manifest, good, contents


def write_bundle(folder: Path, values: Mapping[str, Any], files: Mapping[str, bytes]) -> Bundle:
    """Write a new bundle folder: all of it or nothing.

    `values` are the manifest's fields without `files`, whose digests are computed here. Raises ContractError when
    they make no manifest or the files do not fit it, FileExistsError when `folder` is there already.
    """
    digests = {name: digest(data).model_dump() for name, data in files.items()}
    try:
        manifest = Manifest.model_validate({"contract_version": CONTRACT_VERSION, **values, "files": digests})
    except ValidationError as error:
        raise ContractError(_validation_faults(error), str(folder)) from error
    faults = _contents(manifest, files).faults
    if faults:
        raise ContractError(faults, str(folder))
    if folder.exists():
        raise FileExistsError(f"{folder} exists; remove it or name another folder")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with written_folder(folder.parent, {**files, MANIFEST_FILE: manifest_bytes(manifest)}) as written:
        written.rename(folder)
        sync_folder(folder.parent)
    return open_bundle(folder)


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as the file's bytes: indented, fields in their declared order."""
    return (json.dumps(manifest.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n").encode()


def _read_manifest(folder: FolderReader, faults: list[str]) -> tuple[Any, Manifest | None]:
    """The manifest as parsed JSON and as a Manifest; None for what could not be had, with its fault added."""
    try:
        data = folder.read(MANIFEST_FILE, MAX_MANIFEST_BYTES)
        raw = pydantic_core.from_json(data, allow_inf_nan=False)
    except ContractError as error:
        faults += error.faults
        return None, None
    except ValueError as error:
        faults.append(f"{MANIFEST_FILE} is not valid JSON: {error}")
        return None, None
    version = raw.get("contract_version") if isinstance(raw, dict) else None
    if version not in OPENED_VERSIONS and version is not None:
        opened = " and ".join(map(str, OPENED_VERSIONS))
        faults.append(
            f"contract version {version!r:.40} is unknown; this release opens versions {opened}: "
            "install a release that opens it, or export the model again"
        )
        return raw, None
    try:
        return raw, Manifest.model_validate_json(data, strict=True)
    except ValidationError as error:
        faults += _validation_faults(error)
        return raw, None


def _validation_faults(error: ValidationError) -> list[str]:
    places = ((".".join(map(str, e["loc"])) or "as a whole", e["msg"]) for e in error.errors(include_input=False))
    return [f"{MANIFEST_FILE}, {place}: {message}" for place, message in places]


def _listed_files(raw: Any) -> dict[str, FileDigest]:
    """The digests that can be read even from a manifest that is at fault elsewhere."""
    listed: dict[str, FileDigest] = {}
    files = raw.get("files") if isinstance(raw, dict) else None
    for name, promised in files.items() if isinstance(files, dict) else ():
        try:
            listed[name] = FileDigest.model_validate(promised)
        except ValidationError:  # reported with the manifest's other faults; the file still counts as listed
            listed[name] = FileDigest(sha256="0" * 64, size_bytes=0)
    return listed


def _read_file(folder: FolderReader, name: str, promised: FileDigest, faults: list[str]) -> bytes | None:
    if name == MANIFEST_FILE:
        faults.append(f"{MANIFEST_FILE} lists itself; it cannot hold its own digest")
        return None
    try:
        data = folder.read(name, MAX_FILE_BYTES)
    except ContractError as error:
        faults += error.faults
        return None
    found = digest(data)
    if found.size_bytes != promised.size_bytes:
        faults.append(f"{name} has {found.size_bytes} bytes; the manifest promises {promised.size_bytes}")
    elif found.sha256 != promised.sha256:
        faults.append(f"{name} has SHA-256 {found.sha256}; the manifest promises {promised.sha256}")
    else:
        return data
    return None


def _contents(manifest: Manifest, files: Mapping[str, bytes]) -> _Contents:
    """What those files hold that are there, and what their bytes break."""
    contents = _Contents()
    every = (manifest.encoder, manifest.decoder_step, manifest.teacher_forced)
    graphs = {graph.file: graph for graph in every if graph is not None}
    if manifest.shared_file not in (None, *files):  # its own fault says so
        graphs = {name: graph for name, graph in graphs.items() if not graph.shared}
    readers = [partial(_read_graph, manifest, graphs[name], files) for name in sorted(graphs.keys() & files.keys())]
    if manifest.tokenizer.file in files:
        readers.append(partial(_read_tokenizer, manifest, files))
    if (known := files.get(manifest.known_words_file or "")) is not None:
        readers.append(partial(_read_known_words, known))
    for read in readers:
        try:
            contents.faults += read(contents)
        except ContractError as error:
            contents.faults += error.faults
    return contents


def _read_known_words(data: bytes, contents: _Contents) -> list[str]:
    """Read the words into `contents`; what is wrong with them. Raises ContractError where there are none."""
    contents.known_words = KnownWords(data)
    return []


def _read_graph(manifest: Manifest, graph: Graph, files: Mapping[str, bytes], contents: _Contents) -> list[str]:
    """The same for a graph."""
    contents.graphs[graph.file] = whole = whole_graph(graph, files, manifest.shared_file)
    if has_external_data(whole):
        return [f"{graph.file} keeps weights in another file; export it with its weights inside"]
    found = graph_tensors(whole)
    promised = {t.name for t in graph.inputs}, {t.name for t in graph.outputs}
    return [
        f"{graph.file} has the {kind} {_listed(has)}; the manifest promises {_listed(wants)}"
        for kind, has, wants in zip(("inputs", "outputs"), found, promised, strict=True)
        if has != wants
    ]


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "none"


def tokenizer_model(manifest: Manifest, files: Mapping[str, bytes]) -> bytes:
    """The serialised sentencepiece model among a bundle's `files`, whole. Raises ContractError when it is none."""
    stored = files[manifest.tokenizer.file]
    if manifest.tokenizer.charsmap is None:
        return stored
    try:
        return with_charsmap(stored)
    except (ValueError, IndexError) as error:
        raise ContractError([f"{manifest.tokenizer.file} takes no character map: {error}"]) from error


def _read_tokenizer(manifest: Manifest, files: Mapping[str, bytes], contents: _Contents) -> list[str]:
    """The same for the tokenizer."""
    contents.tokenizer = tokenizer = Tokenizer(tokenizer_model(manifest, files), manifest.tokenizer.spaced_signs)
    faults = []
    if tokenizer.vocabulary_size != manifest.tokenizer.vocabulary_size:
        faults.append(
            f"{manifest.tokenizer.file} has {tokenizer.vocabulary_size} pieces; "
            f"the manifest promises {manifest.tokenizer.vocabulary_size}"
        )
    if tokenizer.special_ids != manifest.special_tokens.model_dump():
        faults.append(f"{manifest.tokenizer.file} has special ids {tokenizer.special_ids}, unlike the manifest")
    if not tokenizer.has_byte_fallback:
        faults.append(f"{manifest.tokenizer.file} has no byte fallback; some texts would be untranslatable")
    if manifest.tokenizer.formality and not tokenizer.has_formality:
        faults.append(f"{manifest.tokenizer.file} has no pieces for the marks of formality that the manifest promises")
    return faults
