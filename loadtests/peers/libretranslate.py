"""LibreTranslate from PyPI with the weights of our model, packed as it expects them, in an environment of its own.

It wraps Argos Translate, which wraps CTranslate2, and searches with a beam of 4 of its own. Its dependencies disagree
with ours (numpy below 2), hence the environment. It finds sentences with a MiniSBD model that it downloads from GitHub;
nothing is downloaded here, so it uses the splitter that it offers beside that one, spaCy, with rules for English. Rules
cost less than MiniSBD's network: the peer is not the slower for it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from loadtests.peers import instructions
from loadtests.peers.http_process import running_process
from loadtests.peers.options import Options
from loadtests.server import Server, ServerError, free_port

VERSION = "1.9.6"
REQUIREMENTS = (f"libretranslate=={VERSION}", "spacy>=3.8,<3.9")
ENVIRONMENT = Path(".venv-libretranslate")

AS_INSTALLED: Mapping[str, str] = {instructions.VARIABLE: instructions.ITS_OWN}
"""What people run who set nothing."""
TUNED: Mapping[str, str] = {
    "ARGOS_INTER_THREADS": "2",
    "ARGOS_INTRA_THREADS": "1",
    "ARGOS_COMPUTE_TYPE": "int8",
    **instructions.environment(),
}
"""Variables of Argos Translate's for two cores, for those who look into its source."""

_PACK = """
import sys
from pathlib import Path
import spacy
spacy.blank("en").to_disk(Path(sys.argv[1]) / "spacy")
"""
_INSTALL = """
import sys
from pathlib import Path
from argostranslate import package
package.install_from_path(Path(sys.argv[1]))
print(package.get_installed_packages())
"""


@contextmanager
def running_libretranslate(options: Options, settings: Mapping[str, str] = TUNED) -> Iterator[Server]:
    """LibreTranslate on a free port, offline, knowing nothing but our model.

    Raises ServerError with what it said when it cannot be installed, load the model or start.
    """
    python = installed_python()
    home = installed_model(options, python)
    port = free_port()
    command = [str(python.with_name("libretranslate")), "--host", "127.0.0.1", "--port", str(port)]
    command += ["--disable-web-ui", "--disable-files-translation", "--threads", "8"]
    environment = {**_places(home), **settings}
    with running_process(command, f"http://127.0.0.1:{port}", "/languages", environment, home) as server:
        yield server


def installed_python() -> Path:
    """The Python of LibreTranslate's own environment; made on first use, with pip."""
    python = ENVIRONMENT.absolute() / "bin" / "python"
    done = ENVIRONMENT / f".installed-{VERSION}"
    if not done.exists():
        click.echo(f"making {ENVIRONMENT} with {', '.join(REQUIREMENTS)}; this takes a minute or two", err=True)
        _run([sys.executable, "-m", "venv", str(ENVIRONMENT)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *REQUIREMENTS])
        done.touch()
    return python


def installed_model(options: Options, python: Path) -> Path:
    """A home folder of LibreTranslate's in which our model is installed from its .argosmodel file."""
    # CTranslate2 is in the extra `peers` alone.
    from loadtests.peers.ctranslate2_model import ctranslate2_model, digest, tokenizer_file

    bundle = options.bundle()
    home = (options.cache / f"libretranslate-{VERSION}-{bundle.manifest.name}-{digest(bundle)}").absolute()
    if (home / "installed").exists():
        return home
    shutil.rmtree(home, ignore_errors=True)
    _avoid_downloads(home)
    model = ctranslate2_model(bundle, "int8", options.cache)
    packed = pack(model, tokenizer_file(bundle, options.cache), home, python)
    _run([str(python), "-c", _INSTALL, str(packed)], _places(home))
    (home / "installed").touch()
    return home


def pack(model: Path, tokenizer: Path, home: Path, python: Path) -> Path:
    """The .argosmodel file: a zip of one folder with metadata, CTranslate2 model, tokenizer and sentence splitter."""
    folder = home / "packing" / "en_fr"
    shutil.copytree(model, folder / "model")
    shutil.copyfile(tokenizer, folder / "sentencepiece.model")
    (folder / "metadata.json").write_text(json.dumps(_metadata(), indent=1))
    _run([str(python), "-c", _PACK, str(folder)], _places(home))
    packed = home / "en_fr.argosmodel"
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("en_fr", "en_fr_again"):  # with fewer than two packages LibreTranslate downloads all there are
            for file in sorted(folder.rglob("*")):
                archive.write(file, Path(name) / file.relative_to(folder))
    return packed


def _metadata() -> dict[str, Any]:
    english, french = {"code": "en", "name": "English"}, {"code": "fr", "name": "French"}
    return {
        "package_version": "1.0",
        "argos_version": "1.12",
        **{f"from_{key}": value for key, value in english.items()},
        **{f"to_{key}": value for key, value in french.items()},
    }


def _places(home: Path) -> dict[str, str]:
    """Variables that keep all that LibreTranslate and Argos Translate write below `home`."""
    return {
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "ARGOS_PACKAGES_DIR": str(home / "packages"),
        "ARGOS_CHUNK_TYPE": "SPACY",
    }


def _avoid_downloads(home: Path) -> None:
    """Argos Translate looks for spaCy's multilingual model, and downloads it when this file is not there; packages
    that bring a model of their own, as ours does, never read it."""
    (home / "packages").mkdir(parents=True)
    marker = home / "cache" / "argos-translate" / "spacy" / "senter" / "model"
    marker.parent.mkdir(parents=True)
    marker.touch()


def _run(command: list[str], environment: Mapping[str, str] | None = None) -> None:

    variables = os.environ | dict(environment or {})
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = f"{done.stdout}{done.stderr}"[-4000:]
        raise ServerError(f"{' '.join(command[:4])} ... ended with {done.returncode}\n{said}")
