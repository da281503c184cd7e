"""A corpus drawn in parts, each an epoch of the training loop."""

from __future__ import annotations

from collections import Counter

from model_store.data.linked import SURE, LinkedPair
from model_store.data.shares import VariationPart
from model_store.data.variation import Variation
from tests.model_store.data.unvaried import UNVARIED

PAIRS = [
    LinkedPair((f"word{i}", " and", " more", "."), (f"mot{i}", " et", " plus", "."), ((0, 0, SURE),))
    for i in range(101)
]
PLAIN = VariationPart(**UNVARIED)


def test_parts_on_end_draw_each_pair_once_in_another_order_each_time() -> None:
    variation = Variation(PAIRS, ("en", "fr"), PLAIN)
    rounds = [[variation.epoch(1, 4 * number + part, 4) for part in range(4)] for number in range(2)]
    for parts in rounds:
        assert Counter(pair for part in parts for pair in part) == Counter(PAIRS)
        assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert rounds[0] != rounds[1]
    assert variation.epoch(1, 2, 4) == rounds[0][2]
