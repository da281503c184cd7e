"""attendant translate: texts from the command line or standard input, translated here or by a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from service.attention.panel import Panel, panels
from service.attention.terminal import show
from service.commands.asking import TRANSLATE, Answer, Ask, asker, check_url
from service.commands.drawing import check_picture, draw_into
from service.commands.options import model_options, url_option

TEXTS_PER_REQUEST = 32
"""Lines of standard input that are translated together."""


def _number_or(*words: str) -> Callable[[click.Context, click.Parameter, str], int | str]:
    """What reads an option that is a whole number from 1 or one of `words`."""

    def read(context: click.Context, parameter: click.Parameter, value: str) -> int | str:
        if value in words:
            return value
        if value.isascii() and value.isdigit() and 1 <= int(value) <= 1000:
            return int(value)
        raise click.BadParameter(f"{value!r} is neither a number from 1 to 1000 nor {' or '.join(words)}")

    return read


@click.command()
@click.argument("texts", nargs=-1, metavar="[TEXT]...")
@model_options
@url_option
@click.option("--beam-size", type=click.IntRange(1, 16), default=4, show_default=True, help="1 is greedy.")
@click.option("--length-penalty", type=click.FloatRange(0, 2), default=1.0, show_default=True, help="Wu et al. 2016.")
@click.option(
    "--coverage-penalty", type=click.FloatRange(0, 2), default=0.0, show_default=True, help="The same; 0: none."
)
@click.option("--alternatives", type=click.IntRange(0, 15), default=0, help="Further translations of each text.")
@click.option("--max-output-tokens", type=click.IntRange(1, 100_000), help="Per sentence; else from its length.")
@click.option("--target-prefix", metavar="WORDS", help="What every translation begins with; the last word may go on.")
@click.option("--attention", type=click.Path(dir_okay=False, writable=True, path_type=Path), metavar="FILE",
              help="Draw the attention maps of all texts into this picture, .png, .svg or .pdf.")  # fmt: skip
@click.option("--show-map", is_flag=True, help="Show the attention maps in the terminal.")
@click.option("--attention-level", type=click.Choice(["word", "token"]), default="word", show_default=True,
              help="token: the model's own subwords.")  # fmt: skip
@click.option("--kind", type=click.Choice(["cross", "encoder", "decoder"]), default="cross", show_default=True,
              help="Target over source, source over itself, or target over what was written before.")  # fmt: skip
@click.option("--layer", default="default", callback=_number_or("default", "all"), show_default=True,
              metavar="N|default|all", help="Layer, from 1; default: the alignment layer.")  # fmt: skip
@click.option("--head", default="default", callback=_number_or("mean", "default", "all"), show_default=True,
              metavar="N|mean|default|all", help="Head of the layer, from 1.")  # fmt: skip
@click.option("--signals", is_flag=True, help="Show how likely each translation is usable, and what speaks against it.")
@click.option("--json", "as_json", is_flag=True, help="Print whole answers as JSON, a line for each request.")
def translate(
    texts: tuple[str, ...], attention: Path | None, show_map: bool, as_json: bool, url: str | None, **options: Any
) -> None:
    """Translate texts, and show what the model looked at.

    Each TEXT may hold several sentences. Without any, or with `-` alone, every line of standard input is a text.

    \b
    Examples:
      attendant translate --target fr "The black cat ate the mouse."
      attendant translate --target fr --attention map.png --show-map "The black cat ate the mouse."
      attendant translate --target de --alternatives 2 --json "Where is the station?"
      attendant translate --target fr --url http://127.0.0.1:8000 < letter.txt > lettre.txt
      attendant translate --target fr --target-prefix "La souris" "The black cat ate the mouse."
      attendant translate --target fr --attention heads.png --layer all --head all "I saw her."
      attendant translate --target fr --attention self.png --kind encoder --layer all "I saw her."
    """
    _check(attention, show_map, as_json, url, options)
    drawn: list[Panel] = []
    model = ""
    body = _body(options, attention is not None or show_map)
    named = () if texts == ("-",) else texts
    wanted = [_decoded(f"TEXT {number}", text) for number, text in enumerate(named, start=1)] or _lines()
    with asker(url, options) as ask:
        for answer in _answers(ask, wanted, body):
            model = "{name}@{version}".format(**answer["model"])
            _print(answer, as_json, show_map)
            drawn += [p for t in answer["translations"] for p in _maps(t)] if attention is not None else []
    if attention is not None:
        draw_into(attention, drawn, model)


def _check(attention: Path | None, show_map: bool, as_json: bool, url: str | None, options: dict[str, Any]) -> None:
    check_url(url)
    if options["alternatives"] >= options["beam_size"]:
        raise click.UsageError("--alternatives must be less than --beam-size")
    check_picture(attention)
    asked = [f"--{name.replace('_', '-')}" for name in ("layer", "head", "kind", "attention_level") if _was_given(name)]
    if asked and attention is None and not show_map:
        raise click.UsageError(f"{' and '.join(asked)} choose a map to show; add --attention FILE or --show-map")
    if show_map and as_json:
        raise click.UsageError("--show-map draws between lines of text, --json prints JSON only; leave one of them out")
    for name in ("model", "source", "target", "target_prefix"):
        _decoded(f"--{name.replace('_', '-')}", options[name] or "")


def _was_given(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def _body(options: dict[str, Any], want_attention: bool) -> dict[str, Any]:
    """The request's body but its texts; what was not said is left out."""
    body = {
        key: options[key] for key in ("model", "source", "target", "beam_size", "length_penalty", "coverage_penalty")
    }
    body["num_alternatives"] = options["alternatives"]
    body |= {"signals": True} if options["signals"] else {}
    body["target_prefix"] = options["target_prefix"]
    if want_attention:
        chosen = {name: options[name] for name in ("layer", "head", "kind")}
        body["attention"] = {"level": options["attention_level"], **chosen}
    return {key: value for key, value in body.items() if value is not None}


def _lines() -> Iterator[str]:
    standard_input = click.open_file("-", encoding="utf-8", errors="surrogateescape")
    if standard_input.isatty():
        raise click.UsageError("name a TEXT, or send lines to standard input")
    lines = enumerate(standard_input, start=1)
    return (_decoded(f"line {number} of standard input", line.rstrip("\r\n")) for number, line in lines)


def _decoded(place: str, text: str) -> str:
    """`text` itself; bytes that are no UTF-8 came as lone surrogates (PEP 383), and are refused."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        found = ord(text[error.start]) & 0xFF
        remedy = "convert the text first, for example with iconv -f latin1 -t utf-8"
        raise click.UsageError(
            f"{place} is not UTF-8: byte 0x{found:02x} at character {error.start + 1}; {remedy}"
        ) from None
    return text


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
