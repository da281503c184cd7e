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
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from service.errors import ConfigurationError, RateLimitedError, UnauthorizedError
from service.observability.logs import ROOT
from service.reread import WatchedFile

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}")
"""What a key may be called: it stands in logs and metrics."""
PREFIX = "att_"
"""What every key begins with, so that scanners of secrets know it."""
MAX_KEYS = 1000
CHECK_S = 1.0
"""Seconds between two looks at the file."""
MINUTE_S = 60.0

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


def read_keys(path: Path) -> dict[str, KeyEntry]:
    """The keys of a file, by name. Raises ConfigurationError with every fault."""
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
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
            faults += [f"{name}.{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_input=False)]
    if not tables:
        faults.append("it holds no key; `attendant keys new NAME` makes one")
    if len(tables) > MAX_KEYS:
        faults.append(f"it holds {len(tables)} keys, more than {MAX_KEYS}")
    if len({entry.sha256 for entry in entries.values()}) < len(entries):
        faults.append("two names have the same key")
    if faults:
        raise ConfigurationError(f"the file of keys {path} cannot be used: {'; '.join(faults)}")
    return entries


@dataclass(slots=True)
class _Bucket:
    """A token bucket: `rate` a second, at most a minute of it. What is taken last may leave a debt."""

    rate: float
    level: float
    filled_at: float

    def wait_s(self, now: float) -> float:
        """Seconds until something may be taken; 0 is now."""
        self.level = min(self.rate * MINUTE_S, self.level + (now - self.filled_at) * self.rate)
        self.filled_at = now
        return 0.0 if self.level > 0.0 else (1e-9 - self.level) / self.rate


@dataclass(slots=True)
class _Use:
    """What one key does in this replica."""

    entry: KeyEntry
    requests: _Bucket | None
    characters: _Bucket | None
    max_concurrent: int | None
    num_running: int = field(default=0)


class Keyring:
    """Checks keys and their limits in one replica. A limit of a key is divided among the replicas."""

    def __init__(self, path: Path, num_replicas: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        """Raises ConfigurationError when the file cannot be used."""
        self._num_replicas, self._clock = num_replicas, clock
        self._uses: dict[str, _Use] = {}
        self._names: dict[str, str] = {}
        """By the key's SHA-256."""
        self._file = WatchedFile(path)
        self._looked_at = clock()
        self._take_over(read_keys(path))

    def known(self, authorization: bytes) -> str:
        """The name of the key in the header `Authorization: Bearer KEY`, or `Basic` with the key as the password, which
        is how a browser sends it (RFC 7617).

        Raises UnauthorizedError for no key or an unknown one.
        """
        self._look()
        return self._find(authorization)

    def admit(self, name: str) -> None:
        """A request with the key of that name, one of `known`, begins now; `finished` ends it.

        Raises RateLimitedError when a limit is reached.
        """
        use = self._uses[name]
        if use.max_concurrent is not None and use.num_running >= use.max_concurrent:
            raise _limited("max_concurrent", f"{use.entry.max_concurrent} requests are under way", 1.0)
        now = self._clock()
        if use.requests is not None:
            wait_s = use.requests.wait_s(now)
            if wait_s > 0.0:
                raise _limited("requests_per_minute", f"{use.entry.requests_per_minute} requests a minute", wait_s)
            use.requests.level -= 1.0
        use.num_running += 1

    def charge(self, name: str, num_characters: int) -> None:
        """Take a request's characters. Raises RateLimitedError when the minute's are used up."""
        use = self._uses.get(name)
        if use is None or use.characters is None:
            return
        wait_s = use.characters.wait_s(self._clock())
        if wait_s > 0.0:
            raise _limited("characters_per_minute", f"{use.entry.characters_per_minute} characters a minute", wait_s)
        use.characters.level -= num_characters

    def give_back(self, name: str, num_characters: int) -> None:
        """Undo `charge` for a request that the server had no room for."""
        use = self._uses.get(name)
        if use is not None and use.characters is not None:
            use.characters.level += num_characters

    def finished(self, name: str) -> None:
        """A request that was admitted is answered or given up."""
        use = self._uses.get(name)
        if use is not None:
            use.num_running = max(0, use.num_running - 1)

    def _find(self, authorization: bytes) -> str:
        key = _key_in(authorization)
        if not key:
            raise UnauthorizedError("send the header `Authorization: Bearer KEY` with an API key")
        digest = hashlib.sha256(key).hexdigest()
        found = self._names.get(digest)  # how long that takes depends on the hash, which tells nothing of a key
        if found is None or not hmac.compare_digest(self._uses[found].entry.sha256, digest):
            raise UnauthorizedError("the API key is not known")
        return found

    def _look(self) -> None:
        """Read the file again when it has changed; one that cannot be used leaves the keys as they are."""
        now = self._clock()
        if now - self._looked_at < CHECK_S:
            return
        self._looked_at = now
        if not self._file.has_changed():
            return
        try:
            self._take_over(read_keys(self._file.path))
        except ConfigurationError as error:
            _log.error("API keys stay as they were: %s", error)
        else:
            _log.info("API keys read again: %s", ", ".join(self._uses))

    def _take_over(self, entries: Mapping[str, KeyEntry]) -> None:
        """Use these keys; one that stays as it is keeps what it has used."""
        self._uses = {
            name: self._uses[name] if name in self._uses and self._uses[name].entry == entry else self._use(name, entry)
            for name, entry in entries.items()
        }
        self._names = {entry.sha256: name for name, entry in entries.items()}

    def _use(self, name: str, entry: KeyEntry) -> _Use:
        running = self._uses[name].num_running if name in self._uses else 0
        most = None if entry.max_concurrent is None else math.ceil(entry.max_concurrent / self._num_replicas)
        requests, characters = self._bucket(entry.requests_per_minute), self._bucket(entry.characters_per_minute)
        return _Use(entry, requests, characters, most, running)

    def _bucket(self, per_minute: int | None) -> _Bucket | None:
        if per_minute is None:
            return None
        share = per_minute / self._num_replicas
        return _Bucket(share / MINUTE_S, share, self._clock())


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
