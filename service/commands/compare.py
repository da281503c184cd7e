"""attendant compare: one text through several models, their maps side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from service.api.requests import FEWEST_COMPARED, MOST_COMPARED
from service.attention.panel import Panel, panels
from service.attention.terminal import show
from service.commands.asking import COMPARE, asker
from service.commands.drawing import check_picture, draw_into
from service.commands.options import pair_options, url_option
from service.commands.request_options import (
    chosen_maps,
    decoded,
    map_options,
    require_lines,
    require_map,
    search_option,
)


@click.command()
@click.argument("text")
@click.option("--models", required=True, metavar="A,B,...", help="2 to 8 models, `name` or `name@version`, by commas.")
@click.option("--translation", help="A translation that all models score and map; else each writes its own.")
@pair_options
@url_option
@search_option("beam_size", "1 is greedy.")
@click.option("--image", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE",
              help="Draw the maps side by side into this picture, .png, .svg or .pdf.")  # fmt: skip
@click.option("--show-map", is_flag=True, help="Show the maps in the terminal.")
@map_options
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
def compare(
    text: str, models: str, image: Path | None, show_map: bool, as_json: bool, url: str | None, **options: Any
) -> None:  # fmt: skip
    """Put TEXT through several models: a line each with the score, and their maps side by side.

    A model without attention has no map.

    \b
    Examples:
      attendant compare "The black cat ate the mouse." --models en-fr-bahdanau,en-fr-transformer --image maps.png
      attendant compare "Thank you." --models en-fr-bahdanau,en-fr-transformer --translation "Je vous remercie."
      attendant compare "I saw her." --models en-fr-transformer,en-fr-gnmt --layer all --head all --image heads.png
    """
    check_picture(image, "--image")
    require_map(image is not None or show_map, "--image FILE or --show-map")
    require_lines(show_map, as_json)
    decoded("TEXT", text)
    decoded("--translation", options["translation"] or "")
    named = [name.strip() for name in models.split(",") if name.strip()]
    if not FEWEST_COMPARED <= len(named) <= MOST_COMPARED:
        wanted = f"{FEWEST_COMPARED} to {MOST_COMPARED} models, with commas between them"
        raise click.UsageError(f"--models names {len(named)}; name {wanted}")
    body: dict[str, Any] = {"text": text, "models": named, "beam_size": options["beam_size"]}
    body |= {name: options[name] for name in ("source", "target", "translation") if options[name]}
    body |= {"attention": chosen_maps(options)} if image is not None or show_map else {}
    drawn: list[Panel] = []
    with asker(url, options, named) as ask:
        answer = ask(COMPARE, body)
    for result in answer["results"]:
        model = "{name}@{version}".format(**result["model"])
        (translation,) = result["translations"]
        found = _panels(translation["segments"], model)
        drawn += found
        if not as_json:
            click.echo(f"{translation['score']:8.4f}  {model}: {translation['text']}")
            for panel in found if show_map else ():
                click.echo(f"\n{show(panel)}\n")
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    if image is not None:
        draw_into(image, by_sentence(drawn), text)


def _panels(segments: Sequence[dict[str, Any]], model: str) -> list[Panel]:
    """The maps of one model, captioned with its name."""
    with_maps = [segment for segment in segments if "attention" in segment]
    found = panels(with_maps)
    return [
        replace(panel, caption=f"{model}, {panel.caption}", row=str(index * len(with_maps) // len(found)))
        for index, panel in enumerate(found)
    ]


def by_sentence(drawn: Sequence[Panel]) -> list[Panel]:
    """The maps of all models in order of sentences, so that a sentence's are drawn in one row. Its text stands under
    them unless it is the title, or each model has its own."""
    texts: dict[str, set[str]] = {}
    for panel in drawn:
        texts.setdefault(panel.row, set()).add(panel.text)
    ordered = sorted(drawn, key=lambda panel: list(texts).index(panel.row))
    return [replace(each, text=each.text if len(texts) > 1 == len(texts[each.row]) else "") for each in ordered]
