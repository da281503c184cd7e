"""The store: a folder `<store>/<name>/<version>/` for each published bundle."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from model_store.contract.bundle import Bundle, manifest_bytes, open_bundle, read_verified
from model_store.contract.errors import ContractError, StoreError, UnknownBundleError
from model_store.contract.folder import sync_folder, written_folder
from model_store.contract.manifest import MANIFEST_FILE, Manifest

EMBEDDED_STORE = Path(__file__).parent.parent / "bundles"
"""The store that comes with the distribution."""

DEFAULTS_FILE = "defaults.txt"
"""Names, one on a line, of the bundles of a store that are served when none is named; without it all are."""
ALL = "all"
"""In place of references: every bundle."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
_VERSION = re.compile(r"0|[1-9][0-9]{0,8}")


@dataclass(frozen=True)
class Store:
    """A folder of published bundles. A published version is never changed or overwritten."""

    path: Path

    def references(self) -> list[tuple[str, str]]:
        """(name, version) of every bundle, by name and then oldest first. Raises StoreError without the folder."""
        if not self.path.is_dir():
            raise StoreError(f"store {self.path} is no folder; name one that holds published bundles")
        names = [entry.name for entry in self.path.iterdir() if _NAME.fullmatch(entry.name) and entry.is_dir()]
        return [(name, str(version)) for name in sorted(names) for version in self._versions(name)]

    def names(self) -> list[str]:
        """The name of every bundle. Raises StoreError without the folder."""
        return list(dict.fromkeys(name for name, _ in self.references()))

    def defaults(self) -> list[str]:
        """The names that the store's file of defaults lists and the store holds; every name without such a file.

        Raises StoreError without the folder, UnknownBundleError when the store holds bundles and none is listed.
        """
        held, file = self.names(), self.path / DEFAULTS_FILE
        if not file.is_file():
            return held
        listed = file.read_text(encoding="utf-8").split()
        found = [name for name in held if name in listed]
        if held and not found:
            raise UnknownBundleError(f"{file} lists no bundle of its store; mend it, or name bundles")
        return found

    def open_all(self, references: Sequence[str] = ()) -> list[Bundle]:
        """Open what `references` (`name` or `name@version`) name, each once: `all` is the newest version of everything,
        and none is that of the store's defaults.

        Raises what `open` does, and UnknownBundleError when the store holds no bundle.
        """
        wanted = self.names() if list(references) == [ALL] else references or self.defaults()
        if not wanted:
            raise UnknownBundleError(
                f"store {self.path} holds no bundle; publish one, or name another store with --store or ATTENDANT_STORE"
            )
        return [self.open(reference) for reference in dict.fromkeys(wanted)]

    def open(self, reference: str, version: str | None = None) -> Bundle:
        """Open and verify the bundle that `reference` (`name` or `name@version`) names: the newest version, or this.

        Raises UnknownBundleError when the store does not hold it, ContractError when it breaks the contract.
        """
        name, _, named = reference.partition("@")
        version = version or named or None
        known = [v for n, v in self.references() if n == name]
        if not known or (version is not None and version not in known):
            raise UnknownBundleError(f"{name}{f'@{version}' if version else ''} is not in {self._holdings()}")
        chosen = version or known[-1]
        if (self.path / name).is_symlink():
            raise ContractError([f"{self.path / name} is a symbolic link; replace it by a folder"])
        bundle = open_bundle(self.path / name / chosen)
        if (bundle.manifest.name, bundle.manifest.version) != (name, chosen):
            fault = f"the manifest says {bundle.manifest.reference}, but its folder says {name}@{chosen}"
            raise ContractError([fault], str(bundle.path))
        return bundle

    def publish(self, folder: Path) -> Bundle:
        """Verify the bundle in `folder` and put a copy into the store as its name's next version, atomically.

        Safe beside other publishers and readers: a version is there whole or not at all. Raises ContractError.
        """
        manifest, files = read_verified(folder)
        shelf = self.path / manifest.name
        shelf.mkdir(parents=True, exist_ok=True)
        while True:
            version = str(max(self._versions(manifest.name), default=0) + 1)
            numbered = manifest.model_copy(update={"version": version})
            if self._place(numbered, files):
                return self.open(manifest.name, version)

    def _place(self, manifest: Manifest, files: dict[str, bytes]) -> bool:
        """Whether the bundle could be moved into place; False when another publisher has just taken the version."""
        shelf = self.path / manifest.name
        with written_folder(shelf, {**files, MANIFEST_FILE: manifest_bytes(manifest)}) as written:
            try:
                written.rename(shelf / manifest.version)  # fails on a folder that holds anything
            except OSError as error:
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR):
                    return False
                raise
            sync_folder(shelf)
        return True

    def _versions(self, name: str) -> list[int]:
        return sorted(int(e.name) for e in (self.path / name).iterdir() if _VERSION.fullmatch(e.name))

    def _holdings(self) -> str:
        held = ", ".join(f"{name}@{version}" for name, version in self.references())
        return f"store {self.path}, which holds {held or 'no bundle'}"
