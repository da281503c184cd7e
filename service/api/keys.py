"""API keys: who may ask, and how much. The file of keys holds hashes, and is read again when it changes."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import logging
import math
import re
import secrets
import time
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import ErrorDetails

from service.api.ledger import CHARACTERS, REQUESTS, Ledger
from service.errors import ConfigurationError, RateLimitedError, UnauthorizedError
from service.observability.logs import ROOT
from service.reread import WatchedFile, keep

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
"""What a key may be called: it stands in logs and metrics."""
PREFIX = "att_"
"""What every key begins with, so that scanners of secrets know it."""
MAX_KEYS = 1000
CHECK_S = 1.0
"""Seconds between two looks at the file."""

_log = logging.getLogger(f"{ROOT}.keys")


class KeyEntry(BaseModel):
    """One key of the file. A limit that is not there is none."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    """Of the key."""
    requests_per_minute: int | None = Field(default=None, ge=1)
    characters_per_minute: int | None = Field(default=None, ge=1)
    max_concurrent: int | None = Field(default=None, ge=1)
    """Requests that may be under way at once."""


def new_key() -> tuple[str, str]:
    """A key that nobody can guess (256 bits), and its SHA-256."""
    key = PREFIX + secrets.token_urlsafe(32)
    return key, hashlib.sha256(key.encode()).hexdigest()


def read_keys(path: Path, kept: Path | None = None) -> dict[str, KeyEntry]:
    """The keys of a file, by name, which is copied to `kept` then. Raises ConfigurationError with every fault."""
    try:
        text = path.read_text(encoding="utf-8")
        tables = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"the file of keys {path} cannot be read: {error}") from error
    faults, entries = [], {}
    for name, values in tables.items():
        if not NAME.fullmatch(name):
            faults.append(f"{name[:64]!r} is no name of a key: lower-case letters, digits and dashes")
            continue
        try:
            entries[name] = KeyEntry.model_validate(values)
        except ValidationError as error:
            faults += [_fault(name, e) for e in error.errors(include_input=False)]
    if not tables:
        faults.append("it holds no key; `attendant keys new NAME` makes one")
    if len(tables) > MAX_KEYS:
        faults.append(f"it holds {len(tables)} keys, more than {MAX_KEYS}")
    if len({entry.sha256 for entry in entries.values()}) < len(entries):
        faults.append("two names have the same key")
    if faults:
        raise ConfigurationError(f"the file of keys {path} cannot be used: {'; '.join(faults)}")
    if kept is not None:
        keep(kept, text.encode())
    return entries


def _fault(name: str, error: ErrorDetails) -> str:
    if not error["loc"]:
        return f"{name} is no table; write [{name}] and what belongs to it below"
    if error["type"] == "extra_forbidden":
        return f"{name}.{error['loc'][0]} is nothing that a key may have: {', '.join(KeyEntry.model_fields)}"
    return f"{name}.{error['loc'][0]}: {error['msg']}"


class Keyring:
    """Checks keys and their limits."""

    def __init__(
        self,
        path: Path,
        ledger: Ledger | None = None,
        share: Callable[[], float] | None = None,
        clock: Callable[[], float] = time.monotonic,
        kept: Path | None = None,
    ) -> None:
        """`ledger` counts what keys use; None counts in this process alone. `share` is the share of each limit that
        who writes in it may use, in (0, 1]: other machines have the rest; None is all of it.

        `kept` is a file of the machine for the keys that were last of use: a process that starts while the file cannot
        be used takes them.

        Raises ConfigurationError when neither can be used.
        """
        self._kept = kept
        self._ledger, self._share, self._clock = ledger or Ledger(clock=clock), share, clock
        self._entries: dict[str, KeyEntry] = {}
        self._names: dict[str, str] = {}
        """By the key's SHA-256."""
        self._file = WatchedFile(path)
        self._looked_at, self._is_usable = clock(), True
        self._take_over(self._first(path))

    def known(self, authorization: bytes) -> str:
        """The name of the key in the header `Authorization: Bearer KEY`, or `Basic` with the key as the password, which
        is how a browser sends it (RFC 7617).

        Raises UnauthorizedError for no key or an unknown one.
        """
        self.look()
        return self._find(authorization)

    def admit(self, name: str) -> None:
        """A request with the key of that name, one of `known`, begins now; `finished` ends it.

        Raises RateLimitedError when a limit is reached.
        """
        entry = self._entries[name]
        share = 1.0 if self._share is None else self._share()
        most = math.inf if entry.max_concurrent is None else math.ceil(entry.max_concurrent * share)
        if not self._ledger.begin(name, most):
            raise _limited("max_concurrent", f"{entry.max_concurrent} requests are under way", 1.0)
        if entry.requests_per_minute is not None:
            wait_s = self._ledger.take(name, REQUESTS, entry.requests_per_minute * share, 1)
            if wait_s > 0.0:
                self.finished(name)
                raise _limited("requests_per_minute", f"{entry.requests_per_minute} requests a minute", wait_s)

    def charge(self, name: str, num_characters: int) -> None:
        """Take a request's characters. Raises RateLimitedError when the minute's are used up."""
        entry = self._entries.get(name)
        if entry is None or entry.characters_per_minute is None:
            return
        share = 1.0 if self._share is None else self._share()
        wait_s = self._ledger.take(name, CHARACTERS, entry.characters_per_minute * share, num_characters)
        if wait_s > 0.0:
            raise _limited("characters_per_minute", f"{entry.characters_per_minute} characters a minute", wait_s)

    def give_back(self, name: str, num_characters: int) -> None:
        """Undo `charge` for a request that the server had no room for."""
        entry = self._entries.get(name)
        if entry is not None and entry.characters_per_minute is not None:
            self._ledger.give_back(name, CHARACTERS, num_characters)

    def finished(self, name: str) -> None:
        """A request that was admitted is answered or given up."""
        self._ledger.end(name)

    def _find(self, authorization: bytes) -> str:
        key = _key_in(authorization)
        if not key:
            raise UnauthorizedError("send the header `Authorization: Bearer KEY` with an API key")
        digest = hashlib.sha256(key).hexdigest()
        found = self._names.get(digest)  # how long that takes depends on the hash, which tells nothing of a key
        if found is None or not hmac.compare_digest(self._entries[found].sha256, digest):
            raise UnauthorizedError("the API key is not known")
        return found

    def _first(self, path: Path) -> dict[str, KeyEntry]:
        try:
            return read_keys(path, self._kept)
        except ConfigurationError as error:
            if self._kept is None or not self._kept.exists():
                raise
            self._tell_unusable(error)
            return read_keys(self._kept)

    def look(self) -> bool:
        """Read the file again when it has changed; one that cannot be used leaves the keys as they are. Whether they
        are what the file says."""
        now = self._clock()
        if now - self._looked_at >= CHECK_S:
            self._looked_at = now
            if self._file.has_changed():
                self._read_again()
        return self._is_usable

    def _read_again(self) -> None:
        try:
            self._take_over(read_keys(self._file.path, self._kept))
        except ConfigurationError as error:
            self._tell_unusable(error)
        else:
            self._is_usable = True
            _log.info("API keys read again: %s", ", ".join(self._entries))

    def _tell_unusable(self, error: ConfigurationError) -> None:
        self._is_usable = False
        _log.error("API keys stay as they were: %s", error)

    def _take_over(self, entries: Mapping[str, KeyEntry]) -> None:
        """Use these keys; what they have used stays, but for those that have other limits than before."""
        for name, entry in entries.items():
            if name in self._entries and self._entries[name] != entry:
                self._ledger.forget(name)
        self._entries = dict(entries)
        self._names = {entry.sha256: name for name, entry in entries.items()}


def _key_in(authorization: bytes) -> bytes:
    """The key of an `Authorization` header; empty where there is none."""
    scheme, _, value = authorization.partition(b" ")
    if scheme.lower() == b"bearer":
        return value.strip()
    if scheme.lower() != b"basic":
        return b""
    try:
        return base64.b64decode(value.strip(), validate=True).partition(b":")[2].strip()
    except binascii.Error:
        return b""


def _limited(limit: str, told: str, wait_s: float) -> RateLimitedError:
    return RateLimitedError(f"the limit of this API key is reached: {told} (`{limit}`)", retry_after_s=wait_s)
