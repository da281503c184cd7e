"""Offsets in UTF-16 units, as JavaScript, Java and C# count: a code point beyond U+FFFF takes two."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from service.api.answers import SideAnswer, TranslationAnswer


def count_utf16(source: str, translation: TranslationAnswer) -> None:
    """Turn the offsets of one text's answer from code points into UTF-16 units, in place."""
    sources = _units(source)
    _count(sources, [segment["source"] for segment in translation["segments"]])
    _count(_units(translation["text"]), [segment["target"] for segment in translation["segments"]])
    for alternative in translation["alternatives"]:
        segments = alternative.get("segments", [])
        _count(sources, [segment["source"] for segment in segments])
        _count(_units(alternative["text"]), [segment["target"] for segment in segments])


def _units(text: str) -> list[int]:
    """The UTF-16 units before each code point of `text`, and those of all of it."""
    return list(accumulate((1 + (character > "\uffff") for character in text), initial=0))


def _count(units: Sequence[int], sides: Sequence[SideAnswer]) -> None:
    for side in sides:
        side["start"], side["end"] = units[side["start"]], units[side["end"]]
        for token in side["tokens"]:
            token["start"], token["end"] = units[token["start"]], units[token["end"]]
