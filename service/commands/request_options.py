"""Options of commands that ask for translations. Bounds, words and defaults are those of the API's own fields."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from service.api.requests import AttentionBody, OptionsBody

Command = TypeVar("Command", bound=Callable[..., Any])
Schema = dict[str, Any]
SEARCH: Schema = OptionsBody.model_json_schema()["properties"]
MAP: Schema = AttentionBody.model_json_schema()["properties"]
"""The JSON schema of each field."""


def search_option(name: str, text: str) -> Callable[[Command], Command]:
    """The option for that number among the fields of `OptionsBody`; `text` is its help."""
    number, default = _number(SEARCH[name]), SEARCH[name]["default"]
    kind = click.IntRange if number["type"] == "integer" else click.FloatRange
    bounds = kind(number["minimum"], number["maximum"])
    flag = f"--{name.removeprefix('num_').replace('_', '-')}"
    return click.option(flag, name, type=bounds, default=default, show_default=default is not None, help=text)


def search_options(command: Command) -> Command:
    """`--beam-size`, `--length-penalty` and `--coverage-penalty`."""
    for name, text in (
        ("coverage_penalty", "The same; 0: none."),
        ("length_penalty", "Wu et al. 2016."),
        ("beam_size", "1 is greedy."),
    ):
        command = search_option(name, text)(command)
    return command


def formality_option(command: Command) -> Command:
    """`--formality`."""
    kind = click.Choice(_words(SEARCH["formality"]))
    return click.option("--formality", type=kind, help="vous and Sie, or tu and du.  [default: as the model has it]")(
        command
    )


MAPS = {"level": "attention_level", "layer": "layer", "head": "head", "kind": "kind"}
"""By field of `AttentionBody`, the option."""


def map_options(command: Command) -> Command:
    """`--attention-level`, `--kind`, `--layer` and `--head`: which maps to show."""
    level, kind = (click.Choice(_words(MAP[name])) for name in ("level", "kind"))
    for option in (
        _place_option("head", "N|mean|default|all", "Head of the layer, from 1."),
        _place_option("layer", "N|default|all", "Layer, from 1; default: the alignment layer."),
        click.option(
            "--kind", type=kind, default=MAP["kind"]["default"], show_default=True,
            help="Target over source, source over itself, or target over what was written before.",
        ),
        click.option(
            "--attention-level", type=level, default=MAP["level"]["default"], show_default=True,
            help="token: the model's own subwords.",
        ),
    ):  # fmt: skip
        command = option(command)
    return command


def chosen_maps(options: Mapping[str, Any]) -> dict[str, Any]:
    """The field `attention` of a request: what `map_options` chose."""
    return {field: options[option] for field, option in MAPS.items()}


def require_map(is_wanted: bool, remedy: str) -> None:
    """Raise UsageError where `map_options` chose a map that nothing shows; `remedy` is the option that would."""
    context = click.get_current_context()
    asked = [name for name in MAPS.values() if context.get_parameter_source(name) is ParameterSource.COMMANDLINE]
    if asked and not is_wanted:
        flags = " and ".join(f"--{name.replace('_', '-')}" for name in asked)
        raise click.UsageError(f"{flags}: no map is shown; add {remedy}")


def require_lines(show_map: bool, as_json: bool) -> None:
    """Raise UsageError where maps are to be drawn between lines of JSON."""
    if show_map and as_json:
        raise click.UsageError("--show-map draws between lines of text, --json prints JSON only; leave one of them out")


def decoded(place: str, text: str) -> str:
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


def lines_of_input(missing: str) -> Iterator[tuple[str, str]]:
    """The place of each line of standard input, and the line. Raises UsageError for a terminal, with `missing`, and for
    a line that is not UTF-8."""
    standard_input = click.open_file("-", encoding="utf-8", errors="surrogateescape")
    if standard_input.isatty():
        raise click.UsageError(f"name {missing}, or send lines to standard input")
    places = ((f"line {number} of standard input", line) for number, line in enumerate(standard_input, start=1))
    return ((place, decoded(place, line.rstrip("\r\n"))) for place, line in places)


def _place_option(name: str, shown: str, text: str) -> Callable[[Command], Command]:
    """A layer or a head: a number or one of the field's words."""
    words, number, default = _words(MAP[name]), _number(MAP[name]), MAP[name]["default"]
    low, high = number["minimum"], number["maximum"]

    def read(context: click.Context, parameter: click.Parameter, value: str) -> int | str:
        if value in words:
            return value
        if value.isascii() and value.isdigit() and low <= int(value) <= high:
            return int(value)
        raise click.BadParameter(f"{value!r} is neither a number from {low} to {high} nor {' or '.join(words)}")

    return click.option(f"--{name}", default=default, callback=read, show_default=True, metavar=shown, help=text)


def _number(field: Schema) -> Schema:
    """The number that a field may be."""
    return next(one for one in _choices(field) if "minimum" in one)


def _words(field: Schema) -> list[str]:
    """The words that a field may be."""
    return [word for one in _choices(field) for word in one.get("enum", [])]


def _choices(field: Schema) -> list[Schema]:
    found: list[Schema] = field.get("anyOf", [field])
    return found
