"""attendant score: the score of translations that exist already, a line for each pair."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

import click

from service.attention.panel import Panel, panels
from service.commands.asking import SCORE, asker
from service.commands.drawing import check_picture, draw_into
from service.commands.options import model_options, url_option
from service.commands.request_options import chosen_maps, decoded, lines_of_input, map_options, require_map

PAIRS_PER_REQUEST = 64


@click.command()
@click.argument("pairs", nargs=-1, metavar="[TEXT TRANSLATION]...")
@model_options
@url_option
@click.option("--attention", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE",
              help="Draw the maps of all pairs into this picture, .png, .svg or .pdf.")  # fmt: skip
@map_options
@click.option("--json", "as_json", is_flag=True, help="Print whole answers as JSON, a line for each request.")
def score(pairs: tuple[str, ...], attention: Path | None, as_json: bool, url: str | None, **options: Any) -> None:
    """Score translations: the mean log-probability of their subwords by a model, a line for each pair.

    Without any arguments every line of standard input is a text, a tab and its translation; further columns are left
    out.

    \b
    Examples:
      attendant score --target fr "Thank you." "Merci."
      attendant score --model en-fr-transformer < pairs.tsv > scores.txt
      attendant score --target fr --attention map.png "The cat sleeps." "Le chat dort."
    """
    if len(pairs) % 2:
        raise click.UsageError("name a translation for each text: TEXT TRANSLATION TEXT TRANSLATION ...")
    check_picture(attention)
    require_map(attention is not None, "--attention FILE")
    for number, text in enumerate(pairs):
        decoded(f"{('TEXT', 'TRANSLATION')[number % 2]} {number // 2 + 1}", text)
    body = {name: options[name] for name in ("model", "source", "target") if options[name]}
    body |= {"attention": chosen_maps(options)} if attention is not None else {}
    portions = _portions(zip(pairs[::2], pairs[1::2], strict=True) if pairs else _lines())
    first = next(portions, [])  # what is wrong with it is told before a model is loaded
    drawn: list[Panel] = []
    model = ""
    with asker(url, options) as ask:
        for some in chain([first] if first else [], portions):
            answer = ask(SCORE, {**body, "pairs": [{"text": t, "translation": other} for t, other in some]})
            model = "{name}@{version}".format(**answer["model"])
            if as_json:
                click.echo(json.dumps(answer, ensure_ascii=False))
            for scored in answer["scores"]:
                drawn += panels(scored["segments"]) if attention is not None else []
                if not as_json:
                    click.echo(f"{scored['score']:.4f}")
    if attention is not None:
        draw_into(attention, drawn, model)


def _lines() -> Iterator[tuple[str, str]]:
    return map(_pair, lines_of_input("a TEXT and its TRANSLATION"))


def _pair(placed: tuple[str, str]) -> tuple[str, str]:
    place, line = placed
    text, tab, rest = line.partition("\t")
    if not tab:
        raise click.UsageError(f"{place} has no tab between text and translation")
    return text, rest.partition("\t")[0]


def _portions(pairs: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    waiting = iter(pairs)
    while some := list(islice(waiting, PAIRS_PER_REQUEST)):
        yield some
