from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from loadtests.plan import PlanOptions, poisson_plan
from loadtests.texts import ENGLISH, read_texts

MANY = PlanOptions(rate=50.0, num_requests=20_000, seed=7, cancel_fraction=0.1, cancel_within_s=0.2)


@pytest.fixture(scope="module")
def gaps() -> np.ndarray:
    return np.diff([0.0, *(arrival.due_s for arrival in poisson_plan(MANY, ENGLISH))])


def test_arrivals_come_at_the_rate_that_was_asked_for(gaps: np.ndarray) -> None:
    standard_error = (1 / MANY.rate) / np.sqrt(len(gaps))
    assert abs(gaps.mean() - 1 / MANY.rate) < 4 * standard_error


def test_gaps_are_exponential(gaps: np.ndarray) -> None:
    quantiles = np.array([0.1, 0.5, 0.9, 0.99])
    expected = -np.log(1 - quantiles) / MANY.rate
    assert np.quantile(gaps, quantiles) == pytest.approx(expected, rel=0.06)


def test_counts_in_windows_vary_as_those_of_a_poisson_process(gaps: np.ndarray) -> None:
    counts = np.bincount(np.cumsum(gaps).astype(int))[:-1]
    assert counts.var() / counts.mean() == pytest.approx(1.0, abs=0.3)


def test_gaps_do_not_depend_on_the_gap_before(gaps: np.ndarray) -> None:
    assert abs(np.corrcoef(gaps[:-1], gaps[1:])[0, 1]) < 0.03


def test_the_share_of_clients_that_was_asked_for_goes_away_in_time() -> None:
    leaving = [a.cancel_after_s for a in poisson_plan(MANY, ENGLISH) if a.cancel_after_s is not None]
    assert len(leaving) / MANY.num_requests == pytest.approx(0.1, abs=0.01)
    assert 0 <= min(leaving) < max(leaving) <= MANY.cancel_within_s


def test_nobody_goes_away_unasked() -> None:
    assert all(a.cancel_after_s is None for a in poisson_plan(PlanOptions(), ENGLISH))


def test_the_same_seed_gives_the_same_plan_and_another_one_another() -> None:
    assert poisson_plan(PlanOptions(seed=3), ENGLISH) == poisson_plan(PlanOptions(seed=3), ENGLISH)
    assert poisson_plan(PlanOptions(seed=3), ENGLISH) != poisson_plan(PlanOptions(seed=4), ENGLISH)


def test_asking_for_cancellations_leaves_arrivals_and_texts_as_they_were() -> None:
    calm, hasty = (poisson_plan(PlanOptions(cancel_fraction=f), ENGLISH) for f in (0.0, 0.5))
    assert [(a.due_s, a.text) for a in calm] == [(a.due_s, a.text) for a in hasty]


def test_texts_are_read_from_the_first_column_of_plain_and_packed_files(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("Hello.\tBonjour.\n\nA café.\tUn café.\n")
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"Hello.\n"))
    assert read_texts(tmp_path / "a.tsv") == ("Hello.", "A café.")
    assert read_texts(tmp_path / "a.txt.gz") == ("Hello.",)


def test_a_file_without_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n")
    with pytest.raises(ValueError, match="holds no text"):
        read_texts(tmp_path / "empty")
