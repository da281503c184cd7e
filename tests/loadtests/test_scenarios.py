"""The scenarios, run against a real server, as people run them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from model_store.contract.store import EMBEDDED_STORE

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not (os.environ.get("ATTENDANT_STORE") or list(EMBEDDED_STORE.glob("*/*/manifest.json"))),
        reason="there is no bundle to serve",
    ),
]


def run(*arguments: str) -> None:
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_translations_are_right_and_metrics_agree_with_what_was_sent() -> None:
    run("loadtests.smoke", "--replicas", "2")


def test_killing_one_replica_and_draining_another_loses_no_request() -> None:
    run("loadtests.chaos", "--requests", "200", "--rate", "8")
