"""What looks at something again and again, from a thread of its own."""

from __future__ import annotations

import threading


class Watch:
    """A thread that looks every so many seconds, until it is stopped."""

    def __init__(self, name: str, every_s: float) -> None:
        """`name` is the thread's."""
        self._every_s, self._stopping = every_s, threading.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Watch no more."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join()

    def look(self) -> object:
        """Look once."""
        raise NotImplementedError

    def _run(self) -> None:
        while not self._stopping.wait(self._every_s):
            self.look()
