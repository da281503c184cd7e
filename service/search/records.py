"""What a search knows, as records in arrays: one layout for Python and for compiled code."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from service.messages import SearchOptions

FILTER_NUMBERS: Mapping[str, Callable[[SearchOptions], int]] = {
    "no_repeat": lambda options: options.no_repeat_ngram,  # n-grams of this length come once only
    "min_length": lambda options: options.min_output_tokens,  # tokens before which no end token comes, itself included
    "num_prefix": lambda options: len(options.target_prefix),  # tokens that the translation must begin with
    "num_forbidden": lambda options: len(options.forbidden),  # tokens that it must not have
}
"""What logit filters know of a search, int32 each, and where in its options that is."""

SLOT = np.dtype(
    [
        ("length", np.int32),  # tokens that each of its rows has written
        ("limit", np.int32),  # tokens after which a hypothesis is cut, end token included
        ("columns", np.int32),  # source tokens, end token included
        ("wanted", np.int32),  # hypotheses to return
        ("num_finished", np.int32),
        ("filters", np.int32),  # a bit for each of `filters.FILTERS` that it asks for
        ("listed", np.int64),  # address of the tokens of its prefix, then of those that are forbidden, int64 each
        ("over", np.bool_),
        ("alpha", np.float64),  # length penalty
        ("beta", np.float64),  # coverage penalty
        ("to_beat", np.float64),  # score of the worst hypothesis that would be returned now, -inf before
        *((name, np.int32) for name in FILTER_NUMBERS),
    ],
    align=True,
)
"""One segment."""

ROW = np.dtype([("token", np.int64), ("total", np.float64), ("coverage", np.float64)], align=True)
"""One live hypothesis: what it is fed next; the sum of its log-probabilities, -inf when nothing is in the row; and what
its coverage penalty adds to its score, should it end now: 0 where none is asked for."""

STEP = np.dtype([("token", np.int32), ("log_prob", np.float32), ("parent", np.int32)], align=True)
"""One token of a hypothesis; `parent` is the row, of all rows of that step, whose output chose it."""

FINISHED = np.dtype(
    [
        ("score", np.float64),  # length-normalised
        ("step", np.int32),  # tokens before the last
        ("cut", np.bool_),  # by the limit
        ("last", STEP),
    ],
    align=True,
)
"""A hypothesis that goes on no more: its last token, and where those before lie."""

CONTINUATION = np.dtype(
    [("score", np.float64), ("parent", np.int32), ("token", np.int32), ("log_prob", np.float32)], align=True
)
"""A row of its segment and a token after it; `score` is of the whole hypothesis, `log_prob` of the token."""


class Searches(NamedTuple):
    """B searches, K rows each: what `kernel.advance` brings up to date."""

    slots: np.ndarray
    """`SLOT` [B]."""
    rows: np.ndarray
    """`ROW` [B, K]."""
    steps: np.ndarray
    """`STEP` [any, T, K]."""
    finished: np.ndarray
    """`FINISHED` [any, 3 K]."""
    parents: np.ndarray
    """[B, K], int64: which row of its segment each row continues."""
    found: np.ndarray
    """`CONTINUATION` [2 K], used in between."""
    end_id: int
    filters: np.ndarray
    """[F], int64: addresses of the logit filters."""
    view: np.ndarray
    """`filters.VIEW` [1], used in between."""
