"""Bundles that cannot serve, and that a cluster must refuse."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from loadtests.faults.machines import Cluster
from loadtests.faults.seen import Seen
from model_store.contract.manifest import CONTRACT_VERSION, MANIFEST_FILE
from model_store.contract.store import EMBEDDED_STORE

MODEL = "en-fr-transformer"


async def bad_bundles(of: Cluster) -> Seen:
    """Bundles that cannot serve are deployed; each must be refused, with its reason."""
    said: list[Seen] = []
    with tempfile.TemporaryDirectory() as folder:
        for name, spoil in SPOILT.items():
            store = Path(folder, name)
            shutil.copytree(EMBEDDED_STORE / MODEL, store / MODEL)
            (bundle,) = (store / MODEL).iterdir()
            spoil(bundle)
            done = await asyncio.to_thread(
                of.deploy, "--timeout", "10", store=str(store), num_replicas="3", models="all"
            )
            said.append(_refused(name, done))
    done = await asyncio.to_thread(of.deploy, "--timeout", "1", num_replicas="3", models=f"{MODEL},fr-en-transformer")
    said.append(_refused("not ready in time", done))
    return Seen("\n    ".join(["", *(one.told for one in said)]), any(one.is_wrong for one in said))


def _refused(name: str, done: subprocess.CompletedProcess[str]) -> Seen:
    """Whether a deployment that must be refused was, and why."""
    reason = (done.stderr.strip().splitlines() or ["without a word"])[-1][:160]
    return Seen(f"{name}: {'refused' if done.returncode else 'DEPLOYED'}, {reason}", done.returncode == 0)


def _flip(bundle: Path) -> None:
    data = bytearray((bundle / "decoder_step.onnx").read_bytes())
    data[len(data) // 2] ^= 1
    (bundle / "decoder_step.onnx").write_bytes(data)


def _claim(bundle: Path, **claims: object) -> None:
    """Change fields of the manifest, which must have them."""
    manifest = bundle / MANIFEST_FILE
    values = json.loads(manifest.read_text("utf-8"))
    assert claims.keys() <= values.keys()
    manifest.write_text(json.dumps(values | claims, indent=1), "utf-8")


def _age(bundle: Path) -> None:
    _claim(bundle, contract_version=CONTRACT_VERSION + 91)


def _other_language(bundle: Path) -> None:
    _claim(bundle, target="it")


def _endless(bundle: Path) -> None:
    (bundle / "encoder.onnx").unlink()
    os.mkfifo(bundle / "encoder.onnx")


SPOILT = {
    "a flipped bit": _flip,
    "another contract": _age,
    "another language": _other_language,
    "a pipe for a file": _endless,
}
