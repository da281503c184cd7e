"""What the settings and Serve's `user_config` choose: which bundles, which runtime, which limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from model_store.contract.bundle import Bundle
from model_store.contract.store import EMBEDDED_STORE, Store
from service.api.body import RequestLimits
from service.engine.limits import EngineLimits
from service.errors import ConfigurationError, FieldFault
from service.runtime.seam import Runtime
from service.settings import Settings


def open_bundles(settings: Settings) -> list[Bundle]:
    """The bundles that the settings name; without names, the newest version of everything in the store.

    Raises ConfigurationError when there is none, StoreError when one cannot be opened.
    """
    path = settings.store or EMBEDDED_STORE
    store = Store(path)
    wanted = settings.models or tuple(dict.fromkeys(name for name, _ in store.references()))
    if not wanted:
        raise ConfigurationError(
            f"the store {path} holds no bundle; publish one, or set ATTENDANT_STORE to another folder"
        )
    named = [reference.partition("@") for reference in dict.fromkeys(wanted)]
    return [store.open(name, version or None) for name, _, version in named]


def runtime_of(bundle: Bundle, settings: Settings) -> Runtime[Any]:
    """The runtime that serves."""
    from service.runtime.opening import open_runtime  # here, so that the launcher does without it

    return open_runtime(bundle, max(1, int(settings.cpus_per_replica)), settings.runtime)


def engine_limits(settings: Settings) -> EngineLimits:
    """The engine limits among the settings."""
    return EngineLimits(**{field.name: getattr(settings, field.name) for field in fields(EngineLimits)})


def request_limits(settings: Settings) -> RequestLimits:
    """The request limits among the settings."""
    return RequestLimits(**{field.name: getattr(settings, field.name) for field in fields(RequestLimits)})


def limits_with(base: EngineLimits, changes: Mapping[str, Any]) -> EngineLimits:
    """`base` with `changes`. Raises ConfigurationError that tells every unknown name and every bad value."""
    known = [field.name for field in fields(EngineLimits)]
    faults = [
        FieldFault(str(name), f"is no engine limit; they are {', '.join(known)}") for name in changes.keys() - known
    ]
    faults += [FieldFault(name, "must be a number") for name in known if not _is_number(changes.get(name, 0))]
    if not faults:
        limits = replace(base, **changes)
        faults = [FieldFault(fault.partition(" ")[0], fault) for fault in limits.faults()]
    if faults:
        listed = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        raise ConfigurationError(f"the engine limits cannot be used: {listed}", faults)
    return limits


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
