"""What several commands share: the store option, and a clear word when the training extra is not installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

TRAINING_PACKAGES = ("torch", "sacrebleu", "tqdm", "matplotlib", "onnx", "onnxscript", "onnxruntime")

FOLDER = click.Path(file_okay=False, path_type=Path)
EXISTING_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def embedded_store() -> Path:
    """The store that comes with the distribution."""
    from model_store.contract.store import EMBEDDED_STORE

    return EMBEDDED_STORE


store_option = click.option(
    "--store",
    type=FOLDER,
    envvar="ATTENDANT_STORE",
    default=embedded_store,
    show_default="ATTENDANT_STORE, else the store that comes with Attendant",
    help="Folder of published bundles.",
)


def need_training_extra(command: str) -> None:
    """Raise a ClickException that names the remedy when `command` cannot run for want of a package."""
    missing = [name for name in TRAINING_PACKAGES if importlib.util.find_spec(name) is None]
    if missing:
        raise click.ClickException(
            f"`attendant {command}` needs {', '.join(missing)}, which the server does without; "
            "in Attendant's checkout run `make .venv-dev/.installed` and use .venv-dev/bin/attendant, "
            "or install them with: pip install -e '.[train]'"
        )
