"""Marks of formality behind the sources of training pairs, see `model_store/contract/formality.py`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random

from model_store.contract.formality import FORMALITY_MARKS, formality_of
from model_store.data.linked import LinkedPair

NEUTRAL = 0.05
"""Share of pairs with neither formality that get a mark by chance: such text is marked, too, and should not change."""


def marked(pairs: Iterable[LinkedPair], languages: tuple[str, str], share: float, chance: Random) -> list[LinkedPair]:
    """`pairs`, with a mark behind `share` of the sources whose target shows how it addresses its reader."""
    return [_marked(pair, languages, chance) if chance.random() < share else pair for pair in pairs]


def _marked(pair: LinkedPair, languages: tuple[str, str], chance: Random) -> LinkedPair:
    source, target = pair.texts
    found = formality_of(target, languages[1], source if languages[0] == "en" else "")
    if found is None and chance.random() >= NEUTRAL:
        return pair
    mark = FORMALITY_MARKS[chance.choice(tuple(FORMALITY_MARKS)) if found is None else found]
    return replace(pair, source=(*pair.source, mark))
