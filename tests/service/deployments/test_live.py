"""A cluster that is looked at again and again: a process that hangs is replaced, a fault is told."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from service.deployments import live
from service.deployments.cluster import StartError
from service.deployments.live import Live

FIRST = "print('{\"number\": 1}', flush=True); import time; time.sleep(60)"
SECOND = "print('words of others'); print('{\"number\": 2}'); print('{\"fault\": \"it is gone\"}', flush=True)"


class Scripted(Live):
    """Looks by programs in place of a driver of Ray; the tests of clusters have real ones."""

    def _started(self) -> subprocess.Popen[str]:
        script = SECOND if hasattr(self, "_process") else FIRST
        self._command = [sys.executable, "-c", script]
        return super()._started()


def test_a_process_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "STUCK_S", 0.5)
    monkeypatch.setattr(live, "AGAIN_S", 0.1)
    with contextlib.closing(Scripted("10.0.0.1:6379", Path("token"), 0.1)) as looked:
        found = [looked.next(30.0)]
        until = time.monotonic() + 30.0
        while len(found) < 2 and time.monotonic() < until:
            if (one := looked.next(0.2)) is not None:
                found.append(one)
        assert found == [{"number": 1}, {"number": 2}]
        with pytest.raises(StartError, match="it is gone"):
            looked.next(30.0)
