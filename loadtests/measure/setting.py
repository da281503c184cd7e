"""What the measurements share: published bundles, test sentences, tables."""

from __future__ import annotations

import argparse
import gzip
import os
import platform
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from model_store.contract.bundle import Bundle
from model_store.contract.store import EMBEDDED_STORE, Store
from model_store.export.weights import as_float32


@dataclass(frozen=True, slots=True)
class Setting:
    """What a measurement runs on."""

    store: Store
    data: Path

    def bundles(self) -> list[Bundle]:
        """The newest version of each of the defaults: those of the gallery have a page of their own."""
        return self.store.open_all()

    def sentences(self, count: int, file: str = "tatoeba-en-fr/test.tsv.gz") -> list[str]:
        """The first `count` source sentences of a test set."""
        path = self.data / file
        if not path.exists():
            raise SystemExit(f"{path} does not exist; name the data folder with --data")
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return [line.split("\t")[0] for _, line in zip(range(count), lines, strict=False)]


def parser(description: str, model: str = "") -> argparse.ArgumentParser:
    """The options that every measurement has, and the one of those of one `model`, which it is unless it is told
    another; one may add its own."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--store", type=Path, default=EMBEDDED_STORE, help="published bundles")
    made.add_argument("--data", type=Path, default=Path("../shared/data"), help="test sets")
    if model:
        made.add_argument("--model", default=model)
    return made


def setting(description: str) -> Setting:
    """Read the options that every measurement has."""
    options = parser(description).parse_args()
    return Setting(Store(options.store), options.data)


@contextmanager
def in_float32(bundle: Bundle) -> Iterator[Bundle]:
    """The same weights as a float32 bundle, for as long as the block runs."""
    with tempfile.TemporaryDirectory(prefix="attendant-measure-") as folder:
        yield as_float32(bundle, Path(folder) / bundle.manifest.name)


def show(title: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a Markdown table."""
    print(f"\n### {title} ({platform.machine()}, Python {platform.python_version()})\n")
    for cells in (header, ["---"] * len(header), *rows):
        print("| " + " | ".join(str(cell) for cell in cells) + " |")


def search_name(beam_size: int) -> str:
    """For people."""
    return "greedy" if beam_size == 1 else f"beam {beam_size}"


def share(part: int, whole: int) -> str:
    """`part` of `whole` with its percentage, for a table: `3 (75.0%)`."""
    return f"{part} ({part / max(whole, 1):.1%})"


def stolen_seconds() -> float:
    """Processor time since the machine's start that its host gave to others while it was wanted here."""
    fields = Path("/proc/stat").read_text(encoding="utf-8").split("\n", 1)[0].split()
    return int(fields[8]) / os.sysconf("SC_CLK_TCK")


def spin_ms() -> float:
    """Processor time of a fixed loop, the least of five: grows where a virtual machine's neighbours are busy."""
    times = []
    for _ in range(5):
        begin = time.thread_time()
        for _ in range(20_000):
            pass
        times.append(time.thread_time() - begin)
    return 1000 * min(times)


def machine() -> str:
    """The processor, with what matters to products of 8 and 16 bits: `Xeon, 2 cores, amx_int8, avx512_bf16`."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    fields = dict(line.split(":", 1) for line in lines if ":" in line)
    values = {name.strip(): value.strip() for name, value in fields.items()}
    family = next((name for name in ("Xeon", "EPYC", "Core", "Ryzen") if name in values.get("model name", "")), None)
    features = [f for f in ("amx_int8", "avx512_vnni", "avx512_bf16") if f in values.get("flags", "").split()]
    return ", ".join([family or platform.processor() or platform.machine(), f"{os.cpu_count()} cores", *features])
