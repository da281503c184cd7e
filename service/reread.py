"""A file that is read again when it has changed, and what was last of use of it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


class WatchedFile:
    """Tells when a file is another one than at the last look.

    A link is followed anew each time: Kubernetes changes a mounted secret or ConfigMap by moving a link.
    """

    def __init__(self, path: Path) -> None:
        """What there is now counts as seen."""
        self.path = path
        self._seen = self._stamp()

    def has_changed(self) -> bool:
        """Whether the file has changed since the last call."""
        before, self._seen = self._seen, self._stamp()
        return before != self._seen

    def _stamp(self) -> tuple[int, int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_size, status.st_ino


def keep(path: Path, content: bytes) -> None:
    """Put `content` into a file that this user alone can read, in one step: who reads meanwhile has what was there."""
    descriptor, new = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    os.replace(new, path)
