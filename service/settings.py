"""Every setting of the server: one frozen model, read once from the environment (ATTENDANT_*)."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from service.errors import ConfigurationError, FieldFault

PREFIX = "ATTENDANT_"
"""What the name of every variable of ours begins with; the rest is the field's name in capitals."""


class Settings(BaseModel):
    """What the server can be told. Every field has a default; unset variables keep it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    http_host: str = Field(default="127.0.0.1", pattern=r"^[0-9A-Za-z.:_-]{1,253}$")
    """Address that the HTTP port listens on; 0.0.0.0 is every interface."""
    http_port: int = Field(default=8000, ge=1, le=65535)
    """TCP port of the HTTP API."""
    num_replicas: int = Field(default=1, ge=1, le=256)
    """Replicas, each a process with every model."""
    cpus_per_replica: float = Field(default=1.0, gt=0, le=256)
    """Cores that a replica may use; whole cores above 1 become threads of the runtime."""
    runtime: Literal["auto", "onnx"] = "auto"
    """`auto`: our own kernels where processor and model are fit for them, else ONNX Runtime; `onnx`: ONNX Runtime."""
    store: Path | None = None
    """Folder of published bundles; unset is the store that comes with the distribution."""
    models: tuple[str, ...] = ()
    """`name` or `name@version`, separated by commas; unset serves the newest version of everything in the store."""

    max_texts: int = Field(default=128, ge=1, le=10_000)
    """Texts per request."""
    max_text_characters: int = Field(default=5000, ge=1, le=1_000_000)
    """Characters (Unicode code points) per text."""
    max_body_bytes: int = Field(default=4 * 1024 * 1024, ge=1024, le=1 << 30)
    """Bytes per request body."""
    request_timeout_s: float = Field(default=30.0, gt=0, le=3600)
    """Seconds until a request is given up; clients may ask for less."""

    max_batch_rows: int = Field(default=24, ge=16, le=65_536)
    """Live rows (hypotheses) that a model decodes at once."""
    max_batch_tokens: int = Field(default=16_384, ge=1024, le=1 << 24)
    """Padded source and target tokens that a model holds at once."""
    batch_wait_ms: float = Field(default=0.0, ge=0, le=1000)
    """Milliseconds that an idle engine waits for company before its first step."""
    max_queue_segments: int = Field(default=1024, ge=1, le=1_000_000)
    """Waiting segments of a model in one replica; a request whose first portion finds no room is refused with 429."""

    drain_timeout_s: float = Field(default=20.0, ge=0, le=3600)
    """Seconds that work under way is given to finish when the server stops."""
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    """Least severe log lines that are written."""

    @field_validator("models", mode="before")
    @classmethod
    def _split(cls, value: object) -> object:
        return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value

    @field_validator("store")
    @classmethod
    def _is_folder(cls, value: Path | None) -> Path | None:
        if value is not None and not value.is_dir():
            raise ValueError("there is no such folder")
        return value.resolve() if value is not None else None


def read_settings(environment: Mapping[str, str]) -> Settings:
    """Settings from the variables that begin with ATTENDANT_. Raises ConfigurationError with every fault at once."""
    ours = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    fields = {variable(name): name for name in Settings.model_fields}
    faults = [_unknown(name, list(fields)) for name in sorted(ours) if name not in fields]
    try:
        settings = Settings.model_validate({fields[name]: value for name, value in ours.items() if name in fields})
    except ValidationError as error:
        faults += [_malformed(str(fault["loc"][0]), fault["msg"], fault["input"]) for fault in error.errors()]
    if faults:
        listed = "; ".join(f"{fault.field}: {fault.message}" for fault in faults)
        raise ConfigurationError(f"{len(faults)} setting(s) cannot be used: {listed}", faults)
    return settings


def variable(field: str) -> str:
    """The environment variable of a field."""
    return PREFIX + field.upper()


def markdown() -> str:
    """A table of every setting, as docs/operations.md holds it: `python -m service.settings` prints it."""
    lines = ["| variable | default | meaning |", "|---|---|---|"]
    for name, field in Settings.model_fields.items():
        default = "unset" if field.default in (None, ()) else f"`{field.default}`"
        lines.append(f"| `{variable(name)}` | {default} | {field.description} |")
    return "\n".join(lines) + "\n"


def _unknown(name: str, known: list[str]) -> FieldFault:
    close = difflib.get_close_matches(name.removeprefix(PREFIX), [n.removeprefix(PREFIX) for n in known], n=1)
    remedy = f"did you mean {PREFIX}{close[0]}?" if close else f"the settings are {', '.join(sorted(known))}"
    return FieldFault(name, f"is no setting; {remedy}")


def _malformed(field: str, message: str, given: object) -> FieldFault:
    message = message.removeprefix("Value error, ")  # pydantic's, before the words of a validator of ours
    return FieldFault(variable(field), f"{message[0].lower()}{message[1:]} (given {str(given)[:100]!r})")


if __name__ == "__main__":
    print(markdown(), end="")
