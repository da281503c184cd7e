"""Folders of untrusted files: read so that what was checked is what is used, written so that a crash leaves no half.

A file is opened once, without following links, checked on the open descriptor and read from it. A change on disk
between check and use therefore changes nothing.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Self

from model_store.contract.errors import ContractError

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # NONBLOCK: a pipe must not hang us


def is_plain_name(name: str) -> bool:
    """Whether `name` names a file of the folder itself: no separator, no dots alone, nothing unprintable."""
    return name not in ("", ".", "..") and len(name) <= 255 and name.isprintable() and not set(name) & set('/\\:"')


class FolderReader:
    """An open folder. `read` hands out bytes of regular, singly linked files of it and of nothing else."""

    def __init__(self, path: Path) -> None:
        """Open `path`. Raises ContractError when it is missing, a link, or no folder."""
        self.path = path
        if path.is_symlink():
            raise ContractError([f"{path} is a symbolic link; name the folder itself"])
        try:
            self._descriptor = os.open(path, _FOLDER_FLAGS)
        except OSError as error:
            raise ContractError([f"folder {path} cannot be opened: {error.strerror}"]) from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        os.close(self._descriptor)

    def names(self) -> list[str]:
        """Everything in the folder, sorted."""
        return sorted(os.listdir(self._descriptor))

    def read(self, name: str, max_bytes: int) -> bytes:
        """The bytes of file `name`. Raises ContractError when it is no plain file or has more than `max_bytes`."""
        if not is_plain_name(name):
            raise ContractError([f"{name!r} is no plain file name; a bundle's files lie in its own folder"])
        descriptor = self._open(name)
        try:
            _check_plain(name, os.fstat(descriptor), max_bytes)
            with open(descriptor, "rb", closefd=False) as file:
                data = file.read(max_bytes + 1)
        finally:
            os.close(descriptor)
        if len(data) > max_bytes:
            raise ContractError([f"{name} grew beyond {max_bytes} bytes while it was read"])
        return data

    def _open(self, name: str) -> int:
        try:
            if stat.S_ISLNK(os.stat(name, dir_fd=self._descriptor, follow_symlinks=False).st_mode):
                raise ContractError([f"{name} is a symbolic link; replace it by a copy of the file"])
            return os.open(name, _FILE_FLAGS, dir_fd=self._descriptor)
        except FileNotFoundError as error:
            raise ContractError([f"{name} is missing"]) from error
        except OSError as error:
            raise ContractError([f"{name} cannot be opened: {error.strerror}"]) from error


def _check_plain(name: str, found: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise ContractError([f"{name} is no regular file"])
    if found.st_nlink != 1:
        raise ContractError([f"{name} has {found.st_nlink} hard links; replace it by a copy of the file"])
    if found.st_size > max_bytes:
        raise ContractError([f"{name} has {found.st_size} bytes; at most {max_bytes} are read"])


@contextlib.contextmanager
def written_folder(parent: Path, files: Mapping[str, bytes]) -> Iterator[Path]:
    """A hidden folder in `parent` that holds `files`, safely on disk; move it into place inside the `with` block.

    Whatever is still there at the end of the block is removed.
    """
    partial = Path(tempfile.mkdtemp(prefix=".partial-", dir=parent))
    try:
        for name, data in files.items():
            with open(partial / name, "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            (partial / name).chmod(0o644)
        partial.chmod(0o755)
        sync_folder(partial)
        yield partial
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def sync_folder(path: Path) -> None:
    """Put the entries of folder `path` safely on disk."""
    descriptor = os.open(path, _FOLDER_FLAGS)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
