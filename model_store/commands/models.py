"""`attendant models`: what a store holds, and whether it can be trusted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from model_store.commands.options import store_option

if TYPE_CHECKING:
    from model_store.contract.manifest import Manifest
    from model_store.contract.store import Store

_COLUMNS = ("model", "pair", "architecture", "precision", "parameters", "size", "BLEU")


@click.group()
def models() -> None:
    """List, show and verify the bundles of a store."""


@models.command(name="list")
@store_option
def list_models(store: Path) -> None:
    """List every bundle, verified.

    \b
    Example:
      attendant models list --store /srv/models
    """
    shelf, is_whole = _shelf(store), True
    rows: list[tuple[str, ...]] = [_COLUMNS]
    for name, version in _references(shelf):
        manifest, faults = _open(shelf, f"{name}@{version}")
        is_whole = is_whole and manifest is not None
        rows.append(_row(manifest) if manifest else (f"{name}@{version}", f"BROKEN: {faults[0]}", *[""] * 5))
    if len(rows) == 1:
        raise click.ClickException(f"store {store} holds no bundle; put one there with `attendant publish`")
    widths = [max(len(row[i]) for row in rows if not row[1].startswith("BROKEN")) for i in range(len(_COLUMNS))]
    for row in rows:
        click.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())
    if not is_whole:
        raise click.ClickException("a bundle is broken; `attendant models verify` lists every fault")


@models.command()
@click.argument("model")
@click.option("--json", "as_json", is_flag=True, help="The manifest as it is.")
@store_option
def show(model: str, as_json: bool, store: Path) -> None:
    """Show what MODEL (name or name@version) is, how good its maps are and what runs it; verified.

    \b
    Examples:
      attendant models show en-fr-transformer
      attendant models show en-fr-transformer@7 --json
    """
    from model_store.commands.card import card
    from model_store.contract.errors import StoreError

    try:
        bundle = _shelf(store).open(model)
    except StoreError as error:
        raise click.ClickException(str(error)) from error
    if as_json:
        click.echo(json.dumps(bundle.manifest.model_dump(mode="json"), indent=2, ensure_ascii=False))
    else:
        click.echo(card(bundle))


@models.command()
@click.argument("what", nargs=-1, metavar="[MODEL | FOLDER]...")
@store_option
def verify(what: tuple[str, ...], store: Path) -> None:
    """Check bundles against the contract: all of the store, or those named; a path with a slash is a bundle's folder.

    Every fault is listed. Exits with 1 when there is one.

    \b
    Examples:
      attendant models verify
      attendant models verify en-fr-transformer@7
      attendant models verify ./my-export
    """
    shelf = _shelf(store)
    wanted = what or [f"{name}@{version}" for name, version in _references(shelf)]
    if not wanted:
        raise click.ClickException(f"store {store} holds no bundle; put one there with `attendant publish`")
    missing = [one for one in what if not _exists(shelf, one)]
    if missing:
        known = ", ".join(f"{name}@{version}" for name, version in _references(shelf)) or "none"
        raise click.ClickException(f"{', '.join(missing)}: no such bundle or folder; store {store} holds {known}")
    num_broken = sum(not _report(shelf, one) for one in wanted)
    if num_broken:
        raise click.ClickException(f"{num_broken} of {len(wanted)} bundles broken; export them again, or remove them")


def _exists(shelf: Store, one: str) -> bool:
    """Whether there is a folder of that path, or a bundle of that name and version, whole or broken."""
    if "/" in one:
        return Path(one).is_dir()
    return any(one in (name, f"{name}@{version}") for name, version in _references(shelf))


def _report(shelf: Store, one: str) -> bool:
    """Print what is wrong with one bundle; whether it is whole."""
    manifest, faults = _open_folder(Path(one)) if "/" in one else _open(shelf, one)
    click.echo(f"{one}: {'ok' if manifest else f'{len(faults)} fault(s)'}")
    for fault in faults:
        click.echo(f"  - {fault}")
    return manifest is not None


def _shelf(store: Path) -> Store:
    from model_store.contract.store import Store

    return Store(store)


def _references(shelf: Store) -> list[tuple[str, str]]:
    from model_store.contract.errors import StoreError

    try:
        return shelf.references()
    except StoreError as error:
        raise click.ClickException(f"{error}; set --store or ATTENDANT_STORE") from error


def _open(shelf: Store, reference: str) -> tuple[Manifest | None, list[str]]:
    from model_store.contract.errors import ContractError, StoreError

    try:
        return shelf.open(reference).manifest, []
    except ContractError as error:
        return None, error.faults
    except StoreError as error:
        return None, [str(error)]


def _open_folder(folder: Path) -> tuple[Manifest | None, list[str]]:
    from model_store.contract.bundle import open_bundle
    from model_store.contract.errors import ContractError

    try:
        return open_bundle(folder).manifest, []
    except ContractError as error:
        return None, error.faults


def _row(manifest: Manifest) -> tuple[str, ...]:
    scores = [q for q in manifest.quality if q.precision == manifest.precision and q.metric.upper() == "BLEU"]
    best = f"{scores[0].score:.1f} ({scores[0].test_set}, beam {scores[0].beam_size})" if scores else "not measured"
    return (
        manifest.reference,
        f"{manifest.source}-{manifest.target}",
        manifest.architecture,
        manifest.precision,
        f"{manifest.num_parameters / 1e6:.1f} M",
        f"{manifest.size_bytes / 1e6:.1f} MB",
        best,
    )
