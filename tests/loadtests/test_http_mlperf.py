from __future__ import annotations

import pytest

from loadtests.peers.mlperf import parse_summary

SUMMARY = """
Completed samples per second    : 352.92
Result is : VALID
50.00 percentile latency (ns)   : 23930000
97.00 percentile latency (ns)   : 59710000
"""


def test_a_summary_of_the_load_generator_is_read_in_our_units() -> None:
    probe = parse_summary(SUMMARY, 350.0, 0)
    assert (probe.answered_rate, probe.p50_ms, probe.p97_ms) == (352.92, 23.93, 59.71)
    assert probe.holds


def test_a_summary_without_a_number_is_told() -> None:
    with pytest.raises(ValueError, match=r"97\.00 percentile"):
        parse_summary(SUMMARY.replace("97.00", "99.00"), 350.0, 0)
