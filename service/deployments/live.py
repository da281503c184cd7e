"""The overview of a cluster, again and again, from a process of its own: Ray's calls cannot be interrupted, and wait
for a head that has gone."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, Any

from service.deployments.cluster import StartError, remove_left_behind
from service.errors import AttendantError

AGAIN_S = 2.0
"""Between the end of a process that looks and the start of the next one."""
STUCK_S = 20.0
"""Of silence, after which the process that looks is ended: longer than an overview waits for a lost machine."""
END_S = 2.0
"""For such a process to leave the cluster."""
FAULT = "fault"
"""In place of an overview: why there is none."""


class Live:
    """Looks at a cluster every so many seconds, also at one whose head goes and comes back."""

    def __init__(self, head: str, token_file: Path, every_s: float) -> None:
        """`head` is the `address:port` of its control; `token_file` holds the cluster's token."""
        self._command = [sys.executable, "-m", __name__, head, str(token_file), str(every_s)]
        self._found: queue.Queue[dict[str, Any]] = queue.Queue()
        self._patience_s = STUCK_S + every_s
        self._ends = threading.Event()
        self._process = self._started()
        self._thread = threading.Thread(target=self._run, name="live", daemon=True)
        self._thread.start()

    def next(self, timeout_s: float) -> dict[str, Any] | None:
        """The next overview, or None when there is none within that time. Raises StartError with the reason why this
        process cannot look at that cluster."""
        try:
            found = self._found.get(timeout=timeout_s)
        except queue.Empty:
            if time.monotonic() - self._heard > self._patience_s:
                self._process.kill()  # a head that went and came back is another one to it; the thread starts anew
            return None
        if FAULT in found:
            raise StartError(found[FAULT])
        return found

    def close(self) -> None:
        """End what looks, and remove its files."""
        self._ends.set()
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(END_S)
        self._process.kill()  # it waits for a head that has gone
        self._process.wait()
        self._thread.join()
        remove_left_behind()

    def _started(self) -> subprocess.Popen[str]:
        self._heard = time.monotonic()
        return subprocess.Popen(
            self._command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True
        )

    def _run(self) -> None:
        while True:
            if self._process.stdout is not None:
                with self._process.stdout as lines:
                    self._read(lines)
            self._process.wait()
            if self._ends.wait(AGAIN_S):
                return
            self._process = self._started()

    def _read(self, lines: IO[str]) -> None:
        for line in lines:
            self._heard = time.monotonic()
            with contextlib.suppress(json.JSONDecodeError):  # Ray's own last words
                self._found.put(json.loads(line))


def main(words: list[str]) -> int:
    """Print the overview of the cluster as a line of JSON, every so many seconds; the exit status."""
    from service.deployments.connecting import connected
    from service.deployments.overview import overview

    head, token_file, every_s = words[0], Path(words[1]), float(words[2])
    try:
        with connected(head, token_file.read_text("ascii").strip()):
            while True:
                print(json.dumps(overview()), flush=True)
                time.sleep(every_s)
    except AttendantError as error:
        print(json.dumps({FAULT: str(error)}), flush=True)
        return 1
    except (KeyboardInterrupt, BrokenPipeError):
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
