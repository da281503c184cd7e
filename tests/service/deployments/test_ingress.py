"""What Serve calls, as far as it goes without a running Ray."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from service.deployments.environment import METRICS
from service.observability import table
from service.observability.exposition import node_totals
from service.observability.series import DIRECTORY_VARIABLE

pytestmark = pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra `serve`")

REPLICA = """
from service.deployments.ingress import Ingress
from service.settings import read_settings
import os

Ingress(read_settings(os.environ))
"""


def test_a_replica_whose_bundles_do_not_open_counts_its_start(tmp_path: Path) -> None:
    (tmp_path / METRICS).mkdir()
    (tmp_path / "store").mkdir()
    variables = {DIRECTORY_VARIABLE: str(tmp_path / METRICS), "ATTENDANT_STORE": str(tmp_path / "store")}
    command = [sys.executable, "-c", REPLICA]
    for _ in range(2):
        done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
        told = json.loads(done.stderr.splitlines()[0])
        assert told["level"] == "error"
        assert "a replica cannot start" in told["message"]
        assert "holds no bundle" in told["message"]
    found = node_totals(tmp_path / METRICS)
    assert found[table.REPLICA_STARTS.name] == 2
    assert found[table.REPLICAS.name] == 0
