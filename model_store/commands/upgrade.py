"""`attendant upgrade`: add to a bundle what releases after its own export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from model_store.commands.options import EXISTING_FOLDER, FOLDER, need_training_extra

if TYPE_CHECKING:
    from model_store.contract.bundle import Bundle


@click.command()
@click.argument("bundle", type=EXISTING_FOLDER)
@click.option("--out", type=FOLDER, required=True, help="New folder for the bundle.")
@click.option("--data", type=EXISTING_FOLDER, help="Data folder of the bundle's recipe: adds the words that it knows.")
def upgrade(bundle: Path, out: Path, data: Path | None) -> None:
    """Write BUNDLE again with what it lacks.

    That is a teacher-forced graph, made from its own weights; or, with --data, the source words of its training text;
    or a tokenizer without the character map that this package has, 240 kB less.

    Its other graphs stay bit for bit, so it translates as before. With the third graph it scores translations that
    exist already, and shows the maps of encoder and decoder. With its words it tells which words of a text it never
    saw; confidence is calibrated anew with them, which takes a minute. Each call adds one thing.

    \b
    Examples:
      attendant upgrade runs/en-fr-transformer/bundle --out runs/upgraded --data ../shared/data
      attendant publish runs/upgraded --store model_store/bundles
    """
    need_training_extra("upgrade")
    if out.exists():
        raise click.ClickException(f"{out} exists; remove it or name another folder")
    from model_store.contract.bundle import open_bundle
    from model_store.contract.errors import StoreError
    from model_store.data.corpus import CorpusError

    try:
        opened = open_bundle(bundle)
        written, added = _upgraded(opened, out, data)
    except (StoreError, CorpusError) as error:
        raise click.ClickException(str(error)) from error
    size = written.manifest.size_bytes
    click.echo(f"wrote {written.manifest.reference} with {added} to {out}, {size / 1e6:.1f} MB")
    click.echo(f"next: attendant publish {out} --store STORE")


def _upgraded(opened: Bundle, out: Path, data: Path | None) -> tuple[Bundle, str]:
    """The bundle with what it lacked, and the name of that. Raises ClickException when it lacks nothing."""
    from model_store.export.charsmap import with_charsmap_left_out
    from model_store.export.known_words import with_known_words
    from model_store.export.weights import with_teacher_forced

    if opened.teacher_forced is None:
        return with_teacher_forced(opened, out), "a teacher-forced graph"
    if data is None:
        leaner = with_charsmap_left_out(opened, out)
        if leaner is not None:
            return leaner, "a tokenizer without a character map of its own"
        words = "" if opened.known_words is not None else "; --data adds the words that it knows"
        has = "a teacher-forced graph and no character map of its own"
        raise click.ClickException(f"{opened.manifest.reference} has {has} already{words}")
    if opened.known_words is not None:
        raise click.ClickException(f"{opened.manifest.reference} knows its words already")
    found = with_known_words(opened, out, data)
    assert found.known_words is not None
    assert found.manifest.confidence is not None
    area = found.manifest.confidence.area_under_curve
    return found, f"{len(found.known_words):,} known words (confidence: area under the curve {area})"
