"""Every setting of the server: one frozen model, read once from the environment (ATTENDANT_*)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator

from service.api.body import RequestLimits
from service.api.releases import CanaryBounds, canaries, parsed_labels
from service.api.shadows import parsed_shadows
from service.engine.limits import EngineLimits
from service.errors import ConfigurationError, FieldFault

PREFIX = "ATTENDANT_"
"""What the name of every variable of ours begins with; the rest is the field's name in capitals."""


class Serving(BaseModel):
    """Where the server listens, and the models that it serves with how many processes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    http_host: str = Field(default="127.0.0.1", pattern=r"^[0-9A-Za-z.:_-]{1,253}$")
    """Address that the HTTP port listens on; 0.0.0.0 is every interface."""
    http_port: int = Field(default=8000, ge=1, le=65535)
    """TCP port of the HTTP API."""
    tls_certificate: Path | None = None
    """PEM file of a certificate, its chain and its private key; the HTTP port then speaks HTTPS alone. It is read again
    when it changes. Unset is plain HTTP."""
    metrics_port: int | None = Field(default=None, ge=1, le=65535)
    """Port of their own for metrics and health, which asks for no key; also the only place for the metrics of one
    machine of a cluster. Unset is none."""
    otlp_endpoint: str | None = None
    """OpenTelemetry collector that gets a trace of each request, such as http://localhost:4318; needs the extra
    `traces`. Unset sends none."""
    num_replicas: int = Field(default=1, ge=1, le=256)
    """Replicas, each a process with every model; the fewest, where their number may grow."""
    max_replicas: int | None = Field(default=None, ge=1, le=256)
    """Replicas to which their number grows with the predicted wait; unset keeps it as it is."""
    target_wait_s: float = Field(default=0.3, gt=0, le=60)
    """Predicted wait that more replicas are to keep; less than `max_wait_s`, above which requests are refused."""
    upscale_delay_s: float = Field(default=1.0, ge=0, le=3600)
    """Seconds that replicas must be too few before more are started."""
    downscale_delay_s: float = Field(default=60.0, ge=0, le=3600)
    """Seconds that replicas must be too many before some are stopped; those finish what they have begun."""
    cpus_per_replica: float = Field(default=1.0, gt=0, le=256)
    """Cores that a replica may use; whole cores above 1 become threads of the runtime."""
    runtime: Literal["auto", "onnx"] = "auto"
    """`auto`: our own kernels where processor and model are fit for them, else ONNX Runtime; `onnx`: ONNX Runtime."""
    store: Path | None = None
    """Folder of published bundles; unset is the store that comes with the distribution."""
    models: tuple[str, ...] = ()
    """`name` or `name@version`, separated by commas, or `all`; unset serves the store's defaults: what its
    `defaults.txt` lists, or everything where it has none."""

    models_file: Path | None = None
    """TOML file with `models`, `labels`, `canary_share`, `shadows` and `shadow_share`, in place of the settings of
    these names. Running replicas read it again when it changes, so that models come and go without a restart."""
    labels: tuple[str, ...] = ()
    """`name@label=version`, separated by commas: clients may ask for `name@label`, and get `name@stable` when they name
    no version. A `name@canary` needs a `name@stable` beside it."""
    canary_share: float = Field(default=0.0, ge=0, le=1)
    """Share of the requests without a version that `name@canary` answers; it is withdrawn when it falls behind."""
    shadows: tuple[str, ...] = ()
    """`name=model`, separated by commas: what `name` answers, `model` translates too, for the metrics alone."""
    shadow_share: float = Field(default=0.1, ge=0, le=1)
    """Share of the answered requests that their model's shadow translates too."""
    keys_file: Path | None = None
    """File of API keys, which `attendant keys new` writes; unset asks nobody for a key."""
    open: bool = False
    """Whether anyone may ask a server without keys that listens beyond loopback; else it does not start."""

    @field_validator("models", "labels", "shadows", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("otlp_endpoint")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"https?://[0-9A-Za-z.:_/\[\]-]{1,253}", value):
            raise ValueError("is no address of a collector, such as http://localhost:4318")
        return value

    @field_validator("labels", "shadows")
    @classmethod
    def _can_be_read(cls, value: tuple[str, ...], info: ValidationInfo) -> tuple[str, ...]:
        try:
            (parsed_labels if info.field_name == "labels" else parsed_shadows)(value)
        except ConfigurationError as error:
            raise ValueError(str(error)) from None
        return value

    @field_validator("canary_share")
    @classmethod
    def _has_a_canary(cls, value: float, info: ValidationInfo) -> float:
        labels = info.data.get("labels")  # None where they are at fault themselves
        if value and labels is not None and not info.data.get("models_file") and not canaries(parsed_labels(labels)):
            remedy = "add name@stable=VERSION and name@canary=VERSION to labels, or leave canary_share out"
            raise ValueError(f"no label is a canary, so that it is a share of nothing; {remedy}")
        return value

    @field_validator("keys_file", "models_file", "tls_certificate")
    @classmethod
    def _is_file(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_file():
            raise ValueError("there is no such file")
        return value.absolute() if value is not None else None  # a link stays one: it may come to mean another file

    @field_validator("max_replicas")
    @classmethod
    def _can_grow(cls, value: int | None, info: ValidationInfo) -> int | None:
        least = info.data.get("num_replicas", 1)
        if value is not None and value < least:
            raise ValueError(f"it is less than num_replicas, {least}")
        return value

    @field_validator("store")
    @classmethod
    def _is_folder(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_dir():
            raise ValueError("there is no such folder")
        return value.resolve() if value is not None else None


SCALING = {"num_replicas", "max_replicas", "target_wait_s", "upscale_delay_s", "downscale_delay_s"}
"""Settings of which a running replica takes no notice."""
RELEASE = {"models", "labels", "canary_share", "shadows", "shadow_share"}
"""Settings that `models_file` may have."""


class Settings(EngineLimits, RequestLimits, CanaryBounds, Serving):
    """Every setting. Each has a default; unset variables keep it."""

    max_stall_s: float = Field(default=4.0, ge=4, le=3600)
    """Seconds for which an engine that has work may compute nothing, before its replica is killed and replaced; more
    where a very large model takes longer for a batch."""
    drain_timeout_s: float = Field(default=20.0, ge=0, le=3600)
    """Seconds that work under way is given to finish when the server stops."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe log lines that are written."""

    @property
    def most_replicas(self) -> int:
        """To which their number may grow."""
        return max(self.num_replicas, self.max_replicas or 0)


def read_settings(
    environment: Mapping[str, str],
    written: Mapping[str, object] | None = None,
    refused: Mapping[str, str] | None = None,
) -> Settings:
    """Settings from the variables that begin with ATTENDANT_, and before them from what a file has `written` by the
    names of the fields, none of which may be `refused` for the reason given. Raises ConfigurationError with every fault
    at once, by the name that it was given with."""
    written, refused = written or {}, refused or {}
    variables = {variable(name): name for name in Settings.model_fields}
    ours = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    faults = [_unknown(name, list(variables)) for name in sorted(ours) if name not in variables]
    faults += [
        _unknown(name, list(Settings.model_fields)) for name in sorted(written) if name not in variables.values()
    ]
    faults += [FieldFault(name, reason) for name, reason in refused.items() if name in written]
    given = {variables[name]: value for name, value in ours.items() if name in variables}
    given |= {name: _as_variable(value) for name, value in written.items() if name in variables.values()}
    found: list[tuple[str, str, object]] = []
    try:
        settings = Settings.model_validate(given)
        found = _contradictions(settings)
    except ValidationError as error:
        found = [(str(fault["loc"][0]), fault["msg"], fault["input"]) for fault in error.errors()]
    faults += [_malformed(name if name in written else variable(name), said, value) for name, said, value in found]
    if faults:
        listed = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        raise ConfigurationError(f"{len(faults)} setting(s) cannot be used: {listed}", faults)
    return settings


def _contradictions(settings: Settings) -> list[tuple[str, str, object]]:
    """Field, fault and value of what is right by itself and wrong beside other settings."""
    found: list[tuple[str, str, object]] = []
    if settings.max_replicas is not None and settings.target_wait_s >= settings.max_wait_s:
        reason = "else requests are refused before there are more replicas"
        told = f"must be less than max_wait_s, {settings.max_wait_s:g}, where max_replicas is set: {reason}"
        found.append(("target_wait_s", told, settings.target_wait_s))
    if settings.metrics_port == settings.http_port:
        found.append(("metrics_port", "must be another port than http_port, where the API listens", settings.http_port))
    return found


def variable(field: str) -> str:
    """The environment variable of a field."""
    return PREFIX + field.upper()


def markdown() -> str:
    """A table of every setting, as docs/operations.md holds it: `python -m service.settings` prints it."""
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "unset" if field.default in (None, ()) else f"`{field.default}`"
        meaning = " ".join((field.description or "").split())
        lines.append(f"| `{variable(name)}` | {default} | {meaning} |")
    return "\n".join(lines) + "\n"


def _as_variable(value: object) -> str:
    """What a variable would have in place of a value of a file."""
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)


def _unknown(name: str, known: list[str]) -> FieldFault:
    fields = [one.removeprefix(PREFIX).lower() for one in known]
    close = difflib.get_close_matches(name.removeprefix(PREFIX).lower(), fields, n=1)
    remedy = (
        f"did you mean {known[fields.index(close[0])]}?" if close else f"the settings are {', '.join(sorted(known))}"
    )
    return FieldFault(name, f"is no setting; {remedy}")


def _malformed(name: str, message: str, given: object) -> FieldFault:
    message = message.removeprefix("Value error, ")  # pydantic's, before the words of a validator of ours
    return FieldFault(name, f"{message[0].lower()}{message[1:]} (given {str(given)[:100]!r})")


if __name__ == "__main__":
    print(markdown(), end="")
