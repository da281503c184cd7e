"""Rows become distributions, whatever the size of their logits and their company."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from service.runtime.normaliser import checked, log_sum_exp


@given(
    st.integers(0, 2**32), st.integers(1, 20), st.sampled_from([0.1, 10.0, 100.0, 1e6]), st.sampled_from([-200, 0, 90])
)
def test_what_the_graph_could_not_compute_is_computed_anew(seed: int, num_rows: int, scale: float, shift: int) -> None:
    random = np.random.default_rng(seed)
    logits = (random.normal(size=(num_rows, 50)) * scale * random.integers(0, 2, (num_rows, 1)) + shift).astype(
        np.float32
    )
    with np.errstate(over="ignore", divide="ignore"):
        naive = np.log(np.exp(logits).sum(axis=1))  # as the graph does
    normalisers = checked(naive, logits)
    exact = np.logaddexp.reduce(logits.astype(np.float64), axis=1)
    np.testing.assert_allclose(normalisers, exact, rtol=1e-6, atol=2e-5)
    alone = [checked(naive[i : i + 1], logits[i : i + 1])[0] for i in range(num_rows)]
    np.testing.assert_array_equal(normalisers, alone)


def test_large_logits_do_not_overflow() -> None:
    np.testing.assert_allclose(log_sum_exp(np.array([[1e4, 1e4], [-1e4, -2e4]], dtype=np.float32)), [10000.693, -1e4])
