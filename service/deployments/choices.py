"""What the settings and Serve's `user_config` choose: which bundles, which runtime, which limits."""

from __future__ import annotations

import hashlib
import ipaddress
import logging
from collections.abc import Mapping
from importlib.metadata import version
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from model_store.contract.bundle import Bundle
from model_store.contract.errors import StoreError
from model_store.contract.store import EMBEDDED_STORE, Store
from service.api.keys import read_keys
from service.api.releases import parsed_labels
from service.api.shadows import parsed_shadows
from service.deployments.certificate import require_certificate
from service.deployments.models_file import with_models_file
from service.engine.limits import EngineLimits
from service.errors import AttendantError, ConfigurationError, FieldFault
from service.observability.logs import ROOT
from service.runtime.seam import Runtime
from service.settings import RELEASE, SCALING, Settings, variable

_log = logging.getLogger(f"{ROOT}.choices")


def open_bundles(settings: Settings) -> list[Bundle]:
    """The bundles that the settings name; without names, the newest version of everything in the store.

    Raises StoreError when there is none or one cannot be opened.
    """
    return Store(settings.store or EMBEDDED_STORE).open_all(settings.models)


def pinned(settings: Settings) -> Settings:
    """The settings with the models by version, so that a replica that starts later serves no newer ones; with a models
    file, as it is now.

    Raises ConfigurationError for a models file without use, and StoreError when a model cannot be opened.
    """
    settings = with_models_file(settings)
    references = tuple(bundle.manifest.reference for bundle in open_bundles(settings))
    labels = parsed_labels(settings.labels)
    named = [*labels.values(), *(labels.get(one, one) for one in parsed_shadows(settings.shadows).values())]
    others = Store(settings.store or EMBEDDED_STORE).open_all(named) if named else []
    return settings.model_copy(
        update={"models": tuple(dict.fromkeys([*references, *(one.manifest.reference for one in others)]))}
    )


def up_to_date(settings: Settings) -> Settings:
    """Deployed settings with what the models file says now; as they are where it cannot be used."""
    if settings.models_file is None:
        return settings
    try:
        return pinned(settings)
    except (AttendantError, StoreError) as error:
        _log.error("the models are those of the deployment: %s", error)
        return settings


def version_of(settings: Settings) -> str:
    """Differs when replicas must be replaced: another release, other settings."""
    unseen = set() if settings.keys_file else SCALING  # replicas share the limits of keys among them
    if settings.models_file:
        unseen = unseen | RELEASE  # replicas take those from the file
    text = f"{version('attendant')} {settings.model_dump_json(exclude=unseen)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def runtime_of(bundle: Bundle, settings: Settings) -> Runtime[Any]:
    """The runtime that serves."""
    from service.runtime.opening import open_runtime  # here, so that the launcher does without it

    return open_runtime(bundle, max(1, int(settings.cpus_per_replica)), settings.runtime)


Part = TypeVar("Part", bound=BaseModel)


def among(settings: Settings, part: type[Part]) -> Part:
    """That part of the settings: `EngineLimits`, `RequestLimits` or `CanaryBounds`."""
    return part.model_validate(settings.model_dump(include=set(part.model_fields)))


def require_doors(settings: Settings, in_cluster: bool = False) -> None:
    """Raise ConfigurationError for a server that would let a network in without API keys and was not told to, and for a
    file of keys without use. The machines of a cluster listen on addresses of their own."""
    if settings.keys_file is not None:
        read_keys(settings.keys_file)
    if settings.tls_certificate is not None:
        require_certificate(settings.tls_certificate)
    if settings.keys_file is None and not settings.open and (in_cluster or not _is_loopback(settings.http_host)):
        host = f"{variable('http_host')} {settings.http_host} lets"
        raise ConfigurationError(
            f"{'the machines of a cluster let' if in_cluster else host} a network in, and nobody is asked for an API "
            f"key; name a file of keys with {variable('keys_file')} (`attendant keys new NAME` writes it), or let "
            f"everybody in with `--open` or {variable('open')}=true"
        )


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def limits_with(base: EngineLimits, changes: Mapping[str, Any]) -> EngineLimits:
    """`base` with `changes`. Raises ConfigurationError that tells every unknown name and every bad value."""
    try:
        return EngineLimits.model_validate({**base.model_dump(), **changes}, strict=True)
    except ValidationError as error:
        faults = [_fault(found) for found in error.errors()]
    listed = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
    raise ConfigurationError(f"the engine limits cannot be used: {listed}", faults)


def _fault(found: ErrorDetails) -> FieldFault:
    name = str(found["loc"][0])
    if found["type"] == "extra_forbidden":
        return FieldFault(name, f"is no engine limit; they are {', '.join(EngineLimits.model_fields)}")
    message = found["msg"]
    return FieldFault(name, f"{message[0].lower()}{message[1:]} (given {str(found['input'])[:100]!r})")
