"""attendant translate: texts from the command line or standard input, translated here or by a server."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click

from service.attention.panel import Panel, panels
from service.attention.terminal import show
from service.commands.asking import TRANSLATE, Answer, Ask, asker, check_url
from service.commands.drawing import check_picture, draw_into
from service.commands.options import model_options, url_option
from service.commands.request_options import (
    chosen_maps,
    decoded,
    formality_option,
    lines_of_input,
    map_options,
    require_lines,
    require_map,
    search_option,
    search_options,
)
from service.text.formats.documents import joined, pieces

TEXTS_PER_REQUEST = 32
"""Lines of standard input, or pieces of a document, that are translated together."""
CHARACTERS_PER_TEXT = 2000
"""At most, of a piece of a document; a server takes 5,000 unless it is told another limit."""


@click.command()
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@model_options
@url_option
@search_options
@search_option("num_alternatives", "Further translations of each text.")
@search_option("max_output_tokens", "Per sentence; else from its length.")
@search_option("min_output_tokens", "Per sentence, at least.")
@click.option("--target-prefix", metavar="WORDS", help="What every translation begins with; the last word may go on.")
@formality_option
@click.option("--attention", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE",
              help="Draw the attention maps of all texts into this picture, .png, .svg or .pdf.")  # fmt: skip
@click.option("--show-map", is_flag=True, help="Show the attention maps in the terminal.")
@map_options
@click.option("--document", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="FILE",
              help="Translate this file: text, Markdown, HTML, subtitles, LaTeX, JSON, YAML, PO, XLIFF.")  # fmt: skip
@click.option("--signals", is_flag=True, help="Show how likely each translation is usable, and what speaks against it.")
@click.option("--json", "as_json", is_flag=True, help="Print whole answers as JSON, a line for each request.")
def translate(
    texts: tuple[str, ...],
    attention: Path | None,
    show_map: bool,
    document: Path | None,
    as_json: bool,
    url: str | None,
    **options: Any,
) -> None:
    """Translate texts, and show what the model looked at.

    Each TEXT may hold several sentences. Without any, or with `-` alone, every line of standard input is a text.

    \b
    Examples:
      attendant translate --target fr "The black cat ate the mouse."
      attendant translate --target fr --attention map.png --show-map "The black cat ate the mouse."
      attendant translate --target de --alternatives 2 --json "Where is the station?"
      attendant translate --target fr --url http://127.0.0.1:8000 < letter.txt > lettre.txt
      attendant translate --target fr --document messages.en.json > messages.fr.json
      attendant translate --target fr --target-prefix "La souris" "The black cat ate the mouse."
      attendant translate --target fr --attention heads.png --layer all --head all "I saw her."
      attendant translate --target fr --attention self.png --kind encoder --layer all "I saw her."
    """
    _check(attention, show_map, as_json, url, options)
    if document is not None:
        _check_document(texts, attention is not None or show_map or as_json, options)
        click.echo(_translated(document, url, options), nl=False)
        return
    drawn: list[Panel] = []
    model = ""
    body = _body(options, attention is not None or show_map)
    named = () if texts == ("-",) else texts
    wanted = [decoded(f"TEXT {number}", text) for number, text in enumerate(named, start=1)] or _lines()
    with asker(url, options) as ask:
        for answer in _answers(ask, wanted, body):
            model = "{name}@{version}".format(**answer["model"])
            _print(answer, as_json, show_map)
            drawn += [p for t in answer["translations"] for p in _maps(t)] if attention is not None else []
    if attention is not None:
        draw_into(attention, drawn, model)


def _check(attention: Path | None, show_map: bool, as_json: bool, url: str | None, options: dict[str, Any]) -> None:
    check_url(url)
    if options["num_alternatives"] >= options["beam_size"]:
        raise click.UsageError("--alternatives must be less than --beam-size")
    if options["max_output_tokens"] is not None and options["min_output_tokens"] > options["max_output_tokens"]:
        raise click.UsageError("--min-output-tokens must not be more than --max-output-tokens")
    check_picture(attention)
    require_map(attention is not None or show_map, "--attention FILE or --show-map")
    require_lines(show_map, as_json)
    for name in ("model", "source", "target", "target_prefix"):
        decoded(f"--{name.replace('_', '-')}", options[name] or "")


def _check_document(texts: tuple[str, ...], wants_more: bool, options: dict[str, Any]) -> None:
    if texts:
        raise click.UsageError("--document names the text; leave TEXT out")
    if wants_more or options["num_alternatives"] or options["signals"]:
        shown = "--attention, --show-map, --json, --alternatives and --signals"
        raise click.UsageError(f"a document is printed as it is: leave {shown} out")
    if options["target_prefix"]:
        raise click.UsageError("--target-prefix is for one text; leave it out with --document")


def _translated(path: Path, url: str | None, options: dict[str, Any]) -> str:
    """The file, translated; how far it is goes to the terminal, if there is one."""
    try:
        document = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{path} is not UTF-8 (byte {error.start}); save it as UTF-8") from error
    found = pieces(document, CHARACTERS_PER_TEXT)
    texts, body, translations = [piece.text for piece in found], _body(options, False), list[str]()
    with (
        asker(url, options) as ask,
        click.progressbar(length=len(texts), label=path.name, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar,
    ):
        for answer in _answers(ask, texts, body):
            translations += [translation["text"] for translation in answer["translations"]]
            bar.update(len(answer["translations"]))
    return joined(document, found, translations)


def _body(options: dict[str, Any], want_attention: bool) -> dict[str, Any]:
    """The request's body but its texts; what was not said is left out."""
    named = ("model", "source", "target", "target_prefix", "formality")
    searched = ("beam_size", "length_penalty", "coverage_penalty", "num_alternatives")
    body = {key: options[key] for key in (*named, *searched, "max_output_tokens", "min_output_tokens")}
    body |= {"signals": True} if options["signals"] else {}
    body |= {"attention": chosen_maps(options)} if want_attention else {}
    return {key: value for key, value in body.items() if value is not None}


def _lines() -> Iterator[str]:
    return (line for _, line in lines_of_input("a TEXT"))


def _answers(ask: Ask, texts: Iterable[str], body: dict[str, Any]) -> Iterator[Answer]:
    waiting = iter(texts)
    while some := list(islice(waiting, TEXTS_PER_REQUEST)):
        yield ask(TRANSLATE, {**body, "text": some})


def _print(answer: Answer, as_json: bool, show_map: bool) -> None:
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
        return
    for translation in answer["translations"]:
        click.echo(translation["text"])
        if "confidence" in translation:
            found = translation["confidence"]
            click.echo(f"  confidence {'unknown for this model' if found is None else f'{found:.2f}'}")
            if guessed := [word for segment in translation["segments"] for word in segment["signals"]["unknown_words"]]:
                click.echo(f"  not in the training text: {', '.join(guessed)}")
        if translation.get("warnings"):
            click.echo(f"warning: {', '.join(translation['warnings'])}", err=True)
        for number, alternative in enumerate(translation["alternatives"], start=2):
            click.echo(f"  {number}. {alternative['text']} ({alternative['score']:.2f})")
        for panel in _maps(translation) if show_map else ():
            click.echo(f"\n{show(panel)}\n")


def _maps(translation: dict[str, Any]) -> list[Panel]:
    return panels(translation["segments"])
