"""What the settings and Serve's `user_config` choose: which bundles, which runtime, which limits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from model_store.contract.bundle import Bundle
from model_store.contract.store import EMBEDDED_STORE, Store
from service.api.body import RequestLimits
from service.engine.limits import EngineLimits
from service.errors import ConfigurationError, FieldFault
from service.runtime.seam import Runtime
from service.settings import Settings


def open_bundles(settings: Settings) -> list[Bundle]:
    """The bundles that the settings name; without names, the newest version of everything in the store.

    Raises StoreError when there is none or one cannot be opened.
    """
    return Store(settings.store or EMBEDDED_STORE).open_all(settings.models)


def runtime_of(bundle: Bundle, settings: Settings) -> Runtime[Any]:
    """The runtime that serves."""
    from service.runtime.opening import open_runtime  # here, so that the launcher does without it

    return open_runtime(bundle, max(1, int(settings.cpus_per_replica)), settings.runtime)


def engine_limits(settings: Settings) -> EngineLimits:
    """The engine limits among the settings."""
    return EngineLimits.model_validate(settings.model_dump(include=set(EngineLimits.model_fields)))


def request_limits(settings: Settings) -> RequestLimits:
    """The request limits among the settings."""
    return RequestLimits.model_validate(settings.model_dump(include=set(RequestLimits.model_fields)))


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
