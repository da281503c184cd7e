"""Pictures of maps, as several commands save them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from service.attention.panel import Panel
from service.attention.picture import FORMATS


def check_picture(path: Path | None, option: str = "--attention") -> None:
    """Raise UsageError for a file that no picture can be saved to."""
    if path is None:
        return
    if form_of(path) not in FORMATS:
        raise click.UsageError(f"{option} draws PNG, SVG or PDF; name the file {path.with_suffix('.png')}")
    if not path.absolute().parent.is_dir():
        raise click.UsageError(f"{option}: there is no folder {path.parent}")


def form_of(path: Path) -> str:
    """The picture's format, as the file's name ends."""
    return path.suffix.lower().removeprefix(".")


def draw_into(path: Path, drawn: Sequence[Panel], title: str) -> None:
    """Draw the maps into a file, and tell of what could not be drawn. Raises ClickException when there is no map."""
    from service.attention.picture import MAX_PANELS, draw

    if not drawn:
        raise click.ClickException("there is no attention to draw: nothing was translated, or the model has none")
    picture = draw(drawn, title, form_of(path))
    path.write_bytes(picture.data)
    if picture.missing:
        characters = " ".join(picture.missing[:20])
        click.echo(f"warning: no installed font has {characters}; boxes are drawn in their place", err=True)
    left_out = f", the first {MAX_PANELS} of {len(drawn)} maps" if len(drawn) > MAX_PANELS else ""
    click.echo(f"Attention saved to {path}{left_out}", err=True)
