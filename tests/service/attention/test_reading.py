"""What a client sees of raw attention: links that one slice leaves out come from another, if it is sure enough."""

from __future__ import annotations

import numpy as np
import pytest

from model_store.contract.parts import LeftoverLinks, Links
from service.attention.reading import AttentionReader, Side
from service.exchanged import AttentionOptions
from tests.bundles import without_network

SOURCE, TARGET = "je le vois", "I see him"


def side(text: str, language: str) -> Side:
    """Its words are its subwords."""
    ends = [at for at, character in enumerate(f"{text} ") if character == " "]
    return Side(text, 0, language, list(zip([0, *(end + 1 for end in ends)], ends, strict=False)))


def alignment(tokenizer_model: bytes, least: float) -> str:
    """Links where slice 1 knows two of three words, and slice 2 gives the third a weight of a half."""
    links = Links(layer=1, head=1, least_weight=0.3, leftover=LeftoverLinks(layer=1, head=2, least_weight=least))
    manifest = without_network(tokenizer_model, ((1, 1), (1, 2)), links=links).manifest
    sure = [[0.9, 0, 0, 0.1], [0, 0, 0.9, 0.1], [0, 0.1, 0, 0.9], [0, 0, 0, 1]]
    unsure = [[0.5, 0, 0, 0.5], [0, 0, 0.5, 0.5], [0, 0.5, 0, 0.5], [0, 0, 0, 1]]
    attention = np.array([sure, unsure], np.float32).transpose(1, 0, 2)
    reader = AttentionReader(manifest)
    wanted = reader.wanted(AttentionOptions())
    return reader.read(attention, wanted, side(SOURCE, "fr"), side(TARGET, "en")).alignment


@pytest.mark.parametrize(("least", "expected"), [(0.4, "0-0 2-1 1-2"), (0.6, "0-0 2-1")])
def test_a_leftover_word_is_linked_where_the_second_slice_is_sure_enough(
    tokenizer_model: bytes, least: float, expected: str
) -> None:
    assert alignment(tokenizer_model, least) == expected
