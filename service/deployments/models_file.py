"""The models file: which models, labels and shadows are served, changed without a restart."""

from __future__ import annotations

import tomllib

from pydantic import ValidationError

from service.errors import ConfigurationError
from service.settings import RELEASE, Serving, Settings


def with_models_file(settings: Settings) -> Settings:
    """The settings with those of RELEASE from the models file, and nowhere else, if there is one.

    Raises ConfigurationError with every fault of the file.
    """
    path = settings.models_file
    if path is None:
        return settings
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigurationError(f"the models file {path} cannot be read: {error}") from error
    names = ", ".join(name for name in Serving.model_fields if name in RELEASE)
    faults = [f"{name[:64]} is nothing that it may have: {names}" for name in sorted(given) if name not in RELEASE]
    if not given.get("models"):
        faults.append('it does not say which models to serve, as in models = "en-fr-transformer@7,fr-en-transformer@6"')
    try:
        release = Serving.model_validate({name: value for name, value in given.items() if name in RELEASE})
    except ValidationError as error:
        found = [(fault["loc"], fault["msg"]) for fault in error.errors(include_input=False)]
        faults += [f"{'.'.join(map(str, loc))}: {message.removeprefix('Value error, ')}" for loc, message in found]
    if faults:
        raise ConfigurationError(f"the models file {path} cannot be used: {'; '.join(faults)}")
    return settings.model_copy(update={name: getattr(release, name) for name in RELEASE})
