"""SIGINT and SIGTERM, as a server takes them."""

from __future__ import annotations

import signal
import threading
from types import FrameType


class Stop:
    """SIGINT and SIGTERM. The first one ends `wait`; a second, or one before `may_drain`, raises KeyboardInterrupt.

    Python drops what is raised while it collects garbage, so a signal is remembered even when it raises.
    """

    def __init__(self) -> None:
        self.may_drain = False
        self._told = threading.Event()

    @property
    def was_told(self) -> bool:
        """Whether there was a signal."""
        return self._told.is_set()

    def listen(self) -> None:
        """Take both signals from now on."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._handle)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Return at the first signal, or after that time; whether there was a signal."""
        return self._told.wait(timeout_s)

    def _handle(self, number: int, frame: FrameType | None) -> None:
        is_first = not self._told.is_set()
        self._told.set()
        if not (is_first and self.may_drain):
            raise KeyboardInterrupt
