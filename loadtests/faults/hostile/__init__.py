"""Requests that mean no good, and what becomes of them: `python -m loadtests.faults.hostile`."""
